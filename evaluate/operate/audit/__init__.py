"""Compares a queue with its journal."""

"""Entries: what was submitted, its attempts, quota, leak budget and best results."""

"""Entries on one's own machine, without a queue: trial, watch, shell, profile, recount."""

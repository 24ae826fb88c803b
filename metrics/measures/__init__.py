"""Measures on checked values: no files, no challenges."""

"""Readers that turn untrusted files into checked values."""

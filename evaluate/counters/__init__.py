"""Counting the user-mode instructions that a guest retires."""

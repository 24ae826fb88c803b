"""Staged sandbox evaluation of challenge entries: prep, quiz, exam, score."""

__version__ = "0.1.0"

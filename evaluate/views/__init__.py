"""Answers questions about the queue: boards, reasons, rejudging."""

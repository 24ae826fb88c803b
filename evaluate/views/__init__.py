"""Answers questions about the queue: boards, reasons, statistics, rejudging."""

"""Entries: what was submitted, its attempts, quota, feedback of hidden exams and best results."""

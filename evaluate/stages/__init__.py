"""The four stages: prep, quiz, exam, score."""

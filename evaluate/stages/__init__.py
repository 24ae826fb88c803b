"""The stages: prep, train where a challenge asks for it, quiz, exam, score."""

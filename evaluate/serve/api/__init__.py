"""The API below /api/v1: for programs what pages are for people, by the same functions and for the same audiences."""

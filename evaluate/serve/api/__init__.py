"""The API below /api/v1: the site for programs, by the functions and for the audiences of the pages."""

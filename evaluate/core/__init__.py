"""The vocabulary of an evaluation, and errors, files and deadlines for every room."""

"""The vocabulary of an evaluation and what every room uses: errors, files, deadlines."""

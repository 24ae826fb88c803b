"""The vocabulary of an evaluation and what every room uses: errors, files, child processes, strict YAML."""

"""One module for each challenge: its convention, how answers are validated, what is measured, the report."""

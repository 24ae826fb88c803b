"""``python -m evaluate``."""

from evaluate.cli import main

main()

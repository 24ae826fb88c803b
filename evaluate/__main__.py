"""``python -m evaluate``."""

from evaluate.commands.main import main

main()

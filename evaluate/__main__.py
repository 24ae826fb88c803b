"""``python -m evaluate``, and the command ``evaluate``."""

import sys

try:
    from evaluate.commands import interrupts

    interrupts.guard()
except KeyboardInterrupt:
    sys.stderr.write("Interrupted; nothing had begun\n")
    sys.exit(130)


def run() -> None:
    """Run the command line."""
    from evaluate.commands.main import main  # noqa: PLC0415  # signals are handled before anything else is imported

    main()


if __name__ == "__main__":
    run()

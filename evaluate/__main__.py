"""``python -m evaluate``, and the command ``evaluate``."""

import atexit
import gc
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

    # when it ends, the interpreter looks for cycles in all that was imported: a third of the time of `evaluate status`
    atexit.register(gc.freeze)
    main()


if __name__ == "__main__":
    run()

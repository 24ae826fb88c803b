"""In a guest: stands in for pip where scripts install packages when they are imported, since there is no network."""

import sys
from collections.abc import Sequence


def main(words: "Sequence[str] | None" = None) -> int:
    """Say that nothing is installed; what is missing is named where it is imported."""
    asked = " ".join(sys.argv[1:] if words is None else words)
    print(f"pip {asked}: there is no network; packages are those of metric.requirements", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

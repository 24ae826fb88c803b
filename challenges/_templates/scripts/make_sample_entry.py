"""Makes sample_entry/answers.txt: the right answer for every public record."""

from __future__ import annotations

import shutil
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    shutil.copyfile(HERE / "sample_data" / "validation" / "REFERENCE.csv", HERE / "sample_entry" / "answers.txt")


if __name__ == "__main__":
    main()

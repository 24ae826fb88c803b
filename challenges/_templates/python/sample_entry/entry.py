"""Called as: python entry.py DATA RESULT.  Reads DATA/RECORDS and writes RESULT/<record>.txt for each."""

import sys
from pathlib import Path


def main(data: Path, result: Path) -> None:
    for record in (data / "RECORDS").read_text().split():
        numbers = [int(line) for line in (data / f"{record}.txt").read_text().split()]
        (result / f"{record}.txt").write_text("P\n" if sum(numbers) > 0 else "N\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

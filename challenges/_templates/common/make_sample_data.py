"""Makes sample_data/: very small records, each labelled by the sum of its numbers.  The same bytes every time."""

from __future__ import annotations

import random
from pathlib import Path

HERE = Path(__file__).parent / "sample_data"


def main() -> None:
    for part, first, n in (("validation", "v", 4), ("test", "t", 6)):
        folder = HERE / part
        folder.mkdir(parents=True, exist_ok=True)
        numbers = random.Random(part)
        records, labels = [], []
        for i in range(1, n + 1):
            values = [numbers.randint(-50, 50) for _ in range(20)]
            records.append(f"{first}{i:02d}")
            labels.append("P" if sum(values) > 0 else "N")
            (folder / f"{records[-1]}.txt").write_text("".join(f"{value}\n" for value in values))
        (folder / "RECORDS").write_text("".join(f"{record}\n" for record in records))
        lines = (f"{record},{label}\n" for record, label in zip(records, labels, strict=True))
        (folder / "REFERENCE.csv").write_text("".join(lines))


if __name__ == "__main__":
    main()

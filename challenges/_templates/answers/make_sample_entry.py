"""Makes sample_entry/: the right answer for every record of the exam, one file for each."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    sample = HERE / "sample_entry"
    sample.mkdir(exist_ok=True)
    for line in (HERE / "sample_data" / "test" / "REFERENCE.csv").read_text().splitlines():
        record, _, label = line.partition(",")
        (sample / f"{record}.txt").write_text(f"{label}\n")


if __name__ == "__main__":
    main()

"""Called as: python3 entry_2021.py DATA RESULT.

Reads DATA/RECORDS and the WFDB records that it names, and writes RESULT/<record>.json with the episodes of atrial
fibrillation: {"predict_endpoints": [[first sample, last sample], ...]}.  `episodes` is the part to replace by your own.
"""

import json
import sys
from array import array
from itertools import pairwise
from pathlib import Path


def read(header: Path) -> tuple[array, float]:
    """The first lead of a record in format 16, and its sampling rate."""
    first = header.read_text().split("\n")[0].split()
    leads, rate = int(first[1]), float(first[2].split("/")[0])
    return array("h", header.with_suffix(".dat").read_bytes())[::leads], rate


def episodes(lead: array, rate: float) -> list[list[int]]:
    """The whole recording, if the intervals between beats change by more than a tenth on average.

    A beat is where the signal rises above half of its maximum.
    """
    highest = max(lead)
    beats: list[int] = []
    for i, (before, now) in enumerate(pairwise(lead), 1):
        if 2 * before < highest <= 2 * now and (not beats or i - beats[-1] > 0.25 * rate):
            beats.append(i)
    intervals = [b - a for a, b in pairwise(beats)]
    change = sum(abs(b - a) for a, b in pairwise(intervals))
    return [[0, len(lead) - 1]] if 10 * change > sum(intervals) else []


def main(data: Path, result: Path) -> None:
    for record in (data / "RECORDS").read_text().split():
        answer = {"predict_endpoints": episodes(*read(data / f"{record}.hea"))}
        (result / f"{record}.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

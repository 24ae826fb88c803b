"""Scores the answers in a folder: the share of records with the right label.  In a guest, without a network.

Arguments: the references, the folder of answers, the folder for scores.json.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

LABELS = ("P", "N")


def main(references: Path, answers: Path, output: Path) -> None:
    rows, missing = {}, 0
    for line in references.read_text().splitlines():
        record, _, label = line.partition(",")
        file = answers / f"{record}.txt"
        given = file.read_text(errors="replace").strip() if file.is_file() else ""
        if given and given not in LABELS:  # the team's mistake, in words that it may read
            said = {"refused": f"{file.name}: expected one of {' '.join(LABELS)}"}
            (output / "scores.json").write_text(json.dumps(said))
            return
        missing += not given
        rows[record] = {"accuracy": float(given == label)}
    accuracy = sum(row["accuracy"] for row in rows.values()) / len(rows)
    said = {"values": {"accuracy": accuracy, "missing": missing}, "records": rows}
    (output / "scores.json").write_text(json.dumps(said))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

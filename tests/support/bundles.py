"""Definitions of other platforms, written to the letter of their formats for tests."""

import zipfile
from pathlib import Path

from tests.support.scorers import written

COMPETITION = """version: 2
title: Small Words
description: Make words small.
image: logo.png
docker_image: codalab/codalab-legacy:py37
registration_auto_approve: True
strange_key: 7
terms: pages/terms.md
pages:
  - title: Overview
    file: pages/overview.md
  - title: Gone
    file: pages/gone.md
tasks:
  - index: 0
    name: Development Task
    input_data: dev/input
    reference_data: dev/reference
    scoring_program: scoring_program
    ingestion_program: ingestion_program
  - index: 1
    name: Final Task
    input_data: final/input
    reference_data: final/reference.zip
    scoring_program: scoring_program/
    ingestion_program: ingestion_program/
solutions:
  - index: 0
    path: solution
    tasks: [0, 1]
phases:
  - index: 0
    name: Development
    start: 1-31-2026
    end: 2026-06-30
    max_submissions_per_day: 5
    max_submissions: 50
    execution_time_limit: 60
    tasks: [0]
    starting_kit: solution
  - index: 1
    name: Final
    start: 7-1-2026
    max_submissions: 1
    tasks: [1]
leaderboards:
  - title: Results
    key: main
    submission_rule: Force_Last
    columns:
      - {title: Accuracy, key: accuracy, index: 0, sorting: desc, computation: avg, computation_indexes: [1, 2]}
      - {title: First half, key: first, index: 1, sorting: desc, precision: 3}
      - {title: Second half, key: second, index: 2, sorting: desc}
"""
_SCORE = """import json, sys
from pathlib import Path
where, output = Path(sys.argv[1]), Path(sys.argv[2])
truth = (where / "ref" / "truth.txt").read_text().split()
given = (where / "res" / "answer.txt").read_text().split()
right = [float(a == b) for a, b in zip(truth, given)]
half = len(right) // 2
found = {"first": sum(right[:half]) / half, "second": sum(right[half:]) / (len(right) - half)}
(output / "scores.json").write_text(json.dumps(found))
"""
_INGEST = """import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from model import answer
Path(sys.argv[2], "answer.txt").write_text(answer(Path(sys.argv[1], "data.txt").read_text()))
"""


def codabench(folder: Path, text: str = COMPETITION) -> Path:
    """A bundle of two phases with an ingestion program."""
    files = {
        "competition.yaml": text,
        "pages/overview.md": "# Overview\n",
        "pages/terms.md": "# Terms\n",
        "scoring_program/metadata.yaml": "command: python3 $program/score.py $input $output\n",
        "scoring_program/score.py": _SCORE,
        "ingestion_program/metadata": "command: python3 $ingestion_program/run.py $input $output $submission_program\n",
        "ingestion_program/run.py": _INGEST,
        "dev/input/data.txt": "A B C D",
        "dev/reference/truth.txt": "a b c d",
        "final/input/data.txt": "E F G H",
        "solution/model.py": "def answer(text):\n    return text.lower()\n",
    }
    written(folder, files)
    with zipfile.ZipFile(folder / "final/reference.zip", "w") as archive:
        archive.writestr("truth.txt", "e f g x")
    return folder

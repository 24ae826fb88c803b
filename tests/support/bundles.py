"""Definitions of other platforms, written to the letter of their formats for tests."""

from __future__ import annotations

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


_SECOND = """  - index: 2
    name: Other / Task
    input_data: other/input
    reference_data: other/reference
    scoring_program: scoring_program
    ingestion_program: ingestion_program
solutions:
"""


def of_two_tasks(folder: Path, *, direction: str = "desc") -> Path:
    """A bundle whose last phase has two tasks, in the other order than in their list."""
    text = COMPETITION.replace("solutions:\n", _SECOND).replace("tasks: [1]", "tasks: [2, 1]")
    source = codabench(folder, text.replace("index: 0, sorting: desc", f"index: 0, sorting: {direction}"))
    written(source, {"other/input/data.txt": "I J K L", "other/reference/truth.txt": "x y k l"})
    return source


CHALLENGE_CONFIG = """title: Lines
short_description: Lines in common
description: templates/description.html
evaluation_details: templates/gone.html
terms_and_conditions: templates/terms.html
image: logo.jpg
evaluation_script: evaluation_script.zip
remote_evaluation: False
start_date: 2026-01-01 00:00:00
end_date: 2026-12-31 23:59:59
published: True
leaderboard:
  - id: 1
    schema:
      {"labels": ["Metric1", "Total"], "default_order_by": "Total", "metadata": {"Total": {"sort_ascending": true}}}
challenge_phases:
  - id: 1
    name: Dev Phase
    codename: dev
    start_date: 2026-01-01 00:00:00
    end_date: 2026-05-31 23:59:59
    test_annotation_file: annotations/dev.txt
    max_submissions_per_day: 5
    max_submissions: 50
    allowed_submission_file_types: ".json"
  - id: 2
    name: Test Phase
    codename: test
    start_date: 2026-06-01 00:00:00
    end_date: 2026-12-31 23:59:59
    test_annotation_file: annotations/test.txt
    max_submissions: 5
dataset_splits:
  - {id: 1, name: Train Split, codename: train_split}
  - {id: 2, name: Test Split, codename: test_split}
challenge_phase_splits:
  - {challenge_phase_id: 1, leaderboard_id: 1, dataset_split_id: 1, visibility: 1}
  - {challenge_phase_id: 2, leaderboard_id: 1, dataset_split_id: 1, visibility: 1}
  - {challenge_phase_id: 2, leaderboard_id: 1, dataset_split_id: 2, visibility: 3, leaderboard_decimal_precision: 2}
"""
_MAIN = """def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
    truth = open(test_annotation_file).read().split()
    given = open(user_submission_file).read().split()
    wrong = float(sum(a != b for a, b in zip(truth, given)))
    return {"result": [{"train_split": {"Metric1": 1, "Total": 1}}, {"test_split": {"Metric1": 0, "Total": wrong}}]}
"""


def evalai(folder: Path) -> Path:
    """A challenge of two phases."""
    files = {
        "challenge_config.yaml": CHALLENGE_CONFIG,
        "templates/description.html": "<p>Lines</p>",
        "templates/terms.html": "<p>Terms</p>",
        "annotations/dev.txt": "a b",
        "annotations/test.txt": "a b c",
        "sample_submission/lines.txt": "a x c",
    }
    written(folder, files)
    with zipfile.ZipFile(folder / "evaluation_script.zip", "w") as archive:
        archive.writestr("evaluation_script/__init__.py", "from .main import evaluate\n")
        archive.writestr("evaluation_script/main.py", _MAIN)
    return folder


METRIC = '''"""A metric."""
import numpy as np
import pandas as pd
from sklearn.metrics import f1_score


def score(solution: pd.DataFrame, submission: pd.DataFrame, row_id_column_name: str, beta: float = 1.0) -> float:
    """How often both agree.

    >>> 1 + 1
    2
    """
    return float(np.mean(solution["label"] == submission["label"]))
'''


def kaggle(folder: Path) -> Path:
    """What the host of a competition has."""
    files = {
        "metric.py": METRIC,
        "solution.csv": "row_id,label,Usage\n1,a,Public\n2,b,Private\n",
        "sample_submission.csv": "row_id,label\n1,a\n2,a\n",
    }
    return written(folder, files)


def forge(folder: Path) -> Path:
    """A context of grand-challenge-forge."""
    context = """{
  "challenge": {
    "slug": "ct-lungs",
    "url": "https://ct-lungs.example.org/",
    "archives": [{"slug": "cases", "url": "https://example.org/archives/cases/"}],
    "phases": [
      {
        "slug": "debug",
        "archive": {"slug": "cases", "url": "https://example.org/archives/cases/"},
        "algorithm_interfaces": [],
        "evaluation_additional_inputs": [],
        "evaluation_additional_outputs": []
      },
      {
        "slug": "final-phase",
        "archive": {"slug": "cases", "url": "https://example.org/archives/cases/"},
        "algorithm_interfaces": [
          {
            "inputs": [{"slug": "ct", "relative_path": "images/ct", "kind": "Image", "super_kind": "Image"}],
            "outputs": [
              {"slug": "score", "relative_path": "score.json", "kind": "Float", "super_kind": "Value"}
            ]
          }
        ],
        "evaluation_additional_inputs": [],
        "evaluation_additional_outputs": []
      }
    ]
  }
}
"""
    return written(folder, {"context.json": context})

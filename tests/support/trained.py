"""A challenge whose entries are trained."""

from __future__ import annotations

import shutil
from pathlib import Path

import yaml

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, Kind


def with_training(folder: Path, *, hidden_exam: bool = False, **keys: object) -> Challenge:
    """The skeleton of kind python, made if it is not there, trained with a copy of its public records.

    ``keys``: keys of its section ``train``.
    """
    if not folder.exists():
        write_skeleton(folder, Kind.PYTHON)
        data = folder / "sample_data"
        shutil.copytree(data / "validation", data / "train")
        (data / "train" / "REFERENCE.csv").rename(data / "train" / "LABELS.csv")
        (folder / "sample_entry" / "train_model.py").write_text("print('trained')\n")
    file = folder / "challenge.yaml"
    rules = yaml.safe_load(file.read_text())
    limits = {"instructions": 1_000_000, "wall_seconds": 60}
    rules["train"] = {"records": "sample_data/train", "files": ["LABELS.csv"], "seed": 7, "limits": limits, **keys}
    rules["data"]["exam"]["hidden"] = hidden_exam
    file.write_text(yaml.safe_dump(rules))
    return load_challenge(str(folder))

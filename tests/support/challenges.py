"""Challenges that tests make of others."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import yaml

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.core.files import data_folder

PUBLIC, FINAL = "exam", "final"


def hidden(folder: Path, challenge: str = "cinc2017", **keys: object) -> Path:
    """A copy of a challenge whose exam is hidden; ``keys``: more of its rules."""
    shutil.copytree(data_folder("challenges") / challenge, folder)
    file = folder / "challenge.yaml"
    rules = yaml.safe_load(file.read_text())
    rules["data"]["exam"]["hidden"] = True
    file.write_text(yaml.safe_dump({**rules, **keys}))
    return folder


def two_exams(folder: Path, final: Mapping[str, object] | None = None) -> Path:
    """A copy of cinc2017 with a further exam of its first records, each another's.

    ``final``: more keys of it; None: it has no such key.
    """
    shutil.copytree(data_folder("challenges") / "cinc2017", folder)
    data = folder / "sample_data"
    records = (data / "test" / "RECORDS").read_text().split()[:4]
    (data / FINAL).mkdir()
    names = {record: f"F{record[1:]}" for record in records}
    for old, new in names.items():
        header = (data / "test" / f"{old}.hea").read_text().replace(old, new)
        (data / FINAL / f"{new}.hea").write_text(header)
        (data / FINAL / f"{new}.mat").write_bytes((data / "validation" / f"S{old[1:]}.mat").read_bytes()[::-1])
    (data / FINAL / "RECORDS").write_text("\n".join(names.values()) + "\n")
    (data / FINAL / "REFERENCE.csv").write_text("".join(f"{new},N\n" for new in names.values()))
    keys = {"folder": f"sample_data/{FINAL}", "references": f"sample_data/{FINAL}/REFERENCE.csv", "hidden": True}
    file = folder / "challenge.yaml"
    rules = yaml.safe_load(file.read_text())
    named = {**keys, **(final or {})}
    rules["data"]["exams"] = {FINAL: {key: value for key, value in named.items() if value is not None}}
    file.write_text(yaml.safe_dump({**rules, "feedback": {"digits": 2}}))
    return folder


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

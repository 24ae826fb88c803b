"""Form ``codabench``: the scoring program of a bundle, and its ingestion program, below ``/app``.

* The command is in ``metadata.yaml`` or ``metadata`` of the program's folder, with ``$input`` and others replaced.
* With an ingestion program, the uploaded files are its ``/app/ingested_program``; what it leaves in ``/app/output`` is
  scored.  It never sees the reference data, which another guest has.  An upload that has a ``metadata`` with a command,
  and no ingestion program beside it, is run in the same way.  Uploaded files are copied to the predictions.
* Result: ``scores.json``, else ``scores.txt``; keys that the challenge does not declare are ignored, as there.

Network: on there, none here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from evaluate.confine.isolated import Bounds, isolated
from evaluate.core.errors import ChallengeError, EntryError, EvaluateError
from evaluate.images.squashfs import Content, Link
from evaluate.stages.scorers.adapter import (
    OUTPUT,
    Adapter,
    NotShown,
    Numbers,
    ScoreRequest,
    ScorerTask,
    Step,
    UnreadableScores,
    mapping,
    read_json,
    read_text,
    read_yaml,
    replaced,
)
from metrics.readers.foreign import plain_number

METADATA = ("metadata.yaml", "metadata")
SCORES = ("scores.json", "scores.txt")
_APP = "/app"
_ENVIRONMENT = {"PYTHONUNBUFFERED": "1"}
_SHARED = "/tmp/shared"
_SHELL = ("/bin/sh", "-c", f'mkdir -p {_SHARED} && exec "$@"', "sh")
"""Makes the folder of ``/app/shared`` before a program."""
_PLACES = {
    "input": f"{_APP}/input",
    "output": f"{_APP}/output",
    "program": f"{_APP}/program",
    "ingestion_program": f"{_APP}/program",
    "hidden": f"{_APP}/input/ref",
    "shared": f"{_APP}/shared",
    "submission_program": f"{_APP}/ingested_program",
    "tmp": f"{_APP}/output",
    "predictions": f"{_APP}/input/res",
}
"""Words in the command of a scoring program -> the paths that they stand for."""
_MOST_METADATA = 1 << 16
_SECONDS, _MEMORY = 5, 512 << 20


def command_in(folder: Path, blame: type[EvaluateError] = ChallengeError) -> str:
    """The command of a program's metadata, read behind walls, since teams upload such files too; empty: it has none.

    Raises ``blame`` if it cannot be read with a few seconds and some memory: aliases can make YAML endless.
    """
    path = next((folder / name for name in METADATA if (folder / name).is_file()), None)
    if path is None:
        return ""
    doing = f"reading the command of {path.name}"
    bounds = Bounds(doing=doing, seconds=_SECONDS, memory_bytes=_MEMORY, blame=blame, raises=(), defect=blame)
    command = isolated(bounds, read_command, path.resolve())
    # YAML can write half of a character, which no program can be given
    return command.encode(errors="replace").decode()


def read_command(path: Path) -> str:
    """Behind walls: the command of a file of metadata; empty if it has none."""
    with path.open("rb") as f:
        text = f.read(_MOST_METADATA).decode(errors="replace")
    try:
        metadata = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):  # ValueError: a date or number that is none
        metadata = None
    if isinstance(metadata, dict):
        command = metadata.get("command")
        return command.strip() if isinstance(command, str) else ""
    match = re.search(r"^\s*command\s*:\s*(.+?)\s*$", text, re.MULTILINE)  # written before YAML was asked for
    return match[1].strip("\"'") if match else ""


def steps(task: ScorerTask) -> Sequence[Step]:
    """Prediction where the entry is a program, then scoring."""
    predicted = _prediction(task)
    # uploaded files count as predictions, beside those that the ingestion program makes
    results = (task.answers, task.output(0)) if predicted else task.answers
    files = {
        **_common(task),
        f"{_APP}/program": task.folder,
        f"{_APP}/input/ref": task.references,
        f"{_APP}/input/res": results,
    }
    command = task.scorer.command or command_in(task.folder)
    if not command:
        raise ChallengeError(f"{task.folder}: expected {METADATA[0]} with a command")
    return (*predicted, _step(command, _PLACES, files))


def _prediction(task: ScorerTask) -> tuple[Step, ...]:
    """Step that makes predictions of the uploaded files; nothing if they are predictions."""
    try:
        uploaded, ingestion = command_in(task.answers, EntryError), task.scorer.ingestion
    except EntryError as e:
        raise NotShown(str(e)) from e
    if not uploaded and ingestion is None:
        return ()
    if uploaded and ingestion is not None:
        raise NotShown(
            "the upload has a metadata file with a command, and this challenge runs uploads by its ingestion program: "
            "leave that file out"
        )
    command, program = uploaded, task.answers
    files: dict[str, Content] = {}
    if ingestion is not None:
        command, program = command_in(ingestion), ingestion
        if not command:
            raise ChallengeError(f"{ingestion}: expected {METADATA[0]} with a command")
        files[f"{_APP}/ingested_program"] = task.answers
    places = {**_PLACES, "input": f"{_APP}/input_data", "predictions": f"{_APP}/output"}
    return (_step(command, places, {**_common(task), **files, f"{_APP}/program": program}, runs_entry=True),)


def _common(task: ScorerTask) -> dict[str, Content]:
    files: dict[str, Content] = {
        f"{_APP}/output": Link(OUTPUT),
        f"{_APP}/shared": Link(_SHARED),
        f"{_APP}/data/.keep": b"",
    }
    if task.records.input_data is not None:
        files[f"{_APP}/input_data"] = task.records.input_data
    return files


def _step(command: str, places: dict[str, str], files: Mapping[str, Content], *, runs_entry: bool = False) -> Step:
    words = replaced(command, places)
    return Step(argv=(*_SHELL, *words), files=files, cwd=f"{_APP}/program", env=_ENVIRONMENT, runs_entry=runs_entry)


def read(output: Path, request: ScoreRequest) -> Numbers:
    """``scores.json`` or ``scores.txt``."""
    if (output / "metadata").exists():
        raise UnreadableScores("wrote a file called metadata, which the output may not hold")
    path = next((output / name for name in SCORES if (output / name).is_file()), None)
    if path is None:
        raise UnreadableScores("Could not find scores file: expected scores.json or scores.txt in $output")
    return Numbers(values=_scores(path), strict=False)


def _scores(path: Path) -> Mapping[str, Any]:
    if path.name == SCORES[0]:
        return mapping(read_json(read_text(path), path.name), path.name)
    scores = mapping(read_yaml(path), path.name)
    # YAML 1.1 takes 1e-5, without a dot, for a text
    return {str(key): _number(value) for key, value in scores.items()}


def _number(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return float(plain_number(value))
        except ValueError:
            return value
    return value


CODABENCH = Adapter(steps=steps, read=read)

"""`evaluate challenge export codabench`: a bundle of a challenge whose entries are answers.

The scoring program of the bundle is our metric itself, with the package `metrics` beside it, so both platforms give the
same numbers; a scorer of form ``codabench`` goes back as it came.
"""

from __future__ import annotations

import json
import math
import shutil
import struct
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

import metrics
from evaluate.authoring.imports.codabench import SLOWER
from evaluate.challenge.scorer import Form
from evaluate.challenge.types import Challenge, Kind, RecordSet
from evaluate.config.terms import Phase, Terms
from evaluate.core.errors import UsageError
from evaluate.stages.scorers.codabench import METADATA

IMAGE = "python:3.11"
_LOGO = "logo.png"
_MOST_TITLE, _MOST_KEY = 256, 36
"""Letters that Codabench's tables have room for."""
_ALWAYS, _DAY = datetime(2026, 1, 1, tzinfo=UTC).timestamp(), 86400
"""When a phase starts that has no beginning."""
_SCORE = '''"""Scores answers with the metric of the challenge; `metrics` is the package of sandbox-evaluate."""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
try:
    import numpy, scipy
except ImportError:  # the image of the competition lacks them
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)

import metrics

where, output = Path(sys.argv[1]), Path(sys.argv[2])
asked = json.loads((HERE / "challenge.json").read_text())
metric = metrics.get(str(HERE / asked["metric"]) if asked["metric"].endswith(".py") else asked["metric"])
(reference,) = [path for path in (where / "ref").iterdir()] if asked["file"] else [where / "ref"]
answers = where / "res"
try:
    report = metric.score(reference, answers, records=asked["records"], rules=asked["rules"])
except metrics.AnswerError as e:
    sys.exit(f"the answers cannot be scored: {e}")
values = {key: value for key, value in report.values.items() if value == value}
(output / "scores.json").write_text(json.dumps(values))
print("\\n".join(map(str, report.notes)))
'''
_PACKAGES = ["numpy", "scipy", "nibabel", "pillow", "wfdb"]


def export_codabench(challenge: Challenge, terms: Terms, values: Sequence[str], to: Path) -> list[str]:
    """Write the bundle to a new folder, whole or not at all; returns what it does not have, as lines.

    Raises UsageError if the entries are not answers, references are missing, or the folder exists.

    ``values``: the names of the metric's numbers, the primary one first.
    """
    if Kind.ANSWERS not in challenge.kinds:
        kinds = " ".join(challenge.kinds)
        raise UsageError(f"{challenge.name}: entries are of kind {kinds}; only a challenge of answers can be a bundle")
    if challenge.scorer is not None and challenge.scorer.form is not Form.CODABENCH:
        raise UsageError(f"{challenge.name}: its scorer is of form {challenge.scorer.form}, which Codabench cannot run")
    if challenge.exam.references is None:
        raise UsageError(f"{challenge.name}: its exam has no references")
    if to.exists():
        raise UsageError(f"{to}: already exists; nothing was changed")
    to.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{to.name}.", dir=to.parent) as scratch:
        made = Path(scratch) / to.name
        left = _bundle(challenge, terms, values, made)
        made.rename(to)
    return left


def _bundle(challenge: Challenge, terms: Terms, values: Sequence[str], to: Path) -> list[str]:
    to.mkdir()
    left = _program(challenge, to)
    stages = [("exam", challenge.exam)]
    if (
        challenge.scorer is not None
        and challenge.scorer.ingestion is not None
        and challenge.quiz.references is not None
    ):
        stages.insert(0, ("quiz", challenge.quiz))
    of_stages = [_tasks(challenge, stage, records, to) for stage, records in stages]
    tasks = [{"index": n, **one} for n, one in enumerate(one for listed in of_stages for one in listed)]
    readme = challenge.folder / "README.md"
    (to / "pages").mkdir()
    text = readme.read_text() if readme.is_file() else ""
    (to / "pages/overview.md").write_text(text if text.strip() else f"# {challenge.title}\n")
    (to / _LOGO).write_bytes(_square())
    (to / "pages/terms.md").write_text("# Terms\n\nThe organisers write them here.\n")
    sample = challenge.folder / "sample_entry"
    if sample.is_dir():
        shutil.copytree(sample, to / "solution")
    said = {
        "version": 2,
        "title": challenge.title[:_MOST_TITLE],
        "description": challenge.title,
        "image": _LOGO,
        "docker_image": IMAGE,
        "terms": "pages/terms.md",
        "pages": [{"title": "Overview", "file": "pages/overview.md"}],
        "tasks": tasks,
        "solutions": [{"index": 0, "path": "solution", "tasks": [one["index"] for one in tasks]}]
        if sample.is_dir()
        else [],
        "phases": _phases(challenge, terms, len(stages), len(of_stages[0]), left),
        "leaderboards": [
            {
                "title": "Results",
                "key": "results",
                "submission_rule": "Force_Best",
                "columns": _columns(challenge, values, left),
            }
        ],
    }
    (to / "competition.yaml").write_text(yaml.safe_dump(said, sort_keys=False, allow_unicode=True))
    if challenge.exam.hidden:
        left.append("the information budget of a hidden exam: Codabench shows scores with all digits")
    left.append("intervals, tied groups and receipts: Codabench has none")
    return left


def _program(challenge: Challenge, to: Path) -> list[str]:
    """The scoring program."""
    target = to / "scoring_program"
    scorer = challenge.scorer
    if scorer is not None:
        assert scorer.program is not None  # of this form
        shutil.copytree(scorer.program, target)
        if scorer.ingestion is not None:
            shutil.copytree(scorer.ingestion, to / "ingestion_program")
        if scorer.command:  # which takes the place of that in its metadata
            for folder in [target / name for name in scorer.tasks] or [target]:
                for name in METADATA:
                    folder.joinpath(name).unlink(missing_ok=True)
                folder.joinpath(METADATA[0]).write_text(yaml.safe_dump({"command": scorer.command}))
        left = ["limits of instructions and memory, and that there is no network"]
        if scorer.requirements is not None or scorer.packages:
            left.append(f"the packages that the programs need: docker_image is {IMAGE}; name one that has them")
        return left
    target.mkdir()
    package = Path(metrics.__file__).parent
    shutil.copytree(package, target / "metrics", ignore=shutil.ignore_patterns("__pycache__"))
    name = challenge.metric
    if name.endswith(".py"):
        shutil.copyfile(name, target / Path(name).name)
        name = Path(name).name
    asked = {
        "metric": name,
        "rules": challenge.rules,
        "records": list(challenge.exam.records),
        "file": challenge.exam.references is not None and challenge.exam.references.is_file(),
    }
    (target / "challenge.json").write_text(json.dumps(asked, indent=1) + "\n")
    (target / "score.py").write_text(_SCORE.replace("*PACKAGES", repr(_PACKAGES)[1:-1]))
    (target / "metadata.yaml").write_text("command: python3 $program/score.py $input $output\n")
    return ["the result by the other rules of the metric, which is beside the score here"]


def _tasks(challenge: Challenge, stage: str, records: RecordSet, to: Path) -> list[dict[str, Any]]:
    """The task of a stage, or those that its scorer has."""
    scorer, references = challenge.scorer, records.references
    assert references is not None  # looked at before
    data = to / f"reference_data_{stage}"
    if references.is_dir():
        shutil.copytree(references, data)
    else:
        data.mkdir()
        shutil.copyfile(references, data / references.name)
    if records.input_data is not None:
        shutil.copytree(records.input_data, to / f"input_data_{stage}")
    found: list[dict[str, Any]] = []
    for name in (scorer.tasks if scorer is not None else ()) or ("",):
        below = f"/{name}" if name else ""
        about = name or stage
        task: dict[str, Any] = {"name": about, "description": about, "scoring_program": f"scoring_program{below}"}
        task["reference_data"] = f"{data.name}{below}"
        if records.input_data is not None:
            task["input_data"] = f"input_data_{stage}{below}"
        if scorer is not None and scorer.ingestion is not None:
            task["ingestion_program"] = f"ingestion_program{below}"
            if scorer.during_scoring:
                task["ingestion_only_during_scoring"] = True
        found.append(task)
    return found


def _square() -> bytes:
    """A picture, as Codabench takes no bundle without one: one grey pixel in a PNG."""
    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"\0\x80")), (b"IEND", b""))
    packed = (struct.pack(">I", len(data)) + name + data for name, data in parts)
    sums = (struct.pack(">I", zlib.crc32(name + data)) for name, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(one + check for one, check in zip(packed, sums, strict=True))


def _phases(challenge: Challenge, terms: Terms, stages: int, tasks: int, left: list[str]) -> list[dict[str, Any]]:
    """The phases of evaluate.yaml, all of them on the exam; where there are two stages, the first one on the quiz.

    * ``tasks``: how many tasks a stage has.
    * ``left``: gets a line where the quiz has no phase.
    """
    found: list[dict[str, Any]] = []
    named = sorted(terms.phases, key=lambda phase: phase.begins) or [Phase(name="Exam")]
    if len(named) < stages:
        begins = max(named[0].begins, _ALWAYS)
        named = [Phase(name="Quiz", ends=begins), replace(named[0], begins=begins)]
        left.append("when the quiz is open: evaluate.yaml has no phase for it, so it ends as the exam begins")
    for n, (phase, (start, end)) in enumerate(zip(named, _times(named), strict=True)):
        attempts = terms.allowed(challenge.board) if phase.attempts is None else phase.attempts
        name = phase.name[:_MOST_TITLE]
        one: dict[str, Any] = {"index": n, "name": name, "description": phase.name, "start": _moment(start)}
        if end < math.inf:
            one["end"] = _moment(end)
        if attempts:
            one |= {"max_submissions": attempts, "max_submissions_per_day": attempts}
        found.append(one)
    for n, one in enumerate(found):
        stage = min(n, stages - 1)
        one["tasks"] = list(range(stage * tasks, (stage + 1) * tasks))
        if challenge.scorer is not None:
            one["execution_time_limit"] = math.ceil(challenge.scorer.limits.wall_seconds / SLOWER)
    return found


def _times(phases: Sequence[Phase]) -> list[tuple[float, float]]:
    """Start and end of each; ours may adjoin, there one ends before the next one starts."""
    found = []
    for n, phase in enumerate(phases):
        start = phase.begins if phase.begins > -math.inf else min(_ALWAYS, phase.ends - _DAY)
        adjoins = n + 1 < len(phases) and phases[n + 1].begins <= phase.ends
        found.append((start, phase.ends - 1 if adjoins else phase.ends))
    return found


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _columns(challenge: Challenge, values: Sequence[str], left: list[str]) -> list[dict[str, Any]]:
    """A column for each number; of a scorer as they were.

    Raises UsageError if the one that ranks has a key that is too long; ``left`` gets a line for each other such column.
    """
    scorer = challenge.scorer
    smaller = scorer is not None and scorer.direction == "smaller"
    prefix = f"{scorer.tasks[0]}." if scorer is not None and scorer.tasks else ""  # there each task has all columns
    names = list(values)
    if scorer is not None:
        own = [one.removeprefix(prefix) for one in scorer.values if one.startswith(prefix)]
        names = [scorer.primary, *(one for one in own if one != scorer.primary)]
    if names and len(names[0]) > _MOST_KEY:
        raise UsageError(f"{challenge.name}: {names[0]}: Codabench's columns have keys of at most {_MOST_KEY} letters")
    left += [
        f"column {name}: Codabench's have keys of at most {_MOST_KEY} letters" for name in names if not _fits(name)
    ]
    names = [name for name in names if _fits(name)]
    found = []
    for n, name in enumerate(names):
        column: dict[str, Any] = {"title": name, "key": name, "index": n, "precision": 4}
        column["sorting"] = "asc" if n == 0 and smaller else "desc"
        if scorer is not None and (computed := scorer.computed.get(prefix + name)) is not None:
            of = [one.removeprefix(prefix) for one in computed.of]
            indexes = [names.index(one) for one in of if one in names]
            column |= {"computation": computed.by, "computation_indexes": indexes}
        found.append(column)
    return found


def _fits(name: str) -> bool:
    return len(name) <= _MOST_KEY

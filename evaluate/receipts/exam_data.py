"""Digests of what an exam is judged by: its records, their files, the references, and the metric or scorer.

An attempt keeps these digests from the beginning of its exam: later stages compare them with the files of that time,
and the receipt states them.  Nobody is shown them, since guessed references could be compared with them.  A metric of
this program is identified by its name: a later release has the same metric, and its notes say when a number changes.
An organiser's own metric is identified by its code.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, entry_points, version
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

import evaluate
from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.files import sha256_file, sha256_kept, write_file

# Digests of the code that a score depends on: the metric, and the libraries that it uses.
#
# Nothing is imported for that: a metric of another distribution is found by its entry point, and read where it lies.


_GROUP = "evaluate.metrics"
_PROGRAM = "sandbox-evaluate"
_LIBRARIES = ("numpy", "scipy", "nibabel", "pillow", "surface-distance-based-measures", "tifffile")
"""Requirements of this program itself that calculate scores."""
_SKIPPED = {"__pycache__"}
_PLACES_OF_SCORER = {"program", "container", "requirements", "ingestion", "sockets", "config", "parameters"}


def metric_digest(metric: str) -> str:
    """SHA-256 of a metric's code: an organiser's file, another distribution's package, or all our metrics.

    Empty: there is no such metric.
    """
    if metric.endswith(".py"):
        return sha256_file(Path(metric)) if Path(metric).is_file() else ""
    if (point := _installed(metric)) is not None:
        spec = importlib.util.find_spec(point.module.partition(".")[0])
        if spec is None or (spec.origin is None and not spec.submodule_search_locations):
            return ""
        paths = [Path(path) for path in spec.submodule_search_locations or [str(spec.origin)]]
        whole = [f"{tree_digest(path)}\n" for path in paths if path.exists()]
        return hashlib.sha256("".join(whole).encode()).hexdigest() if whole else ""
    import metrics  # noqa: PLC0415

    ours = metric in metrics.names() or metric.lstrip().startswith("{")
    return _metrics_digest() if ours else ""


def judge_digest(challenge: Challenge) -> str:
    """SHA-256 of what gives a challenge its scores: the metric, or all files and keys of the scorer."""
    scorer = challenge.scorer
    if scorer is None:
        return metric_digest(challenge.metric)
    keys = {key.name: getattr(scorer, key.name) for key in fields(scorer) if key.name not in _PLACES_OF_SCORER}
    lines = [f"{tree_digest(path)}  {path.name}\n" for path in scorer.files]
    return hashlib.sha256("".join([json.dumps(keys, default=asdict, sort_keys=True), *lines]).encode()).hexdigest()


def libraries(metric: str) -> dict[str, str]:
    """Name and version of the libraries that a metric calculates with, as they are installed."""
    names = set(_LIBRARIES)
    point = _installed(metric) if not metric.endswith(".py") else None
    if point is not None and point.dist is not None:
        names |= {point.dist.name, *_required(point.dist)}
    return {name: installed for name in sorted(names) if (installed := _version(name))}


@cache
def code_digest() -> str:
    """SHA-256 over this program's own code."""
    return tree_digest(Path(evaluate.__file__).parent, suffix=".py")


def tree_digest(path: Path, suffix: str = "") -> str:
    """SHA-256 over the names and contents of all files of a folder, in order of their names; of a file, its own."""
    return files_digest(tree_files(path, suffix))


def tree_files(path: Path, suffix: str = "") -> dict[str, str]:
    """SHA-256 of each file of a folder by its name, in order of the names; of a single file by no name."""
    if path.is_file():
        return {"": sha256_kept(path)}
    return {
        file.relative_to(path).as_posix(): sha256_kept(file)
        for file in sorted(path.rglob(f"*{suffix}"))
        if file.is_file() and not _SKIPPED & set(file.parts)
    }


def files_digest(files: Mapping[str, str]) -> str:
    """SHA-256 over files by name and digest; the digest itself of a single file."""
    if "" in files:
        return files[""]
    return hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in files.items()).encode()).hexdigest()


@cache
def _metrics_digest() -> str:
    import metrics  # noqa: PLC0415

    return tree_digest(Path(metrics.__file__).parent, suffix=".py")


def _installed(metric: str) -> EntryPoint | None:
    import metrics  # noqa: PLC0415

    if metric in metrics.names() or metric.lstrip().startswith("{"):
        return None
    return next((point for point in entry_points(group=_GROUP) if point.name == metric), None)


def _required(dist: Distribution) -> Iterator[str]:
    for requirement in map(Requirement, dist.requires or ()):
        if "extra ==" not in str(requirement.marker) and requirement.name != _PROGRAM:
            yield requirement.name.lower()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


_NAMED = 5
"""Records and files that a message names of each sort; the others are counted."""


@dataclass(frozen=True, kw_only=True)
class ExamData:
    """Digests of what an exam is judged by."""

    records: tuple[str, ...]
    files: Mapping[str, str]
    """Input files by their names below the folder of records."""
    references: Mapping[str, str] | None
    """The same; a single file has no name."""
    metric: str
    rules: str
    input_data: Mapping[str, str] | None = None

    @property
    def digest(self) -> str:
        """Digest of it all: scores of equal digests may be compared."""
        return hashlib.sha256(self.as_text().encode()).hexdigest()

    def as_text(self) -> str:
        """JSON of the digests, as `evaluate.core.codec` reads it; equal data give equal text."""
        return json.dumps(asdict(self), sort_keys=True)

    def changes(self, now: ExamData, *, answers_only: bool = False) -> tuple[str, ...]:
        """List what is not any more as it was, in words for the organiser.

        ``answers_only``: only what answers are made of, for answers that other references score.
        """
        changes = [*_files("record", dict.fromkeys(self.records, ""), dict.fromkeys(now.records, ""))]
        if not changes and self.records != now.records:
            changes.append("the order of the records")
        changes += _files("file", self.files, now.files)
        if answers_only:
            return tuple(changes)
        for what, before, after in (
            ("reference", self.references, now.references),
            ("input_data file", self.input_data, now.input_data),
        ):
            changes += _files(what, before or {}, after or {})
        changes += ["the metric or scorer"] if self.metric != now.metric else []
        changes += [f"metric rules: {self.rules}, now {now.rules}"] if self.rules != now.rules else []
        return tuple(changes)


def exam_data(challenge: Challenge, kept: Path) -> ExamData:
    """Return what the exam of a challenge is judged by now. Raises ChallengeError if a file of it is missing.

    ``kept``: see `files_of`.
    """
    exam = challenge.exam
    try:
        return ExamData(
            records=exam.records,
            files=files_of(exam, kept),
            references=None if exam.references is None else tree_files(exam.references),
            metric=judge_digest(challenge) if challenge.has_own_judge else challenge.metric,
            rules=challenge.rules,
            input_data=None if exam.input_data is None else tree_files(exam.input_data),
        )
    except OSError as e:
        raise ChallengeError(f"{e.filename}: of the exam of {challenge.name}: {e.strerror}") from e


def files_of(records: RecordSet, kept: Path) -> dict[str, str]:
    """SHA-256 of the input files of a set of records by their names, in the order of the records.

    ``kept``: a file of digests by path and inode, so that a file that did not change is read once.
    """
    earlier: dict[str, list[Any]] = {}
    with suppress(OSError, ValueError):
        earlier = json.loads(kept.read_text())
    read = dict(earlier)
    digests: dict[str, str] = {}
    for record in records.records:
        for name, path in records.files(record).items():
            status = path.stat()
            identity = [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]
            digest = earlier.get(str(path), [])
            if digest[:-1] != identity:
                digest = read[str(path)] = [*identity, sha256_file(path)]
            digests[name] = digest[-1]
    if read != earlier:
        with suppress(OSError):  # of somebody who may only read; it is read again the next time
            write_file(kept, json.dumps(read).encode(), 0o600)
    return digests


def _files(what: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of files that were removed, added or changed."""
    for how, names in (
        ("removed", [name for name in before if name not in after]),
        ("added", [name for name in after if name not in before]),
        ("changed", [name for name in before if after.get(name, before[name]) != before[name]]),
    ):
        named = ", ".join(name or "a single file" for name in names[:_NAMED])
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        if names == [""]:
            yield f"{what}s {how}"
        elif names:
            yield f"{what}{'s' if len(names) > 1 else ''} {how}: {named}{more}"

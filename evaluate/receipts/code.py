"""Digests of the code that a rank depends on: the metric, the libraries it uses, and what makes a board of scores.

Nothing is imported for that: a metric of another distribution is found by its entry point, and read where it lies.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from functools import cache
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution, entry_points
from pathlib import Path

import evaluate
from evaluate.challenge.types import Challenge
from evaluate.core.files import sha256_file, sha256_kept

_GROUP = "evaluate.metrics"
_PROGRAM = "sandbox-evaluate"
_LIBRARIES = ("numpy", "scipy", "nibabel", "pillow", "surface-distance-based-measures", "tifffile")
"""Of this program's own requirements, those that calculate scores."""
_BOARD = (
    "queue/db/attempts.py",
    "queue/entries/best_attempts.py",
    "queue/views/board.py",
    "stages/confined.py",
    "stages/score.py",
    "stages/scorers/reading.py",
    "stages/scorers/run.py",
)
"""How scores are asked for, and become ranks."""
_SKIPPED = {"__pycache__"}
_PLACES_OF_SCORER = {"program", "container", "requirements", "ingestion", "sockets", "config", "parameters"}


def metric_digest(metric: str) -> str:
    """SHA-256 of a metric's code: an organiser's file, another distribution's package, or all our metrics.

    Empty: there is no such metric.
    """
    if metric.endswith(".py"):
        return sha256_file(Path(metric)) if Path(metric).is_file() else ""
    if (point := _installed(metric)) is not None:
        found = importlib.util.find_spec(point.module.partition(".")[0])
        if found is None or (found.origin is None and not found.submodule_search_locations):
            return ""
        places = [Path(place) for place in found.submodule_search_locations or [str(found.origin)]]
        whole = [f"{tree_digest(place)}\n" for place in places if place.exists()]
        return hashlib.sha256("".join(whole).encode()).hexdigest() if whole else ""
    import metrics  # noqa: PLC0415

    ours = metric in metrics.names() or metric.lstrip().startswith("{")
    return _metrics_digest() if ours else ""


def judge_digest(challenge: Challenge) -> str:
    """SHA-256 of what gives a challenge its scores: the metric, or all files and keys of the scorer."""
    scorer = challenge.scorer
    if scorer is None:
        return metric_digest(challenge.metric)
    keys = {one.name: getattr(scorer, one.name) for one in fields(scorer) if one.name not in _PLACES_OF_SCORER}
    lines = [f"{tree_digest(path)}  {path.name}\n" for path in scorer.files]
    return hashlib.sha256("".join([json.dumps(keys, default=asdict, sort_keys=True), *lines]).encode()).hexdigest()


def libraries(metric: str) -> dict[str, str]:
    """Name and version of the libraries that a metric calculates with, as they are installed."""
    names = set(_LIBRARIES)
    point = _installed(metric) if not metric.endswith(".py") else None
    if point is not None and point.dist is not None:
        names |= {point.dist.name, *_required(point.dist)}
    return {name: version for name in sorted(names) if (version := _version(name))}


@cache
def board_digest() -> str:
    """SHA-256 over the code that makes a board of scores."""
    top = Path(evaluate.__file__).parent
    return hashlib.sha256("".join(f"{sha256_file(top / name)}  {name}\n" for name in _BOARD).encode()).hexdigest()


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
    """One SHA-256 over files by name and digest; of a single file its own."""
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
    for line in dist.requires or ():
        name = re.match(r"[A-Za-z0-9._-]+", line)
        if name is not None and "extra ==" not in line and name.group() != _PROGRAM:
            yield name.group().lower()


def _version(name: str) -> str:
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return ""

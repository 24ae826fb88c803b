"""Scorers that give other numbers when they run again, as `challenge check` found them."""

from __future__ import annotations

import json
from pathlib import Path

from evaluate.core.files import exclusive, write_file

_UNSTEADY = "unsteady-scorers.json"
"""File of the state directory: challenge -> the finding of `challenge check`."""


def keep_steadiness(state: Path, challenge: str, finding: str) -> None:
    """Keep what `challenge check` found of a scorer that gives other numbers when it runs again; empty: it does not."""
    if finding == _unsteady(state).get(challenge, ""):
        return
    with exclusive(state / f"{_UNSTEADY}.lock"):  # others check other challenges meanwhile
        findings = _unsteady(state)
        findings.pop(challenge, None)
        write_file(state / _UNSTEADY, json.dumps({**findings, **({challenge: finding} if finding else {})}).encode())


def unsteady(state: Path, challenge: str) -> str:
    """A sentence on rejudging a challenge whose scorer `challenge check` found to be random; else empty."""
    finding = _unsteady(state).get(challenge, "")
    return finding and (
        f"challenge check found: {finding}; machines of a queue give a scorer the same random numbers each time, so "
        "that equal numbers do not show that it is steady"
    )


def _unsteady(state: Path) -> dict[str, str]:
    path = state / _UNSTEADY
    return dict(json.loads(path.read_text())) if path.exists() else {}

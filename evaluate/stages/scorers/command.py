"""Form ``command``: any program with an exit code and a JSON.

``command`` is split by the rules of a shell, without one, and ``$program``, ``$references``, ``$answers`` and
``$output`` in it are replaced by folders; it is started in that of the program.  It writes ``$output/scores.json``, or
prints the same as the last line of standard output::

    {"F1": 0.83, "accuracy": 0.9}
    {"values": {"F1": 0.83}, "records": {"A1": {"F1": 1.0}}, "refused": "line 3: expected a number"}

``records`` gives intervals where the primary value is the mean of theirs; ``refused`` takes the place of a score and is
shown to the team, so it must not quote references.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluate.core.errors import ChallengeError
from evaluate.stages.scorers.base import (
    HOME,
    OUTPUT,
    Adapter,
    Asked,
    Numbers,
    ScorerTask,
    Step,
    UnreadableScores,
    mapping,
    read_json,
    read_text,
)

SCORES = "scores.json"
PLACES = {
    "program": f"{HOME}/program",
    "references": f"{HOME}/references",
    "answers": f"{HOME}/answers",
    "output": OUTPUT,
}


def replaced(command: str, places: dict[str, str]) -> tuple[str, ...]:
    """A command line as words, its ``$names`` replaced."""
    try:
        words = shlex.split(command)
    except ValueError as e:
        raise ChallengeError(f"the scorer's command cannot be split into words ({e}): {command}") from e
    for name in sorted(places, key=len, reverse=True):  # $program is the beginning of $programs
        words = [word.replace(f"${name}", places[name]) for word in words]
    if not words:
        raise ChallengeError("the scorer's command is empty")
    return tuple(words)


def steps(task: ScorerTask) -> Sequence[Step]:
    """One command."""
    files = {
        PLACES["program"]: task.folder,
        PLACES["references"]: task.references,
        PLACES["answers"]: task.answers,
    }
    return (Step(argv=replaced(task.scorer.command, PLACES), files=files, cwd=PLACES["program"]),)


def read(output: Path, asked: Asked) -> Numbers:
    """``scores.json``, or standard output: all of it, or its last line."""
    if (output / SCORES).exists():
        return of_json(mapping(read_json(read_text(output / SCORES), SCORES), SCORES))
    lines = asked.stdout.strip().splitlines()
    for text in (asked.stdout, lines[-1] if lines else ""):
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(said, dict):
            return of_json(read_json(text, "standard output"))
    wish = json.dumps({asked.primary: 0.5})
    raise UnreadableScores(
        f"wrote no {SCORES}: expected JSON such as {wish} in $output/{SCORES}, or as the last line of standard output"
    )


def of_json(said: Any) -> Numbers:
    """Numbers alone, or under ``values`` with what else there is."""
    if not {"values", "records", "refused"} & set(said):
        return Numbers(values=said)
    unknown = set(said) - {"values", "records", "refused"}
    values = {**mapping(said.get("values", {}), "values"), **{key: said[key] for key in unknown}}
    return Numbers(
        values=values, records=mapping(said.get("records", {}), "records"), refused=str(said.get("refused") or "")
    )


COMMAND = Adapter(steps=steps, read=read)

"""score: the metric, on the host, in a process of its own that can reach nothing.

References never enter a guest.  The answers are a stranger's text, and metrics use readers of many formats, so the
arithmetic runs confined: no network, bounded memory and time, no byte written to any file.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluate.challenge import Challenge, Kind, RecordSet
from evaluate.core.errors import ChallengeError, Fault
from evaluate.core.model import Score, Stage, StageResult, Verdict

_SECONDS = 3600


def score(
    metric: str, references: Path, answers: Path, records: Sequence[str] | None, rules: str = "corrected"
) -> tuple[StageResult, Score | None]:
    """Score by the judging rules and, beside it, as the organisers' program would.

    Raises
    ------
    ChallengeError
        References, record list or metric are at fault.
    Fault
        The confined process did not end as it should.
    """
    request = {
        "metric": metric,
        "references": request_path(references),
        "answers": request_path(answers),
        "records": list(records) if records is not None else None,
        "rules": rules,
    }
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "evaluate.stages.confined"],
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as e:
        raise Fault(f"metric {metric} did not end within {_SECONDS} s") from e
    try:
        reply: dict[str, Any] = json.loads(done.stdout)
    except ValueError as e:
        text = done.stderr.decode(errors="replace").strip()[-2000:]
        raise Fault(f"metric {metric} ended with {done.returncode} and no result: {text}") from e
    if reply["kind"] == "reference_error":
        raise ChallengeError(reply["message"])

    def told(text: str) -> str:
        """As a team may read it: without the folders of this host."""
        return text.replace(request_path(answers), "answers").replace(request_path(references), "references")

    if reply["kind"] == "answer_error":
        return StageResult(stage=Stage.SCORE, verdict=Verdict.BAD_ANSWER, message=told(reply["message"])), None
    result = Score(
        primary=reply["primary"],
        values=_numbers(reply["values"]),
        official=_numbers(reply["official"] or {}),
        intervals={key: (low, high) for key, (low, high) in reply["intervals"].items()},
        resampled=tuple(math.nan if value is None else value for value in reply["resampled"]),
        clusters=reply["clusters"],
        notes=tuple(told(note) for note in reply["notes"]),
    )
    value = result.values[result.primary]
    message = f"{result.primary} {value:.4f}"
    if result.primary in result.intervals:
        low, high = result.intervals[result.primary]
        message += f" (95 % interval {low:.3f} to {high:.3f})"
    return StageResult(stage=Stage.SCORE, verdict=Verdict.OK, message=message), result


def request_path(path: Path) -> str:
    """As the confined process gets it."""
    return str(path.resolve())


def score_answers(challenge: Challenge, record_set: RecordSet, answers: Path) -> tuple[StageResult, Score | None]:
    """`score` for the answers that a stage left in the folder ``answers``."""
    if record_set.references is None:
        raise ChallengeError(f"{challenge.name}: {record_set.folder} has no references to score against")
    of_lines = Kind.SCRIPTS in challenge.kinds
    path = answers / challenge.answers.file if of_lines else answers
    return score(challenge.metric, record_set.references, path, record_set.records, challenge.rules)


def _numbers(values: Mapping[str, float | None]) -> dict[str, float]:
    return {key: math.nan if value is None else float(value) for key, value in values.items()}

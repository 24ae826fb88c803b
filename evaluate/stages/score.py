"""score: the metric, on the host, in a separate process that can reach nothing.

References never enter a guest.  The answers are untrusted text, and metrics use readers of many formats, so the
arithmetic runs confined: no network, bounded memory and time, no byte written to any file.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluate.challenge import Challenge, RecordSet
from evaluate.core.codec import from_json
from evaluate.core.errors import ChallengeError, Fault
from evaluate.core.model import Score, Stage, StageOutcome, StageResult, Verdict
from evaluate.stages.confined import ANSWER_ERROR, CHALLENGE_ERROR

_SECONDS = 3600
_MOST_SAID = 2000


def score(
    metric: str, references: Path, answers: Path, records: Sequence[str] | None, rules: str = "corrected"
) -> StageOutcome:
    """Score by the judging rules and, next to that, as the organisers' program would.

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
    reply = _ask(request)

    def told(text: str) -> str:
        """The text as a team may read it: without the folders of this host."""
        return text.replace(request_path(answers), "answers").replace(request_path(references), "references")

    if reply["kind"] == CHALLENGE_ERROR:
        raise ChallengeError(reply["message"])
    if reply["kind"] == ANSWER_ERROR:
        message = told(reply["message"])
        return StageOutcome(result=StageResult(stage=Stage.SCORE, verdict=Verdict.BAD_ANSWER, message=message))
    found = from_json(Score, reply["score"])
    found = replace(found, notes=tuple(replace(note, text=told(note.text)) for note in found.notes))
    return StageOutcome(result=StageResult(stage=Stage.SCORE, verdict=Verdict.OK, message=in_words(found)), score=found)


def _ask(request: dict[str, Any]) -> dict[str, Any]:
    """The reply of the confined process."""
    metric = request["metric"]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "evaluate.stages.confined"],
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as e:
        raise _blame(metric, f"metric {metric} did not end within {_SECONDS} s") from e
    try:
        reply: dict[str, Any] = json.loads(done.stdout)
    except ValueError as e:
        said = done.stderr.decode(errors="replace").strip()[-_MOST_SAID:]
        raise _blame(metric, f"metric {metric} ended with {done.returncode} and no result: {said}") from e
    return reply


def _blame(metric: str, message: str) -> ChallengeError | Fault:
    """A metric that brings down the whole process is its author's fault: the organiser's or ours."""
    return ChallengeError(message) if metric.endswith(".py") else Fault(message)


def in_words(score: Score) -> str:
    """ "F1 0.8857 (95 % interval 0.556 to 1.000)" """
    text = f"{score.primary} {score.values[score.primary]:.4f}"
    if score.primary in score.intervals:
        low, high = score.intervals[score.primary]
        text += f" (95 % interval {low:.3f} to {high:.3f})"
    return text


def request_path(path: Path) -> str:
    """A path as the confined process gets it."""
    return str(path.resolve())


def score_answers(challenge: Challenge, record_set: RecordSet, answers: Path) -> StageOutcome:
    """`score` for the answers that a stage left in the folder ``answers``."""
    if record_set.references is None:
        raise ChallengeError(f"{challenge.name}: {record_set.folder} has no references to score against")
    path = answers / challenge.answers.file if challenge.answers_are_lines else answers
    return score(challenge.metric, record_set.references, path, record_set.records, challenge.rules)

"""score: the metric, on the host, behind walls; or an organiser's scoring program in a guest.

References never enter a guest of an entry.  The answers are untrusted, and metrics use readers of many formats, so they
see these answers, these references and the metric, and nothing else (`evaluate.confine.walls`).
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.walls import Openings
from evaluate.core.errors import ChallengeError, Fault
from evaluate.core.model import RecordOutcome, Score, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.core.sanitize import in_one_line
from evaluate.report.words import score_in_words
from evaluate.stages.confined import ANSWER_ERROR, CHALLENGE_ERROR, Rows, answer
from evaluate.stages.contracts import contract_of
from evaluate.stages.job import ScorerMeans
from evaluate.stages.scorers.run import score_by
from metrics.command import Outcome, Task, perform

_SECONDS = 3600
_MEMORY_BYTES = 16 << 30
_REPLY_BYTES = 64 << 20
"""Limit of a reply, most of which are pictures: two MiB each, and there are no more than some twenty."""
_MOST_SAID, _MOST_VALUES, _MOST_NAME = 16 << 20, 10_000, 200
"""Limits of a score: letters in all of its notes, numbers, letters in the name of one."""
_MOST_LINKS = 1000
_LABELS = (("reference", "answer"), ("class_true", "class_pred"))
_ERRORS = ("FP", "FN")
"""Keys of what a metric says of a record."""
_WORST = 5
_MOST_LINE = 500
"""Characters of what is said of a record."""


def _walls(metric: str, references: Path) -> tuple[Bounds, str]:
    """Return what a metric may do and see, and its name as `metrics.get` takes it."""
    program = (Path(metric).absolute(),) if metric.endswith(".py") else ()
    # a metric that brings down the whole process is its author's fault: the organiser's or ours
    fault = ChallengeError if program else Fault
    bounds = Bounds(
        doing=f"metric {metric}",
        seconds=_SECONDS,
        memory_bytes=_MEMORY_BYTES,
        reply_bytes=_REPLY_BYTES,
        blame=fault,
        raises=(),  # what is wrong with answers and references is a value
        defect=fault,
        openings=Openings(reads=(*program, *_linked(references))),
    )
    return bounds, str(program[0]) if program else metric


def score(
    metric: str,
    references: Path,
    answers: Path,
    records: Sequence[str] | None,
    rules: str = "corrected",
    *,
    seconds: float = math.inf,
    take_rows: Callable[[Rows], object] | None = None,
) -> StageOutcome:
    """Score by the judging rules and, next to that, as the organisers' program would.

    The result has the records whose answers cannot be used, and so count as missing.

    Raises ChallengeError if references, record list or metric are at fault. Raises Fault if the confined process did
    not end as it should.

    * ``seconds``: a bound of the elapsed time, for somebody who waits.
    * ``take_rows``: is given what the metric says of each record; only for records that are not secret.
    """
    references, answers = references.resolve(), answers.resolve()
    bounds, name = _walls(metric, references)
    listed = tuple(records) if records is not None else None
    printed: list[str] = []
    bounds = replace(bounds, elapsed_seconds=seconds, printed=printed.append)
    reply = isolated(bounds, answer, name, references, answers, listed, rules, take_rows is not None)

    def readable(text: str) -> str:
        """The text as a team may read it: without the folders of this host."""
        return text.replace(str(answers), "answers").replace(str(references), "references")

    if reply.kind == CHALLENGE_ERROR:
        raise ChallengeError(reply.message)
    if reply.kind == ANSWER_ERROR:
        message = readable(reply.message)
        bad = StageResult(stage=Stage.SCORE, verdict=Verdict.BAD_ANSWER, message=message, diagnostics="".join(printed))
        return StageOutcome(result=bad)
    judged = reply.score
    if judged is None or judged.primary not in judged.values:
        raise bounds.defect(f"metric {metric} gave no score")
    if not _is_bounded(judged):
        raise bounds.defect(f"metric {metric} returned names, notes or numbers that no report can contain")
    if take_rows is not None:
        take_rows(reply.rows or {})
    judged = replace(judged, notes=tuple(replace(note, text=readable(note.text)) for note in judged.notes))
    reasons = reply.unusable or {}
    unusable = tuple(
        RecordOutcome(
            record=record,
            verdict=Verdict.BAD_ANSWER,
            usage=Usage(),
            message=in_one_line(readable(reasons[record]))[:_MOST_LINE],
        )
        for record in (reasons if listed is None else listed)
        if record in reasons
    )
    result = StageResult(
        stage=Stage.SCORE,
        verdict=Verdict.OK,
        message=score_in_words(judged),
        records=unusable,
        diagnostics="".join(printed),
    )
    return StageOutcome(result=result, score=judged)


def _is_bounded(score: Score) -> bool:
    """True if a score is as small as scores are: it goes into reports, mails and a database."""
    named = (score.values, score.official, score.intervals)
    names = [score.primary, *(name for names in named for name in names), *(drawn.name for drawn in score.pictures)]
    return (
        len(names) + len(score.resampled) <= _MOST_VALUES
        and all(0 < len(name) <= _MOST_NAME and name.isprintable() for name in names)
        and sum(len(note.text) + len(note.record or "") for note in score.notes) <= _MOST_SAID
        and all(len(picture.record) <= _MOST_NAME for picture in score.pictures)
    )


def alone(task: Task) -> Outcome:
    """Do what ``evaluate score`` does: the work of `metrics.command`, behind the same walls.

    Raises ChallengeError or Fault if the confined process did not end as it should: an organiser's own metric is at
    fault, or this host.
    """
    bounds, _ = _walls(task.metric, task.references.resolve())
    outcome = isolated(bounds, perform, task)
    try:
        for text in (outcome.values, *outcome.pictures):
            json.loads(text)
    except (ValueError, RecursionError) as e:
        raise bounds.defect(f"metric {task.metric} gave numbers that are no JSON: {type(e).__name__}") from e
    return outcome


def _linked(folder: Path) -> Iterator[Path]:
    """Targets of the symbolic links in a folder of references; the organiser may keep large files elsewhere."""
    targets: set[Path] = set()
    for top, folders, files in os.walk(folder):
        for path in (Path(top, name) for name in (*folders, *files)):
            if path.is_symlink():
                targets.add(Path(os.path.normpath(path.parent / path.readlink())))
    outside = {path for path in targets if not path.is_relative_to(folder)}
    # a command line has an end: for many, the folders that they are in
    yield from outside if len(outside) <= _MOST_LINKS else {path.parent for path in outside}


def score_answers(
    challenge: Challenge,
    record_set: RecordSet,
    answers: Path,
    means: ScorerMeans | None = None,
    *,
    seconds: float = math.inf,
    again: bool = False,
    take_rows: Callable[[Rows], object] | None = None,
) -> StageOutcome:
    """`score` for the answers that a stage left in the folder ``answers``, or what the challenge's own scorer says.

    * ``means``: what that is run with.
    * ``again``: whether that runs twice, to be compared.
    * ``take_rows``: is given what a metric says of each record, where these are not secret.
    """
    if record_set.references is None:
        raise ChallengeError(f"{challenge.name}: {record_set.folder} has no references to score against")
    references = record_set.references
    if challenge.scorer is not None and means is None:
        raise Fault(f"{challenge.name}: its scorer needs a virtual machine, and there is none")
    with _as_scored(challenge, record_set, answers) as path:
        if challenge.scorer is not None and means is not None:
            return score_by(challenge.scorer, record_set, references, path, means, seconds=seconds, again=again)
        outcome = score(
            challenge.metric,
            references,
            path,
            record_set.records,
            challenge.rules,
            seconds=seconds,
            take_rows=None if record_set.hidden else take_rows,
        )
    if outcome.score is None:
        return outcome
    return replace(outcome, score=_finite(outcome.score))


def _finite(score: Score) -> Score:
    """Without infinities in what boards draw, which JSON has not: a scorer that was taken over may reply so."""
    intervals = {name: ends for name, ends in score.intervals.items() if all(map(math.isfinite, ends))}
    resampled = tuple(value if math.isfinite(value) else math.nan for value in score.resampled)
    return replace(score, intervals=intervals, resampled=resampled)


@contextmanager
def _as_scored(challenge: Challenge, record_set: RecordSet, answers: Path) -> Iterator[Path]:
    """Path that a metric or scorer reads: the answers, or what the challenge's contract makes of them."""
    merge = contract_of(challenge).merge
    if merge is None:
        yield answers / challenge.answers.file if challenge.answers_are_lines else answers
        return
    with tempfile.TemporaryDirectory(prefix="merged-") as folder:
        merge(record_set, answers, Path(folder))
        yield Path(folder)


def wrong_records(challenge: Challenge, record_set: RecordSet, answers: Path) -> tuple[str, ...]:
    """The records that were answered wrongly or worst, a line for each; for records that are not secret."""
    if record_set.references is None or record_set.hidden or challenge.scorer is not None:
        return ()
    lines: list[str] = []
    with suppress(ChallengeError):
        score_answers(challenge, record_set, answers, take_rows=lambda rows: lines.extend(in_lines(rows)))
    return tuple(lines)


def in_lines(rows_by_record: Rows) -> tuple[str, ...]:
    """Lines of what a metric says of each record that is wrong; of those that are more or less right, the worst.

    Texts in it may be the entry's own, or an attacker's who took the metric over.
    """
    return tuple(in_one_line(line)[:_MOST_LINE] for line in _lines(rows_by_record))


def _lines(rows_by_record: Rows) -> Sequence[str]:
    lines = []
    for record, row in rows_by_record.items():
        pair = next((pair for pair in _LABELS if pair[0] in row and pair[1] in row), None)
        wrong = {key: value for key in _ERRORS if isinstance(value := row.get(key), float)}
        if pair is not None and row[pair[0]] != row[pair[1]]:
            lines.append(f"{record}: answered {row[pair[1]] or 'nothing'}, the reference is {row[pair[0]]}")
        elif pair is None and any(wrong.values()):
            lines.append(f"{record}: " + ", ".join(f"{key} {value:g}" for key, value in wrong.items()))
    if lines or any(
        key in row for row in rows_by_record.values() for key in (*_ERRORS, *(pair[0] for pair in _LABELS))
    ):
        return lines
    key = next((key for row in rows_by_record.values() for key, value in row.items() if isinstance(value, float)), "")
    numbers = sorted(
        (value, record) for record, row in rows_by_record.items() if isinstance(value := row.get(key), float)
    )
    return [f"{record}: {key} {value:.4g}" for value, record in numbers[:_WORST]]

"""Behind walls: what a scorer wrote, as the one `Score` that everything else knows."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluate.config.challenge.scorer import Computed, Form
from evaluate.confine.replies import MOST_MESSAGE
from evaluate.core.model import Score
from evaluate.core.sanitize import in_one_line
from evaluate.stages.confined import ANSWER_ERROR, CHALLENGE_ERROR, SCORE, Reply, score_of
from evaluate.stages.contracts.grand_challenge import GRAND_CHALLENGE
from evaluate.stages.contracts.physionet_years import PHYSIONET
from evaluate.stages.scorers.adapter import COMMAND, Adapter, Numbers, ScoreRequest, UnreadableScores, named
from evaluate.stages.scorers.codabench import CODABENCH

# The table of forms


FORMS: Mapping[Form, Adapter] = {
    Form.COMMAND: COMMAND,
    Form.CODABENCH: CODABENCH,
    Form.GRAND_CHALLENGE: GRAND_CHALLENGE,
    Form.PHYSIONET: PHYSIONET,
}


_LARGEST = 1e15
"""Limit of a score: a number beyond it is none."""
_MOST_VALUES, _MOST_NAME, _MOST_RECORDS = 1000, 200, 200_000
NO_INTERVAL = "the scorer returns no values of single records whose mean is the score, so it has no interval"


def read_scores(
    form: str,
    output: Path,
    stdout: str,
    request: ScoreRequest,
    computed: dict[str, Computed],
    smaller: bool,
) -> Reply:
    """The score in the folder that a scorer's command left."""
    try:
        numbers = FORMS[Form(form)].read(output, replace(request, stdout=stdout))
        if numbers.refused:
            return Reply(kind=ANSWER_ERROR, message=numbers.refused[:MOST_MESSAGE])
        numbers = replace(numbers, values={**numbers.values, **calculated(numbers.values, computed)})
        score = _score(_numbers(numbers, request, computed), _rows(numbers.records), request.primary, smaller=smaller)
    except UnreadableScores as e:
        return Reply(kind=CHALLENGE_ERROR, message=str(e)[:MOST_MESSAGE])
    return Reply(kind=SCORE, score=score)


def calculated(values: Mapping[str, Any], computed: Mapping[str, Computed]) -> dict[str, float]:
    """The numbers that follow from others, or from those that are calculated before them.

    Raises UnreadableScores if one of those is missing or no number.
    """
    results: dict[str, float] = {}
    for name, rule in computed.items():
        numbers = {**values, **results}
        lacking = [key for key in rule.of if not _is_number(numbers.get(key))]
        if lacking:
            raise UnreadableScores(f"{name} needs the numbers {', '.join(lacking)}, which it did not write")
        parts = [float(numbers[key]) for key in rule.of]
        by = {"sum": math.fsum(parts), "avg": math.fsum(parts) / len(parts), "min": min(parts), "max": max(parts)}
        results[name] = by[rule.by]
    return results


def _numbers(numbers: Numbers, request: ScoreRequest, computed: Iterable[str]) -> dict[str, float]:
    """The numbers that count, the primary one first.

    Raises UnreadableScores if one is missing, is no number, or is not one of those that the challenge declares.  Where
    it declares none, those count that were written; of hidden references the primary one and the ``computed`` alone.
    """
    if request.primary not in numbers.values:
        raise UnreadableScores(
            f"expected the primary value {request.primary!r}, found {named(*numbers.values) or 'nothing'}"
        )
    names = request.values or ((request.primary, *computed) if request.hidden else tuple(map(str, numbers.values)))
    lacking = [name for name in names if name not in numbers.values]
    if lacking and numbers.strict:
        raise UnreadableScores(f"wrote no {named(*lacking)}")
    extra = [name for name in numbers.values if name not in names]
    if extra and numbers.strict and request.values:
        raise UnreadableScores(f"wrote values that the challenge does not declare: {named(*extra)}")
    kept = {name: numbers.values[name] for name in (request.primary, *names) if name in numbers.values}
    if len(kept) > _MOST_VALUES or any(len(name) > _MOST_NAME for name in kept):
        raise UnreadableScores(
            f"wrote {len(kept)} values; expected at most {_MOST_VALUES}, with names of {_MOST_NAME} letters"
        )
    odd = [name for name in kept if not (name and name.isprintable())]
    if odd:
        raise UnreadableScores(f"expected names in one line of text, found {ascii(odd[0])[:80]}")
    if not request.values:  # what else is in a file, such as the version of a program
        kept = {
            name: value
            for name, value in kept.items()
            if name == request.primary or _is_number(value) or numbers.strict
        }
    return {name: _number(value, name) for name, value in kept.items()}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _number(value: Any, name: str) -> float:
    large = isinstance(value, int) and abs(value) > _LARGEST
    # of values within values, which aliases can make endless, the outer ones
    shown = "a larger one" if large else (reprlib.repr(value) if isinstance(value, list | dict) else str(value))[:40]
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise UnreadableScores(f"{name}: expected a number, found {shown!r}")
    if not -_LARGEST <= value <= _LARGEST:  # NaN is not either
        raise UnreadableScores(f"{name}: expected a finite number up to {_LARGEST:g}, found {shown}")
    return float(value)


def _rows(records: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    if len(records) > _MOST_RECORDS:
        raise UnreadableScores(f"wrote numbers of {len(records)} records; expected at most {_MOST_RECORDS}")
    rows = {}
    for record, row in records.items():
        if not isinstance(row, dict):
            raise UnreadableScores(f"record {named(record)}: expected an object of numbers")
        rows[in_one_line(str(record))[:_MOST_NAME]] = {
            str(key): float(value) for key, value in row.items() if _is_number(value)
        }
    return rows


def _score(values: dict[str, float], records: dict[str, dict[str, float]], primary: str, *, smaller: bool) -> Score:
    """A score; of numbers of which the smaller is better the negative ranks, with ``neg_`` before its name."""
    from metrics.base import ScoreReport  # noqa: PLC0415  # numpy takes long to import
    from metrics.uncertainty import intervals  # noqa: PLC0415

    if smaller:
        name = f"neg_{primary}"
        values = {name: -values[primary], **values}
        records = {
            record: {**row, **({name: -row[primary]} if primary in row else {})} for record, row in records.items()
        }
        primary = name
    report = ScoreReport(metric="scorer", rules="official", primary=primary, values=values, per_record=records)
    uncertainty = intervals(report)
    no_interval = () if primary in uncertainty.of else (NO_INTERVAL,)
    return score_of(report, report, uncertainty.of, (*uncertainty.notes, *no_interval))

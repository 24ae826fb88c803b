"""The board of a challenge: the best of each team's attempts, equal scores sharing a rank."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from evaluate.queue.store import ENTRIES, RESULTS, SCORES, State, Store


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One entry that was scored."""

    entry: str
    team: str
    number: int
    score: float
    low: float | None
    high: float | None
    """95 % interval, where the metric gives one."""
    instructions: int
    wall_seconds: float
    """Of the exam."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """One line of the board."""

    rank: int
    team: str
    score: float
    low: float | None
    high: float | None
    instructions: int
    wall_seconds: float
    attempts: int
    entry: str


def ranked(attempts: Sequence[Attempt], decimals: int = 12) -> list[Place]:
    """The best attempt of each team, best first; of equal ones the earlier.

    Parameters
    ----------
    decimals : int
        Scores that are equal to so many decimals share a rank, and the next rank is skipped.
    """
    best: dict[str, Attempt] = {}
    tried: dict[str, int] = {}
    for attempt in sorted(attempts, key=lambda one: (-_rounded(one.score, decimals), one.number)):
        best.setdefault(attempt.team, attempt)
        tried[attempt.team] = tried.get(attempt.team, 0) + 1
    places: list[Place] = []
    for position, attempt in enumerate(best.values(), 1):
        same = places and _rounded(places[-1].score, decimals) == _rounded(attempt.score, decimals)
        places.append(
            Place(
                rank=places[-1].rank if same else position,
                team=attempt.team,
                score=attempt.score,
                low=attempt.low,
                high=attempt.high,
                instructions=attempt.instructions,
                wall_seconds=attempt.wall_seconds,
                attempts=tried[attempt.team],
                entry=attempt.entry,
            )
        )
    return places


def _rounded(score: float, decimals: int) -> float:
    return -math.inf if math.isnan(score) else round(score, decimals)


def attempts_of(store: Store, challenge: str) -> list[Attempt]:
    """Every scored entry of a challenge."""
    exam = sa.select(RESULTS).where(RESULTS.c.stage == "exam").subquery()
    query = (
        sa.select(ENTRIES.c.id, ENTRIES.c.team, ENTRIES.c.number, SCORES.c.key, SCORES.c.value, SCORES.c.score)
        .add_columns(exam.c.instructions, exam.c.wall_seconds)
        .join(SCORES, (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt))
        .join(exam, (exam.c.entry == ENTRIES.c.id) & (exam.c.attempt == ENTRIES.c.attempt))
        .where(ENTRIES.c.challenge == challenge, ENTRIES.c.state == State.DONE.value)
    )
    with store.engine.connect() as connection:
        return [
            Attempt(
                entry=row.id,
                team=row.team,
                number=row.number,
                score=math.nan if row.value is None else row.value,
                low=bounds[0],
                high=bounds[1],
                instructions=row.instructions,
                wall_seconds=row.wall_seconds,
            )
            for row in connection.execute(query)
            for bounds in [_bounds(row.score, row.key)]
        ]


def _bounds(score: str, key: str) -> tuple[float | None, float | None]:
    """The interval of the primary value in a stored score."""
    low, high = json.loads(score).get("intervals", {}).get(key, (None, None))
    return low, high


def as_csv(places: Sequence[Place]) -> str:
    """The board as CSV with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(Place.__dataclass_fields__), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(place) for place in places)
    return text.getvalue()


def as_text(places: Sequence[Place]) -> str:
    """The board as a table for people."""
    width = max([4, *(len(place.team) for place in places)]) + 2
    lines = [f"rank  {'team':<{width}}{'score':>8}{'95 % interval':>18}{'instructions':>14}{'attempts':>10}  entry"]
    for place in places:
        between = "" if place.low is None else f"{place.low:.3f} to {place.high:.3f}"
        lines.append(
            f"{place.rank:<6}{place.team:<{width}}{place.score:>8.4f}{between:>18}{place.instructions:>14.2e}"
            f"{place.attempts:>10}  {place.entry}"
        )
    return "\n".join(lines)

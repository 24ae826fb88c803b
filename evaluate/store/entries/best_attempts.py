"""Attempts as a board sees them: the best of each team, asked of the database in one query; groups of tied teams."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sa

from evaluate.config.challenge.types import Show
from evaluate.config.terms import Phase
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ACCOUNTS, ENTRIES, REJUDGING_ATTEMPTS, RESULTS, SCORES
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import baseline_teams

_ASKED_AT_ONCE = 500


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One entry that reached the exam."""

    entry: str
    team: str
    number: int
    submitted: float
    score: float | None
    """None if the entry got no score."""
    low: float | None = None
    high: float | None = None
    """95 % interval, where the metric gives one."""
    attempt: int = 1
    scored: int = 0
    """Number of scored attempts of its team that it stands for, itself among them; 0: itself alone."""
    resampled: tuple[float, ...] = ()
    """The score on bootstrap resamples of the records, the same for every entry; empty where not kept, or not read."""
    values: Mapping[str, float] = field(default_factory=dict)
    """All measures of the score, the primary one among them; empty where not read."""
    clusters: int = 0
    """Number of independent records or patients that the resamples were drawn from."""
    instructions: int = 0
    wall_seconds: float = 0.0
    """Wall time of the exam."""
    judged: str = ""
    """Digest of what its score was given by (`evaluate.receipts.exam_data`)."""
    judged_at: float = 0.0
    """When its score was given."""
    baseline: bool = False
    """True if its team is marked as a baseline, which has no rank."""

    def rounded(self, decimals: int) -> float:
        """The score by which it is ranked."""
        return -math.inf if self.score is None or math.isnan(self.score) else round(self.score, decimals)


def on_board(
    of_teams: Iterable[Iterable[Attempt]], judged: str | None, decimals: int, baselines: Collection[str]
) -> list[Attempt]:
    """The best of each team's attempts, best first; without those of teams that have no score.

    ``judged``: digest of the data whose scores are compared; of a team that has none of it, those of its newest data.
    None: all by one.
    """
    shown = []
    for attempts in of_teams:
        scored = [attempt for attempt in attempts if attempt.score is not None]
        if judged is not None and scored:
            newest = max(scored, key=lambda attempt: (attempt.judged == judged, attempt.judged_at, attempt.number))
            scored = [attempt for attempt in scored if attempt.judged == newest.judged]
        if alike := in_order(scored, decimals):
            best = alike[0]
            shown.append(replace(best, scored=best.scored or len(alike), baseline=best.team in baselines))
    return in_order(shown, decimals)


def in_order(attempts: Iterable[Attempt], decimals: int) -> list[Attempt]:
    """Return the attempts with a score, best first; of equal ones the earlier."""
    scored = (attempt for attempt in attempts if attempt.score is not None)
    return sorted(scored, key=lambda attempt: (-attempt.rounded(decimals), attempt.number))


def letters_of(order: Sequence[Attempt]) -> Mapping[str, str]:
    """Entry -> the letter of its group; empty unless every entry has the same number of resampled scores.

    ``order``: best first, with their resampled scores.
    """
    lengths = {len(attempt.resampled) for attempt in order}
    if len(order) < 2 or len(lengths) > 1 or 0 in lengths:
        return {}
    import numpy as np  # noqa: PLC0415  # what most commands of the queue need not wait for

    from metrics.uncertainty import tied_groups  # noqa: PLC0415

    values = np.array([attempt.resampled for attempt in order], np.float64)
    groups = tied_groups([attempt.entry for attempt in order], values, clusters=order[0].clusters or None)
    return {entry: _letter(number) for number, group in enumerate(groups) for entry in group}


def _letter(number: int) -> str:
    """a, b, … z, aa, ab …"""
    head, tail = divmod(number, 26)
    return (_letter(head - 1) if head else "") + chr(ord("a") + tail)


def best_attempts(
    store: Store,
    challenge: str,
    phase: Phase,
    *,
    most: int = 0,
    decimals: int,
    judged: str | None = None,
    shown: bool = False,
) -> list[Attempt]:
    """The best attempt in a phase of each team that has a score, best first.

    The database leaves out what cannot be a team's best when rounded: few rows are read.

    * ``most``: attempts of a team; 0: any number.
    * ``decimals``: scores that are equal to so many decimals are equal.
    * ``judged``: as in `on_board`.
    * ``shown``: true if only attempts count whose scores their teams were shown (`leak_accounts`).
    """
    of_team = sa.func.row_number().over(partition_by=ENTRIES.c.team, order_by=ENTRIES.c.number).label("nth")
    columns = (ENTRIES.c.id, ENTRIES.c.attempt, ENTRIES.c.team, ENTRIES.c.number, ENTRIES.c.submitted)
    counted = sa.select(*columns, of_team).where(_counted(challenge, phase.begins, phase.ends)).subquery()
    unshown = sa.exists().where(ACCOUNTS.c.entry == counted.c.id, ACCOUNTS.c.show == Show.VERDICT.value)
    same = (SCORES.c.entry == counted.c.id) & (SCORES.c.attempt == counted.c.attempt)
    scored = sa.select(counted, SCORES.c.value, SCORES.c.low, SCORES.c.high, SCORES.c.judged)
    scored = scored.add_columns(SCORES.c.at.label("judged_at")).join(SCORES, same)
    if most:
        scored = scored.where(counted.c.nth <= most)
    if shown:
        scored = scored.where(~unshown)
    every = scored.subquery()
    # attempts of a team are compared that were judged by the same data
    alike = (every.c.team, *(() if judged is None else (every.c.judged,)))
    top = sa.func.max(every.c.value).over(partition_by=alike).label("top")
    number = sa.func.count().over(partition_by=alike).label("scored")
    best = sa.select(every, top, number).subquery()
    near = best.c.top.is_(None) | (best.c.value >= best.c.top - 2 * 10.0**-decimals)
    exam = (RESULTS.c.entry == best.c.id) & (RESULTS.c.attempt == best.c.attempt) & (RESULTS.c.stage == "exam")
    query = sa.select(best, RESULTS.c.instructions, RESULTS.c.wall_seconds).outerjoin(RESULTS, exam).where(near)
    of_teams: dict[str, list[Attempt]] = {}
    with store.engine.connect() as connection:
        for row in connection.execute(query):
            of_teams.setdefault(row.team, []).append(replace(_attempt(row), scored=row.scored))
    return on_board(of_teams.values(), judged, decimals, baseline_teams(store.database))


def data_of_scores(
    store: Store, challenge: str, begins: float = -math.inf, ends: float = math.inf, *, ranked: bool = False
) -> list[tuple[str, int]]:
    """The data that scores of entries of a time were given by, the newest last, and how many scores.

    ``ranked``: true to leave out baselines.
    """
    same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(SCORES.c.judged, sa.func.count()).join(ENTRIES, same)
    query = query.where(_counted(challenge, begins, ends))
    if ranked:
        query = query.where(ENTRIES.c.team.not_in(baseline_teams(store.database)))
    with store.database.ask() as connection:
        rows = connection.execute(query.group_by(SCORES.c.judged).order_by(sa.func.max(SCORES.c.at)))
        return [(judged_by, number) for judged_by, number in rows]


def _counted(challenge: str, begins: float = -math.inf, ends: float = math.inf) -> sa.ColumnElement[bool]:
    """The condition on entries to a challenge, of a time, that reached the exam and ended."""
    counted = (ENTRIES.c.challenge == challenge) & (ENTRIES.c.state == State.DONE.value) & ENTRIES.c.charged
    if math.isfinite(begins):
        counted &= ENTRIES.c.submitted >= begins
    if math.isfinite(ends):
        counted &= ENTRIES.c.submitted < ends
    return counted


def attempts_of(store: Store, challenge: str, *, instead: str = "", before: bool = False) -> list[Attempt]:
    """Every entry of a challenge that reached the exam and ended, without its resampled scores.

    * ``instead``: take the attempts of this rejudging, where there are any, for those that count.
    * ``before``: take the attempts that those are based on, which counted before they were adopted.
    """
    exam = sa.select(RESULTS).where(RESULTS.c.stage == "exam").subquery()
    columns = REJUDGING_ATTEMPTS.c
    which = (columns.base if before else columns.attempt).label("attempt")
    beside = sa.select(columns.entry, which).where(columns.purpose == instead)
    if not before:  # an excluded attempt never counts
        beside = beside.where(columns.state != State.CANCELLED.value)
    taken = beside.subquery()
    same = (ENTRIES.c.id, sa.func.coalesce(taken.c.attempt, ENTRIES.c.attempt))
    query = (
        sa.select(ENTRIES.c.id, same[1].label("attempt"), ENTRIES.c.team, ENTRIES.c.number, ENTRIES.c.submitted)
        .add_columns(SCORES.c.entry.label("has"), SCORES.c.value, SCORES.c.low, SCORES.c.high)
        .add_columns(SCORES.c.judged, SCORES.c.at.label("judged_at"))
        .add_columns(exam.c.instructions, exam.c.wall_seconds)
        .select_from(ENTRIES)
        .outerjoin(taken, taken.c.entry == ENTRIES.c.id)
        .outerjoin(SCORES, (SCORES.c.entry == same[0]) & (SCORES.c.attempt == same[1]))
        .outerjoin(exam, (exam.c.entry == same[0]) & (exam.c.attempt == same[1]))
        .where(_counted(challenge))
    )
    with store.engine.connect() as connection:
        return [_attempt(row, has=row.has is not None) for row in connection.execute(query)]


def _attempt(row: Any, *, has: bool = True) -> Attempt:
    return Attempt(
        entry=row.id,
        team=row.team,
        number=row.number,
        submitted=row.submitted,
        score=None if not has else math.nan if row.value is None else row.value,
        low=row.low,
        high=row.high,
        attempt=row.attempt,
        instructions=row.instructions or 0,
        wall_seconds=row.wall_seconds or 0.0,
        judged=row.judged or "",
        judged_at=row.judged_at or 0.0,
    )


def with_resampled(store: Store, attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts with their resampled scores and all measures."""
    kept: dict[tuple[str, int], str] = {}
    with store.engine.connect() as connection:
        for first in range(0, len(attempts), _ASKED_AT_ONCE):
            entries = SCORES.c.entry.in_([attempt.entry for attempt in attempts[first : first + _ASKED_AT_ONCE]])
            rows = connection.execute(sa.select(SCORES.c.entry, SCORES.c.attempt, SCORES.c.score).where(entries))
            kept |= {(row.entry, row.attempt): row.score for row in rows}
    texts = store.details.texts([kept.get((attempt.entry, attempt.attempt), "{}") for attempt in attempts])
    return [_resampled(attempt, json.loads(text)) for attempt, text in zip(attempts, texts, strict=True)]


def _resampled(attempt: Attempt, score: Mapping[str, Any]) -> Attempt:
    """An attempt with what its score has, where NaN is null."""
    return replace(
        attempt,
        resampled=tuple(math.nan if value is None else value for value in score.get("resampled", ())),
        clusters=score.get("clusters", 0),
        values={key: math.nan if value is None else value for key, value in score.get("values", {}).items()},
    )

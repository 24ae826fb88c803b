"""The board of a challenge: the best of each team's attempts, phase by phase, equal scores sharing a rank.

Rules, as the challenges of this field have them.  A team has so many attempts in a phase; those are the first entries
that reached the exam, whatever came of them, and the best score among them counts.  Scores that are equal to the
challenge's number of decimals share a rank, the next rank is skipped, and of one team's equal attempts the earlier
counts. Next to the score are what the exam used, and the metric's confidence interval.  Teams whose order may be due to
chance share a letter, where the resampled scores were kept: those of all teams on the same draws, so that pairs are
compared.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import sqlalchemy as sa
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluate.host.config import Phase
from evaluate.queue.store.entries import Store
from evaluate.queue.store.rows import State
from evaluate.queue.store.tables import ENTRIES, RESULTS, SCORES, SHADOWS

WHOLE = Phase(name="")
"""The one phase of a challenge without phases."""
_MOST_SHOWN = 4
"""Decimals of a score in the table."""
_WIDTH = 1000
_AT_ONCE = 500
_DRAWN: dict[str, tuple[tuple[float, ...], int]] = {}
_MOST_DRAWN = 2000
"""Scores whose resampled values are remembered; some 30 KB each."""


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
    """How many scored attempts of its team it stands for, itself among them; 0: itself alone."""
    resampled: tuple[float, ...] = ()
    """The score on bootstrap resamples of the records, the same for every entry; empty where not kept, or not read."""
    clusters: int = 0
    """How many independent records or patients those were drawn from."""
    instructions: int = 0
    wall_seconds: float = 0.0
    """Wall time of the exam."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """One line of the board."""

    phase: str
    rank: int
    team: str
    score: float | None
    """None: the metric gave no number."""
    low: float | None
    high: float | None
    tied: str
    """Teams with the same letter cannot be told apart; empty where that is not known."""
    instructions: int
    wall_seconds: float
    attempts: int
    """How many of the team's attempts in this phase were scored."""
    entry: str


Reader = Callable[[Sequence[Attempt]], Sequence[Attempt]]
"""Adds the resampled scores to the attempts that have a place; the others do not need theirs."""


def board(
    attempts: Iterable[Attempt],
    phases: Sequence[Phase] = (),
    most: int = 0,
    decimals: int = 12,
    reader: Reader = tuple,
) -> list[Place]:
    """The places of every phase, in the order of the phases and the ranks.

    Parameters
    ----------
    phases : sequence of Phase
        Empty: one without an end.
    most : int
        Attempts of a team in a phase that does not say so itself; 0: any number.
    decimals : int
        Scores that are equal to so many decimals share a rank.
    """
    known = sorted(attempts, key=lambda one: one.number)
    places: list[Place] = []
    for phase in sorted(phases, key=lambda phase: phase.begins) or [WHOLE]:
        within = [one for one in known if phase.begins <= one.submitted < phase.ends]
        allowed = _allowed(within, most if phase.attempts is None else phase.attempts)
        places += [replace(place, phase=phase.name) for place in ranked(allowed, decimals, reader)]
    return places


def _allowed(attempts: Sequence[Attempt], most: int) -> list[Attempt]:
    """The first ``most`` of each team."""
    counted: dict[str, int] = {}
    found = []
    for attempt in attempts:
        counted[attempt.team] = counted.get(attempt.team, 0) + 1
        if not most or counted[attempt.team] <= most:
            found.append(attempt)
    return found


def ranked(attempts: Iterable[Attempt], decimals: int = 12, reader: Reader = tuple) -> list[Place]:
    """The best attempt of each team, best first; of equal ones the earlier.  A team without a score has no place."""
    best: dict[str, Attempt] = {}
    tried: dict[str, int] = {}
    scored = [one for one in attempts if one.score is not None]
    for attempt in sorted(scored, key=lambda one: (-_rounded(one, decimals), one.number)):
        best.setdefault(attempt.team, attempt)
        tried[attempt.team] = tried.get(attempt.team, 0) + (attempt.scored or 1)
    order = list(reader(list(best.values())))
    letters = _letters(order)
    places: list[Place] = []
    for position, attempt in enumerate(order, 1):
        same = position > 1 and _rounded(order[position - 2], decimals) == _rounded(attempt, decimals)
        places.append(
            Place(
                phase="",
                rank=places[-1].rank if same else position,
                team=attempt.team,
                score=attempt.score if attempt.score is not None and math.isfinite(attempt.score) else None,
                low=attempt.low,
                high=attempt.high,
                tied=letters.get(attempt.entry, ""),
                instructions=attempt.instructions,
                wall_seconds=attempt.wall_seconds,
                attempts=tried[attempt.team],
                entry=attempt.entry,
            )
        )
    return places


def _rounded(attempt: Attempt, decimals: int) -> float:
    score = attempt.score
    return -math.inf if score is None or math.isnan(score) else round(score, decimals)


def _letters(order: Sequence[Attempt]) -> dict[str, str]:
    """Entry -> the letter of its group; empty unless every entry has the same number of resampled scores."""
    lengths = {len(one.resampled) for one in order}
    if len(order) < 2 or len(lengths) > 1 or 0 in lengths:
        return {}
    import numpy as np  # noqa: PLC0415  # what most commands of the queue need not wait for

    from metrics.uncertainty import tied_groups  # noqa: PLC0415

    values = np.array([one.resampled for one in order], np.float64)
    groups = tied_groups([one.entry for one in order], values, clusters=order[0].clusters or None)
    return {entry: _letter(number) for number, group in enumerate(groups) for entry in group}


def _letter(number: int) -> str:
    """a, b, … z, aa, ab …"""
    head, tail = divmod(number, 26)
    return (_letter(head - 1) if head else "") + chr(ord("a") + tail)


def board_of(store: Store, challenge: str, phases: Sequence[Phase], most: int, decimals: int) -> list[Place]:
    """The board of a challenge.  The database leaves out what cannot be the best of its team: few rows are read."""
    places: list[Place] = []
    for phase in sorted(phases, key=lambda phase: phase.begins) or [WHOLE]:
        allowed = _best(store, challenge, phase, most if phase.attempts is None else phase.attempts, decimals)
        found = ranked(allowed, decimals, lambda best: with_resampled(store, best))
        places += [replace(place, phase=phase.name) for place in found]
    return places


def _best(store: Store, challenge: str, phase: Phase, most: int, decimals: int) -> list[Attempt]:
    """Of each team, among its first ``most`` attempts in a phase, those whose score may be its best when rounded."""
    number = sa.func.row_number().over(partition_by=ENTRIES.c.team, order_by=ENTRIES.c.number).label("nth")
    within = (ENTRIES.c.challenge == challenge) & (ENTRIES.c.state == State.DONE.value) & ENTRIES.c.charged
    for limit, later in ((phase.begins, True), (phase.ends, False)):
        if math.isfinite(limit):
            within &= ENTRIES.c.submitted >= limit if later else ENTRIES.c.submitted < limit
    columns = (ENTRIES.c.id, ENTRIES.c.attempt, ENTRIES.c.team, ENTRIES.c.number, ENTRIES.c.submitted)
    every = sa.select(*columns, *([number] if most else [])).where(within)
    # this index has all of it in the order of the teams; SQLite takes another, whose rows lie all over the file
    chosen = every.with_hint(ENTRIES, "INDEXED BY entries_by_challenge", "sqlite").subquery()
    same = (SCORES.c.entry == chosen.c.id) & (SCORES.c.attempt == chosen.c.attempt)
    among = [chosen.c.nth <= most] if most else []
    top = sa.func.max(SCORES.c.value).label("top")
    tops = sa.select(chosen.c.team, top, sa.func.count().label("scored")).join_from(chosen, SCORES, same)
    best = tops.where(*among).group_by(chosen.c.team).subquery()
    near = sa.or_(best.c.top.is_(None), SCORES.c.value >= best.c.top - 2 * 10.0**-decimals)
    scored = (
        sa.select(*(chosen.c[column.name] for column in columns), SCORES.c.value, SCORES.c.low, SCORES.c.high)
        .add_columns(best.c.scored)
        .join_from(chosen, SCORES, same)
        .join(best, best.c.team == chosen.c.team)
        .where(near, *among)
        .subquery()
    )
    exam = (RESULTS.c.entry == scored.c.id) & (RESULTS.c.attempt == scored.c.attempt) & (RESULTS.c.stage == "exam")
    query = sa.select(scored, RESULTS.c.instructions, RESULTS.c.wall_seconds).outerjoin(RESULTS, exam)
    found: dict[str, list[Attempt]] = {}
    with store.engine.connect() as connection:
        for row in connection.execute(query.order_by(scored.c.number)):
            first = row.team not in found
            # the first of a team stands for all of its attempts, of which most were left out
            found.setdefault(row.team, []).append(_attempt(row, scored=row.scored if first else 0))
    return [one for ones in found.values() for one in _counted_once(ones)]


def _counted_once(ones: Sequence[Attempt]) -> Iterator[Attempt]:
    """The attempts of one team; together they stand for as many as the first says."""
    yield replace(ones[0], scored=ones[0].scored - (len(ones) - 1))
    yield from ones[1:]


def attempts_of(store: Store, challenge: str, *, instead: str = "", before: bool = False) -> list[Attempt]:
    """Every entry of a challenge that reached the exam and ended, without its resampled scores.

    Parameters
    ----------
    instead : str
        Take the shadow attempts of this purpose, where there are any, for those that count.
    before : bool
        Take the attempts that those are based on, which counted before they were adopted.
    """
    exam = sa.select(RESULTS).where(RESULTS.c.stage == "exam").subquery()
    which = (SHADOWS.c.base if before else SHADOWS.c.attempt).label("attempt")
    beside = sa.select(SHADOWS.c.entry, which).where(SHADOWS.c.purpose == instead)
    if not before:  # an excluded attempt never counts
        beside = beside.where(SHADOWS.c.state != State.CANCELLED.value)
    taken = beside.subquery()
    same = (ENTRIES.c.id, sa.func.coalesce(taken.c.attempt, ENTRIES.c.attempt))
    query = (
        sa.select(ENTRIES.c.id, same[1].label("attempt"), ENTRIES.c.team, ENTRIES.c.number, ENTRIES.c.submitted)
        .add_columns(SCORES.c.entry.label("has"), SCORES.c.value, SCORES.c.low, SCORES.c.high)
        .add_columns(exam.c.instructions, exam.c.wall_seconds)
        .select_from(ENTRIES)
        .outerjoin(taken, taken.c.entry == ENTRIES.c.id)
        .outerjoin(SCORES, (SCORES.c.entry == same[0]) & (SCORES.c.attempt == same[1]))
        .outerjoin(exam, (exam.c.entry == same[0]) & (exam.c.attempt == same[1]))
        .where(ENTRIES.c.challenge == challenge, ENTRIES.c.state == State.DONE.value, ENTRIES.c.charged)
    )
    with store.engine.connect() as connection:
        return [_attempt(row, has=row.has is not None) for row in connection.execute(query)]


def _attempt(row: Any, *, has: bool = True, scored: int = 0) -> Attempt:
    return Attempt(
        entry=row.id,
        team=row.team,
        number=row.number,
        submitted=row.submitted,
        score=None if not has else math.nan if row.value is None else row.value,
        low=row.low,
        high=row.high,
        attempt=row.attempt,
        scored=scored,
        instructions=row.instructions or 0,
        wall_seconds=row.wall_seconds or 0.0,
    )


def with_resampled(store: Store, attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts with their resampled scores."""
    kept: dict[tuple[str, int], str] = {}
    with store.engine.connect() as connection:
        for first in range(0, len(attempts), _AT_ONCE):
            entries = SCORES.c.entry.in_([one.entry for one in attempts[first : first + _AT_ONCE]])
            rows = connection.execute(sa.select(SCORES.c.entry, SCORES.c.attempt, SCORES.c.score).where(entries))
            kept |= {(row.entry, row.attempt): row.score for row in rows}
    return [
        replace(attempt, resampled=drawn, clusters=clusters)
        for attempt, (drawn, clusters) in zip(
            attempts, _drawn(store, [kept.get((one.entry, one.attempt), "{}") for one in attempts]), strict=True
        )
    ]


def _drawn(store: Store, kept: Sequence[str]) -> list[tuple[tuple[float, ...], int]]:
    """The resampled scores, and of how many clusters, in texts of scores as the database keeps them.

    A reference always stands for the same text, so what was read is remembered: a site makes its boards often.
    """
    found = {one: known for one in kept if (known := _DRAWN.get(one)) is not None}
    new = [one for one in dict.fromkeys(kept) if one not in found]
    for one, text in zip(new, store.details.texts(new), strict=True):
        score = json.loads(text)
        resampled = tuple(math.nan if value is None else value for value in score.get("resampled", ()))
        found[one] = resampled, score.get("clusters", 0)
        if one != text:
            _DRAWN[one] = found[one]
    while len(_DRAWN) > _MOST_DRAWN:
        _DRAWN.pop(next(iter(_DRAWN)), None)
    return [found[one] for one in kept]


def as_csv(places: Sequence[Place]) -> str:
    """The board as CSV with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(Place.__dataclass_fields__), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(place) for place in places)
    return text.getvalue()


def as_json(places: Sequence[Place], seal: Mapping[str, Any] | None = None) -> list[Mapping[str, Any]]:
    """The board as values of JSON; each place with what is said of the challenge's seal, if it has one."""
    return [{**asdict(place), **({"seal": seal} if seal else {})} for place in places]


def as_table(places: Sequence[Place], title: str, decimals: int = 12) -> Table:
    """One phase of the board for people; empty columns are left out."""
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    between = any(place.low is not None for place in places)
    tied = any(place.tied for place in places)
    for name, justify, there in _COLUMNS:
        if there is None or {"between": between, "tied": tied}[there]:
            table.add_column(name, justify=justify, no_wrap=True)
    shown = min(decimals, _MOST_SHOWN)
    for place in places:
        cells = [str(place.rank), place.team, "none" if place.score is None else f"{place.score:.{shown}f}"]
        if between:
            cells.append("" if place.low is None else f"{place.low:.3f} to {place.high:.3f}")
        if tied:
            cells.append(place.tied)
        cells += [f"{place.instructions:.2e}", f"{place.wall_seconds:.1f}", str(place.attempts), place.entry]
        table.add_row(*map(escape, cells))
    return table


def as_text(places: Sequence[Place], title: str = "", decimals: int = 12) -> str:
    """The table as plain text, as wide as it needs to be."""
    text = io.StringIO()
    Console(file=text, width=_WIDTH).print(as_table(places, title, decimals))
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def phases_as_text(name: str, phases: Sequence[str], places: Sequence[Place], decimals: int) -> str:
    """The table of each phase; ``phases`` is one empty name for a challenge without phases."""
    texts = []
    for phase in phases:
        within = [place for place in places if place.phase == phase]
        title = f"{name}, phase {phase}" if phase else name
        texts.append(as_text(within, title, decimals) if within else f"{title}: no entry has a score yet")
    return "\n".join(texts)


_COLUMNS: tuple[tuple[str, Any, str | None], ...] = (
    ("rank", "right", None),
    ("team", "left", None),
    ("score", "right", None),
    ("95 % interval", "right", "between"),
    ("tied", "left", "tied"),
    ("instructions", "right", None),
    ("seconds", "right", None),
    ("attempts", "right", None),
    ("entry", "left", None),
)

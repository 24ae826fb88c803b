"""Numbers and pictures of pages: how many take part, and a team's scores over time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from evaluate.core.model import Score
from evaluate.report.words import moment
from evaluate.serve.site import Site
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 440, 190, 64, 20, 16, 36
_TICKS = 4


@dataclass(frozen=True, kw_only=True)
class Sums:
    """Counts of participants."""

    names: frozenset[str] = frozenset()
    entries: int = 0

    @property
    def teams(self) -> int:
        """Number of teams."""
        return len(self.names)


def sums_of(site: Site) -> Mapping[str, Sums]:
    """Challenge by its name in the store -> counts of participants, without withdrawn and cancelled entries."""
    out = (State.CANCELLED.value, State.WITHDRAWN.value)
    query = sa.select(ENTRIES.c.challenge, ENTRIES.c.team, sa.func.count().label("n"))
    query = query.where(ENTRIES.c.state.not_in(out)).group_by(ENTRIES.c.challenge, ENTRIES.c.team)
    sums: dict[str, Sums] = {}
    with site.store.engine.connect() as connection:
        for row in connection.execute(query):
            sums[row.challenge] = total(
                [sums.get(row.challenge, Sums()), Sums(names=frozenset([row.team]), entries=row.n)]
            )
    return sums


def total(sums: Iterable[Sums]) -> Sums:
    """Sum of some counts; a team counts once."""
    parts = list(sums)
    return Sums(names=frozenset().union(*(part.names for part in parts)), entries=sum(part.entries for part in parts))


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A line of the grid."""

    y: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Dot:
    """Point of an entry."""

    x: float
    y: float
    text: str
    best: bool
    """True if it is better than all before it."""


@dataclass(frozen=True, kw_only=True)
class History:
    """A team's scores over time, to be drawn."""

    title: str
    label: str
    dots: tuple[Dot, ...]
    steps: str
    """The best so far, as a path of SVG."""
    ticks: tuple[Tick, ...]
    first: str
    last: str
    width: int = field(default=_WIDTH, init=False)
    height: int = field(default=_HEIGHT, init=False)


def round_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """At most six round numbers in a range, with as many decimals as all of them need.

    >>> round_ticks(0.313, 0.479)
    [(0.35, '0.35'), (0.4, '0.40'), (0.45, '0.45')]
    """
    if not high > low:
        return []
    power = math.floor(math.log10((high - low) / _TICKS))
    sizes = (factor * 10.0**power for factor in (1, 2, 5, 10))
    step = next(size for size in sizes if (high - low) / size <= _TICKS + 1)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    numbers = range(math.ceil(low / step), math.floor(high / step) + 1)
    return [(round(n * step, decimals), f"{n * step:.{decimals}f}") for n in numbers]


def history(
    title: str, entries: Iterable[QueuedEntry], scores: Mapping[str, Score], notes: Mapping[str, str]
) -> History | None:
    """The scores that a team may see, over the time of submission; None of fewer than two.

    ``notes``: entry -> note of the team.
    """
    scored = sorted((entry for entry in entries if entry.id in scores), key=lambda entry: entry.number)
    points = [(entry, scores[entry.id].values[scores[entry.id].primary]) for entry in scored]
    points = [(entry, value) for entry, value in points if math.isfinite(value)]
    if len(points) < 2:
        return None
    low, high = min(value for _, value in points), max(value for _, value in points)
    room = (high - low) / 10 or max(abs(high), 1.0) / 10
    low, high = low - room, high + room
    begins, ends = points[0][0].submitted, points[-1][0].submitted
    across = (_WIDTH - _LEFT - _RIGHT) / ((ends - begins) or 1.0)

    def down(value: float) -> float:
        return round(_TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - value) / (high - low), 1)

    dots, steps, best = [], "", -math.inf
    for entry, value in points:
        x = round(_LEFT + across * (entry.submitted - begins), 1)
        if value > best:
            steps += f"H{x} V{down(value)} " if steps else f"M{x} {down(value)} "
        text = f"{notes.get(entry.id) or entry.name}: {value:.4f}, {moment(entry.submitted)}"
        dots.append(Dot(x=x, y=down(value), text=text, best=value > best))
        best = max(best, value)
    primary = scores[points[0][0].id].primary
    return History(
        title=title,
        label=f"{primary} of {len(points)} entries over time; the line is the best so far, {best:.4f}",
        dots=tuple(dots),
        steps=f"{steps}H{_WIDTH - _RIGHT}",
        ticks=tuple(Tick(y=down(value), text=text) for value, text in round_ticks(low, high)),
        first=_day(begins) if _day(begins) != _day(ends) else moment(begins),
        last=_day(ends) if _day(begins) != _day(ends) else moment(ends),
    )


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))

"""The board as an audience may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from evaluate.queue.db.attempts import Attempt
from evaluate.queue.db.rows import State
from evaluate.queue.db.tables import ENTRIES, SCORES
from evaluate.queue.entries.best_attempts import with_resampled
from evaluate.queue.views.board import WHOLE, BoardRow
from evaluate.queue.views.board_groups import groups_of
from evaluate.queue.views.rank_certainty import standing
from evaluate.report.audience import Policy, measures_on_board
from evaluate.report.board_page import BoardSection
from evaluate.web.authorization import Visit
from evaluate.web.site import Entered, Site

MOST_COMPARED = 40
"""Teams whose pairs still make a readable, and quick, page."""


_MOST_CLIMB = 50
"""Attempts of a team that a sparkline has, the last ones."""


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A board for one audience."""

    places: list[BoardRow]
    """Empty while it is withheld."""
    withheld: bool
    """Whether nothing is shown."""
    early: bool
    """Whether an organiser sees what others do not."""

    @property
    def by_entry(self) -> dict[str, BoardRow]:
        """Entry -> its place."""
        return {place.entry: place for place in self.places}

    def of(self, phase: str) -> list[BoardRow]:
        """The places of a phase."""
        return [place for place in self.places if place.phase == phase]


def shown_board(visit: Visit, one: Entered) -> Shown:
    """The board; nothing of it while the organiser withholds the scores, since ranks tell of them."""
    released = visit.site.released(one)
    if not released and not visit.organiser:
        return Shown(places=[], withheld=True, early=False)
    places = visit.site.places(one)
    return Shown(places=places, withheld=False, early=not released)


def phases_of(one: Entered) -> list[str]:
    """Names of the phases in their order; one empty name if there are none."""
    return [phase.name for phase in sorted(one.terms.phases, key=lambda phase: phase.begins)] or [""]


def section_of(site: Site, one: Entered, phase: str, places: list[BoardRow]) -> BoardSection:
    """A phase with how certain its ranks are."""
    title, decimals, hidden = phase or one.challenge.title, one.challenge.board.decimals, one.challenge.exam.hidden
    rows = _rows(site, [place.entry for place in places])
    attempts = [_attempt(place, rows.get(place.entry)) for place in places]
    known = {one.entry: one for one in (attempts if hidden else with_resampled(site.store, attempts))}
    if hidden or len(places) > MOST_COMPARED:
        plain = {entry: replace(one, resampled=()) for entry, one in known.items()}
        why = "the exam is hidden" if hidden else f"there are more than {MOST_COMPARED} teams"
        found = replace(standing(title, places, plain, decimals), notes=(f"how ranks change is not shown: {why}",))
    else:
        found = standing(title, places, known, decimals)
    climbs = {} if hidden or found.mixed else _climbs(site, one, phase, [place.team for place in places])
    policy, groups = Policy(hidden_exam=hidden), groups_of(site.store, one.challenge, places)
    lines = tuple(
        replace(
            line,
            submitted=known[line.entry].submitted or None,
            values=measures_on_board(known[line.entry].values, policy),
            groups=groups.get(line.entry, ()),
            climb=() if line.baseline else climbs.get(line.team, ()),
        )
        for line in found.lines
    )
    return replace(found, lines=lines, measure=next((row.key for row in rows.values()), ""))


def _climbs(site: Site, one: Entered, phase: str, teams: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """What the board of a public exam has shown of each of its first teams: the best score after each attempt."""
    within = next((each for each in one.terms.phases if each.name == phase), WHOLE)
    same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(ENTRIES.c.team, ENTRIES.c.submitted, SCORES.c.value).join(SCORES, same)
    query = query.where(ENTRIES.c.challenge == one.known, ENTRIES.c.team.in_(teams[:MOST_COMPARED]))
    query = query.where(ENTRIES.c.state == State.DONE.value, ENTRIES.c.charged, SCORES.c.value.is_not(None))
    found: dict[str, list[float]] = {}
    with site.store.engine.connect() as connection:
        for row in connection.execute(query.order_by(ENTRIES.c.number)):
            if within.begins <= row.submitted < within.ends:
                scores = found.setdefault(row.team, [])
                scores.append(max([row.value, *scores[-1:]]))
    return {team: tuple(scores[-_MOST_CLIMB:]) for team, scores in found.items()}


def _rows(site: Site, entries: Sequence[str]) -> Mapping[str, Any]:
    """Of each entry the attempt that counts, when it was submitted, and the name of its primary measure."""
    same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(ENTRIES.c.id, ENTRIES.c.attempt, ENTRIES.c.submitted, SCORES.c.key).join(SCORES, same)
    with site.store.engine.connect() as connection:
        return {row.id: row for row in connection.execute(query.where(ENTRIES.c.id.in_(entries)))}


def _attempt(place: BoardRow, row: Any) -> Attempt:
    number, submitted = (1, 0.0) if row is None else (row.attempt, row.submitted)
    return Attempt(entry=place.entry, team=place.team, number=0, submitted=submitted, score=place.score, attempt=number)

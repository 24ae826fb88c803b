"""The board as an audience may see it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sqlalchemy as sa

from evaluate.queue.db.attempts import Attempt
from evaluate.queue.db.tables import ENTRIES
from evaluate.queue.entries.best_attempts import with_resampled
from evaluate.queue.views.board import BoardRow
from evaluate.queue.views.rank_certainty import standing
from evaluate.report.board_page import BoardSection
from evaluate.web.authorization import Visit
from evaluate.web.site import Entered, Site

MOST_COMPARED = 40
"""Teams whose pairs still make a readable, and quick, page."""


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
    title, decimals = phase or one.challenge.title, one.challenge.board.decimals
    plain = standing(title, places, {place.entry: _attempt(place, 1) for place in places}, decimals)
    if one.challenge.exam.hidden:
        return replace(plain, notes=("how ranks change is not shown: the exam is hidden",))
    if len(places) > MOST_COMPARED:
        return replace(plain, notes=(f"how ranks change is shown of up to {MOST_COMPARED} teams",))
    query = sa.select(ENTRIES.c.id, ENTRIES.c.attempt).where(ENTRIES.c.id.in_([place.entry for place in places]))
    with site.store.engine.connect() as connection:
        numbers = {row.id: row.attempt for row in connection.execute(query)}
    found = with_resampled(site.store, [_attempt(place, numbers.get(place.entry, 1)) for place in places])
    return standing(title, places, {attempt.entry: attempt for attempt in found}, decimals)


def _attempt(place: BoardRow, number: int) -> Attempt:
    return Attempt(entry=place.entry, team=place.team, number=0, submitted=0.0, score=place.score, attempt=number)

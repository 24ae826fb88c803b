"""The board as an audience may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from evaluate.report.board_page import BoardSection
from evaluate.serve.authorization import Visit
from evaluate.serve.site import Site, SiteChallenge
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES, SCORES
from evaluate.views import rank_certainty
from evaluate.views.board import WHOLE, BoardRow

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
    """True if nothing is shown."""
    early: bool
    """True if an organiser sees it before the teams."""

    @property
    def by_entry(self) -> dict[str, BoardRow]:
        """Entry -> its place."""
        return {row.entry: row for row in self.places}

    def of(self, phase: str) -> list[BoardRow]:
        """The places of a phase."""
        return [row for row in self.places if row.phase == phase]


def shown_board(visit: Visit, listing: SiteChallenge) -> Shown:
    """The board; nothing of it while the organiser withholds the scores, since ranks tell of them."""
    released = visit.site.released(listing)
    if not released and not visit.organiser:
        return Shown(places=[], withheld=True, early=False)
    places = visit.site.places(listing)
    return Shown(places=places, withheld=False, early=not released)


def phases_of(listing: SiteChallenge) -> list[str]:
    """Names of the phases in their order; one empty name if there are none."""
    return [phase.name for phase in sorted(listing.terms.phases, key=lambda phase: phase.begins)] or [""]


def section_of(site: Site, listing: SiteChallenge, phase: str, places: list[BoardRow]) -> BoardSection:
    """A phase with how certain its ranks are, and how its teams came to their scores."""
    hidden = listing.challenge.hides(listing.terms.data_of(phase))
    title = phase or listing.challenge.title
    section = rank_certainty.section_of(site.store, listing.challenge, title, places, hidden=hidden, most=MOST_COMPARED)
    if hidden or section.mixed:
        return section
    climbs = _climbs(site, listing, phase, [row.team for row in places])
    lines = (replace(line, climb=() if line.baseline else climbs.get(line.team, ())) for line in section.lines)
    return replace(section, lines=tuple(lines))


def _climbs(site: Site, listing: SiteChallenge, phase: str, teams: Sequence[str]) -> dict[str, tuple[float, ...]]:
    """Best scores of the first teams after each attempt, as the board of a public exam has shown them."""
    within = next((each for each in listing.terms.phases if each.name == phase), WHOLE)
    same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(ENTRIES.c.team, ENTRIES.c.submitted, SCORES.c.value).join(SCORES, same)
    query = query.where(ENTRIES.c.challenge == listing.store_name, ENTRIES.c.team.in_(teams[:MOST_COMPARED]))
    query = query.where(ENTRIES.c.state == State.DONE.value, ENTRIES.c.charged, SCORES.c.value.is_not(None))
    climbs: dict[str, list[float]] = {}
    with site.store.engine.connect() as connection:
        for row in connection.execute(query.order_by(ENTRIES.c.number)):
            if within.begins <= row.submitted < within.ends:
                scores = climbs.setdefault(row.team, [])
                scores.append(max([row.value, *scores[-1:]]))
    return {team: tuple(scores[-_MOST_CLIMB:]) for team, scores in climbs.items()}

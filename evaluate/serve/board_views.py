"""The board as an audience may see it."""

from __future__ import annotations

from dataclasses import dataclass

from evaluate.report.board_page import BoardSection
from evaluate.serve.authorization import Visit
from evaluate.serve.site import Site, SiteChallenge
from evaluate.views import rank_certainty
from evaluate.views.board import BoardRow

MOST_COMPARED = 40
"""Teams whose pairs still make a readable, and quick, page."""


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
    """A phase with how certain its ranks are."""
    hidden = listing.challenge.hides(listing.terms.data_of(phase))
    title = phase or listing.challenge.title
    return rank_certainty.section_of(site.store, listing.challenge, title, places, hidden=hidden, most=MOST_COMPARED)

"""Entries and boards as pages and API show them to an audience."""

from __future__ import annotations

import math
import pathlib
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import sqlalchemy as sa
from fastapi import Path, Query

from evaluate.config.load import NamedChallenge
from evaluate.core.errors import EvaluateError
from evaluate.core.model import Score, Stage
from evaluate.operate.signing import evaluation_of, receipt_of
from evaluate.report.audience import Policy, View, for_organiser, for_team, score_for_team
from evaluate.serve.authorization import Visit
from evaluate.serve.errors import Refused
from evaluate.serve.site import Site
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES, SCORES
from evaluate.views.board import BoardRow
from evaluate.views.feedback import attempt_rules, policies_of, policy_of
from evaluate.views.why import why_for_team

PER_PAGE = 50
_MOST_NUMBER = 2**31 - 1
Number = Annotated[int, Path(ge=1, le=_MOST_NUMBER)]
"""Number of a row, in the path of an address."""
Before = Annotated[int | None, Query(ge=1, le=_MOST_NUMBER, description="The `next` of the previous page.")]
"""Number where a list continues: of an entry, or of a line of the journal."""


@dataclass(frozen=True, kw_only=True)
class EntryPage:
    """A page of a list."""

    items: tuple[QueuedEntry, ...]
    next: int | None
    """The number to continue with; None at the end."""


def entries_of(
    site: Site,
    teams: tuple[str, ...] | None,
    *,
    challenge: str = "",
    before: int | None = None,
    most: int = PER_PAGE,
) -> EntryPage:
    """Entries, the newest first.

    * ``teams``: only theirs; None: of all.
    * ``challenge``: only those to the challenge of this name in addresses.
    * ``before``: only those with a smaller number.
    """
    where: list[sa.ColumnElement[bool]] = [] if teams is None else [ENTRIES.c.team.in_(teams)]
    where += [ENTRIES.c.challenge == site.challenge(challenge).store_name] if challenge else []
    where += [ENTRIES.c.number < before] if before is not None else []
    rows = site.store.entries(*where, newest=most + 1)
    return EntryPage(items=tuple(rows[:most]), next=rows[most - 1].number if len(rows) > most else None)


def view_of(site: Site, entry: QueuedEntry, *, organiser: bool = False) -> View | None:
    """View of an entry for an audience; None before its first stage has ended."""
    evaluation = evaluation_of(site.store, site.shared, entry, site.config)
    if evaluation is None:
        return None
    limits = attempt_rules(site.store, entry).limits
    if organiser:
        return for_organiser(evaluation, limits)
    return for_team(evaluation, limits, policy_of(site.config, site.store, entry))


def report_of(visit: Visit, *, organiser: bool = False) -> View:
    """View of the entry of a request, for its report. Raises Refused before its first stage has ended."""
    view = view_of(visit.site, visit.entry, organiser=organiser)
    if view is None:
        raise Refused(404, why_for_team(visit.entry, visit.site.store))
    return view


def receipt_file(visit: Visit) -> pathlib.Path:
    """File of the receipt of the entry of a request. Raises Refused if it has none."""
    file = receipt_of(visit.site.shared, visit.site.depot, visit.entry)
    if file is None:
        raise Refused(404, f"{visit.entry.id} has no receipt: it is {visit.entry.state}")
    return file


def scores_of(site: Site, entries: Sequence[QueuedEntry], *, organiser: bool = False) -> dict[str, Score]:
    """Entry -> its primary score as its team, or an organiser, may see it; by one question, and a few per challenge."""
    same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(ENTRIES.c.id, ENTRIES.c.challenge, SCORES.c.key, SCORES.c.value, SCORES.c.low, SCORES.c.high)
    query = query.join(SCORES, same).where(ENTRIES.c.id.in_([entry.id for entry in entries]))
    with site.store.engine.connect() as connection:
        rows = connection.execute(query.where(ENTRIES.c.state == State.DONE.value)).all()
    policies: dict[str, Policy] = {}
    for challenge in {row.challenge for row in rows} if not organiser else ():
        ids = [row.id for row in rows if row.challenge == challenge]
        with suppress(EvaluateError):  # a challenge that is gone: nothing is shown of its entries
            policies |= policies_of(site.config, site.store, challenge, ids)
    scores = {}
    for row in rows:
        value = math.nan if row.value is None else row.value
        intervals = {} if row.low is None else {row.key: (row.low, row.high)}
        score = Score(primary=row.key, values={row.key: value}, official={}, intervals=intervals)
        policy = policies.get(row.id)
        shown = score if organiser else score_for_team(score, policy) if policy is not None else None
        if shown is not None:
            scores[row.id] = shown
    return scores


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A board for one audience."""

    places: list[BoardRow]
    """Empty while it is withheld."""
    withheld: bool
    """True if nothing is shown."""
    early: bool
    """True if an organiser sees it before the teams."""

    def of(self, phase: str) -> list[BoardRow]:
        """The places of a phase."""
        return [row for row in self.places if row.phase == phase]


def shown_board(visit: Visit, listing: NamedChallenge) -> Shown:
    """The board; nothing of it while the organiser withholds the scores, since ranks tell of them."""
    released = visit.site.released(listing)
    if not released and not visit.organiser:
        return Shown(places=[], withheld=True, early=False)
    places = visit.site.places(listing)
    return Shown(places=places, withheld=False, early=not released)


def ranks_of(visit: Visit, entries: Sequence[QueuedEntry]) -> dict[str, int]:
    """Entry -> its rank, of those that have a place on a board which is shown."""
    wanted = {entry.challenge for entry in entries}
    ranks: dict[str, int] = {}
    for listing in visit.site.challenges():
        if listing.store_name in wanted:
            places = shown_board(visit, listing).places
            ranks |= {row.entry: row.rank for row in places if row.rank is not None}
    return ranks


def order_of(site: Site, entry: QueuedEntry, ran: Collection[str]) -> list[str]:
    """The steps of an entry in their order: those of its challenge, and any that it went through."""
    steps = {entry.state, *ran}
    with suppress(EvaluateError):  # a challenge that is gone
        steps |= set(attempt_rules(site.store, entry).stages)
    stages = [stage.value for stage in Stage if stage in steps]
    return [State.QUEUED.value, *stages, State.DONE.value]

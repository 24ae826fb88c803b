"""Rejudging, as a set: next to the results that count, compared with them, then applied as a whole or discarded.

Every entry of a challenge that reached the exam gets another attempt from some stage on
(`evaluate.store.entries.rejudge_attempts`), perhaps against other references.  No result changes until the organiser
has seen the differences and applies them, all or none; the earlier results stay in the store.
"""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import Terms
from evaluate.core.errors import UsageError
from evaluate.core.model import Stage, Verdict
from evaluate.store.db.attempts import Attempt
from evaluate.store.db.reasons import Cause
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.settings import keep_in
from evaluate.store.db.tables import ENTRIES, REJUDGING_ATTEMPTS, RESULTS, SETTINGS
from evaluate.store.entries.best_attempts import attempts_of
from evaluate.store.entries.rejudge_attempts import (
    adopt_rejudging,
    begin_rejudging,
    discard_rejudging,
    exclude_attempt,
    retry_rejudging,
)
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import challenge_of, needed_by, work_folder
from evaluate.views.board import BoardRow, board
from evaluate.views.words import detail

_WIDTH = 1000
_GIVEN = "rejudgings"
"""Setting: the number that was used last."""
_EXCLUDED = f'%"cause": "{Cause.EXCLUDED}"%'
"""Pattern of the reason of an excluded attempt in its column."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """Change that rejudging makes for one entry."""

    entry: str
    team: str
    state: str
    """State of the rejudging's attempt; the new values count once it is ``done``."""
    reason: str
    """Why it is parked, or was excluded."""
    verdict: str
    new_verdict: str
    score: float | None
    new_score: float | None
    rank: int | None
    """Rank of the team on the board, in the entry's phase; None where it has none."""
    new_rank: int | None

    @property
    def differs(self) -> bool:
        """True if anything is known to differ."""
        return self.state == State.DONE.value and (self.verdict, self.score, self.rank) != (
            self.new_verdict,
            self.new_score,
            self.new_rank,
        )


@dataclass(frozen=True, kw_only=True)
class Rejudging:
    """One rejudging."""

    id: str
    challenge: str
    first: Stage
    references: str
    entries: int
    ended: int
    """Number of them that are rejudged."""
    excluded: int
    """Number of those that keep what they have, since the organiser said so."""
    state: str
    """``running``, ``ready``, ``applied``, ``discarded``, or ``stuck`` while an attempt is parked."""


def start(
    store: Store, depot: Depot, challenge: str, first: Stage, references: Path | None = None
) -> tuple[str, int, list[str]]:
    """Queue another attempt at every entry of a challenge that reached the exam, and ended not before ``first``.

    Raises UsageError if the entry or the references do not exist.

    Returns its id, how many entries are rejudged, and the ids of those that cannot be, since products of the stages
    before ``first`` are missing.
    """
    rules = load_challenge(challenge)
    if references is not None and not references.exists():
        raise UsageError(f"--new-references {references}: no such file or folder")
    if references is None and rules.exam.references is None:
        raise UsageError(f"{challenge}: it has no references to score against")
    if references is not None and rules.data.exams:
        raise UsageError(
            f"--new-references: {challenge} has several exams ({', '.join(rules.exams)}); replace the references in "
            "its folder, and rejudge without this option"
        )
    if first not in rules.stages:
        raise UsageError(f"{challenge}: its entries have no stage {first}; it has {', '.join(rules.stages)}")
    entries = store.entries(ENTRIES.c.challenge == challenge, ENTRIES.c.state == State.DONE.value, ENTRIES.c.charged)
    if not entries:
        raise UsageError(f"{challenge}: no entry has reached the exam and ended")
    ended = _ended_before(store, challenge, first)
    entries = [entry for entry in entries if (entry.id, entry.attempt) not in ended]
    if not entries:
        raise UsageError(f"{challenge}: every entry ended before {first}, so there is nothing to rejudge from it on")
    place = str(references.resolve()) if references is not None else ""
    while True:
        gone = [entry.id for entry in entries if not _has_products(depot, entry, first)]
        missing = set(gone)
        able = [entry for entry in entries if entry.id not in missing]
        if not able:
            raise UsageError(f"{challenge}: the products of the stages before {first} are missing for every entry")
        identity = _new_id(store)
        begun = begin_rejudging(store, able, identity, first, references=place)
        if not begun:
            raise UsageError(f"{challenge}: every entry has been withdrawn meanwhile, so there is nothing to rejudge")
        if all(_has_products(depot, entry, first) for entry in able):
            return identity, begun, gone
        discard_rejudging(store, identity)  # `evaluate prune` was faster; it removes nothing of what is being rejudged


def _new_id(store: Store) -> str:
    """A number that no other process gets, even if it starts another rejudging at the same time."""
    newest = max((int(one.id[1:]) for one in rejudgings(store)), default=0)
    with store.change() as connection:
        given = connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.key == _GIVEN))
        number = 1 + max(newest, int(given or 0))
        keep_in(connection, _GIVEN, str(number))
    return f"r{number}"


def _ended_before(store: Store, challenge: str, first: Stage) -> set[tuple[str, int]]:
    """The attempts that a stage before ``first`` ended, whose verdict a later stage cannot change."""
    before = [stage.value for stage in first.before]
    query = sa.select(RESULTS.c.entry, RESULTS.c.attempt).join(ENTRIES, ENTRIES.c.id == RESULTS.c.entry)
    query = query.where(ENTRIES.c.challenge == challenge, ENTRIES.c.state == State.DONE.value)
    query = query.where(RESULTS.c.stage.in_(before), RESULTS.c.verdict != Verdict.OK.value)
    with store.engine.connect() as connection:
        return {(row.entry, row.attempt) for row in connection.execute(query)}


def _has_products(depot: Depot, entry: QueuedEntry, first: Stage) -> bool:
    needed = needed_by(first, challenge_of(entry))
    return all(depot.has(str(work_folder(Path(), entry) / stage.value)) for stage in needed)


def rejudgings(store: Store) -> list[Rejudging]:
    """All of them, the oldest first."""
    columns = REJUDGING_ATTEMPTS.c
    parts = sa.select(columns.purpose, ENTRIES.c.challenge, columns.first, columns.references, columns.state)
    parts = parts.add_columns(columns.reason.like(_EXCLUDED).label("excluded"), sa.func.count().label("n"))
    parts = parts.add_columns(sa.func.max(sa.cast(columns.adopted, sa.Integer)).label("adopted"))
    parts = parts.join_from(ENTRIES, REJUDGING_ATTEMPTS)
    found: dict[str, list[Any]] = {}
    with store.engine.connect() as connection:
        for row in connection.execute(parts.group_by(*list(parts.selected_columns)[:6])):
            found.setdefault(row.purpose, []).append(row)
    return [_rejudging(name, found[name]) for name in sorted(found, key=lambda name: int(name[1:]))]


def _rejudging(identity: str, parts: Sequence[Any]) -> Rejudging:
    counted = [part for part in parts if not part.excluded]
    states = {State(part.state) for part in counted}
    if states <= {State.CANCELLED}:
        state = "discarded"
    elif any(part.adopted for part in parts):
        state = "applied"
    elif State.PARKED in states:
        state = "stuck"
    else:
        state = "ready" if states == {State.DONE} else "running"
    return Rejudging(
        id=identity,
        challenge=parts[0].challenge,
        first=Stage(parts[0].first),
        references=parts[0].references,
        entries=sum(part.n for part in parts),
        ended=sum(part.n for part in parts if State(part.state).ended),
        excluded=sum(part.n for part in parts if part.excluded),
        state=state,
    )


def rejudging(store: Store, identity: str) -> Rejudging:
    """One of them. Raises UsageError if no rejudging has this id."""
    known = rejudgings(store)
    found = next((one for one in known if one.id == identity), None)
    if found is None:
        names = ", ".join(one.id for one in known) or "none"
        raise UsageError(f"no rejudging {identity!r}; there are: {names}")
    return found


def changes(store: Store, identity: str, terms: Terms) -> list[Change]:
    """Return what a rejudging changes for every entry, those that differ first."""
    one = rejudging(store, identity)
    ones = {attempt.id: attempt for attempt in store.rejudging_attempts(identity)}
    entries = store.entries(ENTRIES.c.id.in_(list(ones)))
    old = attempts_of(store, one.challenge, instead=identity, before=True)
    new = attempts_of(store, one.challenge, instead=identity)
    baselines = store.reader.baseline_teams()
    before, after = (_places(one, terms, each, baselines) for each in (old, new))
    scores, new_scores = _scores(old), _scores(new)
    found = [
        Change(
            entry=entry.id,
            team=entry.team,
            state=ones[entry.id].state.value,
            reason=_why(ones[entry.id]),
            verdict=_verdict(store, entry, ones[entry.id].base),
            new_verdict=ones[entry.id].reason.verdict,
            score=scores.get(entry.id),
            new_score=new_scores.get(entry.id),
            rank=before.get(entry.id),
            new_rank=after.get(entry.id),
        )
        for entry in entries
    ]
    return sorted(found, key=lambda change: (not change.differs, change.rank or len(found) + 1, change.entry))


def _why(one: QueuedEntry) -> str:
    """Why an attempt cannot count."""
    return detail(one.reason) if one.state is State.PARKED or one.reason.cause is Cause.EXCLUDED else ""


def _scores(attempts: Sequence[Attempt]) -> dict[str, float | None]:
    """Entry -> score; None where the metric gave no number, and where there is no score."""
    return {one.entry: None if one.score is None or math.isnan(one.score) else one.score for one in attempts}


def _verdict(store: Store, entry: QueuedEntry, base: int) -> str:
    """Verdict of the attempt that was rejudged, even if it no longer counts."""
    if entry.attempt == base:
        return entry.reason.verdict
    return next((str(result["verdict"]) for result in reversed(store.results(entry.id, base))), "")


def _places(
    one: Rejudging, terms: Terms, attempts: Sequence[Attempt], baselines: Collection[str]
) -> dict[str, int | None]:
    """Entry -> rank of its team, for the entries on the board; None where it is not compared."""
    challenge = load_challenge(one.challenge)
    most = terms.allowed(challenge.board)
    rules = (terms.phases, most, challenge.board.decimals)
    places: list[BoardRow] = board(attempts, *rules, baselines=baselines)
    return {place.entry: place.rank for place in places}


def apply(store: Store, identity: str) -> tuple[int, bool]:
    """Make its results the ones that count, all or none; how many, and whether it was not done before."""
    return adopt_rejudging(store, rejudging(store, identity).id)


def retry(store: Store, identity: str, entries: Sequence[str]) -> int:
    """Queue its parked attempts again, or those at these entries; returns how many."""
    return retry_rejudging(store, rejudging(store, identity).id, entries)


def exclude(store: Store, identity: str, entry: str, reason: str) -> None:
    """Let an entry whose attempt is parked keep what it has, so that the others can be applied."""
    exclude_attempt(store, rejudging(store, identity).id, entry, reason)


def discard(store: Store, identity: str) -> int:
    """Discard it; its results stay in the store but do not count; returns how many."""
    return discard_rejudging(store, rejudging(store, identity).id)


def as_json(one: Rejudging, found: Sequence[Change]) -> dict[str, Any]:
    """It and its changes as values of JSON."""
    return {**asdict(one), "changes": [{**asdict(change), "differs": change.differs} for change in found]}


def as_text(one: Rejudging, found: Sequence[Change]) -> str:
    """Return what a rejudging changes, as text for people."""
    differing = [change for change in found if change.differs]
    where = f", against {one.references}" if one.references else ""
    lines = [
        f"{one.id}: {one.challenge} from {one.first} on{where}: {one.state}, {one.ended} of {one.entries} rejudged; "
        f"{len(differing)} differ"
    ]
    if differing:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for title in ("entry", "team", "verdict", "score", "rank"):
            table.add_column(title, no_wrap=True)
        for change in differing:
            table.add_row(
                change.entry,
                escape(change.team),
                _arrow(change.verdict, change.new_verdict),
                _arrow(_score(change.score), _score(change.new_score)),
                _arrow(str(change.rank or "none"), str(change.new_rank or "none")),
            )
        text = io.StringIO()
        Console(file=text, width=_WIDTH).print(table)
        lines += [line.rstrip() for line in text.getvalue().splitlines()]
    parked = [change.entry for change in found if change.state == State.PARKED.value]
    lines += [f"{change.entry} is parked: {change.reason}" for change in found if change.entry in parked]
    lines += [f"{change.entry} is {change.reason}" for change in found if change.reason and change.entry not in parked]
    if one.state == "stuck":
        lines.append(
            f"nothing can be applied yet: repair what is at fault and evaluate rejudge retry {one.id}, or "
            f'evaluate rejudge exclude {one.id} {parked[0]} --reason "…"'
        )
    return "\n".join(lines)


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _score(score: float | None) -> str:
    return "none" if score is None else f"{score:.4f}"

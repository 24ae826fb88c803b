"""Rejudging, as a set: next to the results that count, compared with them, then applied as a whole or discarded.

Every entry of a challenge that reached the exam gets another attempt from some stage on
(`evaluate.store.entries.rejudge_attempts`), perhaps against other references.  No result changes until the organiser
has seen the differences and applies them, all or none; the earlier results stay in the store.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import Terms
from evaluate.core.errors import UsageError
from evaluate.core.model import Stage, Verdict
from evaluate.store.db.reasons import Cause
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.settings import keep_in
from evaluate.store.db.tables import ENTRIES, REJUDGING_ATTEMPTS, RESULTS, SETTINGS
from evaluate.store.entries.best_attempts import Attempt, attempts_of
from evaluate.store.entries.rejudge_attempts import begin_rejudging, discard_rejudging, unknown
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import challenge_of, needed_by, work_folder
from evaluate.store.people.site_settings import baseline_teams
from evaluate.views.board import board, plain_table
from evaluate.views.words import detail

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
    """Reason of its parking or exclusion."""
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
    """A rejudging and its state."""

    id: str
    challenge: str
    first: Stage
    references: str
    entries: int
    ended: int
    """Number of them that are rejudged."""
    excluded: int
    """Number of those that keep their results by decision of the organiser."""
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
    path_of_references = str(references.resolve()) if references is not None else ""
    while True:
        gone = [entry.id for entry in entries if not _has_products(depot, entry, first)]
        missing = set(gone)
        able = [entry for entry in entries if entry.id not in missing]
        if not able:
            raise UsageError(f"{challenge}: the products of the stages before {first} are missing for every entry")
        identity = _new_id(store)
        begun = begin_rejudging(store, able, identity, first, references=path_of_references)
        if not begun:
            raise UsageError(f"{challenge}: every entry has been withdrawn meanwhile, so there is nothing to rejudge")
        if all(_has_products(depot, entry, first) for entry in able):
            return identity, begun, gone
        discard_rejudging(store, identity)  # `evaluate prune` was faster; it removes nothing of what is being rejudged


def _new_id(store: Store) -> str:
    """A number that no other process gets, even if it starts another rejudging at the same time."""
    newest = max((int(earlier.id[1:]) for earlier in rejudgings(store)), default=0)
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
    """The rejudgings of a store, the oldest first."""
    columns = REJUDGING_ATTEMPTS.c
    parts = sa.select(columns.purpose, ENTRIES.c.challenge, columns.first, columns.references, columns.state)
    parts = parts.add_columns(columns.reason.like(_EXCLUDED).label("excluded"), sa.func.count().label("n"))
    parts = parts.add_columns(sa.func.max(sa.cast(columns.adopted, sa.Integer)).label("adopted"))
    parts = parts.join_from(ENTRIES, REJUDGING_ATTEMPTS)
    parts_of: dict[str, list[Any]] = {}
    with store.engine.connect() as connection:
        for row in connection.execute(parts.group_by(*list(parts.selected_columns)[:6])):
            parts_of.setdefault(row.purpose, []).append(row)
    return [_rejudging(name, parts_of[name]) for name in sorted(parts_of, key=lambda name: int(name[1:]))]


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
    """A rejudging by its id. Raises UsageError if there is none."""
    rejudgings_of_store = rejudgings(store)
    chosen = next((each for each in rejudgings_of_store if each.id == identity), None)
    if chosen is None:
        raise unknown(identity, (each.id for each in rejudgings_of_store))
    return chosen


def changes(store: Store, identity: str, terms: Terms) -> list[Change]:
    """Changes by a rejudging for every entry, those that differ first."""
    chosen = rejudging(store, identity)
    attempts = {attempt.id: attempt for attempt in store.rejudging_attempts(identity)}
    entries = store.entries(ENTRIES.c.id.in_(list(attempts)))
    old = attempts_of(store, chosen.challenge, instead=identity, before=True)
    new = attempts_of(store, chosen.challenge, instead=identity)
    baselines = baseline_teams(store.database)
    before, after = (_ranks(chosen, terms, each, baselines) for each in (old, new))
    scores, new_scores = _scores(old), _scores(new)
    rows = [
        Change(
            entry=entry.id,
            team=entry.team,
            state=attempts[entry.id].state.value,
            reason=_why(attempts[entry.id]),
            verdict=_verdict(store, entry, attempts[entry.id].base),
            new_verdict=attempts[entry.id].reason.verdict,
            score=scores.get(entry.id),
            new_score=new_scores.get(entry.id),
            rank=before.get(entry.id),
            new_rank=after.get(entry.id),
        )
        for entry in entries
    ]
    return sorted(rows, key=lambda change: (not change.differs, change.rank or len(rows) + 1, change.entry))


def _why(attempt: QueuedEntry) -> str:
    """Reason of an attempt that cannot count."""
    return detail(attempt.reason) if attempt.state is State.PARKED or attempt.reason.cause is Cause.EXCLUDED else ""


def _scores(attempts: Sequence[Attempt]) -> dict[str, float | None]:
    """Entry -> score; None where the metric gave no number, and where there is no score."""
    return {
        attempt.entry: None if attempt.score is None or math.isnan(attempt.score) else attempt.score
        for attempt in attempts
    }


def _verdict(store: Store, entry: QueuedEntry, base: int) -> str:
    """Verdict of the attempt that was rejudged, even if it no longer counts."""
    if entry.attempt == base:
        return entry.reason.verdict
    return next((str(result["verdict"]) for result in reversed(store.results(entry.id, base))), "")


def _ranks(
    chosen: Rejudging, terms: Terms, attempts: Sequence[Attempt], baselines: Collection[str]
) -> dict[str, int | None]:
    """Entry -> rank of its team, for the entries on the board; None where it is not compared."""
    challenge = load_challenge(chosen.challenge)
    most = terms.allowed(challenge.board)
    rules = (terms.phases, most, challenge.board.decimals)
    return {row.entry: row.rank for row in board(attempts, *rules, baselines=baselines)}


def as_json(chosen: Rejudging, rows: Sequence[Change]) -> dict[str, Any]:
    """A rejudging and its changes as values of JSON."""
    return {**asdict(chosen), "changes": [{**asdict(change), "differs": change.differs} for change in rows]}


def as_text(chosen: Rejudging, rows: Sequence[Change]) -> str:
    """A rejudging and its changes as text for people."""
    differing = [change for change in rows if change.differs]
    where = f", against {chosen.references}" if chosen.references else ""
    progress = f"{chosen.state}, {chosen.ended} of {chosen.entries} rejudged"
    lines = [
        f"{chosen.id}: {chosen.challenge} from {chosen.first} on{where}: {progress}; {len(differing)} differ",
    ]
    if differing:
        columns = {
            "entry": [change.entry for change in differing],
            "team": [change.team for change in differing],
            "verdict": [_arrow(change.verdict, change.new_verdict) for change in differing],
            "score": [_arrow(_score(change.score), _score(change.new_score)) for change in differing],
            "rank": [_arrow(str(change.rank or "none"), str(change.new_rank or "none")) for change in differing],
        }
        table = plain_table("", [(head, "left", cells) for head, cells in columns.items()])
        lines += table.splitlines()
    parked = [change.entry for change in rows if change.state == State.PARKED.value]
    lines += [f"{change.entry} is parked: {change.reason}" for change in rows if change.entry in parked]
    lines += [f"{change.entry} is {change.reason}" for change in rows if change.reason and change.entry not in parked]
    if chosen.state == "stuck":
        lines.append(
            f"nothing can be applied yet: repair what is at fault and evaluate rejudge retry {chosen.id}, or "
            f'evaluate rejudge exclude {chosen.id} {parked[0]} --reason "…"'
        )
    return "\n".join(lines)


def _arrow(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _score(score: float | None) -> str:
    return "none" if score is None else f"{score:.4f}"

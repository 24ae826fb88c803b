"""Entries as the queue knows them: where they are, the results of their stages, their scores.

Every change is one transaction with its line in the journal.  The key of a result or score is what it is about, so that
a stage which ran twice, because its process was killed in between, counts once: the first result stays.

A process that was presumed dead, and wakes up when others have taken over, cannot move an entry back.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.config.challenge.types import MAIN_EXAM
from evaluate.core.errors import UsageError
from evaluate.core.model import Stage, StageOutcome
from evaluate.store.db import journal
from evaluate.store.db.database import POOL, Database, open_database
from evaluate.store.db.reasons import NO_REASON, Cause, Reason
from evaluate.store.db.rows import ACTIVE, QueuedEntry, State, entry_of, from_row
from evaluate.store.db.settings import Settings
from evaluate.store.db.tables import ENTRIES, JOURNAL, REJUDGING_ATTEMPTS, RESULTS, SCORES, insert
from evaluate.store.entries import fair_turns
from evaluate.store.entries.leak_accounts import Account, open_account
from evaluate.store.people import teams
from evaluate.store.people.teams import Team, refuse_barred

_GOES_ON = tuple(state.value for state in ACTIVE)
SIGNED = "signed"
"""Event of the journal: an attempt has a receipt, of this digest, and this number in the log of an origin."""
ENTRIES_QUEUE = "entries"
"""Name of the queue in which teams take turns (`evaluate.store.entries.fair_turns`)."""
_SUBMISSIONS = "submissions"
"""Name of the step that gives entries their numbers."""
_REJUDGINGS = "rejudgings"
"""Name of the step that lets attempts of rejudgings begin."""
Named = str | QueuedEntry | Team
"""An entry or a team, or a word for one of them."""
_AT_ONCE = 500
_OF_REJUDGING = [
    *(column for column in ENTRIES.c if column.name not in REJUDGING_ATTEMPTS.c),
    *(column for column in REJUDGING_ATTEMPTS.c if column.name != "entry"),
]
"""Columns of an attempt of a rejudging, with those of its entry."""


class SubmissionRules:
    """Rules of a challenge for the entries that are submitted; these admit any.

    Times are in seconds since 1970; the methods are called in the transaction that adds an entry.
    """

    def counted_at(self, _connection: sa.Connection, _team: str, at: float) -> float:
        """Time as which an entry counts that a team submits at a time (`evaluate.store.people.site_settings`)."""
        return at

    def begins(self, _counted: float) -> float:
        """Beginning of the phase that is open at a time: an archive is a new entry in each phase."""
        return -math.inf

    def data(self, _counted: float) -> str:
        """Name of the exam of an entry of a time."""
        return MAIN_EXAM

    def allow(self, _connection: sa.Connection, _team: str, _counted: float, _arrived: float) -> None:
        """Refuse a new entry by an EntryError, if it has to be."""


class Store:
    """The entries of a queue; any number of processes may use it at once."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.engine = database.engine
        self.details = database.details
        self.settings = Settings(database)

    def change(self) -> AbstractContextManager[sa.Connection]:
        """One transaction that writes."""
        return self.database.change()

    def submit(
        self,
        entries: Sequence[Mapping[str, Any]],
        rules: SubmissionRules | None = None,
        *,
        arrived: float | None = None,
        within: Callable[[sa.Connection, str], None] = lambda _connection, _identity: None,
    ) -> list[tuple[str, bool]]:
        """Put entries at the end of the queue, all or none.

        Phase, quota and the time of submission are judged by one reading of the clock, within one transaction. Raises
        EntryError if the team was disqualified, or the rules refuse an entry.

        * ``entries`` (sequence of mappings): with challenge, team, name, sha256, bytes, commit.
        * ``rules``: by default any entry of any time.
        * ``arrived``: the time of submission in seconds since 1970; by default now.
        * ``within``: called for each entry, new or not, with its id, before the transaction is committed.

        Returns the id of each, and whether it is new: the same archive of the same team is the same entry, unless that
        one was cancelled, or submitted in an earlier phase.
        """
        submitted_entries, rules = [], rules or SubmissionRules()
        with self.database.step(_SUBMISSIONS) as connection:
            now = connection.scalar(sa.select(self.database.now())) or time.time()
            came = now if arrived is None else arrived
            number = connection.scalar(sa.select(sa.func.coalesce(sa.func.max(ENTRIES.c.number), 0))) or 0
            for entry in entries:
                team = teams.enter(connection, str(entry["team"]), now)
                refuse_barred(connection, team)
                submitted = rules.counted_at(connection, team, came)
                identity, there = identity_of(connection, {**entry, "team": team}, rules.begins(submitted))
                if not there:
                    rules.allow(connection, team, submitted, came)
                    number += 1
                    line = {**entry, "team": team, "number": number, "data": rules.data(submitted)}
                    line |= {"submitted": submitted, "arrived": came}
                    row = {**line, "id": identity, "state": State.QUEUED.value, "attempt": 1, "charged": False}
                    connection.execute(sa.insert(ENTRIES).values(**row, changed=now))
                    journal.write(connection, identity, "submitted", line, now)
                within(connection, identity)
                submitted_entries.append((identity, not there))
        return submitted_entries

    def entry(self, identity: str) -> QueuedEntry:
        """One entry. Raises UsageError if no entry has this id."""
        with self.database.ask() as connection:
            return attempt_in(connection, identity)

    def entries(self, *where: sa.ColumnElement[bool], newest: int | None = None) -> list[QueuedEntry]:
        """Entries in the order of submission; or the ``newest``, at most so many, the newest first."""
        query = sa.select(ENTRIES).where(*where).order_by(ENTRIES.c.number)
        if newest is not None:
            query = query.order_by(None).order_by(ENTRIES.c.number.desc()).limit(newest)
        with self.database.ask() as connection:
            return [entry_of(row) for row in connection.execute(query).mappings()]

    def uploads(self) -> list[str]:
        """The digest of every upload, each once."""
        with self.database.ask() as connection:
            return list(connection.scalars(sa.select(ENTRIES.c.sha256).distinct().order_by(ENTRIES.c.sha256)))

    def counts(self, *where: sa.ColumnElement[bool]) -> dict[State, int]:
        """Count the entries in each state."""
        query = sa.select(ENTRIES.c.state, sa.func.count()).where(*where).group_by(ENTRIES.c.state)
        with self.database.ask() as connection:
            return {State(state): number for state, number in connection.execute(query)}

    def challenges(self) -> list[str]:
        """The challenges that have entries, as rows name them."""
        with self.database.ask() as connection:
            return list(connection.scalars(sa.select(ENTRIES.c.challenge).distinct().order_by(ENTRIES.c.challenge)))

    def left(self, stopped: Mapping[str, bool] | None = None) -> bool:
        """True if an attempt waits for its turn or is in its stages, on any host.

        ``stopped``: challenges that are left out, and true for each of which only what is not prepared is.
        """
        stopped = stopped or {}
        whole = [name for name, only_prep in stopped.items() if not only_prep]
        in_prep = [name for name, only_prep in stopped.items() if only_prep]
        of_rejudgings = sa.select(ENTRIES.c.id).join(REJUDGING_ATTEMPTS)
        with self.database.ask() as connection:
            for query, state in (
                (sa.select(ENTRIES.c.id), ENTRIES.c.state),
                (of_rejudgings, REJUDGING_ATTEMPTS.c.state),
            ):
                early = ENTRIES.c.challenge.in_(in_prep) & state.in_([State.QUEUED.value, State.PREP.value])
                where = state.in_([State.QUEUED.value, *_GOES_ON]) & ENTRIES.c.challenge.not_in(whole) & ~early
                if connection.scalar(query.where(where).limit(1)) is not None:
                    return True
        return False

    def move(
        self,
        identity: str,
        state: State,
        reason: Reason = NO_REASON,
        *,
        charged: bool | None = None,
        attempt: int | None = None,
    ) -> bool:
        """Record where an attempt at an entry is now; returns whether it may be there.

        ``attempt``: by default the one that counts.
        """
        with self.change() as connection:
            now = attempt_in(connection, identity, attempt)
            if attempt not in (None, now.attempt) or not state.may_follow(now.state):
                return False
            advance(connection, now, state, reason, charged)
            return True

    def charge(self, identity: str, attempt: int, account: Account | None = None) -> None:
        """The attempt starts to reveal hidden data, and so costs the team one attempt.

        ``account``: where the exam is hidden: how much it reveals is decided now.
        """
        with self.database.step() as connection:
            entry, now = locked_attempt(connection, identity, attempt), time.time()
            if entry is None or entry.rejudging:  # cancelled or parked meanwhile, it reveals nothing
                return
            if account is not None:
                _one_of_team(connection, entry.team, entry.challenge)
                open_account(connection, entry, account, now)
            if not entry.charged:
                connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == identity).values(charged=True))
                journal.write(connection, identity, "charged", {"charged": True}, now)

    def retry(self, identity: str) -> QueuedEntry:
        """Put a parked entry back into the queue, as a further attempt at it that costs the team nothing.

        Raises UsageError if it is not parked.
        """
        with self.change() as connection:
            entry = attempt_in(connection, identity)
            if entry.state is not State.PARKED:
                raise UsageError(f"{identity} is {entry.state}; only a parked entry can be retried")
            retry_attempt(connection, entry)
        return self.entry(identity)

    def retry_parked(self, *where: sa.ColumnElement[bool]) -> list[str]:
        """As `retry`, for every parked entry of a selection, all or none; returns their ids."""
        query = sa.select(ENTRIES).where(ENTRIES.c.state == State.PARKED.value, *where).order_by(ENTRIES.c.number)
        with self.change() as connection:
            parked = [entry_of(row) for row in connection.execute(query).mappings()]
            for entry in parked:
                retry_attempt(connection, entry)
        return [entry.id for entry in parked]

    def cancel(self, identity: str) -> QueuedEntry:
        """End an entry that is queued, in its stages, or parked; its team pays for what was revealed.

        Raises UsageError if it has ended.
        """
        with self.change() as connection:
            entry = attempt_in(connection, identity)
            if entry.state.ended:
                raise UsageError(f"{identity} is {entry.state} already")
            put_state(connection, entry, State.CANCELLED, Reason(cause=Cause.ORGANISER))
        return self.entry(identity)

    def result_line(self, attempt: int, stage: str, result: Mapping[str, Any]) -> dict[str, Any]:
        """The part of a result that `keep_result` keeps; its text is kept now."""
        return {"stage": stage, "attempt": attempt, **_used(result), "text": self.details.keep(json.dumps(result))}

    def score_line(self, attempt: int, score: Mapping[str, Any], judged_by: str = "") -> dict[str, Any]:
        """The part of a score that `keep_score` keeps; its text is kept now."""
        data = {"attempt": attempt, **_primary(score), "text": self.details.keep(json.dumps(score))}
        return data | {"judged": judged_by} if judged_by else data

    def results(self, identity: str, attempt: int) -> list[dict[str, Any]]:
        """The results of an entry's stages in the order of the stages, whatever their times."""
        where = (RESULTS.c.entry == identity) & (RESULTS.c.attempt == attempt)
        with self.database.ask() as connection:
            rows = {row.stage: row.result for row in connection.execute(sa.select(RESULTS).where(where))}
        return [json.loads(text) for text in self.details.texts([rows[stage] for stage in Stage if stage in rows])]

    def outcomes(self, identity: str, attempt: int) -> tuple[StageOutcome, ...]:
        """The outcomes of the stages that have ended, in their order, the score with the last."""
        return outcomes_of(self.results(identity, attempt), self.score(identity, attempt))

    def score(self, identity: str, attempt: int) -> dict[str, Any] | None:
        """The score of an entry; None if it has none."""
        where = (SCORES.c.entry == identity) & (SCORES.c.attempt == attempt)
        text = self.details.text_of(SCORES.c.score, where)
        return dict(json.loads(text)) if text else None

    def next_entries(
        self,
        most: int,
        begin: Callable[[sa.Connection, QueuedEntry], None] = lambda _connection, _entry: None,
        *,
        teams_in_stages: bool = True,
        stopped: Collection[str] = (),
    ) -> list[QueuedEntry]:
        """Take entries out of the queue, fairly among teams (`evaluate.store.entries.fair_turns`), and mark them as
        started.

        * ``begin``: called for each, in the transaction.
        * ``teams_in_stages``: true if teams that already have entries in their stages get a turn.
        * ``stopped``: challenges whose entries wait (`evaluate.store.schedule.faults`).
        """
        taken: list[QueuedEntry] = []
        with self.database.step(ENTRIES_QUEUE) as connection:
            first = _first_of_teams(connection, stopped)
            if not teams_in_stages:
                busy = sa.select(ENTRIES.c.team).where(ENTRIES.c.state.in_(_GOES_ON)).distinct()
                for team in connection.scalars(busy):
                    first.pop(team, None)
            now, ends = fair_turns.tags(connection, ENTRIES_QUEUE)
            while first and len(taken) < most:
                team = min(first, key=lambda name: (max(ends.get(name, now), now), first[name]))
                now = fair_turns.enter(connection, ENTRIES_QUEUE, team)
                ends[team] = now + 1
                fair_turns.begin(connection, ENTRIES_QUEUE, now)
                query = sa.select(ENTRIES).where(ENTRIES.c.number == first.pop(team))
                entry = entry_of(connection.execute(query).mappings().one())
                taken.append(put_state(connection, entry, State.PREP, NO_REASON))
                begin(connection, taken[-1])
                after = _first_of_teams(connection, stopped, team).get(team)
                if after is not None and teams_in_stages:
                    first[team] = after
        return taken

    def next_rejudging_attempts(
        self,
        most: int,
        begin: Callable[[sa.Connection, QueuedEntry], None] = lambda _connection, _entry: None,
    ) -> list[QueuedEntry]:
        """As `next_entries` for the attempts of rejudgings, those first that have waited longest."""
        taken: list[QueuedEntry] = []
        queued = sa.select(*_OF_REJUDGING).join_from(ENTRIES, REJUDGING_ATTEMPTS)
        queued = queued.where(REJUDGING_ATTEMPTS.c.state == State.QUEUED.value)
        queued = queued.order_by(REJUDGING_ATTEMPTS.c.changed, ENTRIES.c.id).limit(most)
        with self.database.step(_REJUDGINGS) as connection:
            for row in connection.execute(queued).mappings().all():
                attempt = entry_of(row)
                taken.append(put_state(connection, attempt, State(attempt.first.value), NO_REASON))
                begin(connection, taken[-1])
        return taken

    def rejudging_attempts(self, purpose: str = "") -> list[QueuedEntry]:
        """The attempts of a rejudging, or of all, in the order of the ids of their entries."""
        with self.database.ask() as connection:
            return rejudging_attempts(connection, *([REJUDGING_ATTEMPTS.c.purpose == purpose] if purpose else []))

    def attempt(self, identity: str, number: int) -> QueuedEntry:
        """An entry as the attempt with this number sees it; as the one that counts, if there is no such attempt."""
        with self.database.ask() as connection:
            return attempt_in(connection, identity, number)

    def in_stages(self) -> list[QueuedEntry]:
        """The attempts in their stages, those that count and those of rejudgings."""
        with self.database.ask() as connection:
            beside = rejudging_attempts(connection, REJUDGING_ATTEMPTS.c.state.in_(_GOES_ON))
        return self.entries(ENTRIES.c.state.in_(_GOES_ON)) + beside

    def count_in_stages(self, *, rejudging: bool = False) -> int:
        """Count the entries, or attempts of rejudgings, that are in their stages."""
        table = REJUDGING_ATTEMPTS if rejudging else ENTRIES
        query = sa.select(sa.func.count()).select_from(table).where(table.c.state.in_(_GOES_ON))
        with self.database.ask() as connection:
            return connection.scalar(query) or 0

    def lines(self, entry: str = "", *, before: int | None = None, most: int = 500) -> list[journal.JournalLine]:
        """The newest lines of the journal that have not moved out, perhaps of one entry; the newest first."""
        query = sa.select(JOURNAL).order_by(JOURNAL.c.number.desc()).limit(most)
        if entry:
            query = query.where(JOURNAL.c.entry == entry)
        if before is not None:
            query = query.where(JOURNAL.c.number < before)
        with self.engine.connect() as connection:
            return list(map(journal.line_of, connection.execute(query)))


def open_store(state: Path, url: str = "", *, pool: int = POOL) -> Store:
    """The store of a state directory, or of the database ``url``; see `evaluate.store.db.database.open_database`."""
    return Store(open_database(state, url, pool=pool))


def selection(team: str = "", challenge: str = "") -> list[sa.ColumnElement[bool]]:
    """The conditions on entries of a team, by its own name, and to a challenge; none for all entries."""
    values = {ENTRIES.c.team: team, ENTRIES.c.challenge: challenge}
    return [column == value for column, value in values.items() if value]


def named(store: Store, what: Named) -> QueuedEntry | Team:
    """The entry or the team that an organiser means, by the id of the entry or any name of the team.

    Raises UsageError if there is neither; no name of a team looks like the id of an entry.
    """
    if not isinstance(what, str):
        return what
    if (team := teams.find_team(store.database, what)) is not None:
        return team
    try:
        return store.entry(what)
    except UsageError:
        raise UsageError(f"{what!r}: expected the id of an entry or the name of a team, found neither") from None


def outcomes_of(results: Sequence[dict[str, Any]], score: dict[str, Any] | None) -> tuple[StageOutcome, ...]:
    """Convert what `Store.results` and `Store.score` gave to outcomes."""
    return tuple(from_row(values, score if values["stage"] == Stage.SCORE else None) for values in results)


def entry_id(challenge: str, team: str, sha256: str, again: int = 0) -> str:
    """The id of an archive of a team: always the same for the same archive and number of times before."""
    named = [challenge, team, sha256, *([again] if again else [])]
    return "e" + hashlib.sha256(json.dumps(named).encode()).hexdigest()[:12]


def identity_of(connection: sa.Connection, entry: Mapping[str, Any], begins: float) -> tuple[str, bool]:
    """The id of an upload, and whether it is that of an entry that counts in the phase that began then."""
    challenge, team, sha256 = (str(entry[name]) for name in ("challenge", "team", "sha256"))
    same = (ENTRIES.c.challenge == challenge) & (ENTRIES.c.team == team) & (ENTRIES.c.sha256 == sha256)
    query = sa.select(ENTRIES.c.id).where(same, ENTRIES.c.state != State.CANCELLED.value, ENTRIES.c.submitted >= begins)
    if (identity := connection.scalar(query.order_by(ENTRIES.c.number).limit(1))) is not None:
        return identity, True
    ids = (entry_id(challenge, team, sha256, again) for again in count())
    taken = sa.exists().where(ENTRIES.c.id == sa.bindparam("id"))
    return next(new for new in ids if not connection.scalar(sa.select(taken), {"id": new})), False


def keep_result(connection: sa.Connection, identity: str, line: Mapping[str, Any]) -> bool:
    """Keep what `Store.result_line` gave, unless there is a result already; returns whether this one was kept."""
    return _keep(connection, RESULTS, "result", identity, line)


def keep_score(connection: sa.Connection, identity: str, line: Mapping[str, Any]) -> bool:
    """Keep what `Store.score_line` gave, unless there is a score already; returns whether this one was kept."""
    return _keep(connection, SCORES, "score", identity, line)


def _keep(connection: sa.Connection, table: sa.Table, event: str, identity: str, line: Mapping[str, Any]) -> bool:
    """Add a row with its line of the journal, unless it exists.

    * ``event``: also the column that has the text as the details keep it.
    * ``line``: the other columns, by their names, and the text.
    """
    now = time.time()
    row = {name: value for name, value in line.items() if name != "text"}
    row |= {"entry": identity, event: line["text"], "at": now}
    statement = insert(connection, table).values(row).on_conflict_do_nothing().returning(table.c.entry)
    if connection.execute(statement).first() is None:  # PostgreSQL's driver gives no row count for an insert
        return False
    journal.write(connection, identity, event, line, now)
    return True


def _primary(score: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a score."""
    key = score["primary"]
    low, high = score.get("intervals", {}).get(key) or (None, None)
    return {"key": key, "value": score["values"][key], "low": low, "high": high}


def _used(result: Mapping[str, Any]) -> dict[str, Any]:
    usage = result["usage"]
    used = {"instructions": usage["instructions"], "wall_seconds": usage["wall_seconds"]}
    return {"verdict": str(result["verdict"]), **used}


def attempt_in(
    connection: sa.Connection, identity: str, number: int | None = None, *, lock: bool = False
) -> QueuedEntry:
    """As `Store.attempt`; of no number, the attempt that counts. Raises UsageError if no entry has this id.

    ``lock``: keep other hosts from changing any attempt at the entry until the transaction ends.
    """
    query = sa.select(ENTRIES).where(ENTRIES.c.id == identity)
    row = connection.execute(query.with_for_update() if lock else query).mappings().first()
    if row is None:
        raise UsageError(f"no entry {identity!r}; `evaluate status` lists the newest")
    entry = entry_of(row)
    if number in (None, entry.attempt):
        return entry
    same = (REJUDGING_ATTEMPTS.c.entry == identity) & (REJUDGING_ATTEMPTS.c.attempt == number)
    return next(iter(rejudging_attempts(connection, same)), entry)


def locked_attempt(connection: sa.Connection, identity: str, number: int) -> QueuedEntry | None:
    """An attempt in its stages, kept from changes by others; None if it is not in its stages."""
    attempt = attempt_in(connection, identity, number, lock=True)
    return attempt if attempt.attempt == number and attempt.state in ACTIVE else None


def rejudging_attempts(connection: sa.Connection, *where: sa.ColumnElement[bool]) -> list[QueuedEntry]:
    """Some attempts of rejudgings, in the order of the ids of their entries."""
    query = sa.select(*_OF_REJUDGING).join_from(ENTRIES, REJUDGING_ATTEMPTS).where(*where)
    rows = connection.execute(query.order_by(ENTRIES.c.id, REJUDGING_ATTEMPTS.c.attempt)).mappings()
    return [entry_of(row) for row in rows]


def advance(
    connection: sa.Connection, attempt: QueuedEntry, state: State, reason: Reason, charged: bool | None = None
) -> QueuedEntry:
    """Record where an attempt is that no other process can change now, unless it is there, or further.

    Returns the attempt as it is then.
    """
    # a step that runs again after a restart records it again
    there = (attempt.state, attempt.reason) == (state, reason) and charged in (None, attempt.charged)
    if there or not state.may_follow(attempt.state):
        return attempt
    return put_state(connection, attempt, state, reason, charged)


def _one_of_team(connection: sa.Connection, team: str, challenge: str) -> None:
    """Let a team's entries to a challenge on two hosts ask one after the other."""
    if connection.dialect.name == "postgresql":
        name = sa.func.hashtextextended(f"{team} {challenge}", 0)
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(name)))


def keep_plan(connection: sa.Connection, attempt: QueuedEntry, plan: str) -> bool:
    """Keep what an attempt in its stages is started with; returns False if there is a plan already."""
    table, same = _row(attempt)
    same &= (table.c.attempt == attempt.attempt) & table.c.state.in_(_GOES_ON) & (table.c.plan == "")
    return connection.execute(sa.update(table).where(same).values(plan=plan)).rowcount > 0


def _row(attempt: QueuedEntry) -> tuple[sa.Table, sa.ColumnElement[bool]]:
    """The table that has the row of an attempt, and the condition for that row."""
    if not attempt.rejudging:
        return ENTRIES, ENTRIES.c.id == attempt.id
    same = (REJUDGING_ATTEMPTS.c.entry == attempt.id) & (REJUDGING_ATTEMPTS.c.attempt == attempt.attempt)
    return REJUDGING_ATTEMPTS, same


def retry_attempt(connection: sa.Connection, attempt: QueuedEntry) -> None:
    """Put a parked attempt back into the queue, under a number that no attempt at its entry had."""
    number, now = newest_attempts(connection, [attempt.id])[attempt.id] + 1, time.time()
    table, same = _row(attempt)
    values = {"state": State.QUEUED.value, "reason": "", "attempt": number, "changed": now, "plan": ""}
    connection.execute(sa.update(table).where(same).values(values))
    event, data = "retried", {"attempt": number}
    if attempt.rejudging:
        event, data = "rejudging-retried", {"before": attempt.attempt, **data}
        share_results(connection, REJUDGING_ATTEMPTS.c.entry == attempt.id)
    journal.write(connection, attempt.id, event, data, now)


def share_results(connection: sa.Connection, which: sa.ColumnElement[bool]) -> None:
    """Give attempts of rejudgings the results of the stages that they do not run."""
    mine, there = REJUDGING_ATTEMPTS.c, sa.alias(RESULTS)
    same = (there.c.entry == mine.entry) & (there.c.attempt == mine.attempt) & (there.c.stage == RESULTS.c.stage)
    earlier = [(mine.first == first.value) & RESULTS.c.stage.in_([*first.before]) for first in Stage]
    base = (RESULTS.c.entry == mine.entry) & (RESULTS.c.attempt == mine.base)
    columns = [mine.attempt if column.name == "attempt" else column for column in RESULTS.c]
    shared = sa.select(*columns).join_from(REJUDGING_ATTEMPTS, RESULTS, base)
    shared = shared.where(which, sa.or_(*earlier), ~sa.exists().where(same))
    connection.execute(sa.insert(RESULTS).from_select([column.name for column in RESULTS.c], shared))


def put_state(
    connection: sa.Connection, attempt: QueuedEntry, state: State, reason: Reason, charged: bool | None = None
) -> QueuedEntry:
    """Make a state that of an attempt, whatever it was, with its line in the journal; returns it as it is then.

    ``charged``: true if it costs the team an attempt; None: as before. An attempt of a rejudging costs nothing.
    """
    now = time.time()
    values: dict[str, Any] = {"state": state.value, "reason": reason.as_text(), "changed": now}
    data: dict[str, Any] = {"to": state.value, "reason": reason.as_dict()}
    if attempt.rejudging:
        event, data = "rejudging-moved", {"attempt": attempt.attempt, **data}
    else:
        event, data = "moved", {**data, "charged": charged}
        values |= {} if charged is None else {"charged": charged}
    table, same = _row(attempt)
    connection.execute(sa.update(table).where(same).values(values))
    journal.write(connection, attempt.id, event, data, now)
    return replace(attempt, state=state, reason=reason, changed=now)


def _first_of_teams(connection: sa.Connection, stopped: Collection[str], team: str = "") -> dict[str, int]:
    """The number of each team's first queued entry, or of one team's; not of challenges that are stopped."""
    first = sa.func.min(ENTRIES.c.number).label("first")
    query = sa.select(ENTRIES.c.team, first).where(ENTRIES.c.state == State.QUEUED.value)
    if stopped:
        query = query.where(ENTRIES.c.challenge.not_in(stopped))
    if team:
        query = query.where(ENTRIES.c.team == team)
    return {row.team: row.first for row in connection.execute(query.group_by(ENTRIES.c.team))}


def newest_attempts(connection: sa.Connection, ids: Sequence[str]) -> dict[str, int]:
    """The highest number of any attempt at each entry, also of one whose place another has taken."""
    newest: dict[str, int] = {}
    for start in range(0, len(ids), _AT_ONCE):
        for table, entry in (
            (ENTRIES, ENTRIES.c.id),
            (REJUDGING_ATTEMPTS, REJUDGING_ATTEMPTS.c.entry),
            (RESULTS, RESULTS.c.entry),
        ):
            query = sa.select(entry, sa.func.max(table.c.attempt)).where(entry.in_(ids[start : start + _AT_ONCE]))
            for identity, number in connection.execute(query.group_by(entry)):
                newest[identity] = max(newest.get(identity, 0), number)
    return newest

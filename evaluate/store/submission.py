"""Submission of an upload to the queue: it is checked, kept, entered."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.config.load import challenge_key
from evaluate.config.terms import Phase, Terms, in_utc
from evaluate.config.types import Config
from evaluate.core.errors import EntryError, EvaluateError
from evaluate.core.sanitize import in_one_line
from evaluate.sandbox.run_folders import RunFolders
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.quota import Quota, counted, quotas
from evaluate.store.entries.store import Store, SubmissionRules, identity_of
from evaluate.store.files import archives
from evaluate.store.files.depot import open_depot
from evaluate.store.files.stage_folders import archive_of
from evaluate.store.people.site_settings import counted_at, running
from evaluate.store.people.teams import check_name, own_name, refuse_barred
from evaluate.store.repositories import fetch_entry
from evaluate.untrusted.archives import open_entry
from evaluate.untrusted.repository import is_address

_LATE_SECONDS = 1.0
"""A refusal that comes so long after an upload arrived names the time by which it was judged."""
_NAME = 255
"""Characters of an upload's name; as many as the database has room for."""


@dataclass(frozen=True, kw_only=True)
class Submission:
    """Outcome of an upload."""

    entry: QueuedEntry
    new: bool
    """False: this team submitted the same archive before, and that is the entry."""
    attempts: Attempts
    """Attempts of its team."""


def submit(
    source: Path | str,
    challenge_name: str,
    team: str,
    state: Path,
    store: Store,
    config: Config,
    *,
    arrived: float | None = None,
    commit: str = "",
    fetched: Callable[[str], object] = bool,
    within: Callable[[sa.Connection, str], None] = lambda _connection, _identity: None,
) -> Submission:
    """Put an entry into the queue.

    It is refused by the same checks as in prep, before it takes a place in the queue.  The same archive of a team is
    the same entry, unless that one was cancelled or belongs to an earlier phase.  Raises EntryError if the archive is
    at fault, no phase was open, or the team has no attempt left or was disqualified. Raises UsageError if the team's
    name is not valid, or the folder that all hosts reach does not exist.

    * ``arrived``: when all of it had come, in seconds since 1970, by which phase and quota are judged; by default now.
    * ``commit``: of a repository, the one to take; by default the newest.
    * ``fetched``: called with the commit once a repository is here.
    * ``within``: called with the entry's id in the transaction in which it gets into the queue, or is found there.
    """
    at = time.time() if arrived is None else arrived
    check_name(team)
    name = challenge_key(challenge_name, config)
    rules = submission_rules(config, name, challenge_name, team)
    shared, depot = open_depot(state, config.shared)
    if is_address(str(source)):
        rules.check_now(store, at, address=str(source))
    with RunFolders(state / "runs").new("submission") as folder:
        if is_address(str(source)):
            entry = fetch_entry(store.database, config.repositories, shared, str(source), team, folder, commit)
            fetched(entry.commit)
        else:
            entry = open_entry(source, folder)
        kept = archive_of(shared, entry.sha256)
        row = {
            "challenge": name,
            "team": team,
            "name": _name(source),
            "sha256": entry.sha256,
            "bytes": entry.size,
            "commit": entry.commit,
        }

        def noted(connection: sa.Connection, identity: str) -> None:
            if not archives.is_kept(connection, kept):
                raise _Removed
            within(connection, identity)

        try:
            counted_at_time = rules.check_now(store, at, entry.sha256)
            challenge = rules.challenge.with_exam(rules.terms.data(counted_at_time))
            handler(kind_of(entry.archive, challenge)).check(entry.archive, challenge)
            while True:
                archives.keep(entry.archive, kept)
                depot.publish(str(kept.relative_to(shared)))
                try:
                    ((identity, new),) = store.submit([row], rules, arrived=at, within=noted)
                    break
                except _Removed:  # by `evaluate prune`, since it was stored
                    continue
        except EvaluateError:
            if kept.is_file():  # by this try, or by one before it that the database failed
                archives.remove(store, kept, ())
            raise
    queued = store.entry(identity)
    return Submission(entry=queued, new=new, attempts=attempts_with(store, config, queued))


def _name(source: Path | str) -> str:
    """The last part of a path or address: it may be any bytes; this is text for the database and for a terminal."""
    return in_one_line(str(source).rstrip("/").rpartition("/")[2])[-_NAME:]


class _Removed(Exception):
    """The archive is not in its place any more."""


@dataclass(frozen=True, kw_only=True)
class ChallengeRules(SubmissionRules):
    """Rules that say whether an entry of a team may get into the queue."""

    store_name: str
    """Name of the challenge in the store."""
    configured: str
    """The same in ``evaluate.yaml``; empty if it has none there."""
    shown: str
    """The same in messages."""
    team: str
    terms: Terms
    challenge: Challenge

    @property
    def limited(self) -> bool:
        """True if phases or a quota say so."""
        return bool(self.terms.phases) or self.terms.limits(None, self.challenge.board).any

    def begins(self, counted: float) -> float:
        phase = self.terms.phase(counted)
        return phase.begins if phase else -math.inf

    def data(self, counted: float) -> str:
        return self.terms.data(counted)

    def counted_at(self, connection: sa.Connection, team: str, at: float) -> float:
        return counted_at(connection, self.configured, self.terms.phases, team, at)

    def allow(self, connection: sa.Connection, team: str, counted: float, arrived: float) -> None:
        """Refuse an entry of a team that counts as submitted at a time, by what it has used then."""
        if not self.limited:
            return
        phase = self.terms.phase(counted)
        if self.terms.phases and phase is None:
            late = time.time() - counted > _LATE_SECONDS
            when = f"no phase was open at {in_utc(counted)}, when it arrived" if late else "no phase is open now"
            if (later := self.terms.next_phase(time.time())) is not None:
                when += f"; {later.name} opens at {in_utc(later.begins)}"
            raise EntryError(f"{self.shown}: {when}")
        self.attempts(connection, team, phase, arrived).refuse_if_none_left()

    def attempts(self, connection: sa.Connection, team: str, phase: Phase | None, at: float) -> Attempts:
        """Attempts of a team in a phase, and, at a given time, in the day and the week."""
        phase = phase or Phase(name="")
        limits = self.terms.limits(phase, self.challenge.board)
        in_phase, *pace = counted(connection, self.store_name, team, quotas(limits, phase, at))
        return Attempts(team=team, phase=phase.name, in_phase=in_phase, pace=tuple(pace))

    def check_now(self, store: Store, at: float, sha256: str = "", address: str = "") -> float:
        """As `allow`, by what is in the queue now; returns the time as which the entry counts.

        An archive that was submitted before needs no further attempt, by its ``sha256``. Before it is fetched from an
        ``address``, it may be one if the team has an entry from a repository of that name.
        """
        with store.engine.connect() as connection:
            team = own_name(connection, self.team) or self.team
            row = {"challenge": self.store_name, "team": team, "sha256": sha256}
            refuse_barred(connection, team)
            counted = self.counted_at(connection, team, at)
            fetched = (ENTRIES.c.challenge == self.store_name) & (ENTRIES.c.team == team) & (ENTRIES.c.commit != "")
            fetched &= ENTRIES.c.name == _name(address)
            submitted = bool(sha256 and identity_of(connection, row, self.begins(counted))[1])
            submitted |= bool(address and connection.scalar(sa.select(sa.exists().where(fetched))))
            if self.limited and not submitted:
                self.allow(connection, team, counted, at)
        return counted


def submission_rules(config: Config, store_name: str, shown: str = "", team: str = "") -> ChallengeRules:
    """Rules of a challenge by its name in the store; ``shown``: its name in messages."""
    return ChallengeRules(
        store_name=store_name,
        configured=config.name_of(store_name),
        shown=shown,
        team=team,
        terms=config.terms(store_name),
        challenge=load_challenge(store_name),
    )


@dataclass(frozen=True, kw_only=True)
class Attempts:
    """A team's attempts in a phase."""

    team: str
    phase: str
    """Empty if there are no phases, or none is open."""
    in_phase: Quota
    pace: tuple[Quota, ...] = ()
    """Quotas of the day and of the week, where their attempts are limited."""

    @property
    def limits(self) -> tuple[Quota, ...]:
        """All in which not any number of attempts is free."""
        return tuple(quota for quota in (self.in_phase, *self.pace) if quota.most)

    @property
    def left(self) -> int | None:
        """Number of further entries that may come now; None: any number."""
        return min((quota.left for quota in self.limits), default=None)

    def refuse_if_none_left(self) -> None:
        """Raise EntryError if no attempt is left; it says when the next one is free."""
        spent = [quota for quota in self.limits if not quota.left]
        if not spent:
            return
        last = max(spent, key=lambda quota: quota.ends)
        where = f" in phase {self.phase}" if self.phase else ""
        span = {"phase": where, "day": " a day (UTC)", "week": " a week (from Monday, UTC)"}[last.name]
        if last.name == "phase":
            then = ""
        elif last.ends < self.in_phase.ends:
            then = f"; the next one is free at {in_utc(last.ends)}"
        else:
            then = f"; phase {self.phase} ends before the next one is free"
        raise EntryError(
            f"team {self.team} has {last.most} attempts{span}: {last.used} are used and {last.waiting} are in "
            f"progress, so none is left{then}"
        )


def attempts_with(store: Store, config: Config, entry: QueuedEntry) -> Attempts:
    """Attempts of the team of an entry in the phase that the entry belongs to."""
    rules = submission_rules(config, entry.challenge)
    with store.engine.connect() as connection:
        return rules.attempts(connection, entry.team, rules.terms.phase(entry.submitted), time.time())


def attempts_in(store: Store, store_name: str, config: Config, teams: Sequence[str] | None = None) -> list[Attempts]:
    """Attempts of teams in the phase of a challenge that is open to each now.

    ``teams``: by default all that have entries to it.
    """
    rules, now = submission_rules(config, store_name), time.time()
    phases = {phase.name: phase for phase in rules.terms.phases}
    with store.engine.connect() as connection:
        every = sa.select(ENTRIES.c.team).distinct().where(ENTRIES.c.challenge == store_name).order_by(ENTRIES.c.team)
        names = sorted(teams) if teams is not None else list(connection.scalars(every))
        late = running(connection, rules.configured, rules.terms.phases, names, now)
        open_to = {team: phases[late[team].phase] if team in late else rules.terms.phase(now) for team in names}
        return [rules.attempts(connection, team, open_to[team], now) for team in names]

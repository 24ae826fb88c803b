"""How an upload gets into the queue: checked, kept, entered."""

from __future__ import annotations

import math
import shutil
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluate.challenge import Challenge, load_challenge
from evaluate.core.errors import EntryError
from evaluate.core.files import publish
from evaluate.core.sanitize import in_one_line
from evaluate.host.config import Config, Phase, Terms, known_as
from evaluate.queue.depot import open_depot
from evaluate.queue.store.entries import Store
from evaluate.queue.store.rows import ACTIVE, QueuedEntry, State
from evaluate.queue.store.tables import ENTRIES
from evaluate.queue.store.teams import check_name
from evaluate.queue.work import UPLOADS, archive_of
from evaluate.sandbox.folders import RunFolders
from evaluate.stages.kinds.choice import handler, kind_of
from evaluate.untrusted.archives import open_entry

_DAY = 86400.0
_NAME = 255
"""Characters of an upload's name; as many as the database has room for."""


@dataclass(frozen=True, kw_only=True)
class Submission:
    """What became of an upload."""

    entry: QueuedEntry
    new: bool
    """False: this team submitted the same archive before, and that is the entry."""
    phase: str
    """Name of the phase that it belongs to; empty if the challenge has none."""
    attempts: int
    """How many the team has in that phase; 0: any number."""
    left: int
    """How many of them are neither used nor in progress."""


def _storable(name: str) -> str:
    """The name of an upload, which may be any bytes, as text for the database and for a terminal."""
    return in_one_line(name)[-_NAME:]


def submit(
    source: Path | str,
    challenge_name: str,
    team: str,
    state: Path,
    store: Store,
    config: Config,
) -> Submission:
    """Put an entry into the queue.

    It is refused by the same checks as in prep, before it takes a place in the queue.  The same archive of a team is
    the same entry, unless that one was cancelled or belongs to an earlier phase.

    Raises
    ------
    EntryError
        The archive is at fault, no phase is open, or the team has no attempt left.
    UsageError
        The team's name is not valid, or the folder that all hosts reach does not exist.
    """
    check_name(team)
    name = known_as(challenge_name, config)
    challenge = load_challenge(name)
    rules = config.terms(name)
    shared, depot = open_depot(state, config.shared)
    with RunFolders(state / "runs").new("submission") as folder:
        entry = open_entry(source, folder)
        handler(kind_of(entry.archive, challenge)).check(entry.archive, challenge)
        kept = archive_of(shared, entry.sha256)
        _keep(entry.archive, kept)
        depot.publish(str(kept.relative_to(shared)))
    row = {
        "challenge": name,
        "team": team,
        "name": _storable(str(source).rstrip("/").rpartition("/")[2]),
        "sha256": entry.sha256,
        "bytes": entry.size,
        "commit": entry.commit,
    }
    open_now = rules.phase(time.time())

    def allow(others: Sequence[QueuedEntry]) -> None:
        if rules.phases and open_now is None:
            raise EntryError(f"{challenge_name}: no phase is open now")
        _refuse_if_none_left(_attempts(team, others, open_now, rules, challenge))

    begins = open_now.begins if open_now else -math.inf
    limited = bool(rules.phases) or rules.allowed(challenge.board) > 0
    ((identity, new),) = store.submit([row], allow if limited else None, begins=begins)
    found = store.entry(identity)
    count = attempts_with(store, config, found)
    return Submission(entry=found, new=new, phase=count.phase, attempts=count.most, left=max(0, count.left))


@dataclass(frozen=True, kw_only=True)
class Attempts:
    """A team's attempts in a phase."""

    team: str
    phase: str
    """Empty if there are no phases, or none is open."""
    most: int
    """0: any number."""
    used: int
    waiting: int
    """Of entries that are in progress."""

    @property
    def left(self) -> int:
        """How many more entries may come; meaningless if any number may."""
        return self.most - self.used - self.waiting


def attempts_with(store: Store, config: Config, entry: QueuedEntry) -> Attempts:
    """What the team of an entry used of its attempts in the phase that the entry belongs to."""
    rules, challenge = config.terms(entry.challenge), load_challenge(entry.challenge)
    limited = bool(rules.phases) or rules.allowed(challenge.board) > 0
    same = store.entries(ENTRIES.c.challenge == entry.challenge, ENTRIES.c.team == entry.team) if limited else []
    return _attempts(entry.team, same, rules.phase(entry.submitted), rules, challenge)


def attempts_in(store: Store, known: str, config: Config, teams: Sequence[str] | None = None) -> list[Attempts]:
    """What teams used of their attempts in the phase of a challenge that is open now.

    Parameters
    ----------
    teams : sequence of str, optional
        By default all that have entries to it.
    """
    rules, challenge = config.terms(known), load_challenge(known)
    where = [ENTRIES.c.challenge == known]
    if teams is not None:
        where.append(ENTRIES.c.team.in_(teams))
    found: dict[str, list[QueuedEntry]] = {name: [] for name in teams or ()}
    for entry in store.entries(*where):
        found.setdefault(entry.team, []).append(entry)
    phase = rules.phase(time.time())
    return [_attempts(team, entries, phase, rules, challenge) for team, entries in sorted(found.items())]


def _attempts(
    team: str, entries: Sequence[QueuedEntry], phase: Phase | None, rules: Terms, challenge: Challenge
) -> Attempts:
    phase = phase or Phase(name="")
    within = [entry for entry in entries if phase.begins <= entry.submitted < phase.ends]
    return Attempts(
        team=team,
        phase=phase.name,
        most=rules.allowed(challenge.board) if phase.attempts is None else phase.attempts,
        used=sum(entry.charged for entry in within),
        waiting=sum(entry.state in (State.QUEUED, *ACTIVE, State.PARKED) and not entry.charged for entry in within),
    )


def _refuse_if_none_left(count: Attempts) -> None:
    if count.most and count.left <= 0:
        where = f" in phase {count.phase}" if count.phase else ""
        raise EntryError(
            f"team {count.team} has {count.most} attempts{where}: {count.used} are used and {count.waiting} are in "
            "progress, so none is left"
        )


def _keep(archive: Path, target: Path) -> None:
    """Copy an upload to its place, completely or not at all."""
    if target.is_file():
        return
    uploads = target.parent.parent
    uploads.mkdir(exist_ok=True, mode=0o700)
    part = uploads / f".{uuid.uuid4().hex}.part"
    try:
        shutil.copyfile(archive, part)
        target.parent.mkdir(exist_ok=True, mode=0o700)
        publish(part, target, 0o444)  # a reader behind walls is another user; the folder is closed
    finally:
        part.unlink(missing_ok=True)


def sweep_uploads(shared: Path) -> int:
    """Remove what killed submissions left behind; returns how many files."""
    dead = [path for path in (shared / UPLOADS).glob(".*.part") if path.stat().st_mtime < time.time() - _DAY]
    for path in dead:
        path.unlink(missing_ok=True)
    return len(dead)

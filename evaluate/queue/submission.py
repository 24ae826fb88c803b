"""How an upload gets into the queue: checked, kept, entered."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from evaluate.challenge import Challenge, challenge_folder, list_challenges, load_challenge
from evaluate.errors import EntryError
from evaluate.intake import open_entry
from evaluate.kinds.choice import handler, kind_of
from evaluate.queue.store import ACTIVE, ENTRIES, QueuedEntry, State, Store
from evaluate.queue.work import archive_of
from evaluate.sandbox.disks import publish
from evaluate.sandbox.folders import RunFolders


def submit(
    source: Path | str, challenge_name: str, team: str, state: Path, store: Store, say: Callable[[str], None]
) -> tuple[str, bool]:
    """Put an entry into the queue; its id, and whether it is new.

    It is refused by the same checks as in prep, before it costs a place.

    Raises
    ------
    EntryError
        The archive is at fault, or the team has no attempt left.
    """
    challenge = load_challenge(challenge_name)
    name = challenge_name if challenge_name in list_challenges() else str(challenge_folder(challenge_name))
    with RunFolders(state / "runs").new("submission") as folder:
        entry = open_entry(source, folder)
        handler(kind_of(entry.archive, challenge)).check(entry.archive, challenge)
        _keep(entry.archive, archive_of(state, entry.sha256))
    row = {
        "challenge": name,
        "team": team,
        "name": str(source).rstrip("/").rpartition("/")[2],
        "sha256": entry.sha256,
        "bytes": entry.size,
        "commit": entry.commit,
    }
    others = store.entries(ENTRIES.c.challenge == name, ENTRIES.c.team == team)
    if all(other.sha256 != entry.sha256 for other in others):
        _check_attempts(challenge, team, others)
    ((identity, new),) = store.submit([row])
    if not new:
        say(f"this archive was submitted before by team {team}: it is the same entry")
    return identity, new


def _check_attempts(challenge: Challenge, team: str, entries: Sequence[QueuedEntry]) -> None:
    most = challenge.board.attempts
    waiting = sum(entry.state in (State.QUEUED, *ACTIVE) and not entry.charged for entry in entries)
    used = sum(entry.charged for entry in entries)
    if most and used + waiting >= most:
        raise EntryError(
            f"team {team} has {most} attempts: {used} reached the exam and {waiting} are on their way, so none is left"
        )


def _keep(archive: Path, target: Path) -> None:
    """Copy an upload to its place, whole or not at all."""
    if target.is_file():
        return
    for folder in (target.parent.parent, target.parent):
        folder.mkdir(exist_ok=True, mode=0o711)
    part = target.with_name(f".{os.getpid()}.part")
    shutil.copyfile(archive, part)
    publish(part, target, mode=0o444)

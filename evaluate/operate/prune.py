"""Frees disk space by the organiser's rules: what may go, how much that is, and what it makes impossible.

Nothing goes without a rule that allows it (``prune`` of a challenge in ``evaluate.yaml``, and ``unused_days``).  What
an entry that has not ended, an undecided rejudging, or a kept attempt needs stays.  An upload that goes is noted in the
journal, so that nobody takes it for lost.
"""

from __future__ import annotations

import os
import secrets
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from evaluate.config.terms import PruneRules
from evaluate.config.types import Config
from evaluate.core.files import SCRATCH
from evaluate.core.model import Stage, Verdict
from evaluate.receipts.issue import LOG
from evaluate.sandbox.run_folders import RunFolders
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ENTRIES, REJUDGING_ATTEMPTS
from evaluate.store.entries.store import Store
from evaluate.store.files import archives
from evaluate.store.files.archives import Users
from evaluate.store.files.stage_folders import EVIDENCE, UPLOADS, WORK, archive_of, discard

_DAY = 86400.0
_WITHOUT_MACHINES = ("submission",)
"""Purposes of folders in ``runs`` without a virtual machine, which nobody else looks at."""
_KEPT_NAMES = ("prepared.json", "result.json")
"""Files of a stage that name the image and the layers that it needs."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """Something that may be removed."""

    kind: str
    """``prepared``, ``superseded``, ``upload``, ``evidence``, ``image``, ``layer`` or ``cache``."""
    path: Path
    bytes: int
    entry: str
    """Whose it is; empty if no one's."""
    consequence: str
    """Statement of what is no longer possible."""
    users: Users = ()
    """Users of an upload, and of what stages left: whose it was when the plan was made."""


def plan(store: Store, state: Path, shared: Path, config: Config, now: float | None = None) -> list[Item]:
    """List what the rules allow to remove, in the order in which it is removed."""
    at = time.time() if now is None else now
    items: list[Item] = []
    entries = store.entries()
    beside: dict[str, list[QueuedEntry]] = {}
    for attempt in store.rejudging_attempts():
        beside.setdefault(attempt.id, []).append(attempt)
    for entry in entries:
        rules = config.terms(entry.challenge).prune
        if not entry.state.ended or rules == PruneRules():
            continue
        if all(attempt.adopted or attempt.state is State.CANCELLED for attempt in beside.get(entry.id, ())):
            items += _work(shared, entry, rules, at)
        if _due(rules.evidence_days, entry.changed, at):
            items += _item("evidence", shared / EVIDENCE / entry.id, entry.id, "`why --evidence` shows nothing of it")
    items += _uploads(store, shared, config, entries, at)
    if config.unused_days is not None:
        items += _unused(state, shared, config.unused_days, at)
    return items


def _work(shared: Path, entry: QueuedEntry, rules: PruneRules, now: float) -> Iterator[Item]:
    folder = shared / WORK / entry.id
    counting, users = folder / str(entry.attempt), archives.users_of([entry])
    needed = {link.resolve() for link in counting.glob("*") if link.is_symlink()}
    if _due(rules.superseded_days, entry.changed, now):
        for stage in folder.glob("*/*"):
            if stage.parent != counting and not stage.name.endswith(".part") and stage.resolve() not in needed:
                yield from _item(
                    "superseded", stage, entry.id, f"attempt {stage.parent.name} cannot be looked at", users
                )
    if _due(rules.prepared_days, entry.changed, now):
        for name in (Stage.PREP.value, Stage.TRAIN.value):
            if (stage := counting / name).exists():
                yield from _item("prepared", stage.resolve(), entry.id, "it can be rejudged from prep only", users)


def _uploads(store: Store, shared: Path, config: Config, entries: Sequence[QueuedEntry], now: float) -> Iterator[Item]:
    by_digest: dict[str, list[QueuedEntry]] = {}
    for entry in entries:
        by_digest.setdefault(entry.sha256, []).append(entry)
    for digest, sharing in by_digest.items():
        archive = archive_of(shared, digest)
        due = all(
            _due(config.terms(entry.challenge).prune.uploads_days, entry.changed, now) and _is_refused(store, entry)
            for entry in sharing
        )
        if due and archive.is_file():
            why = "it cannot be evaluated again unless sent again"
            yield from _item("upload", archive.parent, sharing[0].id, why, archives.users_of(sharing))


def _is_refused(store: Store, entry: QueuedEntry) -> bool:
    """True if an entry was cancelled before its exam, or ended in prep."""
    if entry.charged:
        return False  # what it was judged by stays
    if entry.state is State.CANCELLED:
        return True
    results = store.results(entry.id, entry.attempt) if entry.state is State.DONE else []
    return [result["stage"] for result in results] == [Stage.PREP] and results[0]["verdict"] != Verdict.OK


def _unused(state: Path, shared: Path, days: float, now: float) -> Iterator[Item]:
    """Images, layers and caches that no prepared entry names."""
    named = ""
    for path in (path for name in _KEPT_NAMES for path in (shared / WORK).glob(f"*/*/{Stage.PREP.value}/{name}")):
        with suppress(FileNotFoundError):  # another process removes it
            named += path.read_text(errors="replace") + "\n"
    current = {link.resolve().name for link in (shared / "images").glob("*") if link.is_symlink()}
    for kind, folder in (("image", shared / "images"), ("layer", shared / "layers"), ("cache", state / "cache")):
        for path in sorted(folder.glob("[!.]*")):
            name = path.name.rpartition("-")[2] if kind == "image" else path.stem
            used = path.is_symlink() or path.name in current or (kind != "cache" and name in named)
            if not used and (status := _status(path)) and _due(days, status.st_mtime, now):
                yield from _item(kind, path, "", "it is made again when it is needed")


def _due(days: float | None, since: float, now: float) -> bool:
    return days is not None and now - since >= days * _DAY


def _item(kind: str, path: Path, entry: str, consequence: str, users: Users = ()) -> Iterator[Item]:
    if _status(path):
        yield Item(kind=kind, path=path, bytes=_size(path), entry=entry, consequence=consequence, users=users)


def _size(path: Path) -> int:
    """Return the bytes that a file, or the files of a folder, occupy; disks have holes."""
    files = (path, *(Path(folder, name) for folder, _, names in os.walk(path) for name in names))
    every = filter(None, map(_status, files))
    return sum(status.st_blocks * 512 for status in every if stat.S_ISREG(status.st_mode))


def _status(path: Path) -> os.stat_result | None:
    """Status of a file, a folder or a link; None if another process, perhaps a second pruning, has removed it."""
    with suppress(FileNotFoundError):
        return path.lstat()
    return None


def carry_out(store: Store, items: Sequence[Item]) -> int:
    """Remove what `plan` found; returns how many bytes.  Killed in between, it leaves whole things or none."""
    freed = 0
    for item in items:
        if item.kind == "upload":  # it may have been submitted again since
            freed += item.bytes * archives.remove(
                store, archive_of(item.path.parent.parent, item.path.name), item.users
            )
            continue
        if item.kind in ("prepared", "superseded"):  # a rejudging may have begun since that builds on it
            with store.change() as connection:
                going = _set_aside(item.path) if _is_as_planned(connection, item) else None
        else:
            going = _set_aside(item.path)
        if going is None:
            continue
        freed += item.bytes
        discard(going)
    return freed


def _is_as_planned(connection: sa.Connection, item: Item) -> bool:
    """True if the entry is as it was when the plan was made, and no attempt beside it is undecided."""
    decided = REJUDGING_ATTEMPTS.c.adopted | (REJUDGING_ATTEMPTS.c.state == State.CANCELLED.value)
    undecided = sa.exists().where(REJUDGING_ATTEMPTS.c.entry == item.entry, ~decided)
    return archives.users_now(connection, ENTRIES.c.id == item.entry) == item.users and not connection.scalar(
        sa.select(undecided)
    )


def _set_aside(path: Path) -> Path | None:
    """Move away what is then removed; None if another process did."""
    going = path.with_name(f"{path.name}.pruned.{secrets.token_hex(4)}.part")
    try:
        path.rename(going)
    except FileNotFoundError:
        return None
    return going


# Leftovers of killed processes in the folders of a queue, which go without a rule.


def sweep(store: Store, state: Path, shared: Path) -> int:
    """Remove all leftovers, but for what is younger than a day, which may be somebody's; returns how many things."""
    count = archives.sweep(store, shared)
    for path in (path for path in _unfinished(state, shared) if archives.is_old(path)):
        discard(path)
        count += 1
    if (state / "runs").is_dir():
        count += len(RunFolders(state / "runs").sweep(_WITHOUT_MACHINES))
    return count


def _unfinished(state: Path, shared: Path) -> Iterator[Path]:
    yield from (state / LOG / "receipts").glob(f"{SCRATCH}*")
    for folder in (shared / UPLOADS, shared / EVIDENCE, shared / "images", shared / "layers", state / "cache"):
        yield from folder.glob("*.pruned.*.part")

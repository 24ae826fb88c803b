"""Upkeep that a daemon does besides entries: it compares the queue with its journal, and frees space.

At its start it checks the database's files and what happened since it last looked; once a day the oldest host compares
everything, in a process of its own.  What it finds is in the log, in `evaluate_state_findings`, and in a mail to the
organiser.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import sqlalchemy as sa

from evaluate.config.types import Config
from evaluate.core.errors import EvaluateError, Fault
from evaluate.core.files import sha256_file
from evaluate.operate import leftovers, prune
from evaluate.operate.audit import verify
from evaluate.operate.audit.verify import Finding
from evaluate.operate.notify import tell_organiser
from evaluate.operate.signing import absent, anchored
from evaluate.receipts.issue import Registry
from evaluate.store.db.anchor import Position
from evaluate.store.db.settings import PASSING
from evaluate.store.entries.store import Store
from evaluate.store.files import archives
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import UPLOADS, archive_of
from evaluate.store.logs import LOG
from evaluate.store.schedule.hosts import is_first
from evaluate.store.threads import Threads

LOOK_SECONDS = 60.0
_DAY = 86400.0
_VERIFIED = f"{PASSING}verified"
"""Setting: JSON with the line up to which everything was right, its link, and when everything was last compared."""


@dataclass
class LastComparison:
    """Result of the last comparison; Prometheus reads it."""

    findings: int = 0
    at: float = 0.0
    """When everything was last compared; 0: never."""


def everything(store: Store, state: Path, shared: Path, depot: Depot) -> Iterator[Finding]:
    """All that is wrong with a queue, its uploads, and this host's log of receipts: for `verify-state` and `backup`."""
    yield from verify.whole(store.database)
    yield from uploads(store, shared, depot)
    registry = Registry(state)
    yield from anchored(registry, store.database)
    yield from verify.first_of(absent(registry, store.database, shared, depot), "receipts", "receipts are missing")


def uploads(store: Store, shared: Path, depot: Depot) -> Iterator[Finding]:
    """Uploads that were changed, or are missing though nobody pruned them or an entry still needs them."""
    yield from verify.first_of(_uploads(store, shared, depot), UPLOADS, "uploads are missing or changed")


def _uploads(store: Store, shared: Path, depot: Depot) -> Iterator[Finding]:
    gone, needed = archives.pruned(store), archives.needed(store)
    for digest in store.uploads():
        archive = archive_of(shared, digest)
        name = str(archive.relative_to(shared))
        if archive.is_file():
            if (found := sha256_file(archive)) != digest:
                yield Finding(kind="upload", where=name, message=f"the upload was changed, its digest is {found}")
        elif (digest in needed or digest not in gone) and not depot.has(name):
            whose = f" of {needed[digest]}, which still needs it," if digest in needed else ""
            message = f"the upload{whose} is missing; restore it from a backup"
            yield Finding(kind="upload", where=name, message=message, absent=True)


def check_at_start(store: Store, known: LastComparison) -> list[Finding]:
    """Compare what happened since the last comparison.

    Raises Fault if the files of the database are damaged: nothing may be written to them.
    """
    position, at = _verified(store)
    found = list(verify.newest(store.database, position))
    if found and found[0].kind == "file":
        raise Fault(str(found[0]))
    known.findings, known.at = len(found), at
    if not found:
        _keep_verified(store, store.database.position(), at)
    return found


def _verified(store: Store) -> tuple[Position, float]:
    if not (text := store.settings.get(_VERIFIED)):
        return Position("", 0, ""), 0.0
    said = json.loads(text)
    return Position("", said["line"], said["chain"]), said["at"]


def _keep_verified(store: Store, position: Position, at: float) -> None:
    store.settings.keep(_VERIFIED, json.dumps({"line": position.line, "chain": position.chain, "at": at}))


@contextmanager
def upkeep(
    store: Store,
    state: Path,
    shared: Path,
    executor: str,
    config: Callable[[], Config],
    known: LastComparison,
    threads: Threads | None = None,
) -> Iterator[None]:
    """Do all of it meanwhile, in a thread."""
    found = check_at_start(store, known)
    store.database.count_rows()
    _tell(found, config())
    keeper = _Keeper(store, state, shared, executor, config, known)
    ended = threading.Event()
    thread = (threads or Threads()).start("upkeep", keeper.run, ended)
    try:
        yield
    finally:
        ended.set()
        keeper.stop()
        thread.join(config().notify.timeout_seconds)


class _Keeper:
    def __init__(
        self,
        store: Store,
        state: Path,
        shared: Path,
        executor: str,
        config: Callable[[], Config],
        known: LastComparison,
    ) -> None:
        self._store, self._state, self._shared, self._executor = store, state, shared, executor
        self._config, self._known = config, known
        self._child: subprocess.Popen[str] | None = None

    def run(self, ended: threading.Event, beat: Callable[[], None]) -> None:
        while not ended.wait(LOOK_SECONDS):
            try:
                self.look()
            except (EvaluateError, sa.exc.SQLAlchemyError, OSError) as e:
                LOG.warning("upkeep: %s", e)
            else:
                beat()

    def stop(self) -> None:
        """End the comparison that is under way."""
        if self._child is not None and self._child.poll() is None:
            self._child.terminate()

    def look(self) -> None:
        """Do what is due."""
        store, config = self._store, self._config()
        if store.database.anchor is not None:
            store.database.anchor.note(store.database.position(), sync=True)
        if not is_first(store, self._executor):
            return
        self._make_room(config)
        if time.time() - self._known.at > _DAY:
            leftovers.sweep(store, self._state, self._shared)
            self._compare(config)

    def _make_room(self, config: Config) -> None:
        if shutil.disk_usage(self._shared).free >= config.free_bytes:
            return
        if items := prune.plan(self._store, self._state, self._shared, config):
            freed = prune.carry_out(self._store, items)
            LOG.warning("%d MiB were freed by the rules for pruning: %d things removed", freed >> 20, len(items))

    def _compare(self, config: Config) -> None:
        self._store.database.count_rows()
        before = self._store.database.position()
        command = [sys.executable, "-m", "evaluate", "--state", str(self._state), "verify-state", "--json"]
        argv = ["setpriv", "--pdeathsig", "TERM", "nice", "-n", "19", *command]  # it ends with this process
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as self._child:
            text, _ = self._child.communicate()
        if self._child.returncode not in (0, 3) or not text:
            LOG.warning("the queue could not be compared with its journal: exit code %d", self._child.returncode)
            return
        found = [Finding(**one) for one in json.loads(text)["findings"]]
        self._known.findings, self._known.at = len(found), time.time()
        if found:
            _tell(found, config)
        else:
            _keep_verified(self._store, before, self._known.at)
            LOG.info("the queue matches its journal")


def _tell(found: Sequence[Finding], config: Config) -> None:
    for one in found:
        LOG.error("verify-state: %s", one)
    if found and config.notify.mail is not None:
        try:
            tell_organiser(config.notify, "the queue does not match its journal", "\n".join(map(str, found)))
        except OSError as e:
            LOG.warning("mail: %s", e)


def as_json(found: Sequence[Finding]) -> dict[str, object]:
    """Findings as values of JSON."""
    return {"ok": not found, "findings": [asdict(one) for one in found]}

"""Upkeep that a daemon does besides entries: it compares the queue with its journal, and frees space.

At its start it checks the database's files; a minute later, and once a day, the oldest host compares everything, in a
process of its own.  What it finds is in the log, in `evaluate_state_findings`, and in a mail to the organiser.
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

from evaluate.config.challenge.load import challenge_folder
from evaluate.config.types import Config
from evaluate.core.errors import EvaluateError, Fault, UsageError
from evaluate.core.files import sha256_file
from evaluate.host.mail_server import TIMEOUT_SECONDS
from evaluate.operate import prune
from evaluate.operate.audit import verify
from evaluate.operate.audit.verify import Finding
from evaluate.operate.notify import tell_organiser
from evaluate.operate.prometheus import Measures
from evaluate.operate.signing import absent, anchored
from evaluate.receipts.issue import Registry
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.store import Store
from evaluate.store.files import archives
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import UPLOADS, archive_of
from evaluate.store.logs import LOG
from evaluate.store.schedule.hosts import is_first
from evaluate.store.threads import Threads

LOOK_SECONDS = 60.0
_DAY = 86400.0


def everything(store: Store, state: Path, shared: Path, depot: Depot) -> Iterator[Finding]:
    """All that is wrong with a queue, its uploads and challenges, and this host's log of receipts."""
    yield from verify.whole(store.database)
    yield from uploads(store, shared, depot)
    registry = Registry(state)
    yield from anchored(registry, store.database)
    yield from verify.first_of(absent(registry, store.database, shared, depot), "receipts", "receipts are missing")
    yield from missing_challenges(store)


def uploads(store: Store, shared: Path, depot: Depot) -> Iterator[Finding]:
    """Uploads that were changed, or are missing though nobody pruned them or an entry still needs them."""
    yield from verify.first_of(_uploads(store, shared, depot), UPLOADS, "uploads are missing or changed")


def _uploads(store: Store, shared: Path, depot: Depot) -> Iterator[Finding]:
    gone, needed = archives.pruned(store), archives.needed(store)
    for digest in store.uploads():
        archive = archive_of(shared, digest)
        name = str(archive.relative_to(shared))
        if archive.is_file():
            if (actual := sha256_file(archive)) != digest:
                yield Finding(kind="upload", where=name, message=f"the upload was changed, its digest is {actual}")
        elif (digest in needed or digest not in gone) and not depot.has(name):
            whose = f" of {needed[digest]}, which still needs it," if digest in needed else ""
            message = f"the upload{whose} is missing; restore it from a backup"
            yield Finding(kind="upload", where=name, message=message, absent=True)


def missing_challenges(store: Store) -> Iterator[Finding]:
    """Challenges that have entries, and are not where they were."""
    for challenge in store.challenges():
        try:
            challenge_folder(challenge)
        except UsageError:
            entries = sum(store.counts(ENTRIES.c.challenge == challenge).values())
            message = (
                f"{entries} entries belong to this challenge, which is not there: put it back, or give them to another "
                f"one with `evaluate challenge rename {challenge} NAME`"
            )
            yield Finding(kind="challenge", where=challenge, message=message, absent=True)


@contextmanager
def upkeep(
    store: Store,
    state: Path,
    shared: Path,
    executor: str,
    config: Callable[[], Config],
    measures: Measures,
    threads: Threads,
) -> Iterator[None]:
    """Check the files of the database, and do the rest in a thread meanwhile.

    Raises Fault if the files are damaged: nothing may be written to them.
    """
    if damaged := list(verify.files(store.database)):
        raise Fault(str(damaged[0]))
    store.database.count_rows()
    keeper = _Keeper(store, state, shared, executor, config, measures)
    ended = threading.Event()
    thread = threads.start("upkeep", keeper.run, ended)
    try:
        yield
    finally:
        ended.set()
        keeper.stop()
        thread.join(TIMEOUT_SECONDS)


@dataclass
class _Keeper:
    store: Store
    state: Path
    shared: Path
    executor: str
    config: Callable[[], Config]
    measures: Measures
    compared: float = 0.0
    """Time of the last comparison of everything, seconds since 1970; 0: never."""
    _child: subprocess.Popen[str] | None = None

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
        store, config = self.store, self.config()
        if store.database.anchor is not None:
            store.database.anchor.note(store.database.position(), sync=True)
        if not is_first(store, self.executor):
            return
        self._make_room(config)
        if abs(time.time() - self.compared) > _DAY:  # the clock may have been ahead
            prune.sweep(store, self.state, self.shared)
            self._compare(config)

    def _make_room(self, config: Config) -> None:
        if shutil.disk_usage(self.shared).free >= config.free_bytes:
            return
        if items := prune.plan(self.store, self.state, self.shared, config):
            freed = prune.carry_out(self.store, items)
            LOG.warning("%d MiB were freed by the rules for pruning: %d things removed", freed >> 20, len(items))

    def _compare(self, config: Config) -> None:
        self.store.database.count_rows()
        command = [sys.executable, "-m", "evaluate", "--state", str(self.state), "verify-state", "--json"]
        argv = ["setpriv", "--pdeathsig", "TERM", "nice", "-n", "19", *command]  # it ends with this process
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as self._child:
            text, _ = self._child.communicate()
        if self._child.returncode not in (0, 3) or not text:
            LOG.warning("the queue could not be compared with its journal: exit code %d", self._child.returncode)
            return
        findings = [Finding(**values) for values in json.loads(text)["findings"]]
        self.compared = time.time()
        self.measures.findings.set(len(findings))
        self.measures.verified.set(self.compared)
        if findings:
            _tell(findings, config)
        else:
            LOG.info("the queue matches its journal")


def _tell(findings: Sequence[Finding], config: Config) -> None:
    for finding in findings:
        LOG.error("verify-state: %s", finding)
    if findings and config.notify.mail is not None:
        try:
            tell_organiser(config.notify, "the queue does not match its journal", "\n".join(map(str, findings)))
        except OSError as e:
            LOG.warning("mail: %s", e)


def as_json(findings: Sequence[Finding]) -> dict[str, object]:
    """Findings as values of JSON."""
    return {"ok": not findings, "findings": [asdict(finding) for finding in findings]}

"""A backup of everything that a queue needs, in a folder.

    objects/<2 digits>/<sha256>    the contents of files, each once
    backup.json                    its subject, and the list of its files; written last

The files are the database, every upload, receipts, the organiser's own challenges, references of rejudgings,
``evaluate.yaml`` and what it names, and keys.  Made again into the same folder, only what is new is copied;
``backup.json`` is replaced when everything is there, so a backup that was killed is the one before, or none.  Products
of stages are not in it: after a restore, entries can be rejudged from prep.  `evaluate.operate.restoration` is the way
back.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from evaluate import __version__
from evaluate.config.challenge.load import challenge_folder, list_challenges, read_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.config.load import CHALLENGES, config_path, named_paths
from evaluate.config.load import FILE as CONFIG_FILE
from evaluate.core.codec import from_json, to_json
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import exclusive, publish, sha256_file, write_file
from evaluate.operate.audit import dump as databases
from evaluate.operate.signing import FOLDER as RECEIPT_FOLDER
from evaluate.operate.upkeep import everything
from evaluate.receipts.issue import LOG
from evaluate.receipts.log import Log
from evaluate.store.db.anchor import Position
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES, REJUDGING_ATTEMPTS, RESULTS
from evaluate.store.entries.store import Store
from evaluate.store.files import archives
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import UPLOADS, WORK

LIST = "backup.json"
OBJECTS = "objects"
_FORMAT = 4
STATE, CONFIG, SHARED, ABSOLUTE = "state", "config", "shared", "absolute"


@dataclass(frozen=True, kw_only=True)
class BackupFile:
    """A file of a backup."""

    root: str
    """Destination: ``state``, ``config`` (relative to the folder of evaluate.yaml), ``shared``, or ``absolute``."""
    path: str
    sha256: str
    mode: int
    challenge: str = ""
    """Challenge, if the file is of one: its name in evaluate.yaml, or its folder if it is not named there."""
    inside: str = ""
    """Path of the file in the folder of the challenge."""


@dataclass(frozen=True, kw_only=True)
class Backup:
    """Description of a backup."""

    made: str
    identity: str
    line: int
    """The end of the queue's journal."""
    entries: int
    database: str
    """Digest of the copy of the database, one SQLite file."""
    files: tuple[BackupFile, ...]
    absent: tuple[str, ...]
    """Things that were not there, in words; an upload may still be in the backup, from an earlier one."""

    @property
    def digests(self) -> set[str]:
        """The digest of every object."""
        return {self.database, *(file.sha256 for file in self.files)}


def object_of(folder: Path, digest: str) -> Path:
    """Return the path at which a folder has the object of a digest."""
    return folder / OBJECTS / digest[:2] / digest


def backup(store: Store, state: Path, shared: Path, depot: Depot, folder: Path) -> Backup:
    """Bring a folder up to date, after another backup into it has ended; daemons and submissions continue meanwhile.

    Raises UsageError if the folder contains something else, or cannot be written. Raises Fault if the queue is damaged,
    or an upload is; the earlier backup, if there was one, is as it was.
    """
    if (folder / LIST).exists():
        open_backup(folder)
    elif folder.exists() and any(path.name != OBJECTS for path in folder.iterdir()):
        raise UsageError(f"{folder}: expected a new folder or an earlier backup; nothing was written")
    try:
        (folder / OBJECTS).mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
    except OSError as e:
        raise UsageError(f"{folder}: {e.strerror}") from e
    # another one would take the new objects for old ones
    with exclusive(folder / OBJECTS / ".lock", "another backup into this folder"):
        return _up_to_date(store, state, shared, depot, folder)


def _up_to_date(store: Store, state: Path, shared: Path, depot: Depot, folder: Path) -> Backup:
    findings = list(everything(store, state, shared, depot))
    if wrong := [finding for finding in findings if not finding.absent]:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise Fault(f"{wrong[0]}{more}; nothing was replaced (evaluate verify-state names everything)")
    # of attempts that have ended in the copy of the database, which is later
    files = list(_receipts(store, shared, depot, folder))
    # the log and the journal name each other: both as they are at one moment
    log = Log(state / LOG)
    with ExitStack() as held:
        held.enter_context(log.held())
        files += _signed(state, folder)
        size = log.size
        position, database, entries = _database(store, folder, held.close)
    for number in range(size):  # they never change
        files += _placed(state, STATE, f"{LOG}/receipts/{number}", folder)
    files += _uploads(store, shared, depot, folder)
    files += _named(store, state, folder)
    made = Backup(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        identity=position.identity,
        line=position.line,
        entries=entries,
        database=database,
        files=tuple(files),
        absent=tuple(f"when this backup was made: {finding}" for finding in findings if finding.absent),
    )
    os.sync()
    text = json.dumps({"format": _FORMAT, "version": __version__, "backup": to_json(made)}, indent=1)
    write_file(folder / LIST, text.encode(), 0o600)
    needed = made.digests
    for path in (path for path in (folder / OBJECTS).glob("*/*") if path.name not in needed):
        path.unlink()
    return made


def _signed(state: Path, target: Path) -> Iterator[BackupFile]:
    """Yield the keys that sign, and the log of what was signed, without the receipts beside it."""
    for path in (*_below(state / "keys"), *_below(state / LOG)):
        if path.parent.parent != state / LOG / "receipts":
            yield _kept(STATE, str(path.relative_to(state)), path, target)


def _receipts(store: Store, shared: Path, depot: Depot, target: Path) -> Iterator[BackupFile]:
    """The receipts that teams find under their entries, of all hosts."""
    query = sa.select(RESULTS.c.entry, RESULTS.c.attempt).distinct().order_by(RESULTS.c.entry, RESULTS.c.attempt)
    query = query.join(ENTRIES, ENTRIES.c.id == RESULTS.c.entry).outerjoin(
        REJUDGING_ATTEMPTS,
        (REJUDGING_ATTEMPTS.c.entry == RESULTS.c.entry) & (REJUDGING_ATTEMPTS.c.attempt == RESULTS.c.attempt),
    )
    query = query.where(sa.func.coalesce(REJUDGING_ATTEMPTS.c.state, ENTRIES.c.state).in_(_ENDED))
    with store.engine.connect() as connection:
        rows = connection.execute(query).all()
    for entry, attempt in rows:
        name = f"{WORK}/{entry}/{attempt}/{RECEIPT_FOLDER}"
        depot.fetch(name)
        for path in _below(shared / name):
            yield _kept(SHARED, str(path.relative_to(shared)), path, target)


_ENDED = [state.value for state in State if state.ended]


def _database(store: Store, target: Path, begun: Callable[[], object]) -> tuple[Position, str, int]:
    """The end of the journal in a verified copy of the database, its digest, and how many entries it has."""
    with tempfile.TemporaryDirectory(prefix=".database-", dir=target / OBJECTS) as scratch:
        copy = Path(scratch) / "copy"
        position = databases.backup(store, copy, begun)
        return position, _keep(copy, target), sum(store.counts().values())


def _uploads(store: Store, shared: Path, depot: Depot, target: Path) -> Iterator[BackupFile]:
    gone, needed = archives.pruned(store), archives.needed(store)
    for digest in store.uploads():
        name = f"{UPLOADS}/{digest}/archive"
        depot.fetch(name)
        if (shared / name).is_file():
            if _keep(shared / name, target, digest) != digest:
                raise Fault(f"{shared / name}: the upload is damaged: its digest is not {digest}; nothing was replaced")
        elif (digest in gone and digest not in needed) or not object_of(target, digest).is_file():
            continue  # else the earlier backup is the only one that has it
        yield BackupFile(root=SHARED, path=name, sha256=digest, mode=0o444)


def _named(store: Store, state: Path, target: Path) -> Iterator[BackupFile]:
    """Yield the files that ``evaluate.yaml`` names, the challenges of entries, and references of rejudgings."""
    given = config_path(state)
    base = state if given is None else given.parent
    done: set[Path] = set()
    named: dict[str, str] = {}
    if given is not None:
        yield _kept(STATE, CONFIG_FILE, given, target)
        for keys, written in named_paths(given.read_text("utf-8-sig")).items():
            if keys[0] == CHALLENGES:
                named[keys[1]] = written
            else:
                yield from _placed(base, CONFIG, written, target)
    for name, written in named.items():
        done.add((base / written).resolve())
        yield from _placed(base, CONFIG, written, target, name)
    with store.engine.connect() as connection:
        of_entries = set(connection.scalars(sa.select(ENTRIES.c.challenge).distinct()))
        references = set(connection.scalars(sa.select(REJUDGING_ATTEMPTS.c.references).distinct())) - {""}
    for name in sorted(of_entries - {*named, *list_challenges()}):
        try:
            folder = challenge_folder(name)
        except UsageError:
            continue  # `everything` names it
        if folder not in done:
            yield from _placed(base, CONFIG, str(folder), target, name)
    for reference in sorted(references):
        yield from _placed(base, CONFIG, reference, target)


def _placed(base: Path, root: str, written: str, target: Path, challenge: str = "") -> Iterator[BackupFile]:
    """A file or folder below ``base``; of a challenge, also what its ``challenge.yaml`` names outside of it."""
    root = ABSOLUTE if Path(written).is_absolute() else root
    top = base / written
    for path in _below(top):
        inside = str(path.relative_to(top)) if path != top else ""
        file = _kept(root, str(Path(written) / inside), path, target)
        yield replace(file, challenge=challenge, inside=inside if challenge else "")
    if challenge and (read := read_challenge(top)[0]) is not None:
        for path in (path for path in _data(read) if not path.is_relative_to(read.folder)):
            near = root == CONFIG and path.is_relative_to(base)
            yield from _placed(base, root, str(path.relative_to(base) if near else path), target)


def _data(challenge: Challenge) -> list[Path]:
    sets = (challenge.quiz, *challenge.exams.values())
    paths = [*challenge.layers]
    for records in sets:
        paths += [records.folder, *([records.references] if records.references else [])]
    return [Path(os.path.normpath(path)) for path in paths]


def _below(path: Path) -> Iterator[Path]:
    """The files of a folder, or a file itself."""
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.is_file())
    elif path.is_file():
        yield path


def _kept(root: str, path: str, source: Path, target: Path) -> BackupFile:
    return BackupFile(root=root, path=path, sha256=_keep(source, target), mode=source.stat().st_mode & 0o777)


def _keep(source: Path, target: Path, digest: str = "") -> str:
    """Copy a file to its object, unless it is there; returns its digest.  With ``digest`` the file need not be read."""
    if not digest and object_of(target, source_digest := sha256_file(source)).is_file():
        return source_digest
    old = object_of(target, digest)
    if digest and old.is_file() and old.stat().st_size == source.stat().st_size:
        return digest
    with tempfile.TemporaryDirectory(prefix=".part-", dir=target / OBJECTS) as scratch:
        part = Path(scratch) / "part"
        shutil.copyfile(source, part)  # what is copied is what is hashed, even if the source changes meanwhile
        copied = sha256_file(part)
        kept = object_of(target, copied)
        kept.parent.mkdir(exist_ok=True, mode=0o700)
        publish(part, kept, 0o400)
    return copied


def open_backup(folder: Path) -> Backup:
    """The backup in a folder. Raises UsageError if there is none."""
    try:
        values = json.loads((folder / LIST).read_text())
        if values["format"] != _FORMAT:
            raise ValueError(f"its format is {values['format']}, this version knows {_FORMAT}")
        return from_json(Backup, values["backup"])
    except FileNotFoundError as e:
        raise UsageError(f"{folder}: no backup: there is no {LIST}, which is written last") from e
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise UsageError(f"{folder / LIST}: not the list of a backup: {e}") from e

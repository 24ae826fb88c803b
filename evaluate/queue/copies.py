"""A backup of everything that a queue needs, in a folder, and its way back into an empty state directory.

    objects/<2 digits>/<sha256>    the contents of files, each once
    backup.json                    the list of files, with their places, modes and digests; written last

The database, its long texts, every upload, the organiser's own challenges, references of rejudgings, ``evaluate.yaml``
and what it names, and keys.  Made again into the same folder, only what is new is copied; the list is replaced when
everything is there, so a backup that was killed is the one before, or none.  What stages produced is not in it: after
a restore, entries can be rejudged from prep.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa

from evaluate import __version__
from evaluate.challenge import challenge_folder, list_challenges
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import publish, sha256_file, write_file
from evaluate.host.config import FILE as CONFIG_FILE
from evaluate.host.config import Config, config_path, load_config
from evaluate.queue.depot import Depot, open_depot
from evaluate.queue.store import backup as databases
from evaluate.queue.store.entries import Store
from evaluate.queue.store.tables import ENTRIES, SHADOWS
from evaluate.queue.work import UPLOADS
from evaluate.receipts.issue import LOG
from evaluate.receipts.log import Log

LIST = "backup.json"
OBJECTS = "objects"
_FORMAT = 1
_STATE, _SHARED, _HERE = "state", "shared", "absolute"
_SIGNED = ("keys", "receipt-log")
"""Folders of a state directory with what signs, and what was signed."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """One file of a backup."""

    place: str
    """Where it goes: ``state``, ``shared``, or ``absolute`` for what lies outside both."""
    path: str
    sha256: str
    mode: int


@dataclass(frozen=True, kw_only=True)
class Backup:
    """The list of a backup."""

    made: str
    identity: str
    line: int
    """The end of the queue's journal."""
    entries: int
    database: str
    """Digest of the copy of the database, one SQLite file."""
    files: tuple[Kept, ...]
    missing: tuple[str, ...]
    """Uploads that were not there."""


def backup(store: Store, state: Path, shared: Path, depot: Depot, config: Config, target: Path) -> Backup:
    """Bring a folder up to date; daemons and submissions continue meanwhile.

    Raises
    ------
    UsageError
        The folder holds something else, or cannot be written.
    Fault
        The queue is damaged, or an upload is; the earlier backup, if there was one, is as it was.
    """
    known = _opened(target) if (target / LIST).exists() else None
    if known is None and target.exists() and any(one.name != OBJECTS for one in target.iterdir()):
        raise UsageError(f"{target}: expected a new folder or an earlier backup; nothing was written")
    try:
        (target / OBJECTS).mkdir(parents=True, exist_ok=True, mode=0o700)
        target.chmod(0o700)
    except OSError as e:
        raise UsageError(f"{target}: {e.strerror}") from e
    # before the database: receipts name lines of the journal, which the copy must have
    with Log(state / LOG).held():
        ours = [path for name in _SIGNED for path in _below(state / name)]
        signed = [_kept(_STATE, str(path.relative_to(state)), path, target) for path in ours]
    position = store.database.position()  # the copy may have more
    database, count = _database(store, target)
    files, missing = _files(store, state, shared, depot, config, target)
    made = Backup(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        identity=position.identity,
        line=position.line,
        entries=count,
        database=database,
        files=(*files, *signed),
        missing=tuple(missing),
    )
    text = json.dumps({"format": _FORMAT, "version": __version__, **asdict(made)}, indent=1)
    write_file(target / LIST, text.encode(), 0o600)
    needed = {database, *(one.sha256 for one in made.files)}
    for old in (target / OBJECTS).glob("*/*"):
        if old.name not in needed:
            old.unlink()
    return made


def _database(store: Store, target: Path) -> tuple[str, int]:
    """The digest of a verified copy of the database, and how many entries it has."""
    with tempfile.TemporaryDirectory(prefix=".database-", dir=target / OBJECTS) as scratch:
        copy = Path(scratch) / "copy"
        databases.backup(store, copy)
        return _keep(copy, target), sum(store.reader.counts().values())


def _files(
    store: Store, state: Path, shared: Path, depot: Depot, config: Config, target: Path
) -> tuple[list[Kept], list[str]]:
    found, missing = [], []
    with store.engine.connect() as connection:
        uploads = list(connection.scalars(sa.select(ENTRIES.c.sha256).distinct()))
        named = set(connection.scalars(sa.select(ENTRIES.c.challenge).distinct()))
        named |= set(connection.scalars(sa.select(SHADOWS.c.challenge).distinct()))
        references = set(connection.scalars(sa.select(SHADOWS.c.references).distinct())) - {""}
    for digest in sorted(uploads):
        name = f"{UPLOADS}/{digest}/archive"
        depot.fetch(name)
        if not (shared / name).is_file():
            missing.append(digest)
            continue
        if _keep(shared / name, target, digest) != digest:
            raise Fault(f"{shared / name}: the upload is damaged: its digest is not {digest}; nothing was replaced")
        found.append(Kept(place=_SHARED, path=name, sha256=digest, mode=0o444))
    given = config_path(state)
    if given is not None:
        found.append(_kept(_STATE, CONFIG_FILE, given, target))
    folders = [*_challenges(named, config), *(Path(one) for one in sorted(references))]
    if config.notify.mail is not None and config.notify.mail.password_file is not None:
        folders.append(config.notify.mail.password_file)
    for path in (one for folder in folders for one in _below(folder)):
        found.append(_kept(_HERE, str(path), path, target))
    return found, missing


def _challenges(named: set[str], config: Config) -> Iterator[Path]:
    """The folders of the organiser's own challenges; the others come with the program."""
    ours = set(list_challenges())
    folders = {Path(name) for name in named if name not in ours}
    folders |= {rules.folder for rules in config.challenges.values() if rules.folder is not None}
    for folder in sorted(folders):
        try:
            yield challenge_folder(str(folder))
        except UsageError:
            continue  # it is gone, and so is what would be judged by it


def _below(path: Path) -> Iterator[Path]:
    """The files of a folder, or a file itself."""
    if path.is_dir():
        yield from sorted(one for one in path.rglob("*") if one.is_file())
    elif path.is_file():
        yield path


def _kept(place: str, path: str, source: Path, target: Path) -> Kept:
    return Kept(place=place, path=path, sha256=_keep(source, target), mode=source.stat().st_mode & 0o777)


def _keep(source: Path, target: Path, digest: str = "") -> str:
    """Copy a file to its object, unless it is there; returns its digest.  With ``digest`` the file need not be read."""
    if not digest and _object(target, known := sha256_file(source)).is_file():
        return known
    if digest and (old := _object(target, digest)).is_file() and old.stat().st_size == source.stat().st_size:
        return digest
    with tempfile.TemporaryDirectory(prefix=".part-", dir=target / OBJECTS) as scratch:
        part = Path(scratch) / "part"
        shutil.copyfile(source, part)  # what is copied is what is hashed, even if the source changes meanwhile
        found = sha256_file(part)
        place = _object(target, found)
        place.parent.mkdir(exist_ok=True, mode=0o700)
        publish(part, place, 0o400)
    return found


def _object(folder: Path, digest: str) -> Path:
    return folder / OBJECTS / digest[:2] / digest


def _opened(folder: Path) -> Backup:
    """The list of a backup.

    Raises
    ------
    UsageError
        The folder is none.
    """
    try:
        found = json.loads((folder / LIST).read_text())
        if found.pop("format") != _FORMAT:
            raise ValueError("another format")
        found.pop("version")
        files = tuple(Kept(**one) for one in found.pop("files"))
        return Backup(**{**found, "files": files, "missing": tuple(found["missing"])})
    except FileNotFoundError as e:
        raise UsageError(f"{folder}: no backup: there is no {LIST}, which is written last") from e
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise UsageError(f"{folder / LIST}: not the list of a backup: {e}") from e


def restore(folder: Path, state: Path, *, from_journal: bool = False) -> tuple[int, list[str]]:
    """Restore a backup into an empty state directory.

    Files outside it, such as the organiser's challenges, go back to their places, unless the same are there.

    Returns
    -------
    int, list of str
        How many entries it has, and the paths that differ from the backup and were left as they are.

    Raises
    ------
    UsageError
        The state directory is not empty, or the folder is no backup.
    Fault
        The backup is damaged; nothing was written.
    """
    found = _opened(folder)
    if held := sorted(path.name for path in state.iterdir() if path.name != CONFIG_FILE):
        raise UsageError(f"{state}: expected an empty folder, found {held[0]}; nothing was written")
    for digest in sorted({found.database, *(one.sha256 for one in found.files)}):
        place = _object(folder, digest)
        if not place.is_file() or sha256_file(place) != digest:
            raise Fault(f"{place}: missing or damaged; nothing was written")
    kept = []
    for one in (one for one in found.files if one.place != _SHARED):
        path = Path(one.path) if one.place == _HERE else state / one.path
        if not path.exists():
            _bring(folder, one, path)
        elif sha256_file(path) != one.sha256:
            kept.append(str(path))
    config = load_config(state)
    shared, depot = open_depot(state, config.shared)
    for one in (one for one in found.files if one.place == _SHARED):
        if not (shared / one.path).exists():
            _bring(folder, one, shared / one.path)
        depot.publish(one.path)
    count = databases.restore(_object(folder, found.database), state, config.database, from_journal=from_journal)
    return count, kept


def _bring(folder: Path, one: Kept, path: Path) -> None:
    missing = [parent for parent in path.parents if not parent.exists()]
    for parent in reversed(missing):
        parent.mkdir(mode=0o700 if one.place != _HERE else 0o755)
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=path.parent) as scratch:
        part = Path(scratch) / "part"
        shutil.copyfile(_object(folder, one.sha256), part)
        publish(part, path, one.mode)


def is_folder(path: Path) -> bool:
    """Whether ``path`` names a backup of everything, not a copy of the database alone, which is a file."""
    return path.is_dir() or (not path.exists() and path.suffix != ".sqlite")

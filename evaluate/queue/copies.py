"""A backup of everything that a queue needs, in a folder.

    objects/<2 digits>/<sha256>    the contents of files, each once
    backup.json                    what it is a backup of, and the digest of the list of its files; written last

The list is an object as well, with a line of JSON for each file: the database, its long texts, every upload, receipts,
the organiser's own challenges, references of rejudgings, ``evaluate.yaml`` and what it names, and keys.  Made again
into the same folder, only what is new is copied; ``backup.json`` is replaced when everything is there, so a backup that
was killed is the one before, or none.  What stages produced is not in it: after a restore, entries can be rejudged from
prep.  `evaluate.queue.restoring` is the way back.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import sqlalchemy as sa

from evaluate import __version__
from evaluate.challenge import FILE as CHALLENGE_FILE
from evaluate.challenge import Challenge, challenge_folder, list_challenges, read_challenge
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import publish, sha256_file, write_file
from evaluate.host.config import FILE as CONFIG_FILE
from evaluate.host.config import config_path
from evaluate.host.places import CHALLENGES, Named, named_paths
from evaluate.queue import archives
from evaluate.queue.depot import Depot
from evaluate.queue.signing import FOLDER as RECEIPT_FOLDER
from evaluate.queue.store import backup as databases
from evaluate.queue.store.anchor import Position
from evaluate.queue.store.entries import Store
from evaluate.queue.store.rows import State
from evaluate.queue.store.tables import ENTRIES, RESULTS, SHADOWS
from evaluate.queue.upkeep import everything
from evaluate.queue.work import UPLOADS, WORK
from evaluate.receipts.issue import LOG
from evaluate.receipts.log import Log

LIST = "backup.json"
OBJECTS = "objects"
_FORMATS = (1, 2)
STATE, CONFIG, SHARED, ABSOLUTE = "state", "config", "shared", "absolute"
_AT_ONCE = 10_000


@dataclass(frozen=True, kw_only=True)
class Kept:
    """One file of a backup."""

    place: str
    """Where it goes: ``state``, ``config`` (relative to the folder of evaluate.yaml), ``shared``, or ``absolute``."""
    path: str
    sha256: str
    mode: int
    challenge: str = ""
    """Of a file of a challenge: its name in evaluate.yaml, or its folder if it is not named there."""
    inside: str = ""
    """And its path in that folder."""


@dataclass(frozen=True, kw_only=True)
class Backup:
    """What a backup is of."""

    made: str
    identity: str
    line: int
    """The end of the queue's journal."""
    entries: int
    database: str
    """Digest of the copy of the database, one SQLite file."""
    files: str
    """Digest of the list of files."""
    count: int
    """How many files."""
    missing: tuple[str, ...]
    """Uploads that were not there."""
    lost: tuple[str, ...]
    """Challenges of entries that were not there."""


class Copy:
    """A backup in a folder."""

    def __init__(self, folder: Path, made: Backup, inline: tuple[Kept, ...] | None) -> None:
        self.folder, self.made, self._inline = folder, made, inline
        if inline is not None and self.config is not None:
            self._inline = tuple(_as_named(inline, named_paths(self.config)))

    @property
    def config(self) -> str | None:
        """The text of ``evaluate.yaml``, if there was one."""
        same = (one for one in self.files() if (one.place, one.path) == (STATE, CONFIG_FILE))
        return next((self.object(one.sha256).read_text("utf-8-sig") for one in same), None)

    def files(self) -> Iterator[Kept]:
        """Every file, in the order of the list."""
        if self._inline is not None:
            yield from self._inline
            return
        with self.object(self.made.files).open() as lines:
            for line in lines:
                yield Kept(**json.loads(line))

    def object(self, digest: str) -> Path:
        """Where the contents are that have this digest."""
        return object_of(self.folder, digest)

    def digests(self) -> Iterator[str]:
        """Of every object, some more than once."""
        yield self.made.database
        if self._inline is None:
            yield self.made.files
        yield from (one.sha256 for one in self.files())


def _as_named(files: Sequence[Kept], named: Mapping[Named, str]) -> Iterator[Kept]:
    """The list of an earlier version, which had no more than the absolute path of what ``evaluate.yaml`` names."""
    tops: dict[str, tuple[Named, str]] = {}
    for keys, written in named.items():
        end = "/" + os.path.normpath(written).lstrip("./")
        own = f"{end}/{CHALLENGE_FILE}" if keys[0] == CHALLENGES else end
        for one in files:
            if one.place == ABSOLUTE and one.path.endswith(own):
                tops[one.path.removesuffix(own) + end] = (keys, written)
    for one in files:
        top = next((top for top in tops if Path(one.path).is_relative_to(top)), None) if one.place == ABSOLUTE else None
        if top is None:
            yield one
            continue
        keys, written = tops[top]
        inside = str(Path(one.path).relative_to(top))
        place = ABSOLUTE if Path(written).is_absolute() else CONFIG
        if keys[0] == CHALLENGES:
            yield replace(one, place=place, path=str(Path(written) / inside), challenge=keys[1], inside=inside)
        else:
            yield replace(one, place=place, path=written)


def object_of(folder: Path, digest: str) -> Path:
    """Where a folder has the object of a digest."""
    return folder / OBJECTS / digest[:2] / digest


def backup(store: Store, state: Path, shared: Path, depot: Depot, target: Path) -> Backup:
    """Bring a folder up to date; daemons and submissions continue meanwhile.

    Raises
    ------
    UsageError
        The folder holds something else, or cannot be written.
    Fault
        The queue is damaged, or an upload is; the earlier backup, if there was one, is as it was.
    """
    known = open_copy(target) if (target / LIST).exists() else None
    if known is None and target.exists() and any(one.name != OBJECTS for one in target.iterdir()):
        raise UsageError(f"{target}: expected a new folder or an earlier backup; nothing was written")
    try:
        (target / OBJECTS).mkdir(parents=True, exist_ok=True, mode=0o700)
        target.chmod(0o700)
    except OSError as e:
        raise UsageError(f"{target}: {e.strerror}") from e
    if wrong := [one for one in everything(store, state, shared, depot) if not one.absent]:
        more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise Fault(f"{wrong[0]}{more}; nothing was replaced (evaluate verify-state names everything)")
    missing: list[str] = []
    lost: list[str] = []
    with tempfile.TemporaryDirectory(prefix=".list-", dir=target / OBJECTS) as scratch:
        listed = Path(scratch) / "list"
        with listed.open("w") as lines, ExitStack() as held:
            # of attempts that have ended in the copy of the database, which is later
            count = _note(lines, _receipts(store, shared, depot, target))
            # the log and the journal name each other: both as they are at one moment
            log = Log(state / LOG)
            held.enter_context(log.held())
            count += _note(lines, _signed(state, target))
            size = log.size
            position, database, entries = _database(store, target, held.close)
            for number in range(size):  # they never change
                count += _note(lines, _placed(state, STATE, f"{LOG}/receipts/{number}", target))
            count += _note(lines, _uploads(store, shared, depot, target, missing))
            count += _note(lines, _named(store, state, target, lost))
        made = Backup(
            made=datetime.now(UTC).isoformat(timespec="seconds"),
            identity=position.identity,
            line=position.line,
            entries=entries,
            database=database,
            files=_keep(listed, target),
            count=count,
            missing=tuple(missing),
            lost=tuple(lost),
        )
    os.sync()
    text = json.dumps({"format": _FORMATS[-1], "version": __version__, **asdict(made)}, indent=1)
    write_file(target / LIST, text.encode(), 0o600)
    _sweep(target)
    return made


def _note(lines: IO[str], files: Iterable[Kept]) -> int:
    count = 0
    for one in files:
        count += 1
        given = {name: value for name, value in asdict(one).items() if value != ""}
        lines.write(json.dumps(given) + "\n")
    return count


def _sweep(target: Path) -> None:
    """Remove the objects that nothing needs any more."""
    needed = {bytes.fromhex(digest) for digest in open_copy(target).digests()}
    for old in (target / OBJECTS).glob("*/*"):
        if len(old.name) != 64 or bytes.fromhex(old.name) not in needed:
            old.unlink()


def _signed(state: Path, target: Path) -> Iterator[Kept]:
    """What signs, and the log of what was signed, without the receipts beside it."""
    for path in (*_below(state / "keys"), *_below(state / LOG)):
        if path.parent.parent != state / LOG / "receipts":
            yield _kept(STATE, str(path.relative_to(state)), path, target)


def _receipts(store: Store, shared: Path, depot: Depot, target: Path) -> Iterator[Kept]:
    """The receipts that teams find under their entries, of all hosts."""
    last = ("", 0)
    key = sa.tuple_(RESULTS.c.entry, RESULTS.c.attempt)
    query = sa.select(RESULTS.c.entry, RESULTS.c.attempt).distinct().order_by(RESULTS.c.entry, RESULTS.c.attempt)
    query = query.join(ENTRIES, ENTRIES.c.id == RESULTS.c.entry).outerjoin(
        SHADOWS, (SHADOWS.c.entry == RESULTS.c.entry) & (SHADOWS.c.attempt == RESULTS.c.attempt)
    )
    query = query.where(sa.func.coalesce(SHADOWS.c.state, ENTRIES.c.state).in_(_ENDED)).limit(_AT_ONCE)
    while True:
        with store.engine.connect() as connection:
            rows = connection.execute(query.where(key > sa.tuple_(*map(sa.literal, last)))).all()
        for entry, attempt in rows:
            name = f"{WORK}/{entry}/{attempt}/{RECEIPT_FOLDER}"
            depot.fetch(name)
            for path in _below(shared / name):
                yield _kept(SHARED, str(path.relative_to(shared)), path, target)
        if len(rows) < _AT_ONCE:
            return
        last = rows[-1][0], rows[-1][1]


_ENDED = [state.value for state in State if state.ended]


def _database(store: Store, target: Path, begun: Callable[[], object]) -> tuple[Position, str, int]:
    """The end of the journal in a verified copy of the database, its digest, and how many entries it has."""
    with tempfile.TemporaryDirectory(prefix=".database-", dir=target / OBJECTS) as scratch:
        copy = Path(scratch) / "copy"
        position = databases.backup(store, copy, begun)
        return position, _keep(copy, target), sum(store.reader.counts().values())


def _uploads(store: Store, shared: Path, depot: Depot, target: Path, missing: list[str]) -> Iterator[Kept]:
    gone, needed = archives.pruned(store), archives.needed(store)
    for digest in store.uploads():
        name = f"{UPLOADS}/{digest}/archive"
        depot.fetch(name)
        if (shared / name).is_file():
            if _keep(shared / name, target, digest) != digest:
                raise Fault(f"{shared / name}: the upload is damaged: its digest is not {digest}; nothing was replaced")
        elif digest in gone and digest not in needed:
            continue
        else:
            missing.append(digest)
            if not object_of(target, digest).is_file():
                continue  # else the earlier backup is the only one that has it
        yield Kept(place=SHARED, path=name, sha256=digest, mode=0o444)


def _named(store: Store, state: Path, target: Path, lost: list[str]) -> Iterator[Kept]:
    """What ``evaluate.yaml`` names, the challenges of entries, and references of rejudgings."""
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
        of_entries |= set(connection.scalars(sa.select(SHADOWS.c.challenge).distinct()))
        references = set(connection.scalars(sa.select(SHADOWS.c.references).distinct())) - {""}
    for name in sorted(of_entries - {*named, *list_challenges()}):
        try:
            folder = challenge_folder(name)
        except UsageError:
            lost.append(name)
            continue
        if folder not in done:
            yield from _placed(base, CONFIG, str(folder), target, name)
    for reference in sorted(references):
        yield from _placed(base, CONFIG, reference, target)


def _placed(base: Path, place: str, written: str, target: Path, challenge: str = "") -> Iterator[Kept]:
    """A file or folder below ``base``; of a challenge, also what its ``challenge.yaml`` names outside of it."""
    place = ABSOLUTE if Path(written).is_absolute() else place
    top = base / written
    for path in _below(top):
        inside = str(path.relative_to(top)) if path != top else ""
        one = _kept(place, str(Path(written) / inside), path, target)
        yield replace(one, challenge=challenge, inside=inside if challenge else "")
    if challenge and (found := read_challenge(top)[0]) is not None:
        for path in (path for path in _data(found) if not path.is_relative_to(found.folder)):
            near = place == CONFIG and path.is_relative_to(base)
            yield from _placed(base, place, str(path.relative_to(base) if near else path), target)


def _data(challenge: Challenge) -> list[Path]:
    sets = (challenge.quiz, challenge.exam)
    found = [*challenge.layers, *(one.folder for one in sets), *(one.references for one in sets if one.references)]
    return [Path(os.path.normpath(path)) for path in found]


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
    if not digest and object_of(target, known := sha256_file(source)).is_file():
        return known
    if digest and (old := object_of(target, digest)).is_file() and old.stat().st_size == source.stat().st_size:
        return digest
    with tempfile.TemporaryDirectory(prefix=".part-", dir=target / OBJECTS) as scratch:
        part = Path(scratch) / "part"
        shutil.copyfile(source, part)  # what is copied is what is hashed, even if the source changes meanwhile
        found = sha256_file(part)
        place = object_of(target, found)
        place.parent.mkdir(exist_ok=True, mode=0o700)
        publish(part, place, 0o400)
    return found


def open_copy(folder: Path) -> Copy:
    """The backup in a folder.

    Raises
    ------
    UsageError
        There is none.
    """
    try:
        found = json.loads((folder / LIST).read_text())
        if (form := found.pop("format")) not in _FORMATS:
            raise ValueError(f"its format is {form}, this version knows up to {_FORMATS[-1]}")
        found.pop("version")
        inline = None
        if form == 1:
            inline = tuple(Kept(**one) for one in found["files"])
            found |= {"files": "", "count": len(inline), "lost": ()}
        made = Backup(**{**found, "missing": tuple(found["missing"]), "lost": tuple(found["lost"])})
        return Copy(folder, made, inline)
    except FileNotFoundError as e:
        raise UsageError(f"{folder}: no backup: there is no {LIST}, which is written last") from e
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        raise UsageError(f"{folder / LIST}: not the list of a backup: {e}") from e


def is_folder(path: Path) -> bool:
    """Whether ``path`` names a backup of everything, not a copy of the database alone, which is a file."""
    return path.is_dir() or (not path.exists() and path.suffix != ".sqlite")

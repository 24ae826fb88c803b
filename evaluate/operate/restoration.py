"""Brings a backup (`evaluate.operate.backup_folder`) back, whole or not at all.

Everything is put into a folder inside the state directory, ``.restoring``, and moves out of it at the end; nothing
opens the state directory until all has moved.  What lies elsewhere, such as uploads on a shared folder, is put there
first.  After a restore that was killed the same command begins again.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from evaluate.config.load import CHALLENGES, Named, config_path, named_paths, read_config, with_paths
from evaluate.config.load import FILE as CONFIG_FILE
from evaluate.config.types import Config
from evaluate.confine.ownership import remove_tree
from evaluate.core.errors import ChallengeError, Fault, UsageError
from evaluate.core.files import sha256_file, sync
from evaluate.host.state import RESTORING
from evaluate.operate.audit import dump as databases
from evaluate.operate.backup_folder import (
    ABSOLUTE,
    CONFIG,
    SHARED,
    STATE,
    Backup,
    BackupFile,
    object_of,
    open_backup,
)
from evaluate.operate.signing import FOLDER as RECEIPT_FOLDER
from evaluate.receipts.issue import Registry
from evaluate.store.files.depot import open_depot
from evaluate.store.files.stage_folders import discard


@dataclass(frozen=True, kw_only=True)
class Restored:
    """Account of what was brought back, or would be."""

    entries: int
    files: int
    kept: tuple[str, ...]
    """Files outside the state directory that differ from the backup, and stay as they are."""
    moved: tuple[tuple[str, Path], ...]
    """Challenges that evaluate.yaml does not name, and the folders where they are now."""
    absent: tuple[str, ...]
    """Things that were not there when the backup was made, in words."""
    log: str = ""
    """Words on the state of the log of receipts; empty: there is none."""


@dataclass(kw_only=True)
class _Places:
    """Places where the files of a backup go."""

    state: Path
    part: Path
    """The folder whose contents move into the state directory."""
    base: Path
    """The folder that paths in evaluate.yaml are relative to."""
    challenges: Path | None
    rehearsed: Path | None = None
    """Folder that stands for the root of all files in a rehearsal; None: it is none."""
    renamed: dict[str, Path] = field(default_factory=dict)

    def final(self, file: BackupFile) -> Path:
        """Return the path of a file when everything is done."""
        if file.challenge and self.challenges is not None:
            folder = self.challenges / Path(file.challenge).name
            if Path(file.challenge).is_absolute():
                self.renamed[file.challenge] = folder
            return folder / file.inside
        base = {STATE: self.state, CONFIG: self.base, ABSOLUTE: Path("/")}[file.root]
        return Path(os.path.normpath(base / file.path))

    def now(self, final: Path) -> Path:
        """Return the path of a file until everything is done, by its path afterwards."""
        if final.is_relative_to(self.state):
            return self.part / final.relative_to(self.state)
        return final if self.rehearsed is None else self.rehearsed / final.relative_to("/")


def restore(folder: Path, state: Path, *, challenges: Path | None = None, check: bool = False) -> Restored:
    """Restore a backup as a state directory that does not exist yet, or has nothing but an ``evaluate.yaml``.

    Files outside it, such as the organiser's challenges, go back to their places, unless the same are there. Raises
    UsageError if there is something in the state directory, a place cannot be written, or the folder is no backup.
    Raises Fault if the backup is damaged.

    * ``challenges``: the folder in which each of the organiser's challenges gets a folder of its name;
      ``evaluate.yaml`` is changed accordingly.
    * ``check``: only rehearse it: nothing is written, but for temporary files.
    """
    backup = open_backup(folder)
    for digest in sorted(backup.digests):
        path = object_of(folder, digest)
        if not path.is_file() or sha256_file(path) != digest:
            raise Fault(f"{path}: missing or damaged; nothing was written")
    state = state.resolve()
    held = {path.name for path in state.iterdir()} if state.is_dir() else set()
    if RESTORING not in held and (held := held - {CONFIG_FILE}):
        raise UsageError(f"{state}: expected an empty folder, found {min(held)}; nothing was written")
    with _rehearsal() if check else _unfinished(state) as part:
        given = config_path(state)
        base = state if given is None else given.parent
        places = _Places(
            state=state,
            part=part,
            base=base,
            challenges=None if challenges is None else challenges.absolute(),
            rehearsed=part.parent / "elsewhere" if check else None,
        )
        restored = _bring_all(folder, backup, places, given)
        if not check:
            os.sync()
            _become(part, state)
    return restored


@contextmanager
def _rehearsal() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="evaluate-") as scratch:
        part = Path(scratch) / "state"
        part.mkdir()
        yield part


@contextmanager
def _unfinished(state: Path) -> Iterator[Path]:
    """The folder that is filled, empty, without anything that a restore which was killed has left."""
    part = state / RESTORING
    try:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        part.mkdir(exist_ok=True, mode=0o700)
    except OSError as e:
        raise UsageError(f"{part} cannot be written: {e.strerror}") from e
    lock = os.open(part, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for path in (*part.iterdir(), *(path for path in state.iterdir() if path.name not in (RESTORING, CONFIG_FILE))):
            discard(path)
        yield part
    except BlockingIOError:
        raise UsageError(f"{part}: another restore is under way") from None
    except Exception:
        remove_tree(part)
        raise
    finally:
        os.close(lock)


def _become(part: Path, state: Path) -> None:
    """Move what the finished folder has into the state directory, the configuration last."""
    for path in sorted(part.iterdir(), key=lambda path: path.name == CONFIG_FILE):
        path.rename(state / path.name)
    sync(state)
    part.rmdir()
    sync(state)


def _bring_all(folder: Path, backup: Backup, places: _Places, given: Path | None) -> Restored:
    kept = _bring_files(folder, backup, places, given)
    config = _configured(places, given)
    # the folder may be the state directory, by its path
    inside = config.shared and "://" not in config.shared and Path(config.shared).resolve() == places.state
    shared, depot = open_depot(places.part, "" if inside else config.shared)
    if places.rehearsed is None:
        files = (file for file in backup.files if file.root == SHARED)
        for name, product in groupby(files, _product):
            for file in product:
                _bring(folder, file, shared / file.path)
            depot.publish(name)
    source = object_of(folder, backup.database)
    entries = databases.restore(source, places.part, config.database, check=places.rehearsed is not None)
    return Restored(
        entries=entries,
        files=len(backup.files),
        kept=tuple(kept),
        moved=tuple(sorted(places.renamed.items())),
        absent=backup.absent,
        log="" if places.rehearsed is not None else _continued(places.part, backup.made),
    )


def _continued(state: Path, made: str) -> str:
    """Let the log of receipts say that it was restored, since receipts that were signed after the backup are lost."""
    registry = Registry(state)
    try:
        event = registry.restored(made)
    except Fault as e:
        return f"no receipt can be signed: {e}"
    if event is None:
        return ""
    return (
        f"the log of receipts continues at number {event.number} as {registry.log.origin}; receipts that were signed "
        "after the backup are lost, and `evaluate log adopt RECEIPT` takes back those that teams have"
    )


def _product(file: BackupFile) -> str:
    """Return what a depot publishes at once: a file, or the folder of a receipt."""
    folder, _, name = file.path.rpartition("/")
    return folder if folder.endswith(f"/{RECEIPT_FOLDER}") else f"{folder}/{name}"


def _bring_files(folder: Path, backup: Backup, places: _Places, given: Path | None) -> list[str]:
    """Put everything but uploads and receipts of entries in its place; returns what differs there."""
    kept, challenges = [], set[str]()
    for file in (file for file in backup.files if file.root != SHARED):
        final = places.final(file)
        if final == places.state / CONFIG_FILE or (file.root == STATE and places.rehearsed is not None):
            continue
        challenges.add(file.challenge)
        now = places.now(final)
        if not now.is_relative_to(places.part) and final.exists():
            if not final.is_file() or sha256_file(final) != file.sha256:
                kept.append(str(final))
            continue
        try:
            _bring(folder, file, now)
        except OSError as e:
            wish = "--challenges DIR puts challenges elsewhere"
            raise UsageError(f"{final} cannot be written: {e.strerror}; {wish}") from e
    config = next((file for file in backup.files if (file.root, file.path) == (STATE, CONFIG_FILE)), None)
    _write_config(None if config is None else object_of(folder, config.sha256), places, given, challenges)
    return kept


def _write_config(source: Path | None, places: _Places, given: Path | None, restored: set[str]) -> None:
    """``evaluate.yaml``: the one that is there, else the backup's, with the new folders of the challenges."""
    default = places.state / CONFIG_FILE
    if (source := given or source) is None:
        return
    text = source.read_text("utf-8-sig")
    if places.challenges is not None:
        named = {keys: places.challenges / keys[1] for keys in named_paths(text) if keys[0] == CHALLENGES}
        moved = {keys: folder for keys, folder in named.items() if keys[1] in restored}
        if moved and given not in (None, default):
            raise UsageError(f"--challenges: {given} applies, which $EVALUATE_CONFIG names; change the folders there")
        text = with_paths(text, moved)
    if given in (None, default):
        (places.part / CONFIG_FILE).write_text(text)
        (places.part / CONFIG_FILE).chmod(0o600)


def _configured(places: _Places, given: Path | None) -> Config:
    """The configuration that will apply, checked with the files where they are now."""
    path = places.part / CONFIG_FILE
    final = places.state / CONFIG_FILE
    if given not in (None, final):
        path = final = given
    if not path.is_file():
        return Config()
    text, paths = path.read_text("utf-8-sig"), dict[Named, Path]()
    for keys, written in named_paths(text).items():
        wanted = Path(os.path.normpath(places.base / written))
        now = places.now(wanted)
        paths[keys] = now if now.exists() else wanted
    with tempfile.TemporaryDirectory() as scratch:
        same = Path(scratch) / CONFIG_FILE
        same.write_text(with_paths(text, paths))
        try:
            return read_config(same)
        except ChallengeError as e:
            message = str(e).replace(str(same), str(final))
            raise ChallengeError(message.replace(str(places.part), str(places.state))) from e


def _bring(folder: Path, file: BackupFile, path: Path) -> None:
    """Put a file in its place, unless it is there."""
    if path.is_file() and sha256_file(path) == file.sha256:
        return
    for parent in reversed([parent for parent in path.parents if not parent.exists()]):
        parent.mkdir(mode=0o711 if file.root == SHARED else 0o755 if file.root == ABSOLUTE else 0o700)
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=path.parent) as scratch:
        part = Path(scratch) / "part"
        shutil.copyfile(object_of(folder, file.sha256), part)
        part.chmod(file.mode)
        part.replace(path)  # all of it reaches the disk before it counts

"""Uploads as files of the state directory: begun, held by one request or intake at a time, written, removed.

Here an upload is neither executed nor unpacked.  Its size is known before its first byte is read, and no more than that
is taken.  Who writes or reads it holds a lock of the kernel, which ends with the process.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import sqlalchemy as sa
from fastapi.concurrency import run_in_threadpool

from evaluate.confine.ownership import discard_tree
from evaluate.core.files import write_file
from evaluate.core.sanitize import in_one_line
from evaluate.serve.authorization import Person
from evaluate.serve.errors import Refused
from evaluate.serve.site import Site
from evaluate.store.db.tables import ENTRIES
from evaluate.store.logs import LOG
from evaluate.store.people import uploads as rows
from evaluate.store.people.site_settings import has_accepted
from evaluate.store.people.uploads import TooMany, Upload
from evaluate.store.submission import submission_rules
from evaluate.untrusted.repository import by_ssh

_R = TypeVar("_R")
FOLDER = "web-uploads"
_ARRIVED = "arrived"
"""File beside the bytes: when the last of them arrived."""
_AT_ONCE = "at-once"
"""File beside the bytes of an upload that one request brings: it cannot go on when nobody holds it any more."""
_BUFFER = 1 << 20
_MOST_NAME_BYTES = 200
_FULL = "the server's disk is almost full, and the organiser must free space; try again later"
_FULL_SECONDS, _MANY_SECONDS, _BUSY_SECONDS = "60", "30", "2"
_WRITERS = ThreadPoolExecutor(4, "upload")
"""Threads that wait for the disk while uploads arrive."""


async def _by_writer(work: Callable[[], _R]) -> _R:
    return await asyncio.get_running_loop().run_in_executor(_WRITERS, work)


def folder_of(site: Site, identity: str) -> Path:
    """The folder of the bytes of an upload; the id was made here."""
    return site.shared / FOLDER / identity


def data_of(site: Site, upload: Upload) -> Path:
    """The bytes of an upload."""
    return folder_of(site, upload.id) / "data"


def is_here(site: Site, upload: Upload) -> bool:
    """True if this process has all of an upload: its bytes, or, of an address, its lock."""
    return (folder_of(site, upload.id) if upload.source else data_of(site, upload)).exists()


def team_for(person: Person, wanted: str = "") -> str:
    """The team that a person submits for.

    Raises Refused if the person is in none, not in that one, or does not say which of several.
    """
    if not person.teams:
        raise Refused(409, "you are not in a team; create one, or join one by invitation")
    if wanted:
        if wanted not in person.teams:
            raise Refused(403, f"you are not in a team {wanted[:100]!r}")
        return wanted
    if len(person.teams) > 1:
        raise Refused(400, f"you are in several teams; name one of {', '.join(person.teams)}")
    return person.teams[0]


def create(
    site: Site,
    person: Person,
    *,
    slug: str,
    team: str,
    name: str,
    size: int,
    sha256: str = "",
    judged_later: bool = False,
) -> Upload:
    """Begin an upload, whose place on the disk is promised to it.

    Raises Refused if the challenge takes no file of this size, the team has too many uploads, or the disk has no room
    for it. Raises EntryError if no phase is open, or the team has no attempt left.

    * ``sha256``: digest of the archive, if the client sends it: an archive submitted before needs no further attempt.
    * ``judged_later``: true if phase and quota are looked at only when all of it is here.
    """
    listing = site.challenge(slug)
    whose = team_for(person, team)
    _check_rules(site, person, slug)
    most = listing.challenge.archive.bytes
    if size <= 0:
        raise Refused(400, "the file is empty")
    if size > most:
        raise Refused(413, f"{slug}: expected a file of at most {most:,} bytes, found {size:,}")
    if not judged_later:
        submission_rules(site.config, listing.store_name, slug, whose).check_now(site.store, time.time(), sha256)
    upload = _begin(site, person, team=whose, challenge=slug, name=plain_name(name), size=size)
    data_of(site, upload).touch(mode=0o600)
    return upload


def create_address(site: Site, person: Person, *, slug: str, team: str, address: str) -> Upload:
    """Note that the address of a git repository has arrived.

    Raises Refused if it is no address: a path would be one of the server. Otherwise as `create`. Raises EntryError if
    no phase is open, or the team has no attempt left.
    """
    if not (address.startswith("https://") or by_ssh(address)) or not address.isprintable():
        raise Refused(400, f"expected an address such as https://example.org/team/entry.git, found {address[:200]!r}")
    whose = team_for(person, team)
    listing = site.challenge(slug)
    _check_rules(site, person, slug)
    submission_rules(site.config, listing.store_name, slug, whose).check_now(site.store, time.time(), address=address)
    name = plain_name(address.rstrip("/"))
    return _begin(site, person, team=whose, challenge=slug, name=name, source=address)


def _check_amount(site: Site, team: str, size: int) -> None:
    """Refuse an upload beyond the sum that a team may upload; archives of the same content count once."""
    most = site.config.team_bytes
    if most is None:
        return
    archives = sa.select(ENTRIES.c.sha256, ENTRIES.c.bytes).where(ENTRIES.c.team == team).distinct().subquery()
    with site.store.engine.connect() as connection:
        used = connection.scalar(sa.select(sa.func.coalesce(sa.func.sum(archives.c.bytes), 0))) or 0
    if used + size > most:
        raise Refused(
            413, f"team {team}: expected at most {most:,} bytes of uploads in all, found {used:,} and {size:,} more"
        )


def _check_rules(site: Site, person: Person, slug: str) -> None:
    if not has_accepted(site.store.settings, slug, person.address):
        where = f"{site.origin}/challenges/{slug}/rules"
        raise Refused(409, f"{slug}: accept the rules first, at {where}; nothing was submitted")


def _begin(
    site: Site, person: Person, *, team: str, challenge: str, name: str, size: int = 0, source: str = ""
) -> Upload:
    _check_amount(site, team, size)
    site.shared.joinpath(FOLDER).mkdir(exist_ok=True, mode=0o700)

    def room(promised: int) -> None:
        if _free(site) < promised + rows.COPIES * size:
            LOG.error("an upload of %d bytes is refused: the disk of %s is almost full", size, site.shared)
            raise Refused(507, _FULL, {"Retry-After": _FULL_SECONDS})

    try:
        upload = Upload(address=person.address, team=team, challenge=challenge, name=name, bytes=size, source=source)
        upload = rows.begin_upload(site.store.database, upload, room)
    except TooMany as e:
        raise Refused(429, str(e), {"Retry-After": _MANY_SECONDS}) from e
    folder_of(site, upload.id).mkdir(mode=0o700, exist_ok=True)
    return upload


def _free(site: Site) -> int:
    """Bytes of the disk that uploads may take."""
    return shutil.disk_usage(site.shared).free - site.config.free_bytes


def plain_name(name: str) -> str:
    """The last part of a file's name as a browser gives it, made safe as a file name."""
    last = in_one_line(name.replace("\\", "/").rpartition("/")[2]).replace("\0", "").strip()
    last = last.encode("utf-8", "replace")[-_MOST_NAME_BYTES:].decode("utf-8", "ignore")
    return last if last not in ("", ".", "..") else "upload"


def received(site: Site, upload: Upload) -> int:
    """Number of bytes that are surely there."""
    if upload.ended or upload.complete:
        return upload.received
    try:
        return min(upload.received, data_of(site, upload).stat().st_size)
    except FileNotFoundError as e:
        # several processes of the site may share the database and no folder: then one of them has the bytes
        LOG.error(
            "upload %s was started on another server: the proxy must send each client to the same server", upload.id
        )
        raise Refused(404, "this upload was started on another server of this site; start it again") from e


@contextmanager
def held(site: Site, identity: str, *, at_once: bool = False) -> Iterator[Upload]:
    """The upload as it is, locked against other writers, readers and removers, also if the process ends.

    Raises Refused if somebody else has it, or the upload does not exist (any more).

    ``at_once``: the request brings all of it, so that the upload cannot go on after it.
    """
    folder = folder_of(site, identity)
    try:
        lock = folder.joinpath("lock").open("a")
    except FileNotFoundError as e:
        raise Refused(404, "this upload does not exist, or was started on another server of this site") from e
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as e:
            busy = "another request is writing this upload, or it is being checked; try again in a moment"
            raise Refused(423, busy, {"Retry-After": _BUSY_SECONDS}) from e
        upload = _whole(site, upload_now(site, identity))
        if at_once:
            folder.joinpath(_AT_ONCE).touch(mode=0o600)
        yield upload


def upload_now(site: Site, identity: str) -> Upload:
    """An upload as it is now. Raises Refused if it was removed meanwhile."""
    upload = rows.find_upload(site.store.database, identity)
    if upload is None:
        raise Refused(404, "this upload no longer exists")
    return upload


def _whole(site: Site, upload: Upload) -> Upload:
    """An upload that is held; an end that the database could not note is noted now."""
    noted = folder_of(site, upload.id) / _ARRIVED
    if upload.complete or not noted.exists():
        return upload
    size = data_of(site, upload).stat().st_size
    rows.keep_received(site.store.database, upload.id, size, size=size, arrived=float(noted.read_text()))
    return upload_now(site, upload.id)


class UploadWriter:
    """Writer of the bytes that one request brings for an upload that is held; never more than its size."""

    def __init__(self, site: Site, upload: Upload, offset: int) -> None:
        self._site, self._upload = site, upload
        self._left = upload.bytes - offset
        self._began = self.offset = offset
        self._last = time.time()
        self._file = data_of(site, upload).open("r+b", buffering=0)  # what cannot be written does not come back
        self._file.truncate(offset)
        self._file.seek(offset)
        self._buffer = bytearray()

    async def write(self, data: bytes) -> None:
        """Take some bytes. Raises Refused if the disk is almost full, or there are too many; then none count."""
        self._left -= len(data)
        if self._left < 0:
            self._buffer, self.offset = bytearray(), self._began
            raise Refused(413, f"expected {self._upload.bytes:,} bytes in all, found more")
        self._buffer += data
        self._last = time.time()
        if len(self._buffer) >= _BUFFER:
            await _by_writer(self._flush)

    def _flush(self) -> None:
        if not self._buffer:
            return
        try:
            if _free(self._site) < len(self._buffer):
                raise OSError(f"less than free_gib is free on the disk of {self._site.shared}")
            rest = memoryview(self._buffer)
            while rest:
                written = self._file.write(rest)
                self.offset, rest = self.offset + written, rest[written:]
        except OSError as e:
            self._buffer = bytearray()
            LOG.error("upload %s cannot be written: %s", self._upload.id, e)
            raise Refused(507, _FULL, {"Retry-After": _FULL_SECONDS}) from e
        self._buffer = bytearray()

    def close(self, *, ends: bool = False) -> int:
        """Keep the bytes that have arrived; returns their number. Raises Refused if the disk is almost full.

        ``ends``: this was all, of an upload whose size was not known.
        """
        try:
            self._flush()
        except Refused:
            ends = False
            raise
        finally:
            whole = ends or self.offset == self._upload.bytes
            if whole:
                os.fdatasync(self._file.fileno())
                # the time of arrival holds even if the database does not answer now
                write_file(folder_of(self._site, self._upload.id) / _ARRIVED, repr(self._last).encode())
            self._file.close()
            rows.keep_received(
                self._site.store.database,
                self._upload.id,
                self.offset,
                size=self.offset if ends else None,
                arrived=self._last if whole else None,
            )
        return self.offset


async def append(
    site: Site,
    identity: str,
    offset: int,
    chunks: AsyncIterator[bytes],
    *,
    at_once: bool = False,
    ends: bool = False,
) -> Upload:
    """Append the bytes of a request; returns the upload as it is then.

    Raises Refused if the bytes do not continue those that are there, or are too many; another request writes; or the
    disk is almost full.

    * ``at_once``: the request brings all of it, so that the upload cannot go on afterwards.
    * ``ends``: the request decides the size; the size that was promised is only a bound.
    """
    with ExitStack() as stack:
        upload = await run_in_threadpool(stack.enter_context, held(site, identity, at_once=at_once))
        have = await run_in_threadpool(received, site, upload)
        if offset != have or upload.ended:
            raise Refused(409, f"the upload has {have} bytes; continue from there", {"Upload-Offset": str(have)})
        if not upload.complete:
            writer = await _by_writer(partial(UploadWriter, site, upload, offset))
            finished = False
            try:
                async for chunk in chunks:
                    await writer.write(chunk)
                finished = True
            finally:
                # also when the client has gone: the bytes that have arrived are kept
                await asyncio.shield(_by_writer(partial(writer.close, ends=ends and finished)))
    return await run_in_threadpool(upload_now, site, identity)


async def bring(site: Site, upload: Upload, chunks: AsyncIterator[bytes], *, ends: bool = False) -> Upload:
    """Bring all of a new upload by one request; otherwise as `append`. An upload that is not whole is forgotten."""
    try:
        brought = await append(site, upload.id, 0, chunks, at_once=True, ends=ends)
        if not brought.complete:
            raise Refused(400, f"expected {upload.bytes} bytes, found {brought.received}")
    except BaseException:
        with suppress(Refused):  # nobody knows its address
            await asyncio.shield(run_in_threadpool(give_up, site, upload.id))
        raise
    return brought


def named(site: Site, upload: Upload) -> Path:
    """The file of an upload under its own name, which the queue keeps."""
    folder = folder_of(site, upload.id) / "named"
    folder.mkdir(exist_ok=True, mode=0o700)
    file = folder / upload.name
    if not file.exists():
        os.link(data_of(site, upload), file)
    return file


def remove(site: Site, identity: str) -> None:
    """Forget an upload and its bytes; raises as `held`."""
    with held(site, identity):
        rows.drop_upload(site.store.database, identity)
        remove_bytes(site, identity)


def give_up(site: Site, identity: str) -> None:
    """Forget an upload that cannot be continued, unless it is complete and so counts; raises as `held`."""
    with held(site, identity) as upload:
        if not upload.complete:
            rows.drop_upload(site.store.database, identity)
            remove_bytes(site, identity)


def remove_bytes(site: Site, identity: str) -> None:
    """Remove the bytes of an upload that has ended."""
    discard_tree(folder_of(site, identity))


def give_up_dead(site: Site) -> None:
    """Forget remains of requests whose process was killed or database failed: they take places of the team."""
    for mark in site.shared.joinpath(FOLDER).glob(f"*/{_AT_ONCE}"):
        with suppress(Refused):  # it is being written
            give_up(site, mark.parent.name)


def sweep(site: Site) -> None:
    """Remove uploads that began long ago, and bytes that a killed process left."""
    old = set(rows.old_uploads(site.store.database))
    for folder in sorted(site.shared.joinpath(FOLDER).glob("*")):
        row = rows.find_upload(site.store.database, folder.name)
        try:
            if folder.name in old:
                remove(site, folder.name)
            elif row is not None:
                with held(site, folder.name) as upload:
                    if upload.ended:
                        remove_bytes(site, upload.id)
            elif row is None and folder.stat().st_mtime < time.time() - rows.KEPT_SECONDS:
                remove_bytes(site, folder.name)
        except (Refused, FileNotFoundError):
            continue  # somebody has it
    for identity in old:
        if not folder_of(site, identity).exists():
            rows.drop_upload(site.store.database, identity)

"""Uploads: by tus 1.0 (creation, termination, expiration), which resumes after a cut, or by one plain form.

An upload is a file of the state directory until all of it has arrived; then it goes through the same intake as
`evaluate submit`.  Here it is neither executed nor unpacked.  Its size is known before its first byte is read, and no
more than that is taken.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

from fastapi import APIRouter, BackgroundTasks, Form, Header
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from python_multipart.multipart import MultipartParser, parse_options_header

from evaluate.core.errors import ChallengeError, EntryError, EvaluateError, UsageError
from evaluate.core.files import sha256_file
from evaluate.core.sanitize import in_one_line
from evaluate.queue.logs import LOG
from evaluate.queue.store import uploads as rows
from evaluate.queue.store.uploads import Upload
from evaluate.queue.submission import Submission, attempts_in, submit
from evaluate.web.audience import Anyone, Person, Team, User
from evaluate.web.pages.rendering import go, page
from evaluate.web.refused import AT_FAULT, Refused
from evaluate.web.site import Site

_P = ParamSpec("_P")
_R = TypeVar("_R")
VERSION = "1.0.0"
FOLDER = "web-uploads"
_HOLD_SECONDS = 900.0
"""How long one request may write, or one intake take, before others may presume it dead."""
_BUFFER = 1 << 20
_FORM_BYTES = 64 << 10
"""Of what a plain form has beside the file."""
_MOST_NAME_BYTES = 200
_INTAKES = ThreadPoolExecutor(2, "intake")
"""Checks of uploads that run at once in a process: each reads a whole archive.  Pages have threads of their own."""
_WRITERS = ThreadPoolExecutor(4, "upload")
"""What waits for the disk while uploads arrive."""

router = APIRouter(include_in_schema=False)


async def in_intake(work: Callable[_P, _R], *arguments: _P.args, **named: _P.kwargs) -> _R:
    """What checks an upload, when its turn has come; it goes on when who asked for it has gone."""
    running = asyncio.get_running_loop().run_in_executor(_INTAKES, partial(work, *arguments, **named))
    return await asyncio.shield(running)


async def _by_writer(work: Callable[[], _R]) -> _R:
    return await asyncio.get_running_loop().run_in_executor(_WRITERS, work)


def folder_of(site: Site, identity: str) -> Path:
    """Where the bytes of an upload are; the id is one that we made."""
    return site.shared / FOLDER / identity


def team_for(person: Person, wanted: str = "") -> str:
    """The team that a person submits for.

    Raises
    ------
    Refused
        The person is in none, not in that one, or does not say which of several.
    """
    if not person.teams:
        raise Refused(409, "you are in no team; make one, or join one by its invitation")
    if wanted:
        if wanted not in person.teams:
            raise Refused(403, f"you are not in a team {wanted[:100]!r}")
        return wanted
    if len(person.teams) > 1:
        raise Refused(400, f"you are in several teams; name one of {', '.join(person.teams)}")
    return person.teams[0]


def create(site: Site, person: Person, *, slug: str, team: str, name: str, size: int) -> Upload:
    """Begin an upload.

    Raises
    ------
    Refused
        The challenge takes no file of this size, or the disk has no room for it.
    """
    one = site.challenge(slug)
    whose = team_for(person, team)
    most = one.challenge.archive.bytes
    if size <= 0:
        raise Refused(400, "the file is empty")
    if size > most:
        raise Refused(413, f"{slug}: expected a file of at most {most:,} bytes, found {size:,}")
    site.shared.joinpath(FOLDER).mkdir(exist_ok=True, mode=0o700)
    if shutil.disk_usage(site.shared).free < 2 * size + site.config.free_bytes:
        LOG.error("an upload of %d bytes is refused: the disk of %s is almost full", size, site.shared)
        raise Refused(507, "the disk of the server is almost full; the organiser must free some; try again later")
    found = rows.begin_upload(
        site.store.database, address=person.address, team=whose, challenge=slug, name=plain_name(name), size=size
    )
    folder = folder_of(site, found.id)
    folder.mkdir(mode=0o700)
    _data(site, found).touch(mode=0o600)
    return found


def plain_name(name: str) -> str:
    """The last part of a file's name as a browser gives it, fit for a folder of ours."""
    last = in_one_line(name.replace("\\", "/").rpartition("/")[2]).replace("\0", "").strip()
    last = last.encode("utf-8", "replace")[-_MOST_NAME_BYTES:].decode("utf-8", "ignore")
    return last if last not in ("", ".", "..") else "upload"


def _data(site: Site, upload: Upload) -> Path:
    return folder_of(site, upload.id) / "data"


def arrived(site: Site, upload: Upload) -> int:
    """How many bytes are surely there."""
    try:
        return min(upload.received, _data(site, upload).stat().st_size)
    except FileNotFoundError:
        return upload.received if upload.entry else 0


def _is_here(site: Site, upload: Upload) -> bool:
    return _data(site, upload).exists()


def _check_here(site: Site, upload: Upload) -> None:
    """Several processes of the site may share the database and no folder: then one of them has the bytes."""
    if not upload.entry and not upload.error and not _is_here(site, upload):
        LOG.error("upload %s was begun at another server: their proxy must send a client to one of them", upload.id)
        raise Refused(404, "this upload was begun at another server of this site; begin it again")


@contextmanager
def _held(site: Site, upload: Upload) -> Iterator[None]:
    if not rows.hold(site.store.database, upload.id, _HOLD_SECONDS):
        raise Refused(423, "another request writes this upload; try again in a moment", {"Retry-After": "2"})
    yield


class Writer:
    """Appends to an upload what one request brings, and never more than its size."""

    def __init__(self, site: Site, upload: Upload, offset: int) -> None:
        self._site, self._upload = site, upload
        self._left = upload.bytes - offset
        self.offset = offset
        self._file = _data(site, upload).open("r+b")
        self._file.truncate(offset)
        self._file.seek(offset)
        self._buffer = bytearray()

    async def write(self, data: bytes) -> None:
        """Take some bytes.

        Raises
        ------
        Refused
            They are more than was said.
        """
        self._left -= len(data)
        if self._left < 0:
            raise Refused(413, f"expected {self._upload.bytes:,} bytes in all, found more")
        self._buffer += data
        if len(self._buffer) >= _BUFFER:
            await _by_writer(self._flush)

    def _flush(self) -> None:
        self._file.write(self._buffer)
        self.offset += len(self._buffer)
        self._buffer = bytearray()

    def close(self) -> int:
        """Keep what has arrived; returns how much that is."""
        try:
            self._flush()
            self._file.flush()
            if not self._left:
                os.fdatasync(self._file.fileno())
        finally:
            self._file.close()
            rows.let_go(self._site.store.database, self._upload.id, self.offset)
        return self.offset


async def append(site: Site, upload: Upload, offset: int, chunks: AsyncIterator[bytes]) -> int:
    """Append what a request brings; returns how many bytes are there now.

    Raises
    ------
    Refused
        The bytes do not continue what is there, or are more than was said.
    """
    await run_in_threadpool(_check_here, site, upload)
    if not await run_in_threadpool(rows.hold, site.store.database, upload.id, _HOLD_SECONDS):
        raise Refused(423, "another request writes this upload; try again in a moment", {"Retry-After": "2"})
    known = await run_in_threadpool(rows.find_upload, site.store.database, upload.id)
    have = 0 if known is None else arrived(site, known)
    if known is None or offset != have:
        await run_in_threadpool(rows.let_go, site.store.database, upload.id, have)
        raise Refused(409, f"the upload has {have} bytes; continue there", {"Upload-Offset": str(have)})
    writer = await _by_writer(lambda: Writer(site, upload, offset))  # a busy disk would keep all pages waiting
    try:
        async for chunk in chunks:
            await writer.write(chunk)
    finally:
        # also when the client has gone: what has arrived is kept
        left = await asyncio.shield(_by_writer(writer.close))
    return left


def intake(site: Site, identity: str) -> None:
    """Put an upload that is complete into the queue, and note what became of it; said again, it does nothing."""
    database = site.store.database
    found = rows.find_upload(database, identity)
    if found is None or not found.complete or found.entry or found.error or not _is_here(site, found):
        return
    if not rows.hold(database, identity, _HOLD_SECONDS):
        return
    entry = error = ""
    try:
        entry = into_queue(site, _named(site, found), found.challenge, found.team).entry.id
    except (EntryError, UsageError) as e:
        error = str(e)
    except EvaluateError as e:
        LOG.error("upload %s: %s", identity, e)
        error = AT_FAULT if isinstance(e, ChallengeError) else f"{AT_FAULT}; try again later"
    except Exception:
        LOG.exception("upload %s", identity)
        error = AT_FAULT
    rows.end_upload(database, identity, entry=entry, error=error)
    shutil.rmtree(folder_of(site, identity), ignore_errors=True)


def submit_upload(site: Site, upload: Upload) -> Submission:
    """Submit an upload that is complete, at once."""
    return into_queue(site, _named(site, upload), upload.challenge, upload.team)


def _named(site: Site, upload: Upload) -> Path:
    """The file of an upload under its own name, which the queue keeps."""
    folder = folder_of(site, upload.id) / "named"
    folder.mkdir(exist_ok=True, mode=0o700)
    named = folder / upload.name
    if not named.exists():
        os.link(_data(site, upload), named)
    return named


def digest_of(site: Site, upload: Upload) -> bytes:
    """What tells an upload from another: challenge, team, content."""
    parts = [upload.challenge, upload.team, sha256_file(_data(site, upload))]
    return "\0".join(parts).encode()


def discard(site: Site, upload: Upload) -> None:
    """Forget an upload and its bytes, whatever became of it."""
    shutil.rmtree(folder_of(site, upload.id), ignore_errors=True)
    rows.drop_upload(site.store.database, upload.id)


def into_queue(site: Site, source: Path | str, slug: str, team: str) -> Submission:
    """Submit as the command line does."""
    return submit(source, slug, team, site.state, site.store, site.config)


def sweep(site: Site) -> None:
    """Remove uploads that began long ago, and take in those whose intake a killed process left."""
    for identity in rows.drop_old(site.store.database):
        shutil.rmtree(folder_of(site, identity), ignore_errors=True)
    for identity in rows.waiting(site.store.database):
        intake(site, identity)


def _metadata(text: str) -> dict[str, str]:
    """Upload-Metadata of tus: keys with values in base64."""
    found = {}
    for pair in text.split(","):
        key, _, value = pair.strip().partition(" ")
        try:
            found[key] = base64.b64decode(value, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError) as e:
            raise Refused(400, f"Upload-Metadata: expected base64 of UTF-8 for {key[:40]!r}") from e
    return found


def _check_version(version: str) -> None:
    if version != VERSION:
        raise Refused(412, f"expected Tus-Resumable: {VERSION}, found {version[:20]!r}", {"Tus-Version": VERSION})


def _tus(status: int, **headers: str) -> Response:
    names = {key.replace("_", "-"): value for key, value in headers.items()}
    return Response(status_code=status, headers={"Tus-Resumable": VERSION, "Cache-Control": "no-store", **names})


@router.options("/uploads")
def abilities(visit: Anyone) -> Response:
    """What this server can do of tus."""
    most = max((one.challenge.archive.bytes for one in visit.site.challenges()), default=0)
    return _tus(204, Tus_Version=VERSION, Tus_Extension="creation,termination,expiration", Tus_Max_Size=str(most))


@router.post("/uploads")
def begin(
    visit: User,
    tus_resumable: Annotated[str, Header()] = "",
    upload_length: Annotated[str, Header()] = "",
    upload_metadata: Annotated[str, Header()] = "",
) -> Response:
    """Begin an upload; metadata: challenge, filename, and team if the person is in several."""
    _check_version(tus_resumable)
    if not upload_length.isascii() or not upload_length.isdigit() or len(upload_length) > 15:
        raise Refused(400, "expected a number of bytes as Upload-Length")
    said = _metadata(upload_metadata) if upload_metadata else {}
    found = create(
        visit.site,
        visit.who,
        slug=said.get("challenge", ""),
        team=said.get("team", ""),
        name=said.get("filename", "upload"),
        size=int(upload_length),
    )
    return _tus(201, Location=f"/uploads/{found.id}")


@router.head("/uploads/{upload}")
def where(visit: Team, upload: str, tus_resumable: Annotated[str, Header()] = "") -> Response:
    """How much has arrived."""
    _check_version(tus_resumable)
    assert visit.upload is not None
    _check_here(visit.site, visit.upload)
    at = arrived(visit.site, visit.upload)
    return _tus(200, Upload_Offset=str(at), Upload_Length=str(visit.upload.bytes))


@router.patch("/uploads/{upload}")
async def go_on(
    visit: Team,
    upload: str,
    tasks: BackgroundTasks,
    tus_resumable: Annotated[str, Header()] = "",
    upload_offset: Annotated[str, Header()] = "",
) -> Response:
    """Bring more of an upload; the last part lets it into the queue."""
    _check_version(tus_resumable)
    found, request = visit.upload, visit.request
    assert found is not None
    if request.headers.get("content-type") != "application/offset+octet-stream":
        raise Refused(415, "expected Content-Type: application/offset+octet-stream")
    if not upload_offset.isascii() or not upload_offset.isdigit() or len(upload_offset) > 15:
        raise Refused(400, "expected a number of bytes as Upload-Offset")
    offset = int(upload_offset)
    if int(request.headers.get("content-length", "0")) > found.bytes - offset:
        raise Refused(413, f"expected {found.bytes:,} bytes in all, found more")
    at = await append(visit.site, found, offset, request.stream())
    answer = _tus(204, Upload_Offset=str(at))
    if at == found.bytes:
        tasks.add_task(in_intake, intake, visit.site, found.id)
        answer.background = tasks
    return answer


@router.delete("/uploads/{upload}")
def end(visit: Team, upload: str, tus_resumable: Annotated[str, Header()] = "") -> Response:
    """Remove an upload that is not complete."""
    _check_version(tus_resumable)
    assert visit.upload is not None
    remove(visit.site, visit.upload)
    return _tus(204)


def remove(site: Site, upload: Upload) -> None:
    """Forget an upload and its bytes."""
    with _held(site, upload):
        discard(site, upload)


@router.get("/uploads/{upload}")
def upload_page(visit: Team, upload: str, tasks: BackgroundTasks) -> Response:
    """What became of an upload: how much has arrived, that it is being checked, why it was refused, or the entry."""
    found = visit.upload
    assert found is not None
    if found.entry:
        return go(f"/entries/{found.entry}")
    if found.complete and not found.error:
        tasks.add_task(in_intake, intake, visit.site, found.id)  # if the process that had begun was killed
    return page(visit, "upload.html", upload=found, at=arrived(visit.site, found))


@router.post("/uploads/{upload}/remove")
def remove_upload(visit: Team, upload: str) -> Response:
    """Remove an upload, by a form."""
    assert visit.upload is not None
    remove(visit.site, visit.upload)
    return go("/entries", "removed")


@router.get("/challenges/{challenge}/enter")
def enter_page(visit: User, challenge: str) -> Response:
    """The forms by which an entry comes in."""
    one = visit.site.challenge(challenge)
    counts = attempts_in(visit.site.store, one.known, visit.site.config, visit.who.teams) if visit.who.teams else []
    return page(visit, "enter.html", one=one, counts=counts)


@router.post("/challenges/{challenge}/git")
async def by_address(
    visit: User, challenge: str, address: Annotated[str, Form()], team: Annotated[str, Form()] = ""
) -> Response:
    """Enter a git repository by its address."""
    found = await in_intake(submit_address, visit.site, visit.who, challenge, address, team)
    return go(f"/entries/{found.entry.id}")


def submit_address(site: Site, person: Person, slug: str, address: str, team: str) -> Submission:
    """Submit a git repository.

    Raises
    ------
    Refused
        It is no address: a path would be one of the server.
    """
    if not address.startswith("https://"):
        raise Refused(400, f"expected an address such as https://example.org/team/entry.git, found {address[:200]!r}")
    whose = team_for(person, team)
    site.challenge(slug)
    return into_queue(site, address, slug, whose)


@router.post("/challenges/{challenge}/upload")
async def by_form(visit: User, challenge: str, team: str = "") -> Response:
    """Upload by a plain form, without script: the file goes straight to its place."""
    request, site = visit.request, visit.site
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    length = int(request.headers.get("content-length", "0"))
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise Refused(415, "expected Content-Type: multipart/form-data")
    if not length:
        raise Refused(411, "expected a Content-Length")
    one = site.challenge(challenge)
    most = one.challenge.archive.bytes
    if length > most + _FORM_BYTES:
        raise Refused(413, f"{challenge}: expected a file of at most {most:,} bytes, found {length:,} in the form")
    form = _Form(options[b"boundary"])
    upload: Upload | None = None
    writer: Writer | None = None
    try:
        async for chunk in request.stream():
            for data in form.feed(chunk):
                if writer is None:
                    # a form does not say how long its file is: at most as long as itself
                    upload = await run_in_threadpool(
                        lambda: create(
                            site,
                            visit.who,
                            slug=challenge,
                            team=form.team or team,
                            name=form.name,
                            size=min(length, most),
                        )
                    )
                    writer = await _by_writer(partial(Writer, site, upload, 0))
                await writer.write(data)
    except BaseException:
        if upload is not None and writer is not None:
            await asyncio.shield(_by_writer(writer.close))
            await asyncio.shield(run_in_threadpool(remove, site, upload))
        raise
    if upload is None or writer is None or not form.whole:
        raise Refused(400, "expected a file in the form, found none")
    size = await _by_writer(writer.close)
    await run_in_threadpool(rows.finish_form, site.store.database, upload.id, size)
    await in_intake(intake, site, upload.id)
    return go(f"/uploads/{upload.id}")


class _Form:
    """A form as it arrives: the content of its one file, in pieces; its field ``team`` must come first."""

    def __init__(self, boundary: bytes) -> None:
        self.name, self.team, self.whole = "upload", "", False
        self._pieces: list[bytes] = []
        self._field = ""
        self._header = ("", "")
        self._disposition = b""
        self._other = 0
        callbacks: dict[str, Callable[..., None]] = {
            "on_part_begin": self._begin,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_headers_finished": self._headers,
            "on_part_data": self._data,
            "on_end": self._end,
        }
        self._parser = MultipartParser(boundary, callbacks)  # type: ignore[arg-type]
        self._key, self._value = b"", b""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The parts of the file in some bytes of the form."""
        try:
            self._parser.write(chunk)
        except Exception as e:
            if isinstance(e, Refused):
                raise
            raise Refused(400, "the form is damaged") from e
        found, self._pieces = self._pieces, []
        return found

    def _begin(self) -> None:
        self._field, self._key, self._value = "", b"", b""

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        if self._value:
            self._key, self._value = b"", b""
        self._key += data[start:end]
        self._count(end - start)

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._count(end - start)
        if self._key.lower() == b"content-disposition":
            self._disposition = self._value

    def _headers(self) -> None:
        _kind, options = parse_options_header(self._disposition)
        self._field = options.get(b"name", b"").decode("utf-8", "replace")
        if self._field == "file":
            self.name = options.get(b"filename", b"upload").decode("utf-8", "replace")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._field == "file":
            self._pieces.append(data[start:end])
            return
        self._count(end - start)
        if self._field == "team":
            self.team += data[start:end].decode("utf-8", "replace")

    def _end(self) -> None:
        self.whole = True

    def _count(self, length: int) -> None:
        self._other += length
        if self._other > _FORM_BYTES:
            raise Refused(413, f"expected at most {_FORM_BYTES} bytes beside the file in the form")

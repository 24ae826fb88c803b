"""Downloads a challenge's public data: `source.yaml` in its folder says from where, and under which licence.

Files are checked against the publisher's list of SHA-256 sums if there is one.  An interrupted download is continued;
a file that is complete is not fetched again.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from email.message import Message
from fnmatch import fnmatchcase
from http.client import HTTPException
from pathlib import Path, PurePosixPath
from threading import Event
from typing import Annotated
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urljoin
from urllib.request import Request, urlopen

from msgspec import Meta

from evaluate.config.schema.document import Complain, load_document
from evaluate.config.schema.keys import TEXT, Key, ListOf, Section, Value, like, read
from evaluate.core.errors import ChallengeError, Fault, UsageError

FILE = "source.yaml"
_CHUNK = 1 << 18
_TIMEOUT_SECONDS = 60
_MOST_LIST_BYTES = 64 << 20
_AGENT = {"User-Agent": "sandbox-evaluate"}


def _range(numbers: tuple[int, int]) -> tuple[int, int]:
    if not numbers[0] < numbers[1]:
        raise ValueError
    return numbers


_WEB = like(r"https?://(?:.|\n)+", "an address https://…")
_NUMBERS = Value(
    expected="the first number and the one after the last",
    type=tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]],
    read=_range,
    write=list,
)


def _finished_part(part: SourcePart, complain: Complain, folder: Path) -> SourcePart:
    listed = bool(part.sums) and part.url.endswith("/")
    if listed == (bool(part.to) and part.numbers != SourcePart.numbers):
        complain((), "expected url (a folder, ending in /) and sums, or url, to and numbers")
    return part


@dataclass(frozen=True, kw_only=True)
class SourcePart:
    """Some files of a source."""

    url: Annotated[
        str,
        Key(
            "Of a folder whose files `sums` lists, ending in `/`; or of one file, with `{n}` for a number.",
            _WEB,
            required=True,
        ),
    ]
    sums: Annotated[
        str,
        Key(
            "The publisher's list in that folder: SHA-256 sum and path on each line.",
            TEXT.but(expected="the name of the publisher's list of SHA-256 sums"),
        ),
    ] = ""
    include: Annotated[
        tuple[str, ...],
        Key(
            "Which of them to fetch.",
            ListOf(expected="a list of patterns of paths", item=TEXT.but(expected="a pattern")),
        ),
    ] = ("*",)
    to: Annotated[
        str, Key("Name of the file that is fetched for a number.", TEXT.but(expected="where a file goes, with {n}"))
    ] = ""
    numbers: Annotated[tuple[int, int], Key("Which numbers.", _NUMBERS, default="none")] = (0, 0)


@dataclass(frozen=True, kw_only=True)
class DataSource:
    """Place where a challenge's data are published."""

    page: Annotated[
        str, Key("What people read.", _WEB.but(expected="the address of the publisher's page"), required=True)
    ]
    licence: Annotated[
        str, Key("Under which the data may be used.", TEXT.but(expected="the name of the licence"), required=True)
    ]
    cite: Annotated[str, Key("The reference.", TEXT.but(expected="how to cite the data"), required=True)]
    parts: Annotated[
        tuple[SourcePart, ...],
        Key(
            "What is fetched.",
            ListOf(expected="a list of parts", item=Section(SourcePart, finish=_finished_part)),
            required=True,
        ),
    ]


@dataclass(frozen=True, kw_only=True)
class Download:
    """One file to fetch."""

    url: str
    name: str
    """Path where it goes, relative to the target folder."""
    sha256: str | None
    """None where the publisher gives no sum."""


def read_source(folder: Path) -> DataSource:
    """The ``source.yaml`` of a challenge.

    Raises UsageError if the challenge has none: its data are not public, or its own. Raises ChallengeError if it is
    wrong; every mistake is named.
    """
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"{folder.name}: there are no public data to fetch; its folder has no {FILE}")
    document = load_document(path)
    source = read(document, SOURCE)
    document.refuse_problems()
    assert source is not None
    return source


SOURCE = Section(DataSource)
"""The keys of ``source.yaml``."""


def downloads(source: DataSource) -> Iterator[Download]:
    """Every file of a source; reads the publishers' lists.

    Raises Fault if a list cannot be downloaded. Raises ChallengeError if a list is not a list of sums, or a pattern
    matches nothing in it.
    """
    for part in source.parts:
        if part.sums:
            yield from _listed(part)
        for n in range(*part.numbers):
            yield Download(url=part.url.format(n=n), name=part.to.format(n=n), sha256=None)


def _listed(part: SourcePart) -> Iterator[Download]:
    address = urljoin(part.url, part.sums)
    unused = set(part.include)
    for number, line in enumerate(_read(address).splitlines(), 1):
        sum_, _, name = line.strip().partition(" ")
        name = name.strip().removeprefix("*").removeprefix("./")
        path = PurePosixPath(name)
        if len(sum_) != 64 or not name or path.is_absolute() or ".." in path.parts:
            raise ChallengeError(f"{address} line {number}: expected a SHA-256 sum and a path, found {line[:80]!r}")
        fitting = {pattern for pattern in part.include if fnmatchcase(name, pattern)}
        if fitting:
            unused -= fitting
            yield Download(url=urljoin(part.url, quote(name)), name=name, sha256=sum_.lower())
    if unused:
        raise ChallengeError(f"{address}: nothing matches {', '.join(sorted(unused))}")


def _read(address: str) -> str:
    try:
        with urlopen(Request(address, headers=_AGENT), timeout=_TIMEOUT_SECONDS) as reply:
            data: bytes = reply.read(_MOST_LIST_BYTES)
    except (URLError, HTTPException, OSError) as e:
        raise Fault(f"{address} cannot be read: {e}") from e
    return data.decode(errors="replace")


def fetch(
    wanted: Sequence[Download],
    target: Path,
    *,
    done: Callable[[Download, int], None],
    workers: int = 4,
    attempts: int = 5,
    wait_seconds: float = 1.0,
) -> None:
    """Fetch files to ``target``; ``done`` gets each of them and the number of bytes that were downloaded.

    Raises Fault if a file could not be downloaded in ``attempts`` attempts, or does not match its sum.
    """
    stop = Event()

    def one(download: Download) -> None:
        for attempt in range(attempts):
            if stop.is_set():
                return
            try:
                done(download, fetch_one(download, target, stop))
                return
            except (URLError, HTTPException, OSError) as e:
                final = isinstance(e, HTTPError) and e.code < 500 and e.code not in (408, 429)
                if final or attempt + 1 == attempts:
                    raise Fault(f"{download.url}: {e}") from e
            stop.wait(wait_seconds * 2**attempt)

    pool = ThreadPoolExecutor(workers)
    try:
        futures = [pool.submit(one, download) for download in wanted]
        wait(futures, return_when=FIRST_EXCEPTION)
        for future in futures:
            if future.done():
                future.result()
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def fetch_one(download: Download, target: Path, stop: Event) -> int:
    """Fetch one file unless it is complete already; the number of bytes that were downloaded."""
    path = target / download.name
    if path.is_file() and (download.sha256 is None or _sum(path) == download.sha256):
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    part, named = path.with_name(path.name + ".part"), path.with_name(path.name + ".part.version")
    version = named.read_text() if named.is_file() else ""
    # what comes must be of the same version of the file as what is there
    have = part.stat().st_size if part.is_file() and version else 0
    came = 0
    headers = {**_AGENT, **({"Range": f"bytes={have}-"} if have else {}), **({"If-Range": version} if version else {})}
    try:
        reply = urlopen(Request(download.url, headers=headers), timeout=_TIMEOUT_SECONDS)
    except HTTPError as e:
        e.close()
        if e.code != 416 or e.headers.get("Content-Range", "") != f"bytes */{have}":
            raise
        reply = None  # nothing is left to send: the part is the whole file
    if reply is not None:
        goes_on = reply.status == 206
        if goes_on and _version(reply.headers) != version:
            part.unlink()
            raise OSError("the file was changed while it was downloaded")
        if not goes_on:
            part.unlink(missing_ok=True)  # before the version of the new one is written
        named.write_text(_version(reply.headers))
        with reply, part.open("ab" if goes_on else "wb") as f:
            expected = reply.headers.get("Content-Length")
            while chunk := reply.read(_CHUNK):
                f.write(chunk)
                came += len(chunk)
                if stop.is_set():
                    return came
        if expected is not None and came != int(expected):
            raise OSError(f"the connection ended after {came} of {expected} bytes")
    named.unlink(missing_ok=True)
    if download.sha256 is not None and (digest := _sum(part)) != download.sha256:
        part.unlink()
        raise Fault(f"{download.url}: expected SHA-256 {download.sha256}, found {digest}; nothing was kept")
    part.replace(path)
    return came


def _version(headers: Message) -> str:
    """Mark of the content of a file on its server; empty if the server gives none that is exact."""
    tag = headers.get("ETag", "")
    return tag if tag and not tag.startswith("W/") else headers.get("Last-Modified", "")


def _sum(path: Path) -> str:
    with path.open("rb") as f:
        return hashlib.file_digest(f, "sha256").hexdigest()


class DownloadProgress:
    """Reports every few seconds how far a download is."""

    def __init__(self, total: int, say: Callable[[str], None], every_seconds: float = 2.0) -> None:
        self._total, self._say, self._every = total, say, every_seconds
        self._files = self._bytes = 0
        self._last = time.monotonic()

    def __call__(self, download: Download, came: int) -> None:
        """One file is complete."""
        self._files += 1
        self._bytes += came
        now = time.monotonic()
        if now - self._last >= self._every or self._files == self._total:
            self._last = now
            self._say(f"{self._files} of {self._total} files, {self._bytes / 1e6:.1f} MB fetched, last {download.name}")

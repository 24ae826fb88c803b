"""Downloads a challenge's public data: `source.yaml` in its folder says from where, and under which licence.

Files are checked against the publisher's list of SHA-256 sums if there is one.  A file that is complete is not
fetched again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
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
from evaluate.config.schema.keys import TEXT, ListOf, Section, Value, key, like, read
from evaluate.core.errors import ChallengeError, Fault, UsageError
from evaluate.core.files import sha256_file

FILE = "source.yaml"
_CHUNK = 1 << 18
_WORKERS, _ATTEMPTS = 4, 5
_SAY_EVERY_SECONDS = 2.0
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


def _finished_part(part: SourcePart, complain: Complain) -> SourcePart:
    listed = bool(part.sums) and part.url.endswith("/")
    if listed == (bool(part.to) and part.numbers != SourcePart.numbers):
        complain((), "expected url (a folder, ending in /) and sums, or url, to and numbers")
    return part


@dataclass(frozen=True, kw_only=True)
class SourcePart:
    """Some files of a source."""

    url: str = key(
        "Of a folder whose files `sums` lists, ending in `/`; or of one file, with `{n}` for a number.",
        _WEB,
        required=True,
    )
    sums: str = key(
        "The publisher's list in that folder: SHA-256 sum and path on each line.",
        TEXT.but(expected="the name of the publisher's list of SHA-256 sums"),
        "",
    )
    include: tuple[str, ...] = key(
        "Which of them to fetch.",
        ListOf(expected="a list of patterns of paths", item=TEXT.but(expected="a pattern")),
        ("*",),
    )
    to: str = key(
        "Name of the file that is fetched for a number.", TEXT.but(expected="where a file goes, with {n}"), ""
    )
    numbers: tuple[int, int] = key("Which numbers.", _NUMBERS, (0, 0), default="none")


@dataclass(frozen=True, kw_only=True)
class DataSource:
    """Place where a challenge's data are published."""

    page: str = key("What people read.", _WEB.but(expected="the address of the publisher's page"), required=True)
    licence: str = key("Under which the data may be used.", TEXT.but(expected="the name of the licence"), required=True)
    cite: str = key("The reference.", TEXT.but(expected="how to cite the data"), required=True)
    parts: tuple[SourcePart, ...] = key(
        "What is fetched.",
        ListOf(expected="a list of parts", item=Section(SourcePart, finish=_finished_part)),
        required=True,
    )


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


def fetch(wanted: Sequence[Download], target: Path, say: Callable[[str], None], *, wait_seconds: float = 1.0) -> None:
    """Fetch files to ``target``, and say every few seconds how far it is.

    Raises Fault if a file could not be downloaded in several attempts, or does not match its sum.
    """
    stop, came, last = Event(), 0, time.monotonic()
    with ThreadPoolExecutor(_WORKERS) as pool:
        futures = {pool.submit(_fetch_one, download, target, stop, wait_seconds): download for download in wanted}
        try:
            for number, future in enumerate(as_completed(futures), 1):
                came += future.result()
                if time.monotonic() - last >= _SAY_EVERY_SECONDS or number == len(wanted):
                    last = time.monotonic()
                    name = futures[future].name
                    say(f"{number} of {len(wanted)} files, {came / 1e6:.1f} MB fetched, last {name}")
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


def _fetch_one(download: Download, target: Path, stop: Event, wait_seconds: float) -> int:
    """Fetch one file, and again if the server or the network fails; the number of bytes that were downloaded."""
    for attempt in range(_ATTEMPTS):
        try:
            return _downloaded(download, target, stop)
        except (URLError, HTTPException, OSError) as e:
            final = isinstance(e, HTTPError) and e.code < 500 and e.code not in (408, 429)
            if isinstance(e, HTTPError):
                e.close()
            if final or attempt + 1 == _ATTEMPTS:
                raise Fault(f"{download.url}: {e}") from e
        stop.wait(wait_seconds * 2**attempt)
    return 0


def _downloaded(download: Download, target: Path, stop: Event) -> int:
    """Fetch one file unless it is complete already, or others were given up; the number of bytes."""
    path = target / download.name
    if stop.is_set() or (path.is_file() and (download.sha256 is None or sha256_file(path) == download.sha256)):
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    try:
        with urlopen(Request(download.url, headers=_AGENT), timeout=_TIMEOUT_SECONDS) as reply, part.open("wb") as file:
            expected = reply.headers.get("Content-Length")
            while (chunk := reply.read(_CHUNK)) and not stop.is_set():
                file.write(chunk)
        if stop.is_set():
            return 0
        came = part.stat().st_size
        if expected is not None and came != int(expected):
            raise OSError(f"the connection ended after {came} of {expected} bytes")
        if download.sha256 is not None and (digest := sha256_file(part)) != download.sha256:
            raise Fault(f"{download.url}: expected SHA-256 {download.sha256}, found {digest}; nothing was kept")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return came

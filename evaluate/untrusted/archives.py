"""The only module that reads an uploaded archive: it lists, checks and reads a few small text files.

Nothing is unpacked on the host; the guest does that.  Every problem of an entry is named in one message.
"""

from __future__ import annotations

import difflib
import gzip
import hashlib
import io
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

from evaluate.challenge import Challenge
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.model import MIB, Entry
from evaluate.untrusted.repository import fetch_repository, is_address, is_bundle
from evaluate.untrusted.tar import members, open_stream

DRYRUN = "DRYRUN"
_SHOWN = 20
_RATIO = 200
"""A real entry's text shrinks to a tenth; a bomb's zeros to a thousandth."""
_RATIO_FREE_BYTES = 64 * MIB
_JUNK = ("__MACOSX", ".DS_Store")
_SIGNATURES = {
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"\xfd7zXZ": "an xz file",
    b"BZh": "a bzip2 file",
    b"\x7fELF": "a program",
    b"%PDF": "a PDF document",
    b"\x28\xb5\x2f\xfd": "a zstd file",
}


@dataclass(frozen=True, kw_only=True)
class Member:
    """One name in an archive."""

    name: str
    size: int
    kind: str
    """``file``, ``folder``, ``link``, ``hardlink`` or ``other``."""
    target: str = ""


@dataclass(frozen=True, kw_only=True)
class Listing:
    """What an archive holds."""

    archive: Path
    kind: str
    """``zip`` or ``tar``."""
    prefix: str
    """The one top folder, or empty."""
    members: Mapping[str, Member]
    """Without the top folder; junk of file managers left out."""
    _origin: Mapping[str, str]

    @property
    def dry_run(self) -> bool:
        """Whether the team asks to stop after the quiz."""
        return DRYRUN in self.members

    def read(self, name: str, max_bytes: int) -> bytes:
        """A small text file of the entry.

        Raises
        ------
        EntryError
            It is larger than ``max_bytes`` (counted while reading; no header is trusted) or damaged.
        """
        origin = self._origin[name]
        try:
            if self.kind == "zip":
                with zipfile.ZipFile(self.archive) as bundle, bundle.open(origin) as f:
                    data = f.read(max_bytes + 1)
            else:
                with _open_tar(self.archive, max_bytes=1 << 62) as tar:
                    stream = tar.extractfile(next(m for m in tar if m.name == origin))
                    data = stream.read(max_bytes + 1) if stream else b""
        except _DAMAGE as e:
            raise EntryError(f"{name} cannot be read out of the archive: {e}") from e
        if len(data) > max_bytes:
            raise EntryError(f"{name} is larger than {max_bytes >> 20} MiB")
        return data

    def need(self, names: Sequence[str]) -> None:
        """Check that these files are there.

        Raises
        ------
        EntryError
            Naming those that are not, and what looks like them.
        """
        problems = list(_missing(self, names))
        if problems:
            raise EntryError("\n".join(problems))

    def extract(self, targets: Mapping[str, Path], max_bytes: int) -> None:
        """Write files of the archive to paths of the host, in one pass.

        Raises
        ------
        EntryError
            One is larger than ``max_bytes`` (counted while reading) or damaged.
        """
        wanted = {self._origin[name]: (name, path) for name, path in targets.items()}
        try:
            if self.kind == "zip":
                with zipfile.ZipFile(self.archive) as bundle:
                    for origin, (name, path) in wanted.items():
                        with bundle.open(origin) as f:
                            _write(f, path, name, max_bytes)
            else:
                with _open_tar(self.archive, max_bytes=1 << 62) as tar:
                    for member in members(tar):
                        if member.name in wanted and (stream := tar.extractfile(member)) is not None:
                            name, path = wanted[member.name]
                            _write(stream, path, name, max_bytes)
        except _DAMAGE as e:
            raise EntryError(f"the archive is damaged: {e}") from e


def _write(stream: IO[bytes], path: Path, name: str, max_bytes: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    left = max_bytes
    with path.open("wb") as f:
        while chunk := stream.read(min(1 << 20, left + 1)):
            left -= len(chunk)
            if left < 0:
                raise EntryError(f"{name} is larger than {max_bytes >> 20} MiB")
            f.write(chunk)


_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    gzip.BadGzipFile,
    struct.error,
    LookupError,  # zipfile: extra fields that end too early
    OverflowError,
    EOFError,
    OSError,
    RuntimeError,  # zipfile: encrypted
    NotImplementedError,  # zipfile: a method of compression it does not know
    ValueError,
)


def open_entry(source: Path | str, scratch: Path) -> Entry:
    """The entry in an archive, in a folder or a git repository, of which an archive is made in ``scratch`` first.

    Parameters
    ----------
    source : Path or str
        A file or folder, or the HTTPS address of a repository.

    Raises
    ------
    UsageError
        There is no such file or folder, or the address is none that is allowed.
    EntryError
        The repository cannot be read or holds what an entry may not.
    Fault
        The repository's server cannot be reached.
    """
    commit = ""
    path = Path(source)
    if is_address(str(source)):
        fetched = fetch_repository(str(source), scratch)
        path, commit = fetched.archive, fetched.commit
    elif path.is_file() and is_bundle(path):
        fetched = fetch_repository(path, scratch)
        path, commit = fetched.archive, fetched.commit
    if path.is_dir():
        path = pack_folder(path, scratch / f"{path.resolve().name}.tar.gz")
    if not path.is_file():
        raise UsageError(f"{path}: no such entry; wanted a zip or tar.gz archive, a folder, or a git repository")
    with path.open("rb") as f:
        digest = hashlib.file_digest(f, "sha256").hexdigest()
    return Entry(archive=path.resolve(), sha256=digest, size=path.stat().st_size, commit=commit)


def pack_folder(folder: Path, target: Path) -> Path:
    """A tar.gz of a folder's contents; the same contents give the same bytes."""

    def anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = ""
        member.mtime = 0
        return member

    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as bundle,
    ):
        for path in sorted(folder.rglob("*")):
            bundle.add(path, str(path.relative_to(folder)), recursive=False, filter=anonymous)
    return target


def looks_like_container(archive: Path) -> bool:
    """Whether an archive is a container image: an OCI layout or what ``docker save`` writes."""
    try:
        if _kind(archive) != "tar":
            return False
        with _open_tar(archive, max_bytes=1 << 40) as tar:
            for member in members(tar):
                if member.name.removeprefix("./") in ("oci-layout", "manifest.json", "index.json"):
                    return True
    except (EntryError, *_DAMAGE):
        return False
    return False


def inspect(archive: Path, challenge: Challenge) -> Listing:
    """Check an archive against the rules by its listing.

    Raises
    ------
    EntryError
        With every problem that was found, one a line.
    """
    size = archive.stat().st_size
    if size > challenge.archive.bytes:
        raise EntryError(f"the archive has {size >> 20} MiB; at most {challenge.archive.bytes >> 20} are allowed")
    kind = _kind(archive)
    try:
        found = list(_bounded(_LISTERS[kind](archive, challenge.archive.unpacked_bytes), challenge.archive.files))
    except _DAMAGE as e:
        raise EntryError(f"the {kind} archive is damaged: {e}") from e
    problems: list[str] = []
    total = sum(member.size for member in found)
    if total > challenge.archive.unpacked_bytes:
        allowed = challenge.archive.unpacked_bytes >> 20
        problems.append(f"unpacked it would have {total >> 20} MiB; at most {allowed} are allowed")
    elif total > _RATIO_FREE_BYTES and total > _RATIO * size:
        problems.append(f"it unpacks to {total // max(1, size)} times its size; at most {_RATIO} times is allowed")
    listing = _listing(archive, kind, found, problems)
    problems += _missing(listing, challenge.required_files)
    if problems:
        shown = problems[:_SHOWN]
        if len(problems) > _SHOWN:
            shown.append(f"and {len(problems) - _SHOWN} more problems")
        raise EntryError("\n".join(shown))
    return listing


def _kind(archive: Path) -> str:
    with archive.open("rb") as f:
        head = f.read(512)
    if zipfile.is_zipfile(archive):
        return "zip"
    if head.startswith(b"\x1f\x8b") or head[257:262] == b"ustar":
        return "tar"
    looks = next((what for magic, what in _SIGNATURES.items() if head.startswith(magic)), None)
    if looks is None:
        looks = "empty" if not head else "a text file" if head.isascii() else "something else"
    raise EntryError(f"wanted a zip or tar.gz archive; {archive.name} looks like {looks}")


def _bounded(members: Iterable[Member], most: int) -> Iterator[Member]:
    for n, member in enumerate(members):
        if n >= most:
            raise EntryError(f"the archive holds more than {most} files")
        yield member


def _list_zip(archive: Path, _max_bytes: int) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as bundle:
        for info in bundle.infolist():
            mode = info.external_attr >> 16
            if info.flag_bits & 0x1:
                raise EntryError(f"{info.filename!r} is encrypted")
            kind, target = "file", ""
            if info.is_dir() or info.filename.endswith("\\"):
                kind = "folder"
            elif stat.S_ISLNK(mode):
                kind = "link"
                with bundle.open(info) as f:
                    target = f.read(4096).decode(errors="replace")
            elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                kind = "other"
            yield Member(name=info.filename, size=info.file_size, kind=kind, target=target)


class _Bounded(io.RawIOBase):
    """A decompressed stream that ends with an error where a bomb would go on."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream, self._left = stream, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._stream.read(len(buffer))
        self._left -= len(data)
        if self._left < 0:
            raise EntryError("the archive unpacks to more than is allowed")
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def _open_tar(archive: Path, max_bytes: int) -> Iterator[tarfile.TarFile]:
    """A tar archive, compressed or not, read from front to end, of at most ``max_bytes`` decompressed."""
    with archive.open("rb") as raw, ExitStack() as stack:
        compressed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        stream = cast(IO[bytes], stack.enter_context(gzip.GzipFile(fileobj=raw)) if compressed else raw)
        bounded = stack.enter_context(io.BufferedReader(_Bounded(stream, max_bytes), 1 << 18))
        yield stack.enter_context(open_stream(bounded))


def _list_tar(archive: Path, max_bytes: int) -> Iterator[Member]:
    # headers and padding come on top of the files themselves
    with _open_tar(archive, 2 * max_bytes) as bundle:
        for info in members(bundle):
            if info.isdir():
                kind = "folder"
            elif info.issym() or info.islnk():
                kind = "link" if info.issym() else "hardlink"
            else:
                kind = "file" if info.isreg() else "other"
            yield Member(name=info.name, size=info.size, kind=kind, target=info.linkname)


_LISTERS: dict[str, Callable[[Path, int], Iterator[Member]]] = {"zip": _list_zip, "tar": _list_tar}


def _listing(archive: Path, kind: str, found: Sequence[Member], problems: list[str]) -> Listing:
    parts_of: dict[str, tuple[str, ...]] = {}
    kept: list[Member] = []
    for member in found:
        name = member.name.replace("\\", "/")
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        if any(part in _JUNK or part.startswith("._") for part in parts) or not parts:
            continue
        if ".." in parts or name.startswith("/") or (len(name) > 1 and name[1] == ":"):
            problems.append(f"{member.name!r} leads out of the entry's folder")
        elif any(ord(c) < 32 for c in name) or len(name) > 1024:
            problems.append(f"{member.name[:80]!r} is no usable file name")
        elif member.kind == "other":
            problems.append(f"{member.name!r} is neither a file, a folder nor a link")
        elif member.kind in ("link", "hardlink") and not _inside(parts, member):
            problems.append(f"{member.name!r} is a link to {member.target!r}, outside the entry's folder")
        else:
            kept.append(member)
            parts_of[member.name] = parts
    tops = {parts[0] for parts in parts_of.values()}
    inner = any(len(parts) > 1 for parts in parts_of.values())
    flat = any(len(parts_of[m.name]) == 1 and m.kind != "folder" for m in kept)
    prefix = tops.pop() if len(tops) == 1 and inner and not flat else ""
    members: dict[str, Member] = {}
    origin: dict[str, str] = {}
    for member in kept:
        parts = parts_of[member.name][1 if prefix else 0 :]
        if not parts:
            continue
        name = "/".join(parts)
        if name in members and member.kind != "folder":
            problems.append(f"{name!r} stands in the archive twice")
        members[name] = member
        origin[name] = member.name
    return Listing(archive=archive, kind=kind, prefix=prefix, members=members, _origin=origin)


def _inside(parts: Sequence[str], link: Member) -> bool:
    """Whether a link stays in the entry: a symbolic one counts from its folder, a hard one from the top."""
    target = PurePosixPath(link.target.replace("\\", "/"))
    depth = 0 if link.kind == "hardlink" else len(parts) - 1
    if target.is_absolute():
        return False
    for part in target.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return False
    return True


def _missing(listing: Listing, required: Sequence[str]) -> Iterator[str]:
    files = [name for name, member in listing.members.items() if member.kind != "folder"]
    for name in required:
        if name in files:
            if listing.members[name].size == 0 and name in ("AUTHORS.txt", "LICENSE.txt"):
                yield f"{name} is empty"
            continue
        near = [f for f in files if f.lower().rpartition("/")[2] == name.lower()]
        near = near or difflib.get_close_matches(name, files, n=1)
        yield f"{name} is missing" + (f"; there is {near[0]!r}" if near else "")


def parse_answers(data: bytes, labels: Sequence[str], *, file: str = "answers.txt") -> dict[str, str]:
    """The entry's own answers, ``record,label`` a line; order, line ends and a missing last newline do not matter.

    Raises
    ------
    EntryError
        A line is no such pair, a label is not allowed, or a record has two different answers; all are named.
    """
    answers: dict[str, str] = {}
    problems: list[str] = []
    for number, line, pair in _lines(data):
        if pair is None:
            problems.append(f"{file} line {number}: expected 'record,label', found {line[:80]!r}")
            continue
        record, label = pair
        if label not in labels:
            problems.append(f"{file} line {number}: expected one of {' '.join(labels)}, found {label[:80]!r}")
        elif answers.setdefault(record, label) != label:
            problems.append(f"{file} line {number}: record {record} has two answers, {answers[record]} and {label}")
    if problems:
        raise EntryError("\n".join(problems[:_SHOWN]))
    return answers


def answer_for(record: str, data: bytes, labels: Sequence[str], file: str = "answers.txt") -> tuple[str | None, str]:
    """The answer that ``next.sh`` left for one record, or None and what is wrong; other records' lines are ignored."""
    found = {pair[1] for _, _, pair in _lines(data) if pair is not None and pair[0] == record}
    if not found:
        return None, f"next.sh ended well but left no line '{record},…' in {file}"
    if len(found) > 1:
        return None, f"next.sh left different answers in {file}: {' and '.join(sorted(found))[:80]}"
    label = found.pop()
    if label not in labels:
        return None, f"answer for record {record}: expected one of {' '.join(labels)}, found {label[:80]!r}"
    return label, ""


def _lines(data: bytes) -> Iterator[tuple[int, str, tuple[str, str] | None]]:
    text = data.decode("utf-8-sig", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        record, comma, label = line.partition(",")
        yield number, line, (record.strip(), label.strip()) if comma else None

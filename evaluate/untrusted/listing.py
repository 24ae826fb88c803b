"""Parsers of uploaded zip and tar archives: what they hold, and a few files of them.

Nothing here trusts a size that it has not counted.  `evaluate.untrusted.archives` calls these functions in a bounded
process; they import little, since a new process is started for each call.
"""

from __future__ import annotations

import difflib
import re
import stat
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, Literal

from evaluate.confine.delivery import send, sending
from evaluate.core.errors import EntryError
from evaluate.untrusted.damage import blaming
from evaluate.untrusted.tar import RATIO, RATIO_FREE_BYTES, is_compressed, members, most_unpacked, open_tar

_MIB = 1 << 20
_SHOWN = 20
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
_MARKERS = ("oci-layout", "manifest.json", "index.json")
_BLOB = re.compile(r"blobs(/sha256(/[0-9a-f]{64})?)?|(sha256:)?[0-9a-f]{64}([./].*)?")
"""Names that container tools write before their markers: `docker save` writes its manifest last, after the layers."""
_LOOKED_AT_MEMBERS, _LOOKED_AT_BYTES = 1000, 64 * _MIB
_DIRECTORY_BYTES_A_FILE = 1024
"""Bytes of a zip's directory for each file: 46, its name, and what packers add."""
_ENTRY = struct.Struct("<4s24x3H12x")
"""One record of a zip's directory: its signature, and the lengths of name, extra field and comment."""


Kind = Literal["file", "folder", "link", "hardlink", "other"]
Form = Literal["zip", "tar"]


@dataclass(frozen=True, kw_only=True)
class ArchiveMember:
    """One name in an archive."""

    name: str
    size: int
    kind: Kind
    target: str = ""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """What an archive contains."""

    kind: Form
    prefix: str
    """The one top folder, or empty."""
    members: dict[str, ArchiveMember]
    """Without the top folder; junk of file managers left out."""
    origins: dict[str, str]
    """The same names -> names in the archive."""
    texts: dict[str, bytes] = field(default_factory=dict)
    """Those of `ArchiveRules.texts` that are there and not too large."""
    pointers: tuple[str, ...] = ()
    """Files that Git LFS left in the place of others; the first of them."""


@dataclass(frozen=True, kw_only=True)
class ArchiveRules:
    """What an archive may be; sizes in bytes."""

    packed_bytes: int
    unpacked_bytes: int
    files: int
    required: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Small files that are read at once: a new process for each takes longer than to read it."""
    text_bytes: int = 0


LFS = b"version https://git-lfs.github.com/spec/"
"""How a pointer of Git LFS begins."""
_POINTER_BYTES = range(120, 256)


def is_container(archive: Path) -> bool:
    """Whether an archive is a container image, by its first files: an OCI layout or what ``docker save`` writes."""
    try:
        if _kind(archive) != "tar":
            return False
        # without compression members are skipped, not read
        most = _LOOKED_AT_MEMBERS * (1 if is_compressed(archive) else 100)
        with blaming("the archive is damaged", archive), open_tar(archive, _LOOKED_AT_BYTES, whole=False) as tar:
            for member in islice(members(tar), most):
                name = member.name.removeprefix("./").rstrip("/")
                if name in _MARKERS or _BLOB.fullmatch(name):
                    return True
    except EntryError:
        return False
    return False


def list_archive(archive: Path, rules: ArchiveRules) -> Contents:
    """Check an archive against the rules by its list of files.

    Raises EntryError, which names every problem that was found, one per line. Raises Fault if the file cannot be read.
    """
    size = archive.stat().st_size
    if size > rules.packed_bytes:
        raise EntryError(f"the archive has {size >> 20} MiB; at most {rules.packed_bytes >> 20} are allowed")
    kind = _kind(archive)
    with blaming(f"the {kind} archive is damaged", archive):
        found = list(_bounded(_LISTERS[kind](archive, rules), size, rules))
    problems: list[str] = []
    contents = _contents(kind, found, problems)
    problems += missing(contents.members, rules.required)
    if problems:
        shown = problems[:_SHOWN]
        if len(problems) > _SHOWN:
            shown.append(f"and {len(problems) - _SHOWN} more problems")
        raise EntryError("\n".join(shown))
    return replace(contents, texts=_texts(archive, contents, rules), pointers=_pointers(archive, contents, rules))


def _pointers(archive: Path, contents: Contents, rules: ArchiveRules) -> tuple[str, ...]:
    """Read of the files that are as small as a pointer."""
    small = {
        contents.origins[name]: name
        for name, one in contents.members.items()
        if one.kind == "file" and _POINTER_BYTES.start <= one.size < _POINTER_BYTES.stop
    }
    if not small:
        return ()
    with blaming("the archive is damaged", archive):
        opened = open_members(archive, contents.kind, list(small), rules.unpacked_bytes)
        found = (small[origin] for origin, stream in opened if stream.read(len(LFS)) == LFS)
        return tuple(islice(found, _SHOWN))


def _texts(archive: Path, contents: Contents, rules: ArchiveRules) -> dict[str, bytes]:
    there = {contents.origins[name]: name for name in rules.texts if name in contents.members}
    wanted = [origin for origin, name in there.items() if contents.members[name].kind == "file"]
    if not wanted:
        return {}
    with blaming(f"{' or '.join(wanted)} cannot be read out of the archive", archive):
        opened = open_members(archive, contents.kind, wanted, rules.unpacked_bytes)
        found = {there[origin]: stream.read(rules.text_bytes + 1) for origin, stream in opened}
    return {name: data for name, data in found.items() if len(data) <= rules.text_bytes}


def read_member(archive: Path, kind: str, origin: str, max_bytes: int, unpacked_bytes: int) -> bytes:
    """A small file of an archive, by its name there.

    Raises EntryError if it is larger than ``max_bytes`` (counted while reading), or the archive is damaged.
    """
    with blaming(f"{origin} cannot be read out of the archive", archive):
        for _, stream in open_members(archive, kind, [origin], unpacked_bytes):
            data = stream.read(max_bytes + 1)
            if len(data) > max_bytes:
                raise EntryError(f"{origin} is larger than {max_bytes >> 20} MiB")
            return data
    raise EntryError(f"{origin} is not in the archive")


def extract_members(
    archive: Path, kind: str, targets: Mapping[str, str], max_bytes: int, unpacked_bytes: int, out: int
) -> None:
    """Send files of an archive (name there -> name for the host) to a `evaluate.confine.delivery`, in one pass.

    Raises EntryError if one is larger than ``max_bytes`` (counted while reading), or the archive is damaged. Raises
    Fault if a file cannot be written.
    """
    with sending(out) as stream, blaming("the archive is damaged", archive):
        for origin, member in open_members(archive, kind, list(targets), unpacked_bytes):
            send(stream, targets[origin], _pieces(member, origin, max_bytes))


def open_members(
    archive: Path, kind: str, origins: Sequence[str], unpacked_bytes: int
) -> Iterator[tuple[str, IO[bytes]]]:
    """Names and contents of some files of an archive, in one pass."""
    if kind == "zip":
        with zipfile.ZipFile(archive) as bundle:
            for origin in origins:
                with bundle.open(origin) as f:
                    yield origin, f
        return
    wanted = set(origins)
    with open_tar(archive, 2 * most_unpacked(archive, unpacked_bytes)) as tar:
        for member in members(tar):
            if member.name not in wanted:
                continue
            if not member.isreg():
                raise EntryError(f"{member.name[:200]!r} is a {_kind_of(member)}; expected a file")
            stream = tar.extractfile(member)
            assert stream is not None
            yield member.name, stream


def _pieces(stream: IO[bytes], name: str, max_bytes: int) -> Iterator[bytes]:
    left = max_bytes
    while True:
        with blaming(f"{name} cannot be read out of the archive"):
            chunk = stream.read(min(_MIB, left + 1))
        if not chunk:
            return
        left -= len(chunk)
        if left < 0:
            raise EntryError(f"{name} is larger than {max_bytes >> 20} MiB")
        yield chunk


def _kind(archive: Path) -> Form:
    with archive.open("rb") as f:
        head = f.read(512)
    if zipfile.is_zipfile(archive):
        return "zip"
    if head.startswith(b"\x1f\x8b") or head[257:262] == b"ustar":
        return "tar"
    looks = next((what for magic, what in _SIGNATURES.items() if head.startswith(magic)), None)
    if looks is None:
        looks = "empty" if not head else "a text file" if head.isascii() else "something else"
    raise EntryError(f"expected a zip or tar.gz archive; {archive.name} looks like {looks}")


def _bounded(found: Iterable[ArchiveMember], size: int, rules: ArchiveRules) -> Iterator[ArchiveMember]:
    """The same; an archive of too many files or bytes ends at the header that says so, before its data are read."""
    total = 0
    for n, member in enumerate(found):
        total += member.size
        if n >= rules.files:
            raise EntryError(f"the archive contains more than {rules.files} files")
        if total > rules.unpacked_bytes:
            allowed = rules.unpacked_bytes >> 20
            raise EntryError(f"unpacked it would have {total >> 20} MiB or more; at most {allowed} are allowed")
        if total > max(RATIO_FREE_BYTES, RATIO * size):
            raise EntryError(f"it unpacks to {total // max(1, size)} times its size; at most {RATIO} times is allowed")
        yield member


def check_directory(archive: Path, most_files: int, what: str = "the archive") -> None:
    """Count the files of a zip archive before its directory is loaded, which takes 500 bytes of memory for each.

    Raises EntryError if there are more than ``most_files``, or their directory is larger than such a number needs.
    """
    with archive.open("rb") as f:
        # as `zipfile` uses them: [4] number of files, [5] bytes of the directory, [9] where this record begins
        end = zipfile._EndRecData(f)  # type: ignore[attr-defined]
        if end is None:
            raise zipfile.BadZipFile("it has no directory")
        count, size, begin = int(end[4]), int(end[5]), int(end[9])
        if count > most_files:
            raise EntryError(f"{what} holds {count} files; at most {most_files} are allowed")
        most_bytes = max(_MIB, _DIRECTORY_BYTES_A_FILE * most_files)
        if size > most_bytes:
            raise EntryError(f"the directory of {what} has {size >> 20} MiB; at most {most_bytes >> 20} are allowed")
        # the number in the record is only a claim of the archive, so count the files
        wide = 76 if end[0] == zipfile.stringEndArchive64 else 0  # type: ignore[attr-defined]
        f.seek(max(0, begin - wide - size))
        directory = f.read(size)
    at = found = 0
    while at + _ENTRY.size <= size and found <= most_files:
        signature, name, extra, comment = _ENTRY.unpack_from(directory, at)
        if signature != b"PK\1\2":
            break
        at += _ENTRY.size + name + extra + comment
        found += 1
    if found > most_files:
        raise EntryError(f"{what} contains more than {most_files} files")


def _list_zip(archive: Path, rules: ArchiveRules) -> Iterator[ArchiveMember]:
    check_directory(archive, rules.files)
    with zipfile.ZipFile(archive) as bundle:
        for info in bundle.infolist():
            mode = info.external_attr >> 16
            if info.flag_bits & 0x1:
                raise EntryError(f"{info.filename[:200]!r} is encrypted")
            kind: Kind = "file"
            target = ""
            if info.is_dir() or info.filename.endswith("\\"):
                kind = "folder"
            elif stat.S_ISLNK(mode):
                kind = "link"
                with bundle.open(info) as f:
                    target = f.read(4096).decode(errors="replace")
            elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                kind = "other"
            yield ArchiveMember(name=info.filename, size=info.file_size, kind=kind, target=target)


def _list_tar(archive: Path, rules: ArchiveRules) -> Iterator[ArchiveMember]:
    # headers and padding are added to the files themselves
    with open_tar(archive, 2 * most_unpacked(archive, rules.unpacked_bytes)) as bundle:
        for info in members(bundle):
            yield ArchiveMember(name=info.name, size=info.size, kind=_kind_of(info), target=info.linkname)


def _kind_of(info: tarfile.TarInfo) -> Kind:
    if info.isdir():
        return "folder"
    if info.issym() or info.islnk():
        return "link" if info.issym() else "hardlink"
    return "file" if info.isreg() else "other"


_LISTERS: dict[str, Callable[[Path, ArchiveRules], Iterator[ArchiveMember]]] = {"zip": _list_zip, "tar": _list_tar}


def _contents(kind: Form, found: Sequence[ArchiveMember], problems: list[str]) -> Contents:
    parts_of: dict[str, tuple[str, ...]] = {}
    kept: list[ArchiveMember] = []
    for member in found:
        name = member.name.replace("\\", "/")
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        if any(part in _JUNK or part.startswith("._") for part in parts) or not parts:
            continue
        if ".." in parts or name.startswith("/") or (len(name) > 1 and name[1] == ":"):
            problems.append(f"{member.name[:200]!r} leads out of the entry's folder")
        elif any(ord(c) < 32 for c in name) or len(name) > 1024:
            expected = "expected no control character and at most 1,024 letters"
            problems.append(f"{member.name[:80]!r} is not a usable file name: rename it; {expected}")
        elif member.kind == "other":
            problems.append(f"{member.name[:200]!r} is neither a file, a folder nor a link")
        elif member.kind in ("link", "hardlink") and not _inside(parts, member):
            problems.append(f"{member.name[:200]!r} is a link to {member.target[:200]!r}, outside the entry's folder")
        else:
            kept.append(member)
            parts_of[member.name] = parts
    tops = {parts[0] for parts in parts_of.values()}
    inner = any(len(parts) > 1 for parts in parts_of.values())
    flat = any(len(parts_of[m.name]) == 1 and m.kind != "folder" for m in kept)
    prefix = tops.pop() if len(tops) == 1 and inner and not flat else ""
    named: dict[str, ArchiveMember] = {}
    origin: dict[str, str] = {}
    for member in kept:
        parts = parts_of[member.name][1 if prefix else 0 :]
        if not parts:
            continue
        name = "/".join(parts)
        if name in named and member.kind != "folder":
            problems.append(f"{name[:200]!r} appears twice in the archive")
        named[name] = member
        origin[name] = member.name
    return Contents(kind=kind, prefix=prefix, members=named, origins=origin)


def _inside(parts: Sequence[str], link: ArchiveMember) -> bool:
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


_USUAL = {
    "AUTHORS.txt": re.compile(r"(authors?|contributors)(\.(txt|md|rst))?", re.IGNORECASE),
    "LICENSE.txt": re.compile(r"(licen[cs]e|copying)(\.(txt|md|rst))?", re.IGNORECASE),
}
"""Required files that only people read, and the names that they usually have."""
_PURPOSE = {
    "AUTHORS.txt": "who wrote the entry, a name on each line",
    "LICENSE.txt": "the terms under which others may use it",
    "answers.txt": "its own answers to the public records; evaluate try --write-answers writes it",
    "dependencies.txt": "Debian packages, one on each line; it may be empty",
    "setup.sh": "bash runs it once, to compile; it may be empty",
    "next.sh": "bash runs it for each record, whose name is its argument",
}
"""What belongs into required files."""


def missing(found: Mapping[str, ArchiveMember], required: Sequence[str]) -> Iterator[str]:
    """Problems with required files: missing ones, with similar names, and empty ones."""
    files = [name for name, member in found.items() if member.kind != "folder"]
    for name in required:
        usual = _USUAL.get(name)
        there = name if name in files else next((f for f in files if usual and usual.fullmatch(f)), None)
        if there is not None:
            if found[there].size == 0 and usual:
                yield f"{there} is empty"
            continue
        near = [f for f in files if f.lower().rpartition("/")[2] == name.lower()]
        near = near or difflib.get_close_matches(name, files, n=1)
        where = ", but it must be at the top of the entry" if near and near[0].endswith(f"/{name}") else ""
        about = f"; there is {near[0]!r}{where}" if near else f": {_PURPOSE[name]}" if name in _PURPOSE else ""
        yield f"{name} is missing{about}"

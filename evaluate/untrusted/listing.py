"""Parsers of uploaded zip and tar archives: what they hold, and a few files of them.

Nothing here trusts a size that it has not counted.  `evaluate.untrusted.archives` calls these functions in a bounded
process; they import little, since a new process is started for each call.
"""

from __future__ import annotations

import difflib
import gzip
import posixpath
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import IO, Literal

from evaluate.confine.delivery import send, sending
from evaluate.core.errors import EntryError
from evaluate.untrusted.tar import (
    GZIP,
    RATIO,
    RATIO_FREE_BYTES,
    blaming,
    is_compressed,
    members,
    most_unpacked,
    open_tar,
    pieces,
)
from metrics.readers.foreign import DVC, POINTER_BYTES, Pointer, decoded, dvc_files, is_data, pointer, signature

_MIB = 1 << 20
_SHOWN = 20
_HEAD_BYTES = 512
_PAGE = "a web page"
_WEB_PAGE = re.compile(r"\s*<(!doctype html|html|head)\b", re.IGNORECASE)
_TABLE = re.compile(r"[^\n,;\t]+[,;\t][^\n]*\n")
_ARCHIVE = re.compile(r".*\.(zip|tar|tar\.\w+|tgz|7z|rar)", re.IGNORECASE)
_OFFICE = "[Content_Types].xml"
"""In every document of Excel and Word, which is a zip archive."""
_METHODS = {9: "Deflate64", 93: "Zstandard", 95: "XZ", 98: "PPMd"}
"""Compressions of a zip archive that `zipfile` does not read."""
_UTF_8 = 0x800
"""Flag of a member of a zip archive whose name is UTF-8; any other name is in some code page, and read as cp437."""
_SEPARATOR = re.compile(r"(?<![^\0-\x7f])\\")
"""A backslash that is no second byte of a letter, as Shift-JIS, GBK and Big5 have them."""
_MOST_NAME, _MOST_DEPTH, _MOST_LINKS, _MOST_STEPS = 1024, 512, 40, 1_000_000
"""Letters of a name, its parts, links that lead to one another, and parts of the names that all links lead through."""
_MOST_SMALL_FILES = 10_000
"""Number of small files that are read, since they may be pointers."""
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
    path: str = ""
    """The name with ``/`` between folders, if that is another."""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """Contents of an archive."""

    kind: Form
    prefix: str
    """The one top folder, or empty."""
    members: dict[str, ArchiveMember]
    """Without the top folder; junk of file managers left out."""
    origins: dict[str, str]
    """Names of files -> names in the archive; those of a link are those of the file in the archive that it leads to."""
    texts: dict[str, bytes] = field(default_factory=dict)
    """Files of `ArchiveRules.texts` that are there and not too large."""
    pointers: dict[str, Pointer] = field(default_factory=dict)
    """Files and links in the place of content that is elsewhere; the first of them."""


@dataclass(frozen=True, kw_only=True)
class ArchiveRules:
    """Rules for what an archive may be; sizes in bytes."""

    packed_bytes: int
    unpacked_bytes: int
    files: int
    required: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    """Small files that are read at once: a new process for each takes longer than to read it."""
    text_bytes: int = 0


def is_container(archive: Path) -> bool:
    """True if an archive is a container image, by its first files: an OCI layout or what ``docker save`` writes."""
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
        listed = list(_bounded(_LISTERS[kind](archive, rules), size, rules))
    problems: list[str] = []
    contents = _contents(kind, listed, problems)
    absent = list(missing(contents.members, rules.required))
    other = unlike_an_entry(contents.members) if absent else ""
    problems += [other] if other else absent
    problems += [
        lost(contents, name) for name in dict.fromkeys((*rules.required, *rules.texts)) if lost(contents, name)
    ]
    if problems:
        shown = problems[:_SHOWN]
        if len(problems) > _SHOWN:
            shown.append(f"and {len(problems) - _SHOWN} more problems")
        raise EntryError("\n".join(shown))
    return _read_small(archive, contents, rules)


def _read_small(archive: Path, contents: Contents, rules: ArchiveRules) -> Contents:
    """The contents with the texts that are asked for, and the pointers among the small files."""
    texts = {name: contents.origins[name] for name in rules.texts if name in contents.origins}
    files = (
        name for name, member in contents.members.items() if member.kind == "file" and 0 < member.size <= POINTER_BYTES
    )
    small = {contents.origins[name]: name for name in islice(files, _MOST_SMALL_FILES)}
    wanted = list(dict.fromkeys((*texts.values(), *small)))
    if not wanted:
        return contents
    read: dict[str, bytes] = {}
    pointers = dict(contents.pointers)
    with blaming("the archive is damaged", archive):
        for origin, stream in open_members(archive, contents.kind, wanted, rules.unpacked_bytes):
            data = stream.read(max(rules.text_bytes if origin in texts.values() else 0, POINTER_BYTES) + 1)
            read |= {origin: data} if origin in texts.values() and len(data) <= rules.text_bytes else {}
            name = small.get(origin, "")
            if name and len(pointers) < _SHOWN and (there := _pointer(name, data, contents.members)) is not None:
                pointers[name] = there
    kept = {name: read[origin] for name, origin in texts.items() if origin in read}
    return replace(contents, texts=kept, pointers=pointers)


def _pointer(name: str, data: bytes, files: Mapping[str, ArchiveMember]) -> Pointer | None:
    absent = dvc_files(name, data)
    for path in absent:
        if path in files or any(other.startswith(f"{path}/") for other in files):
            return None
    return DVC if absent else pointer(data)


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
            damaged = f"{origin} cannot be read out of the archive"
            large = f"{origin} is larger than {max_bytes >> 20} MiB"
            send(stream, targets[origin], pieces(member, max_bytes, large, damaged))


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


def _kind(archive: Path) -> Form:
    with archive.open("rb") as f:
        head = f.read(_HEAD_BYTES)
    if zipfile.is_zipfile(archive):
        return "zip"
    looks, inner = _likeness(head), head
    if head.startswith(GZIP):
        try:
            with gzip.open(archive) as f:
                inner = f.read(_HEAD_BYTES)
        except (OSError, EOFError, zlib.error):
            return "tar"  # and damaged
        looks = f"one gzip file ({_likeness(inner)})"
    if _begins_tar(inner):
        return "tar"
    if looks == _PAGE:
        looks += "; download what was meant again"
    else:
        looks += "; pack all files in one archive, even a single file"
    raise EntryError(f"expected a zip or tar.gz archive; {archive.name} looks like {looks}")


def _begins_tar(head: bytes) -> bool:
    if head[257:262] == b"ustar":
        return True
    try:
        tarfile.TarInfo.frombuf(head, "utf-8", "replace")
    except (tarfile.TarError, ValueError):
        return False
    return True


def _likeness(head: bytes) -> str:
    """The kind of a file, from its first bytes."""
    text = decoded(head, errors="replace")
    odd = sum(c == "\N{REPLACEMENT CHARACTER}" or (c < " " and not c.isspace()) for c in text)
    kinds = {
        "an empty file": not head,
        signature(head): bool(signature(head)),
        "a NIfTI volume": head[344:347] in (b"n+1", b"ni1"),
        str(pointer(head)): pointer(head) is not None,
        "something else": 10 * odd > len(text),
        _PAGE: _WEB_PAGE.match(text) is not None,
        "a JSON text": text.lstrip().startswith(("{", "[")),
        "a table": _TABLE.match(text) is not None,
    }
    return next((kind for kind, holds in kinds.items() if holds), "a text file")


def _bounded(listed: Iterable[ArchiveMember], size: int, rules: ArchiveRules) -> Iterator[ArchiveMember]:
    """The same; an archive of too many files or bytes ends at the header that says so, before its data are read."""
    total = 0
    for n, member in enumerate(listed):
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
    at = number = 0
    while at + _ENTRY.size <= size and number <= most_files:
        signature, name, extra, comment = _ENTRY.unpack_from(directory, at)
        if signature != b"PK\1\2":
            break
        at += _ENTRY.size + name + extra + comment
        number += 1
    if number > most_files:
        raise EntryError(f"{what} contains more than {most_files} files")


def _list_zip(archive: Path, rules: ArchiveRules) -> Iterator[ArchiveMember]:
    check_directory(archive, rules.files)
    with zipfile.ZipFile(archive) as bundle:
        for info in bundle.infolist():
            mode = info.external_attr >> 16
            if info.flag_bits & 0x1:
                raise EntryError(f"{info.filename[:200]!r} is encrypted")
            if method := _METHODS.get(info.compress_type):
                raise EntryError(
                    f"{info.filename[:200]!r} is compressed with {method}, expected Deflate; Windows Explorer takes "
                    "Deflate64 for more than 2 GB: pack the files again, with tar -czf entry.tar.gz FOLDER, which "
                    "Windows has, too, or with 7-Zip by its method Deflate"
                )
            path = _path(info)
            kind: Kind = "file"
            target = ""
            if path.endswith("/"):
                kind = "folder"
            elif stat.S_ISLNK(mode):
                kind = "link"
                with bundle.open(info) as f:
                    target = f.read(4096).decode(errors="replace")
            elif stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                kind = "other"
            yield ArchiveMember(name=info.filename, size=info.file_size, kind=kind, target=target, path=path)


def _path(info: zipfile.ZipInfo) -> str:
    """The name with ``/`` between folders; ``vm_images/guest/unpack.py`` has the same."""
    if info.flag_bits & _UTF_8:
        return info.filename.replace("\\", "/")
    try:
        return info.filename.encode("cp437").decode().replace("\\", "/")  # of macOS
    except UnicodeError:
        return _SEPARATOR.sub("/", info.filename)


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


def _contents(kind: Form, listed: Sequence[ArchiveMember], problems: list[str]) -> Contents:
    parts_of: dict[str, tuple[str, ...]] = {}
    kept: list[ArchiveMember] = []
    for member in listed:
        name = member.path or _SEPARATOR.sub("/", member.name)
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        if not parts or not is_data("/".join(parts)):
            continue
        if ".." in parts or name.startswith("/") or (len(name) > 1 and name[1] == ":"):
            problems.append(f"{member.name[:200]!r} leads out of the entry's folder")
        elif any(ord(c) < 32 for c in name) or len(name) > _MOST_NAME:
            expected = "expected no control character and at most 1,024 letters"
            problems.append(f"{member.name[:80]!r} is not a usable file name: rename it; {expected}")
        elif member.kind == "other":
            problems.append(f"{member.name[:200]!r} is neither a file, a folder nor a link")
        elif (
            _is_link(member) and not _inside(parts, member) and pointer(member.target.encode(errors="replace")) is None
        ):
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
    pointers: dict[str, Pointer] = {}
    followed = _links({"/".join(parts_of[member.name]): member for member in kept})
    for member in kept:
        parts = parts_of[member.name][1 if prefix else 0 :]
        if not parts:
            continue
        name = "/".join(parts)
        if name in named and member.kind != "folder":
            problems.append(f"{name[:200]!r} appears twice in the archive")
        named[name] = member
        file = followed.get("/".join(parts_of[member.name])) if _is_link(member) else member
        if file is not None and file.kind == "file":
            origin[name] = file.name
        elif _is_link(member) and (absent := pointer(member.target.encode(errors="replace"))) is not None:
            pointers |= {name: absent} if len(pointers) < _SHOWN else {}
    return Contents(kind=kind, prefix=prefix, members=named, origins=origin, pointers=pointers)


def _is_link(member: ArchiveMember) -> bool:
    return member.kind in ("link", "hardlink")


def _links(tree: Mapping[str, ArchiveMember]) -> dict[str, ArchiveMember]:
    """The links of an archive -> what each leads to within it, through other links; without those that lead nowhere."""
    steps = _MOST_STEPS
    targets: dict[str, ArchiveMember] = {}
    for name, link in tree.items():
        if not _is_link(link):
            continue
        at: list[str] = []
        waiting, links = name.split("/")[::-1], 0
        while waiting and steps > 0:
            steps -= 1
            part = waiting.pop()
            if part == "..":
                if not at:
                    break
                at.pop()
            elif part not in ("", "."):
                at.append(part)
                if len(at) > _MOST_DEPTH:
                    break
                member = tree.get("/".join(at))
                if member is not None and _is_link(member):
                    links += 1
                    if links > _MOST_LINKS:
                        break
                    at = [] if member.kind == "hardlink" else at[:-1]
                    waiting += member.target[:_MOST_NAME].replace("\\", "/").split("/")[::-1]
        else:
            if not waiting and (target := tree.get("/".join(at))) is not None:
                targets[name] = target
    return targets


def lost(contents: Contents, name: str) -> str:
    """The problem with a name that should be a file and is a link to none; empty if there is none."""
    member = contents.members.get(name)
    if member is None or not _is_link(member) or name in contents.origins or name in contents.pointers:
        return ""
    return f"{name!r} is a link to {member.target[:200]!r}, which is no file of the archive: put the file in its place"


def _inside(parts: Sequence[str], link: ArchiveMember) -> bool:
    """True if a link stays in the entry: a symbolic one counts from its folder, a hard one from the top."""
    folder = "" if link.kind == "hardlink" else "/".join(parts[:-1])
    end = posixpath.normpath(posixpath.join(folder, link.target.replace("\\", "/")))
    return end.split("/")[0] not in ("", "..")


_USUAL = {
    "AUTHORS.txt": re.compile(r"(authors?|contributors)(\.(txt|md|rst))?", re.IGNORECASE),
    "LICENSE.txt": re.compile(r"(licen[cs]e|copying)(\.(txt|md|rst))?", re.IGNORECASE),
}
"""Required files that only people read, and the names that they usually have."""
_HIDDEN = re.compile(r"(.*\.(?:sh|py|m|R|ipynb|txt|csv|json)|(?:.*/)?Dockerfile)\.txt")
"""Names whose last ending an editor added, and Windows does not show."""
_PURPOSE = {
    "AUTHORS.txt": "who wrote the entry, a name on each line",
    "LICENSE.txt": "the terms under which others may use it",
    "answers.txt": "its own answers to the public records; evaluate try --write-answers writes it",
    "dependencies.txt": "Debian packages, one on each line; it may be empty",
    "setup.sh": "bash runs it once, to compile; it may be empty",
    "next.sh": "bash runs it for each record, whose name is its argument",
}
"""Required files -> the content that belongs into them."""


def unlike_an_entry(members_by_name: Mapping[str, ArchiveMember]) -> str:
    """The problem with an archive whose files cannot be those of an entry; empty if there is none."""
    files = [name for name, member in members_by_name.items() if member.kind == "file"]
    if _OFFICE in files:
        return "it is a document of Excel or Word, not an archive: save a table as CSV, and pack the files"
    if files and all(map(_ARCHIVE.fullmatch, files)):
        way = "hand in that one itself" if len(files) == 1 else "unpack them, and pack their files in one archive"
        return f"the archive contains only {', '.join(map(repr, files[:3]))}, an archive in an archive: {way}"
    return ""


def hidden(members_by_name: Mapping[str, ArchiveMember]) -> Iterator[str]:
    """Names with a second ending that nobody meant, and nothing of the right name beside them, with what to do."""
    for name in members_by_name:
        match = _HIDDEN.fullmatch(name)
        if match and match[1] not in members_by_name:
            yield f"{name!r} has an ending that Windows does not show: rename it to {match[1].rpartition('/')[2]!r}"


def missing(members_by_name: Mapping[str, ArchiveMember], required: Sequence[str]) -> Iterator[str]:
    """Problems with required files: missing ones, with similar names, and empty ones."""
    files = [name for name, member in members_by_name.items() if member.kind != "folder"]
    for name in required:
        usual = _USUAL.get(name)
        there = name if name in files else next((f for f in files if usual and usual.fullmatch(f)), None)
        if there is not None:
            if usual and members_by_name[there].kind == "file" and members_by_name[there].size == 0:
                yield f"{there} is empty"
            continue
        near = [f for f in files if f.lower().rpartition("/")[2] in (name.lower(), f"{name.lower()}.txt")]
        near = near or difflib.get_close_matches(name, files, n=1)
        where = ", but it must be at the top of the entry" if near and near[0].endswith(f"/{name}") else ""
        if near and near[0].lower().endswith(f"{name.lower()}.txt"):
            where = f", whose last ending Windows does not show: rename it to {name}"
        notebook = f"{name.removesuffix('.py')}.ipynb"
        if name.endswith(".py") and notebook in files:
            near, where = [notebook], f", a notebook: jupyter nbconvert --to script {notebook} makes the program of it"
        about = f"; there is {near[0]!r}{where}" if near else f": {_PURPOSE[name]}" if name in _PURPOSE else ""
        yield f"{name} is missing{about}"

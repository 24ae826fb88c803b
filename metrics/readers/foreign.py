"""Files as other systems leave them: names that are no data, texts in UTF-16, pointers to content that is elsewhere.

For every reader of files, here and in ``evaluate``; the standard library alone, since uploads are read by processes of
their own.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import PurePosixPath

_NO_DATA = re.compile(r"(^|/)(\._|(\.ds_store|__macosx|thumbs\.db|desktop\.ini)(/|\Z))", re.IGNORECASE)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
POINTER_BYTES = 1024
"""Size of the largest pointer file: a path with two names of files."""
_ANNEX = re.compile(rb"(/|(/[^\n]*/|(\.\./)*)\.git/)annex/objects/")
_DVC_CACHE = re.compile(rb"(/[^\n]*/|(\.\./)*)\.dvc/cache/")
_LFS = b"version https://git-lfs.github.com/spec/"
_SIGNATURES = {
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"\xfd7zXZ": "an xz file",
    b"BZh": "a bzip2 file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save it as CSV",
    b"%PDF": "a PDF document",
    b"\x7fELF": "a program",
    b"\x89PNG": "a PNG picture",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "a NumPy array",
    b"II*\0": "a TIFF picture",
    b"MM\0*": "a TIFF picture",
}
_WORKBOOKS = (b"xl/", b"opendocument.spreadsheet")
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
_OTHER_SEPARATOR = re.compile(r"(?=[^,]*\Z)[^,]+?([;\t])")
_DVC = ".dvc"
_DVC_PATH = re.compile(r"^[\s-]*path: *(['\"]?)(.+?)\1\s*$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Pointer:
    """A small file or a link in the place of a large file, which is not there."""

    kind: str
    """For a message: "found a pointer of …"."""
    command: str
    """Brings the content; without names of files."""

    def __str__(self) -> str:
        return f"a pointer of {self.kind} in the place of the file: run '{self.command}' where the data come from"


LFS = Pointer(kind="Git LFS", command="git lfs pull")
ANNEX = Pointer(kind="git-annex (DataLad)", command="git annex get .")
DVC = Pointer(kind="DVC", command="dvc pull")


def is_data(name: str) -> bool:
    """True if a path, with ``/`` between folders, is data and not a file that a file manager left there.

    These are ``._*``, ``.DS_Store``, ``__MACOSX``, ``Thumbs.db`` and ``desktop.ini``, as files and as folders.
    """
    return _NO_DATA.search(name) is None


def decoded(content: bytes, *, errors: str = "strict") -> str:
    """The text of a file: UTF-16 if it begins with that byte order mark, as PowerShell writes, else UTF-8.

    The mark is left out. Raises UnicodeDecodeError for other bytes, unless ``errors`` says otherwise.
    """
    return content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig", errors)


def format_of(content: bytes) -> str:
    """The kind of a file that is no text, for messages, with what to do; empty if it is not known."""
    if content.startswith(b"PK\x03\x04") and any(part in content for part in _WORKBOOKS):
        return "a spreadsheet (Excel or OpenDocument): save it as CSV"
    if content.startswith(_UTF_16):
        return "UTF-16, as PowerShell writes with >: save it as UTF-8"
    if content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return "a web page: was a page downloaded in place of the file?"
    return signature(content)


def signature(content: bytes) -> str:
    """The kind of a file from its first bytes alone; empty if they are none of a known format."""
    return next((kind for magic, kind in _SIGNATURES.items() if content.startswith(magic)), "")


def separator_hint(line: str) -> str:
    """The reason why a line of a table has no cells between commas, for the end of a message; else empty."""
    first = line.strip()
    if first[:4].casefold() == "sep=":
        return "; that line is for Excel alone: delete it, and put commas between the cells"
    if mark := _OTHER_SEPARATOR.match(_DECIMAL_COMMA.sub("", first)):
        what = "semicolons" if mark[1] == ";" else "tabs"
        return f"; {what} are between its cells: put commas there, and points instead of decimal commas"
    return ""


def plain_number(text: str) -> str:
    """The text. Raises ValueError if Python alone takes it for a number: ``1_000``, or digits of other scripts."""
    if "_" in text or not text.isascii():
        raise ValueError(f"a number that is not plain: {text[:80]!r}")
    return text


def pointer(content: bytes) -> Pointer | None:
    """The pointer that the first `POINTER_BYTES` of a file are, or the target of a link; None for content itself."""
    if content.startswith(_LFS):
        return LFS
    if _DVC_CACHE.match(content):
        return DVC
    return ANNEX if _ANNEX.match(content) else None


def dvc_files(name: str, content: bytes) -> tuple[str, ...]:
    """The paths that a file of DVC stands for, from its own path and its first bytes; none for any other file.

    DVC does not put pointers in the place of files: the content is absent if these paths are.
    """
    if not name.endswith(_DVC):
        return ()
    written = [path for _, path in _DVC_PATH.findall(content.decode("utf-8", "replace"))]
    return tuple(str(PurePosixPath(name).parent / path) for path in written or [PurePosixPath(name).stem])

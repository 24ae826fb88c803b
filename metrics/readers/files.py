"""Reading files that others wrote.

Every reader here takes the error class to raise, because only the caller knows whose file it is:
`AnswerError` for a team's, `ReferenceDataError` for the organiser's.  Nothing is read beyond a stated size,
only regular files are opened (a pipe would wait for ever), and a listing never leaves its folder.

What the machine does wrong (a broken disk, no memory, too many open files) is neither's: that `OSError` is raised as it
is, so that the scoring can be done again on another machine.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import reprlib
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from metrics.base import MetricError, ReferenceDataError
from metrics.readers.foreign import DVC, POINTER_BYTES, decoded, format_of, is_data, pointer

ErrorClass = type[MetricError]
Refuse = Callable[[Path, MetricError], object]
"""Takes the path of something that is no file, and the error about it."""

MIB = 1 << 20
MAX_TEXT_BYTES = 16 * MIB
"""Enough for half a million lines, far more than any challenge has records."""
MAX_FILES = 200_000
"""Entries of one folder tree; a listing beyond it is refused, not cut."""
_READING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
"""Opening a pipe must not wait for a writer; regular files are not affected."""
_OF_THE_FILE = (
    None,  # of a decoder, such as gzip.BadGzipFile
    errno.EACCES,
    errno.EPERM,
    errno.EINVAL,
    errno.EISDIR,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENODEV,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.ENXIO,
)
"""Numbers of an OSError that the name, the kind, the rights or the content of a file cause."""


def read_bounded(path: Path | str, max_bytes: int, error: ErrorClass, *, record: str | None = None) -> bytes:
    """The whole content of a regular file of at most ``max_bytes`` bytes.

    Raises ``error`` if the file is missing, unreadable, not a regular file, or larger. Raises OSError if the
    machine failed.
    """
    try:
        handle = os.open(path, _READING)
    except FileNotFoundError:
        raise error(f"expected a file, found {stand_in(path) or 'none'}", file=path, record=record) from None
    except (OSError, ValueError) as reason:  # ValueError: a NUL byte in the name
        raise_if_the_machines(reason)
        raise error(f"cannot be read: {_why(reason)}", file=path, record=record) from None
    try:
        status = os.fstat(handle)
        mode, size = status.st_mode, status.st_size
        if not stat.S_ISREG(mode):
            if stat.S_ISDIR(mode):
                raise error("expected a file, found a folder", file=path, record=record)
            raise error("expected a regular file, found a device or a pipe", file=path, record=record)
        if size > max_bytes:
            raise error(_too_large(max_bytes, size), file=path, record=record)
        content = os.read(handle, size + 1)
        # it grew, or its size is not reported, as for files of /proc
        while size < len(content) <= max_bytes:
            more = os.read(handle, max_bytes + 1 - len(content))
            if not more:
                break
            content += more
    except OSError as reason:
        raise_if_the_machines(reason)
        raise error(f"cannot be read: {_why(reason)}", file=path, record=record) from None
    finally:
        os.close(handle)
    if len(content) > max_bytes:
        raise error(_too_large(max_bytes, len(content)), file=path, record=record)
    require_content(content, error, file=path, record=record)
    return content


def require_content(content: bytes, error: ErrorClass, *, file: Path | str, record: str | None = None) -> None:
    """Raise ``error`` if the bytes of a file are a pointer to content that is elsewhere, see `pointer`."""
    if reference := pointer(content[:POINTER_BYTES]):
        raise error(f"expected a file, found {reference}", file=file, record=record)


def require_no_pointer(path: Path, error: ErrorClass, *, record: str | None = None) -> None:
    """Raise ``error`` if a file, or what is left in its place, is a pointer, for readers that open it themselves."""
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer
            raise error("expected a regular file, found a folder, a device or a pipe", file=path, record=record)
        with path.open("rb") as stream:
            require_content(stream.read(POINTER_BYTES), error, file=path, record=record)
    except OSError:
        if elsewhere := stand_in(path):
            raise error(f"expected a file, found {elsewhere}", file=path, record=record) from None


def stand_in(path: Path | str) -> str:
    """Describe what is in the place of a missing file, for messages: a pointer, or a link to nothing; else empty."""
    with contextlib.suppress(OSError, ValueError):
        target = Path(path).readlink()
        return str(pointer(os.fsencode(target)) or f"a link to {str(target)[:200]}, which is not there")
    with contextlib.suppress(OSError, ValueError):
        return str(DVC) if Path(f"{path}.dvc").is_file() else ""
    return ""


def raise_if_the_machines(reason: BaseException) -> None:
    """Raise an error of the machine again; an error of a file, which its reader explains, does nothing."""
    if isinstance(reason, MemoryError) or (isinstance(reason, OSError) and reason.errno not in _OF_THE_FILE):
        raise reason


def is_broken(reason: BaseException) -> bool:
    """True if an error says for certain that a disk of the machine is broken, whosever code met it."""
    return isinstance(reason, OSError) and reason.errno in (errno.EIO, errno.ESTALE)


def decode_text(
    content: bytes, error: ErrorClass, *, file: Path | str, record: str | None = None, keep_bom: bool = False
) -> str:
    """UTF-8, or UTF-16 with its byte order mark; line ends as they are.

    A byte order mark in front is dropped; with ``keep_bom`` it is kept, and UTF-16 refused, as by programs that expect
    UTF-8. Raises ``error`` for other bytes.
    """
    try:
        return content.decode() if keep_bom else decoded(content)
    except UnicodeDecodeError as reason:
        if kind := format_of(content):
            raise error(f"expected a text file, found {kind}", file=file, record=record) from None
        line = content.count(b"\n", 0, reason.start) + 1
        byte = content[reason.start : reason.start + 1].hex()
        raise error(f"expected UTF-8 text, found byte 0x{byte} in line {line}", file=file, record=record) from None


def read_text(
    path: Path | str,
    error: ErrorClass,
    *,
    max_bytes: int = MAX_TEXT_BYTES,
    record: str | None = None,
    keep_bom: bool = False,
) -> str:
    """`read_bounded` and `decode_text` in one step."""
    content = read_bounded(path, max_bytes, error, record=record)
    return decode_text(content, error, file=path, record=record, keep_bom=keep_bom)


def parse_json(
    text: str, error: ErrorClass, *, file: Path | str, record: str | None = None, unique: bool = False
) -> object:
    """The value of a JSON text, with NaN and Infinity as Python's own writer makes them.

    Raises ``error`` for a text that is not JSON, nested too deeply, or with a number of thousands of digits; with
    ``unique`` also for a name that an object has twice, of which the standard library takes the last.
    """

    def once(pairs: list[tuple[str, object]]) -> dict[str, object]:
        content = dict(pairs)
        if len(content) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise error(f"expected every name of an object once, found {twice[:80]!r} again", file=file, record=record)
        return content

    try:
        value: object = json.loads(text, object_pairs_hook=once if unique else None)
    except json.JSONDecodeError as reason:
        raise error(
            f"expected JSON, found in line {reason.lineno} column {reason.colno}: {reason.msg}",
            file=file,
            record=record,
        ) from None
    except RecursionError:
        raise error("expected a few levels of JSON, found hundreds", file=file, record=record) from None
    except ValueError as reason:  # integers beyond Python's limit of digits
        raise error(f"expected JSON, found {reason}", file=file, record=record) from None
    return value


def read_json(
    path: Path | str,
    error: ErrorClass,
    *,
    max_bytes: int = MAX_TEXT_BYTES,
    record: str | None = None,
    keep_bom: bool = False,
) -> object:
    """The value of a JSON file: `read_text` and `parse_json` in one step."""
    text = read_text(path, error, max_bytes=max_bytes, record=record, keep_bom=keep_bom)
    return parse_json(text, error, file=path, record=record)


def excerpt(value: object) -> str:
    """A JSON value of any size in at most 80 characters, for messages."""
    return _EXCERPT.repr(value)[:80]


_EXCERPT = reprlib.Repr()
_EXCERPT.maxlevel = 4
_EXCERPT.maxstring = _EXCERPT.maxother = 40


def list_files(
    folder: Path, error: ErrorClass, *, depth: int = 1, max_files: int = MAX_FILES, refuse: Refuse | None = None
) -> tuple[Path, ...]:
    """The files of `list_names` as paths."""
    names = list_names(folder, error, depth=depth, max_files=max_files, refuse=refuse)
    return tuple(folder / name for name in names)


def list_names(
    folder: Path, error: ErrorClass, *, depth: int = 1, max_files: int = MAX_FILES, refuse: Refuse | None = None
) -> tuple[str, ...]:
    """Every file of a folder, those in sub-folders down to ``depth`` levels included, as ``sub/folder/name``.

    Sorted by folder, then by name; without what file managers leave (`is_data`).  Links are followed as long as they
    stay inside ``folder``, and the organiser's into the store of git-annex; ``folder`` itself may be a link.  A file
    that DVC has not brought is among them, so that its reader can say why it is absent.

    ``refuse``: is given what only looks like a file, a link that leads out of ``folder`` or a folder, and the error
    about it, in place of the error for the whole of it.

    Raises ``error`` if it is not a folder, has a link to nothing or out of it, or more than ``max_files`` entries.
    """
    try:
        root = folder.resolve(strict=True)
        if not root.is_dir():
            raise error("expected a folder, found a file", file=folder)
        paths: list[str] = []
        left = max_files
        waiting = [("", depth)]
        while waiting:
            prefix, depth = waiting.pop()
            names: list[str] = []
            with os.scandir(f"{folder}/{prefix}") as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        raise error("expected fewer files, found more than can be listed", file=folder)
                    if not is_data(entry.name):
                        continue
                    if entry.is_file(follow_symlinks=False):  # nearly all: one question is enough
                        names.append(entry.name)
                        continue
                    if entry.is_symlink() and not _is_inside(Path(entry.path), root, error, refuse):
                        continue
                    if not entry.is_dir():
                        names.append(entry.name)
                        continue
                    if refuse is not None:
                        refuse(Path(entry.path), error("expected a file, found a folder", file=entry.path))
                    if depth > 1:
                        waiting.append((f"{prefix}{entry.name}/", depth - 1))
            named = [name.removesuffix(".dvc") for name in names if name.endswith(".dvc")]
            names += [name for name in named if not os.path.lexists(f"{folder}/{prefix}{name}")]
            paths += [prefix + name for name in names]
    except FileNotFoundError:
        raise error(f"expected a folder, found {stand_in(folder) or 'none'}", file=folder) from None
    except (OSError, RuntimeError, ValueError) as reason:  # RuntimeError: a loop of links
        raise_if_the_machines(reason)
        raise error(f"cannot be listed: {_why(reason)}", file=folder) from None
    return tuple(sorted(paths, key=lambda path: path.split("/")))


def _is_inside(link: Path, root: Path, error: ErrorClass, refuse: Refuse | None) -> bool:
    """True if a link may be followed.

    One that leads out of a folder is refused, or raised, unless it is the organiser's into a store.
    """
    if link.resolve().is_relative_to(root):
        return True
    target = link.readlink()
    store = pointer(os.fsencode(target))
    if store is not None and error is ReferenceDataError and link.is_file():
        return True
    content = store or f"a link that leads out of the folder, to {str(target)[:200]}"
    reason = error(f"expected a file, found {content}", file=link)
    if refuse is None:
        raise reason
    refuse(link, reason)
    return False


def read_records(path: Path) -> tuple[str, ...]:
    """The organiser's record list: one name per line, as in a PhysioNet ``RECORDS`` file.

    Blank lines are skipped, and the suffix of a WFDB header is dropped. Raises ReferenceDataError if the file cannot
    be read, names no record, or names one twice.
    """
    lines = read_text(path, ReferenceDataError).splitlines()
    return check_records([line.strip().removesuffix(".hea") for line in lines if line.strip()], file=path)


def check_records(records: Sequence[str], *, file: Path | None = None) -> tuple[str, ...]:
    """The same names, if there is at least one and none appears twice.

    Raises ReferenceDataError if the list is empty or repeats a name.
    """
    if isinstance(records, str):  # its letters would be names
        raise ReferenceDataError(f"expected a list of names, found the text {records[:80]!r}")
    if not len(records):
        raise ReferenceDataError("expected at least one record, found an empty list", file=file)
    seen: set[str] = set()
    for record in records:
        if record in seen:
            raise ReferenceDataError(
                "expected every record once, found it twice in the record list", file=file, record=record
            )
        seen.add(record)
    return tuple(records)


def _why(reason: Exception) -> str:
    return (isinstance(reason, OSError) and reason.strerror) or str(reason)


def _too_large(max_bytes: int, size: int) -> str:
    return f"expected at most {max_bytes:,} bytes, found {size:,}"

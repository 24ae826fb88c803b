"""Answers that a guest wrote to a raw disk: a list of files, read with every length checked.

A guest wrote the disk, so nothing on it is trusted: no file system is mounted, names are relative and plain, and
a length that is too large ends the reading.  Before each file are the lengths of its name and its content
(little-endian, 2 and 8 bytes); a name of zero bytes ends the list.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import IO

from evaluate.core.errors import SandboxFault
from evaluate.core.isolated import Bounds, isolated
from evaluate.core.walls import Openings
from evaluate.protocol.answers import FILE_HEADER, MOST_FILES, MOST_NAME_BYTES

_CHUNK = 1 << 20
_SECONDS, _BYTES_A_SECOND = 60, 50 << 20
ROOM_FOR_NAMES = 128 << 20
"""Space on the disk in addition to the contents of the files."""


def unpack_answers(disk: Path, folder: Path, max_bytes: int) -> tuple[str, ...]:
    """As `read_answers_disk`, behind walls."""
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(PermissionError):  # of a user who is not root, who needs no other's rights to read it
        disk.chmod(disk.stat().st_mode | 0o444)
    bounds = Bounds(
        doing="reading the guest's answers",
        seconds=_SECONDS + max_bytes / _BYTES_A_SECOND,
        file_bytes=max_bytes,
        folder_bytes=max_bytes,
        openings=Openings(folder=folder),
        blame=SandboxFault,
    )
    return isolated(bounds, read_answers_disk, disk, folder, max_bytes)


def read_answers_disk(disk: Path, folder: Path, max_bytes: int) -> tuple[str, ...]:
    """Write the files on ``disk`` below ``folder``, which is created; returns their names.

    Files whose names are not plain text are left out.

    Raises
    ------
    SandboxFault
        The list is not in the form that a guest agent writes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names: list[str] = []
    left = max_bytes
    with disk.open("rb") as source:
        for _ in range(MOST_FILES + 2):
            length, size = FILE_HEADER.unpack(_exactly(source, FILE_HEADER.size))
            if length == 0:
                return tuple(names)
            left -= size
            if length > MOST_NAME_BYTES or left < 0:
                break
            name = _plain(_exactly(source, length))
            if name is None:
                source.seek(size, 1)
                continue
            place = folder / name
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("xb") as target:
                    _copy(source, target, size)
            except OSError as e:
                raise SandboxFault(f"answer {name!r} of a guest cannot be written: {e}") from e
            names.append(name)
    raise SandboxFault(f"the guest's answers are longer than the {max_bytes >> 20} MiB or {MOST_FILES} files agreed on")


def _plain(name: bytes) -> str | None:
    """The name as text, or None if no file may be created under it."""
    text = name.decode(errors="replace")
    parts = text.split("/")
    bad = {"", ".", ".."} & set(parts) or any(ord(c) < 32 or c == "\ufffd" for c in text)
    return None if bad or any(len(part.encode()) > 255 for part in parts) else text


def _exactly(source: IO[bytes], size: int) -> bytes:
    data = source.read(size)
    if len(data) != size:
        raise SandboxFault("the guest's answers end too early")
    return data


def _copy(source: IO[bytes], target: IO[bytes], size: int) -> None:
    while size:
        chunk = _exactly(source, min(size, _CHUNK))
        target.write(chunk)
        size -= len(chunk)

"""Answers that a guest wrote to a raw disk: a list of files, read with every length checked.

A guest wrote the disk, so nothing on it is trusted: no file system is mounted, names are relative and plain, and
a length that is too large ends the reading.  Before each file are the lengths of its name and its content
(little-endian, 2 and 8 bytes); a name of zero bytes ends the list.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import IO, Any

from evaluate.confine.delivery import Delivery, send, sending, usable_name
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.ownership import held
from evaluate.core.errors import SandboxFault
from evaluate.protocol.guest import FILE_HEADER, MOST_FILES, MOST_NAME_BYTES

_CHUNK = 1 << 20
_SECONDS, _BYTES_A_SECOND = 60, 50 << 20
ROOM_FOR_NAMES = 128 << 20
"""Space on the disk in addition to the contents of the files."""


def unpack_answers(disk: Path, folder: Path, max_bytes: int) -> tuple[str, ...]:
    """The result of `read_answers_disk`, behind walls; the files are written into ``folder``, which is created."""
    with suppress(PermissionError), held(disk) as name:  # of an ordinary user, who needs no other's rights to read it
        name.chmod(name.stat().st_mode | 0o444)
    doing = "reading the guest's answers"
    delivery = Delivery(folder=folder, most_bytes=max_bytes, most_files=MOST_FILES, doing=doing, blame=SandboxFault)
    with delivery.open() as out:
        bounds = Bounds(
            doing=doing,
            seconds=_SECONDS + max_bytes / _BYTES_A_SECOND,
            reply_bytes=MOST_FILES * (MOST_NAME_BYTES + 10),
            blame=SandboxFault,
            raises=(SandboxFault,),
            pass_fds=(out,),
        )
        return isolated(bounds, read_answers_disk, disk, max_bytes, out)


def read_answers_disk(disk: Path, max_bytes: int, out: int) -> tuple[str, ...]:
    """Send the files on ``disk`` to a `evaluate.confine.delivery`; returns their names.

    Files whose names are not plain text, or too deep, are left out. Raises SandboxFault if the list is not in the form
    that a guest agent writes.
    """
    names: dict[str, None] = {}
    left = max_bytes
    with sending(out) as target, disk.open("rb") as source:
        for _ in range(MOST_FILES + 2):
            length, size = FILE_HEADER.unpack(_exactly(source, FILE_HEADER.size))
            if length == 0:
                return tuple(names)
            left -= size
            if length > MOST_NAME_BYTES or left < 0:
                break
            name = usable_name(_exactly(source, length))
            if name is None:
                source.seek(size, 1)
                continue
            if name in names or any(above in names for above in map(str, PurePosixPath(name).parents)):
                raise SandboxFault(f"answer {name!r} of a guest is there twice, or in a file")
            send(target, name, _pieces(source, size))
            names[name] = None
    raise SandboxFault(f"the guest's answers are longer than the {max_bytes >> 20} MiB or {MOST_FILES} files agreed on")


def _exactly(source: IO[bytes], size: int) -> bytes:
    data = source.read(size)
    if len(data) != size:
        raise SandboxFault("the guest's answers end too early")
    return data


def _pieces(source: IO[bytes], size: int) -> Iterator[bytes]:
    while size:
        chunk = _exactly(source, min(size, _CHUNK))
        yield chunk
        size -= len(chunk)


# JSON that an entry left, checked and made portable; run in a bounded process


_JSON_SECONDS, _JSON_BYTES_A_SECOND = 10, 1 << 20
_GROWS = 2
"""Factor by which a value may be longer when it is written again."""


def json_values(files: tuple[Path, ...]) -> list[str | None]:
    """Return what is to be written in the place of each file: "" where nothing is, None where it is no JSON."""
    size = sum(path.stat().st_size for path in files)
    bounds = Bounds(
        doing="reading JSON that the entry left",
        seconds=_JSON_SECONDS + size / _JSON_BYTES_A_SECOND,
        reply_bytes=(1 << 20) + _GROWS * 6 * size,
    )
    return isolated(bounds, read_json_values, files)


def read_json_values(files: tuple[Path, ...]) -> list[str | None]:
    """Read them; NaN and infinities, which JSON does not have, become null."""
    return [_read(path.read_bytes()) for path in files]


def _read(data: bytes) -> str | None:
    replaced = False

    def null(_: str) -> None:
        nonlocal replaced
        replaced = True

    def number(text: str) -> float | None:
        value = float(text)
        if math.isfinite(value):
            return value
        null(text)
        return None

    try:
        value: Any = json.loads(data, parse_constant=null, parse_float=number)
        return json.dumps(value) if replaced else ""
    except (ValueError, RecursionError):
        return None

"""Lines of an uploaded archive that look like secrets, which its team would rather not have handed in."""

from __future__ import annotations

from itertools import islice
from pathlib import Path, PurePosixPath

from evaluate.packing.secrets import Suspect, looked_at, suspects
from evaluate.untrusted.damage import blaming
from evaluate.untrusted.listing import open_members

_SHOWN = 20
_MOST_BYTES, _MOST_FILES = 64 << 20, 10_000
_DATA = {".npy", ".npz", ".mat", ".dat", ".hea", ".gz", ".zip", ".pt", ".pth", ".h5", ".onnx", ".png", ".jpg", ".whl"}


def find_secrets(archive: Path, kind: str, origins: dict[str, str], unpacked_bytes: int) -> list[Suspect]:
    """The first lines that look like secrets, in the first files that are text.

    Raises EntryError if the archive is damaged.

    ``origins``: name of a file in the entry -> its name in the archive.
    """
    names = {origin: name for name, origin in origins.items() if PurePosixPath(name).suffix not in _DATA}
    found: list[Suspect] = []
    left = _MOST_BYTES
    with blaming("the archive is damaged", archive):
        for origin, stream in open_members(archive, kind, list(islice(names, _MOST_FILES)), unpacked_bytes):
            data = stream.read(min(looked_at(names[origin]), left))
            left -= len(data)
            found += suspects(names[origin], data)
            if left <= 0 or len(found) >= _SHOWN:
                break
    return found[:_SHOWN]

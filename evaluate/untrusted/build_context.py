"""What a build reads of an entry, as one digest: names, rights and contents, without dates and ways of packing."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from evaluate.untrusted.damage import blaming
from evaluate.untrusted.listing import open_members
from evaluate.untrusted.tar import members, most_unpacked, open_tar

_CHUNK = 1 << 20


def context_digest(archive: Path, kind: str, files: Mapping[str, str], unpacked_bytes: int) -> str:
    """SHA-256 of these files (name -> name in the archive), as hexadecimal digits.

    Raises EntryError if the archive is damaged.
    """
    names = {origin: name for name, origin in files.items()}
    found = []
    with blaming("a file cannot be read out of the archive", archive):
        rights = _rights(archive, kind, unpacked_bytes)
        for origin, stream in open_members(archive, kind, list(names), unpacked_bytes):
            digest = hashlib.sha256()
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
            found.append(f"{names[origin]}\0{rights.get(origin, 0):o}\0{digest.hexdigest()}\0")
    return hashlib.sha256("".join(sorted(found)).encode(errors="surrogateescape")).hexdigest()


def _rights(archive: Path, kind: str, unpacked_bytes: int) -> dict[str, int]:
    if kind == "zip":
        with zipfile.ZipFile(archive) as bundle:
            return {one.filename: one.external_attr >> 16 & 0o777 for one in bundle.infolist()}
    with open_tar(archive, 2 * most_unpacked(archive, unpacked_bytes)) as tar:
        return {one.name: one.mode & 0o777 for one in members(tar)}

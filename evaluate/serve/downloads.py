"""Archives that anybody may download: the public folder of a challenge, and first entries.

Each is made once, in a folder that hosts share, and again when a file of it has changed.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from fastapi.responses import FileResponse, Response

from evaluate import __version__
from evaluate.authoring.skeleton import languages, write_entry
from evaluate.config.challenge.types import Challenge
from evaluate.config.load import NamedChallenge
from evaluate.core.errors import EvaluateError
from evaluate.core.files import exclusive, publish
from evaluate.home.public_folder import public_folder
from evaluate.serve.errors import Refused
from evaluate.serve.site import Site
from evaluate.store.logs import LOG
from evaluate.untrusted.packing import pack
from evaluate.untrusted.selection import select

FOLDER = "web-downloads"
MOST_BYTES = 4 << 30
"""Bytes of the public files of a challenge; larger ones are published by the organiser elsewhere."""
_BEGUN_SECONDS = 600.0
"""A request that has found an archive may open it so much later, at most."""
Files = list[tuple[str, Path | bytes]]


def public_files(challenge: Challenge) -> Files:
    """The public folder; empty where it cannot be given away, or is too large."""
    try:
        archived = list(public_folder(challenge))
    except EvaluateError as e:
        LOG.warning("the public folder of %s cannot be downloaded: %s", challenge.name, e)
        return []
    return archived if size_of(archived) <= MOST_BYTES else []


def size_of(files: Files) -> int:
    """Bytes of all files."""
    return sum(len(content) if isinstance(content, bytes) else content.stat().st_size for _, content in files)


def starters(challenge: Challenge) -> tuple[str, ...]:
    """Languages that there is a first entry in; ``sample`` where the sample entry is the only one."""
    return languages(challenge) or (("sample",) if (challenge.folder / "sample_entry").is_dir() else ())


def sent(archive: Path, name: str) -> Response:
    """An archive as an answer; a download that broke off can go on, of the same content only."""
    return FileResponse(archive, filename=name, headers={"ETag": f'"{archive.name.partition(".")[0]}"'})


def challenge_archive(site: Site, listing: NamedChallenge) -> Path:
    """The public folder as a tar.gz; Refused where there is none."""
    files = public_files(listing.challenge)
    if not files:
        raise Refused(404, f"the files of {listing.slug} cannot be downloaded here; ask the organiser where they are")
    stamp = [
        [name, content.hex() if isinstance(content, bytes) else [content.stat().st_size, content.stat().st_mtime_ns]]
        for name, content in files
    ]
    return _kept(site, f"{listing.slug}-folder", stamp, lambda target: _pack(listing.slug, files, target))


def starter_archive(site: Site, listing: NamedChallenge, language: str) -> Path:
    """A first entry as a tar.gz; Refused where there is none in this language."""
    if language not in starters(listing.challenge):
        raise Refused(404, f"{listing.slug} has no first entry in {language[:40]!r}")

    def make(target: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            entry = Path(folder) / f"{listing.slug}-{language}"
            write_entry(entry, listing.challenge, None if language == "sample" else language, listing.slug)
            pack(select(entry, all_files=True), target)

    sources = [listing.challenge.folder / name for name in ("sample_entry", f"starters/{language}", "starters/common")]
    paths = sorted(path for source in sources for path in source.rglob("*") if path.is_file())
    stamp = [__version__, listing.challenge.title, [[str(path), path.stat().st_mtime_ns] for path in paths]]
    return _kept(site, f"{listing.slug}-{language}", stamp, make)


def _kept(site: Site, name: str, stamp: object, make: Callable[[Path], None]) -> Path:
    digest = hashlib.sha256(json.dumps(stamp).encode()).hexdigest()[:16]
    folder = site.shared / FOLDER / name
    archive = folder / f"{digest}.tar.gz"
    if archive.exists():
        return archive
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = folder / "part"
    with exclusive(folder / "lock"):
        if not archive.exists():  # another has perhaps just made it
            make(part)
            os.utime(part, (0, 0))  # when it was made is nobody's business; the ETag tells archives apart
            publish(part, archive)
            for old in folder.glob("*.tar.gz"):
                if old != archive and old.stat().st_ctime < time.time() - _BEGUN_SECONDS:
                    old.unlink()
    return archive


def _pack(top: str, files: Iterable[tuple[str, Path | bytes]], target: Path) -> None:
    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", 1, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, content in files:
            member = tarfile.TarInfo(f"{top}/{name}")
            member.mode = 0o644
            member.size = size_of([(name, content)])
            with io.BytesIO(content) if isinstance(content, bytes) else content.open("rb") as file:
                archive.addfile(member, file)

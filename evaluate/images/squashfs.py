"""Packs read-only file systems, and trusts them only after reading them back.

It uses ``tar2sqfs``, because ``mksquashfs -tar`` with zstd has written images with unreadable files and exited with
status 0.  The order of the tar is the order of the image, and the number of threads does not change a byte.

Of the 521 MB of the image `bookworm`, level 1 makes 190 MB in 1.8 s of a processor, level 3 179 MB in 2.6 s, level 6
173 MB in 5.9 s, level 9 168 MB in 9.1 s.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from evaluate.confine.children import piped, require, tool
from evaluate.confine.ownership import set_mode
from evaluate.core.errors import ChallengeError, ImageFault
from evaluate.untrusted.tar import anonymous

_PACK = (
    "tar2sqfs",
    "--quiet",
    "--no-skip",
    "--force",
    "--compressor",
    "zstd",
    "--comp-extra",
    "level=3",
    "--block-size",
    "262144",
)

MEMORY_BYTES = 4 << 30
"""Memory that packing may take behind walls; each thread of the compressor has buffers."""


def programs() -> tuple[Path, ...]:
    """Programs that packing starts, for `evaluate.confine.walls.Openings`. Raises ImageFault if one is missing."""
    require(["tar2sqfs", "sqfs2tar"], ImageFault)
    return tuple(Path(path) for name in ("tar2sqfs", "sqfs2tar") if (path := shutil.which(name)))


@contextmanager
def packer(target: Path) -> Iterator[IO[bytes]]:
    """A stream for a tar archive with the root at ``./``; at the end ``target`` is a checked squashfs.

    Raises ImageFault if the image could not be written or could not be read back.
    """
    with piped([*_PACK, target], doing=f"packing {target.name}", fault=ImageFault) as stream:
        yield stream
    # every byte of every file
    argv: list[str | Path] = ["sqfs2tar", "--no-skip", target]
    tool(argv, doing=f"reading {target} back", fault=ImageFault, stdout=subprocess.DEVNULL)


def read_file(image: Path, path: str) -> bytes:
    """The content of one regular file of a squashfs."""
    return tool(["rdsquashfs", "--cat", path, image], doing=f"reading {path} in {image.name}", fault=ImageFault)


def pack_tree(root: Path, target: Path) -> None:
    """A folder as a squashfs, the same bytes for the same files; raises as `packer`."""
    with packer(target) as stream, tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        tar.add(root, ".", recursive=False, filter=anonymous)
        for path in sorted(root.rglob("*")):
            tar.add(path, f"./{path.relative_to(root)}", recursive=False, filter=anonymous)


# Files at places of a guest, as a layer above its image: for each command of a scorer, and for links.
#
# A layer and not mounts, so that there may be files in a folder that a container has too (``/opt/ml`` beside
# ``/opt/app``).  It is a read-only disk; what a command writes there is in memory of the guest and gone with it.


@dataclass(frozen=True)
class Link:
    """A symbolic link in a guest."""

    target: str


Content = Path | bytes | Link | tuple[Path, ...]
"""Content of a place in a guest: a file or a whole folder of the host, a text, a link, or several folders in one, of
which the last has the files that are in more than one."""
_One = Path | bytes | Link
_FOLDER, _FILE, _PROGRAM = 0o777, 0o644, 0o755
"""Programs of other platforms run as root and write beside themselves; the folders are the command's own."""


def laid_out(target: Path, files: Mapping[str, Content]) -> Path:
    """A squashfs with these files at these places."""
    with packer(target) as stream, tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(_member(".", tarfile.DIRTYPE, 0o755))
        seen = {"."}
        for name, content in _flat(files):
            for parent in (*reversed(PurePosixPath(name).parents[:-1]),):
                if str(parent) not in seen:
                    seen.add(str(parent))
                    is_commands = len(parent.parts) > 1 and parent.parts[0] != "usr"
                    tar.addfile(_member(f"./{parent}", tarfile.DIRTYPE, _FOLDER if is_commands else 0o755))
            _add(tar, f"./{name}", content)
    set_mode(target, 0o444)
    return target


def in_folder(target: Path, files: Mapping[str, Content]) -> Path:
    """The same as a folder, for commands on this host."""
    target.mkdir()
    for name, content in _flat(files):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        elif content.is_dir():
            path.mkdir(exist_ok=True)
        else:
            with _opened(content) as source, path.open("wb") as copy:
                shutil.copyfileobj(source, copy)
            set_mode(path, _mode(content))
    return target


def _flat(files: Mapping[str, Content]) -> Iterator[tuple[str, _One]]:
    """Files, links, and folders that are empty, in the order of their places; symbolic links of the host are followed.

    Raises ChallengeError if something is missing or cannot be read.
    """
    contents: dict[str, _One] = {}
    try:
        for target, content in files.items():
            inside = target.strip("/")
            for part in content if isinstance(content, tuple) else (content,):
                if isinstance(part, Path) and part.is_dir():
                    _below(inside, part, contents)
                else:
                    if isinstance(part, Path):
                        _check(part)
                    contents[inside] = part
    except OSError as e:
        raise ChallengeError(f"{e.filename}: {e.strerror}") from e
    filled = {str(parent) for target in contents for parent in PurePosixPath(target).parents}
    yield from sorted(((target, part) for target, part in contents.items() if target not in filled), key=itemgetter(0))


def _below(target: str, folder: Path, contents: dict[str, _One], depth: int = 0) -> None:
    paths = sorted(folder.iterdir())
    if not paths:
        contents[target] = folder
    if depth > 64:
        raise ChallengeError(f"{folder}: its folders are more than 64 deep; is there a link to a folder above?")
    for path in paths:
        if path.is_dir():
            if path.name != "__pycache__":
                _below(f"{target}/{path.name}", path, contents, depth + 1)
        else:
            _check(path)
            contents[f"{target}/{path.name}"] = path


def _check(path: Path) -> None:
    """Refuse what is no file: a pipe would be waited for, and a device has no end. Raises OSError if it is missing."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise ChallengeError(f"{path}: expected a file or a folder, found a pipe, socket or device")


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        source = path.open("rb")
    except OSError as e:
        raise ChallengeError(f"{path}: cannot be read: {e.strerror}") from e
    with source:
        yield source


def _member(name: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.mode = kind, mode
    return member


def _mode(path: Path) -> int:
    return _PROGRAM if path.stat().st_mode & 0o100 else _FILE


def _add(tar: tarfile.TarFile, name: str, content: _One) -> None:
    if isinstance(content, Link):
        member = _member(name, tarfile.SYMTYPE, 0o777)
        member.linkname = content.target
        tar.addfile(member)
    elif isinstance(content, bytes):
        member = _member(name, tarfile.REGTYPE, _FILE)
        member.size = len(content)
        tar.addfile(member, io.BytesIO(content))
    elif content.is_dir():
        tar.addfile(_member(name, tarfile.DIRTYPE, _FOLDER))
    else:
        member = _member(name, tarfile.REGTYPE, _mode(content))
        with _opened(content) as source:
            member.size = os.fstat(source.fileno()).st_size
            tar.addfile(member, source)

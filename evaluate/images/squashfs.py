"""Packs read-only file systems, and believes them only after reading them back.

``tar2sqfs`` and not ``mksquashfs -tar``: with zstd that one has written images with unreadable files at exit
status 0.  The order of the tar is the order of the image, and the number of threads does not change a byte.
"""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from evaluate.core.errors import ImageFault
from evaluate.images.tools import failure, require, run

_PACK = (
    "tar2sqfs",
    "--quiet",
    "--no-skip",
    "--compressor",
    "zstd",
    "--comp-extra",
    "level=6",
    "--block-size",
    "262144",
)


@contextmanager
def packer(target: Path) -> Iterator[IO[bytes]]:
    """A stream for a tar archive, whose ``./`` is the root; at the end ``target`` is a checked squashfs.

    Raises
    ------
    ImageFault
        The image could not be written, or not be read back.
    """
    require([_PACK[0]])
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([*_PACK, str(target)], stdin=subprocess.PIPE, stdout=said, stderr=said)
        assert process.stdin is not None
        broken: BrokenPipeError | None = None
        try:
            yield process.stdin
            process.stdin.close()
        except BrokenPipeError as e:
            broken = e
        except BaseException:
            process.kill()
            process.wait()
            raise
        status = process.wait()
        if status != 0 or broken:
            said.seek(0)
            raise ImageFault(failure(f"packing {target.name}", _PACK, status, said.read())) from broken
    check(target)


def check(image: Path) -> None:
    """Read every byte of every file of a squashfs; `ImageFault` if any is unreadable."""
    require(["sqfs2tar"])
    done = subprocess.run(
        ["sqfs2tar", "--no-skip", str(image)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    if done.returncode != 0:
        raise ImageFault(failure(f"reading {image} back", ["sqfs2tar"], done.returncode, done.stderr))


def read_file(image: Path, path: str) -> bytes:
    """The content of one regular file of a squashfs."""
    return run(["rdsquashfs", "--cat", path, image], wish=f"reading {path} in {image.name}")


def write_tree(root: Path, stream: IO[bytes]) -> None:
    """A folder as a tar archive for `packer`; the same files give the same bytes."""

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = member.mtime = 0
        member.uname = member.gname = ""
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        return member

    with tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        tar.add(root, ".", recursive=False, filter=plain)
        for path in sorted(root.rglob("*")):
            tar.add(path, f"./{path.relative_to(root)}", recursive=False, filter=plain)

"""The difference between a base file system and a tree that was made from it, as an overlay layer in a tar.

``python -m evaluate.images.delta TREE EPOCH <base.tar >layer.tar``: a separate program, because for an ordinary
user it has to run in the user namespace in which the tree's owners are valid.

The layer holds new and changed files completely, a whiteout (character device 0:0) for everything deleted, and every
folder above them with its own owner and mode.  A file counts as unchanged while type, size, time, owner, mode and
link target are those of the base: packages bring their own times, and other changes have the current time.
"""

from __future__ import annotations

import os
import stat
import sys
import tarfile
from pathlib import Path
from typing import IO

_Key = tuple[int, int, int, int, int, str]
"""Mode with type bits, uid, gid, size, mtime, link target."""


def read_base(stream: IO[bytes]) -> dict[str, _Key]:
    """Read what a base holds from the tar of it."""
    kinds = {tarfile.DIRTYPE: stat.S_IFDIR, tarfile.SYMTYPE: stat.S_IFLNK, tarfile.REGTYPE: stat.S_IFREG}
    entries: dict[str, _Key] = {}
    with tarfile.open(fileobj=stream, mode="r|") as tar:
        for info in tar:
            name = info.name.strip("./") if info.name in (".", "./") else info.name.removeprefix("./").rstrip("/")
            if info.islnk():
                entries[name] = entries[info.linkname.removeprefix("./")]
            elif name and info.type in kinds:
                target = info.linkname if info.issym() else ""
                mode = kinds[info.type] | (0o777 if info.issym() else info.mode)
                entries[name] = (mode, info.uid, info.gid, info.size, int(info.mtime), target)
    return entries


def _key(path: str) -> _Key:
    status = os.lstat(path)
    is_link = stat.S_ISLNK(status.st_mode)
    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
    target = str(Path(path).readlink()) if is_link else ""
    mode = stat.S_IFLNK | 0o777 if is_link else status.st_mode
    return (mode, status.st_uid, status.st_gid, size, int(status.st_mtime), target)


def difference(tree: str, base: dict[str, _Key]) -> tuple[list[str], list[str]]:
    """Names that are new or changed, and names that are deleted, both sorted; folders above them not yet included."""
    changed, seen = [], set()
    for folder, folders, files in os.walk(tree):
        for name in (*folders, *files):
            path = f"{folder}/{name}"
            relative = os.path.relpath(path, tree)
            seen.add(relative)
            now, then = _key(path), base.get(relative)
            if stat.S_ISDIR(now[0]) and then is not None:
                if now[:3] != then[:3]:  # the time of a folder does not show a change of the folder itself
                    changed.append(relative)
            elif now != then:
                changed.append(relative)
    gone = {name for name in base if name not in seen}
    # deleting a folder deletes what is in it
    return sorted(changed), sorted(name for name in gone if str(Path(name).parent) not in gone)


def write_layer(tree: str, changed: list[str], gone: list[str], epoch: int, out: IO[bytes]) -> None:
    """The layer as a tar; times after ``epoch`` are set back to it."""
    parents = {str(p) for name in (*changed, *gone) for p in Path(name).parents if str(p) != "."}
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as tar:
        for name in sorted({*changed, *gone, *parents}):
            if name in gone:
                info = tarfile.TarInfo(f"./{name}")
                info.type, info.mode, info.mtime = tarfile.CHRTYPE, 0, epoch
                tar.addfile(info)
                continue
            info = tar.gettarinfo(f"{tree}/{name}", f"./{name}")
            if info is None:
                continue  # a socket left by an installation script
            info.uname = info.gname = ""
            info.mtime = min(int(info.mtime), epoch)
            if info.isreg():
                with Path(tree, name).open("rb") as data:
                    tar.addfile(info, data)
            else:
                tar.addfile(info)


def main() -> None:
    """Standard input: the tar of the base; standard output: the tar of the layer."""
    tree, epoch = sys.argv[1], int(sys.argv[2])
    base = read_base(sys.stdin.buffer)
    # folders where devices, processes and packages were mounted during the installation
    base = {name: key for name, key in base.items() if name.partition("/")[0] not in ("dev", "proc", "sys", "run")}
    changed, gone = difference(tree, base)
    skipped = ("dev", "proc", "sys", "run", "tmp")
    changed = [name for name in changed if name.partition("/")[0] not in skipped]
    write_layer(tree, changed, gone, epoch, sys.stdout.buffer)


if __name__ == "__main__":
    main()

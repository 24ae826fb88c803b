"""Empties, fills or describes the folder of an entry's model, in the guest; an ordinary command of the sandbox.

    python3 -I -S -c PROGRAM [in ROOT UID GID] empty|describe FOLDER
    python3 -I -S -c PROGRAM [in ROOT UID GID] fill FOLDER SOURCE

With ``in`` both folders are below a root of the entry's own, where links lead as they lead there, and what is made
belongs to that user; nothing is executed or imported from there.
Whatever it was called for, it prints one line that describes the folder as it is then: the SHA-256 of the list of its
files as ``sha256sum`` prints it, in the order of their names' bytes, the number of files, and their bytes.  A link is
a file with its target as content; a folder that is not there has no files.  Files that have more bytes together than
their disk, since they have holes or many names, are no model: to read them could take days.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

_CHUNK = 1 << 20


def empty(folder: str) -> None:
    """Have an empty folder there, whatever there was."""
    if os.path.isdir(folder) and not os.path.islink(folder):
        shutil.rmtree(folder)
    elif os.path.lexists(folder):
        os.unlink(folder)
    os.mkdir(folder)


def fill(folder: str, source: str) -> None:
    """Have a copy of another folder there, which its owner may change."""
    empty(folder)
    for top, folders, files in os.walk(source):
        below = os.path.join(folder, os.path.relpath(top, source))
        for name in folders:
            os.mkdir(os.path.join(below, name))
        for name in files:
            shutil.copyfile(os.path.join(top, name), os.path.join(below, name))


def enter(root: str) -> None:
    """Have another root, whose files nothing that is loaded later can come from."""
    hashlib.sha256()  # the library reads its settings once
    sys.meta_path.clear()
    os.chroot(root)


def give(folder: str, uid: int, gid: int) -> None:
    """Make a user the owner of a folder and all that is in it."""
    os.chown(folder, uid, gid)
    for top, folders, files in os.walk(folder):
        for name in folders + files:
            os.lchown(os.path.join(top, name), uid, gid)


def described(folder: str) -> tuple[str, int, int]:
    """Digest, number of files, and their bytes."""
    lines, size = [], 0
    paths = sorted(_files(folder), key=os.fsencode)
    if paths and sum(os.lstat(path).st_size for path in paths) > _disk_bytes(folder):
        raise OSError(errno.EFBIG, "its files have more bytes together than its disk", folder)
    for path in paths:
        digest, length = _digest(path)
        name = os.fsencode(os.path.relpath(path, folder))
        escaped = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
        lines.append((b"" if escaped == name else b"\\") + f"{digest}  ".encode() + escaped + b"\n")
        size += length
    return hashlib.sha256(b"".join(lines)).hexdigest(), len(lines), size


def _disk_bytes(folder: str) -> int:
    disk = os.statvfs(folder)
    return disk.f_blocks * disk.f_frsize


def _files(folder: str) -> Iterator[str]:
    if os.path.islink(folder):
        raise NotADirectoryError(f"{folder} is a link")
    waiting = [folder]  # no recursion, however deep they are
    while waiting:
        with _entries(waiting.pop()) as found:
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_symlink() or entry.is_file(follow_symlinks=False):
                    yield entry.path


def _entries(folder: str) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
    try:
        return os.scandir(folder)
    except FileNotFoundError:
        return nullcontext(iter(()))


def _digest(path: str) -> tuple[str, int]:
    if os.path.islink(path):
        target = os.fsencode(os.readlink(path))
        return hashlib.sha256(target).hexdigest(), len(target)
    total, size = hashlib.sha256(), 0
    with open(path, "rb", buffering=0) as file:
        while chunk := file.read(_CHUNK):
            total.update(chunk)
            size += len(chunk)
    return total.hexdigest(), size


def main() -> None:
    """See above; an error is one line on standard error."""
    words, owner = sys.argv[1:], (-1, -1)
    if words[0] == "in":
        enter(words[1])
        owner, words = (int(words[2]), int(words[3])), words[4:]
    what, folder, *source = words
    try:
        if what == "empty":
            empty(folder)
        elif what == "fill":
            fill(folder, *source)
        if what != "describe":
            give(folder, *owner)
        print(*described(folder))
    except OSError as e:
        sys.exit(f"{str(e.filename or folder)[:200]!r}: {e.strerror or e}")
    except RecursionError:  # of `rmtree`
        sys.exit(f"{folder}: thousands of folders in each other")


if __name__ == "__main__":
    main()

"""Files that come out of a walled-in process: a stream that the host takes apart, and writes down itself.

The process can create nothing on the host.  It sends names and bytes; the host counts the bytes before it writes them,
checks each name, and creates each as a new file in a folder into which nobody else writes.  So what is behind walls
decides what is in the files, and nothing about where they are, what they are, or how much there is of them.
"""

from __future__ import annotations

import errno
import os
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from evaluate.core.errors import EntryError, EvaluateError, Fault

_LENGTH = struct.Struct("<I")
"""Before a name, and before each piece of a file; zero ends the files, and each file."""
_PIECE_BYTES = 1 << 20
_MOST_NAME_BYTES, _MOST_PART_BYTES = 4096, 255
MOST_DEPTH = 64
"""Parts of a name; folders of that depth are walked through by everybody."""
_OF_NAMES = (errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ)
"""Numbers of an OSError that a name causes which this file system does not take."""


def send(out: IO[bytes], name: str, pieces: Iterable[bytes]) -> None:
    """Behind walls: send a file."""
    encoded = name.encode()
    out.write(_LENGTH.pack(len(encoded)) + encoded)
    for piece in pieces:
        for at in range(0, len(piece), _PIECE_BYTES):
            part = piece[at : at + _PIECE_BYTES]
            out.write(_LENGTH.pack(len(part)) + part)
    out.write(_LENGTH.pack(0))


@contextmanager
def sending(descriptor: int) -> Iterator[IO[bytes]]:
    """Behind walls: the stream for `send`; only if all went well does it say that these were all files."""
    with os.fdopen(descriptor, "wb", closefd=False) as out:
        yield out
        out.write(_LENGTH.pack(0))


def usable_name(encoded: bytes) -> str | None:
    """A name that strangers gave a file, as a place below a folder; None if it is none, no plain text, or too deep."""
    name = encoded.decode(errors="replace")
    parts = name.split("/")
    bad = {"", ".", ".."} & set(parts) or any(ord(c) < 32 or c == "\ufffd" for c in name)
    return None if bad or len(parts) > MOST_DEPTH or any(len(p.encode()) > _MOST_PART_BYTES for p in parts) else name


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """Rules for what may be delivered, and the place where it is put."""

    folder: Path
    """Is created if it does not exist; nobody else writes into it."""
    most_bytes: int
    """Size of all files together, at most."""
    most_files: int
    expected: Callable[[str], bool] = lambda _name: True
    """True if a file of this name was asked for."""
    doing: str = "reading"
    blame: type[EvaluateError] = EntryError
    """The error for a stream that is none, and for more than is allowed."""

    @contextmanager
    def open(self) -> Iterator[int]:
        """A descriptor for the process; at the end all files are there.

        Raises ``blame``, or Fault if a file cannot be written.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        reading, writing = os.pipe()
        trouble: list[EvaluateError] = []
        thread = threading.Thread(target=self._take, args=(reading, trouble), name="delivery")
        thread.start()
        try:
            yield writing
        except EvaluateError as e:
            os.close(writing)
            thread.join()
            # the reader's reason for hanging up rather than the broken pipe
            raise (trouble[0] if trouble and trouble[0].args[0] != _NO_END else e) from e
        except BaseException:
            os.close(writing)
            thread.join()
            raise
        os.close(writing)
        thread.join()
        if trouble:
            raise trouble[0]

    def _take(self, reading: int, trouble: list[EvaluateError]) -> None:
        with os.fdopen(reading, "rb") as stream:
            try:
                self.take(stream)
            except EvaluateError as e:
                trouble.append(e)
            except OSError as e:
                trouble.append(Fault(f"{self.doing}: {e}"))

    def take(self, stream: IO[bytes]) -> None:
        """Write down the files of a stream."""
        names: set[str] = set()
        folders: set[str] = set()
        left = self.most_bytes
        top = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            while length := self._length(stream, _MOST_NAME_BYTES):
                name = self._checked(self._exactly(stream, length))
                above = [str(folder) for folder in PurePosixPath(name).parents][:-1]
                if name in names or name in folders or not names.isdisjoint(above):
                    raise self.blame(f"{self.doing} gave {name[:200]!r} twice, or in a file")
                if len(names) == self.most_files:
                    raise self.blame(f"{self.doing} gave more than {self.most_files} files")
                names.add(name)
                folders.update(above)
                with self._created(top, name) as file:
                    while length := self._length(stream, _PIECE_BYTES):
                        left -= length
                        if left < 0:
                            raise self.blame(f"{self.doing} gave more than {self.most_bytes >> 20} MiB of files")
                        file.write(self._exactly(stream, length))
        finally:
            os.close(top)

    def _length(self, stream: IO[bytes], most: int) -> int:
        length = int(_LENGTH.unpack(self._exactly(stream, _LENGTH.size))[0])
        if length > most:
            raise self.blame(f"{self.doing}: a part of {length} bytes; at most {most} are agreed on")
        return length

    def _exactly(self, stream: IO[bytes], size: int) -> bytes:
        data = stream.read(size)
        if len(data) != size:
            raise self.blame(_NO_END)
        return data

    def _checked(self, encoded: bytes) -> str:
        name = usable_name(encoded)
        if name is None:
            raise self.blame(f"{self.doing}: {encoded[:200].decode(errors='replace')!r} is not a usable file name")
        if not self.expected(name):
            raise self.blame(f"{self.doing} gave {name[:200]!r}, which was not asked for")
        return name

    @contextmanager
    def _created(self, top: int, name: str) -> Iterator[IO[bytes]]:
        """A new file below a folder, reached by descriptors and through no link; it replaces that of an earlier try."""
        *folders, last = name.split("/")
        at = os.dup(top)
        try:
            for folder in folders:
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o755, dir_fd=at)
                below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
                os.close(at)
                at = below
            with suppress(FileNotFoundError):
                os.unlink(last, dir_fd=at)
            fd = os.open(last, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644, dir_fd=at)
        except OSError as e:
            if e.errno in _OF_NAMES:
                raise self.blame(f"{self.doing}: {name[:200]!r} cannot be written: {e.strerror}") from e
            raise
        finally:
            os.close(at)
        with os.fdopen(fd, "wb") as file:
            yield file


_NO_END = "the files that it gave end too early"

"""What is imported, by the names that its reader knows it by.

An archive is read from a folder that is gone afterwards, so everything that names a file of it asks `Source` how.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath

from evaluate.confine.trees import TooDeep, walk
from evaluate.core.errors import ChallengeError
from evaluate.schema.document import shown

_MOST_NAME = 255


@dataclass(frozen=True)
class Source:
    """A folder or a file of another platform."""

    path: Path
    """Where it is read."""
    name: str
    """What its reader calls it: the path that was given."""

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def called(self) -> str:
        """The folder's name alone, or the archive's."""
        given = Path(self.name).absolute()
        return given.name if self.path.is_dir() else given.parent.name

    def has(self, path: Path) -> bool:
        """Whether a path is in its folder, wherever a link at it may lead."""
        return path.absolute().is_relative_to(self.folder.absolute())

    def shown(self, path: Path, line: int = 0) -> str:
        """A file or folder of it as its reader knows it, with a line."""
        inside = path.is_relative_to(self.path)
        name = str(PurePath(self.name) / path.relative_to(self.path)) if inside else str(path)
        return f"{name}:{line}" if line else name

    def find(self, name: str) -> Path:
        """A file or folder that a definition names, which need not exist. Raises ChallengeError if it leads out."""
        path = PurePosixPath(name.strip())
        if path.is_absolute() or ".." in path.parts:
            raise ChallengeError(f"{shown(name)} leads out of {self.called}")
        if "\\" in name:
            raise ChallengeError(f"expected / between folders, found {shown(name)}")
        if "\0" in name or max(map(len, path.parts), default=0) > _MOST_NAME:
            raise ChallengeError(f"expected the name of a file or folder of {self.called}, found {shown(name)}")
        found = self.folder / path
        try:
            leads_out = not found.resolve().is_relative_to(self.folder.resolve())
        except RuntimeError as e:  # so `resolve` reports links in a circle
            raise ChallengeError(f"{shown(name)} is a link that leads nowhere") from e
        if leads_out:
            raise ChallengeError(f"{shown(name)} is a link that leads out of {self.called}")
        return found

    def within(self, folder: Path) -> Iterator[Path]:
        """What is in a folder that others made."""
        if not folder.is_dir():
            return
        try:
            for found in walk(folder):
                path = folder.joinpath(*found.parts)
                if not (stat.S_ISREG(found.status.st_mode) or stat.S_ISDIR(found.status.st_mode) or path.is_symlink()):
                    raise ChallengeError(
                        f"{self.shown(path)}: expected a file or a folder, found a pipe, socket or device"
                    )
                yield path
        except TooDeep as e:
            raise ChallengeError(f"{self.shown(folder)} has {e}") from e

    def check(self, path: Path) -> None:
        """Refuse what is no file or folder, or a link to a folder or out of the source, at a place or below it.

        A link could lead to a file of this machine, which teams might be given.
        """
        for one in [*([path] if self.has(path) else []), *self.within(path)]:
            if one.is_symlink():
                self._check_link(one)

    def _check_link(self, path: Path) -> None:
        try:
            end = path.resolve(strict=True)
        except (OSError, RuntimeError) as e:
            raise ChallengeError(f"{self.shown(path)}: is a link that leads nowhere") from e
        if not end.is_relative_to(self.folder.resolve()):
            raise ChallengeError(f"{self.shown(path)}: is a link that leads out of {self.called}")
        if end.is_dir():  # which may be one that it is in, or have links to others that have such links
            raise ChallengeError(f"{self.shown(path)}: is a link to a folder; put a copy of the folder there")


class Problems:
    """What is wrong in a source, noted so that all of it is named at once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: list[str] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, path: Path, problem: str, line: int = 0) -> None:
        """Note a problem of a file or folder."""
        self._found.append(f"{self._source.shown(path, line)}: {problem}")

    def check(self, path: Path) -> bool:
        """Whether a file may be read; it and what is below it are looked at as `Source.check` does."""
        try:
            self._source.check(path)
        except ChallengeError as e:
            self._found.append(str(e))
            return False
        return True

    def refuse(self) -> None:
        """Raise a ChallengeError that names every problem, if there is one."""
        if self._found:
            raise ChallengeError("\n".join(self._found))

"""Steps of every import: take files over, note the parts that were carried or left out, write a folder and check it.

The definitions were written for another platform, and often by other people; archives in them are read behind walls.
Nothing of them is run.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

import yaml

from evaluate.authoring.check import check_challenge
from evaluate.config.challenge.load import FILE, RECORDS
from evaluate.config.challenge.types import ArchiveLimits
from evaluate.config.schema.document import shown
from evaluate.confine.ownership import discard_tree
from evaluate.confine.trees import TooDeep, walk
from evaluate.core.errors import ChallengeError, EntryError, UsageError
from evaluate.untrusted.archives import unpack
from evaluate.untrusted.requirements import PACKAGES_OF
from metrics.readers.foreign import is_data

# What is imported, by the names that its reader knows it by.
#
# An archive is read from a folder that is gone afterwards, so everything that names a file of it asks `Source` how.


@dataclass(frozen=True)
class Source:
    """A folder or a file of another platform."""

    path: Path
    """Path where it is read."""
    name: str
    """Name that its reader uses: the path that was given."""

    @property
    def folder(self) -> Path:
        """Folder of its files."""
        return self.path if self.path.is_dir() else self.path.parent

    @property
    def called(self) -> str:
        """The folder's name alone, or the archive's."""
        given = Path(self.name).absolute()
        return given.name if self.path.is_dir() else given.parent.name

    def has(self, path: Path) -> bool:
        """True if a path is in its folder, wherever a link at it may lead."""
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
        target = self.folder / path
        try:
            leads_out = not target.resolve().is_relative_to(self.folder.resolve())
        except RuntimeError as e:  # so `resolve` reports links in a circle
            raise ChallengeError(f"{shown(name)} is a link that leads nowhere") from e
        if leads_out:
            raise ChallengeError(f"{shown(name)} is a link that leads out of {self.called}")
        return target

    def within(self, folder: Path) -> Iterator[Path]:
        """Yield the content of a folder that others made."""
        if not folder.is_dir():
            return
        try:
            for item in walk(folder):
                path = folder.joinpath(*item.parts)
                if not (stat.S_ISREG(item.status.st_mode) or stat.S_ISDIR(item.status.st_mode) or path.is_symlink()):
                    raise ChallengeError(
                        f"{self.shown(path)}: expected a file or a folder, found a pipe, socket or device"
                    )
                yield path
        except TooDeep as e:
            raise ChallengeError(f"{self.shown(folder)} has {e}") from e

    def check(self, path: Path) -> None:
        """Refuse devices and pipes, and links to a folder or out of the source, at a path or below it.

        A link could lead to a file of this machine, which teams might be given.
        """
        for item in [*([path] if self.has(path) else []), *self.within(path)]:
            if item.is_symlink():
                self._check_link(item)

    def _check_link(self, path: Path) -> None:
        try:
            end = path.resolve(strict=True)
        except (OSError, RuntimeError) as e:
            raise ChallengeError(f"{self.shown(path)}: is a link that leads nowhere") from e
        if not end.is_relative_to(self.folder.resolve()):
            raise ChallengeError(f"{self.shown(path)}: is a link that leads out of {self.called}")
        if end.is_dir():  # which may be one that it is in, or have links to others that have such links
            raise ChallengeError(f"{self.shown(path)}: is a link to a folder; put a copy of the folder there")


_LIMITS = ArchiveLimits(bytes=64 << 30, unpacked_bytes=256 << 30, files=1_000_000)
RECORD = "submission"
"""The one record of a challenge whose entries are scored as a whole."""
SAMPLE, REQUIREMENTS = "sample_entry", "requirements.txt"


@dataclass(frozen=True, kw_only=True)
class Missing:
    """One thing that the folder does not have."""

    what: str
    where: str
    """``file:line`` of the definition."""
    why: str


@dataclass(frozen=True, kw_only=True)
class Imported:
    """Result of an import."""

    folder: Path
    carried: tuple[str, ...]
    left_out: tuple[Missing, ...]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {**asdict(self), "folder": str(self.folder)}


@dataclass(kw_only=True)
class Draft:
    """A challenge folder that is being written."""

    folder: Path
    source: Source
    title: str = ""
    description: str = ""
    keys: dict[str, Any] = field(default_factory=dict)
    """Keys of challenge.yaml."""
    readme: list[str] = field(default_factory=list)
    carried: list[str] = field(default_factory=list)
    left_out: list[Missing] = field(default_factory=list)

    def carry(self, text: str) -> None:
        """Note something that was taken over."""
        self.carried.append(text)

    def leave(self, what: str, where: str, why: str) -> None:
        """Note something that was not."""
        self.left_out.append(Missing(what=what, where=where, why=why))

    def copy(self, source: Path, name: str) -> Path:
        """Take a file, a folder or the content of a zip over; ``name`` is a place in the folder of the challenge.

        Raises ChallengeError as `Source.check` does.
        """
        self.source.check(source)
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=_not_taken, dirs_exist_ok=True)
        elif source.suffix == ".zip":
            unpacked(source, target, self.source.shown(source))
        else:
            shutil.copyfile(source, target)
        return target

    def write(self, name: str, text: str) -> None:
        """Write a file of the challenge."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def one_record(self, what: str) -> None:
        """The records of a challenge whose entries are scored as a whole: a text about the upload."""
        self.keys |= {"inputs": ["{record}.txt"], "answers": {"whole": True}}
        for stage in ("quiz", "exam"):
            self.write(f"data/{stage}/{RECORDS}", f"{RECORD}\n")
            self.write(f"data/{stage}/{RECORD}.txt", f"{what}\n")

    def require(
        self,
        programs: Sequence[Path],
        *,
        not_installed: Sequence[str] = (),
        versions: Mapping[str, str] | None = None,
    ) -> None:
        """Note the packages that these programs import, for `metric.requirements`.

        * ``not_installed``: modules that are no packages, though there may be some of these names.
        * ``versions``: package -> its line, where it has one with a version.
        """
        modules = modules_of(programs)
        for module in not_installed:
            if (where := modules.pop(module, None)) is not None:
                self.leave(f"package {module}", where, f"so uploads are called; if it is one, add it to {REQUIREMENTS}")
        if not modules:
            return
        names = sorted({PACKAGES_OF.get(module.lower(), module) for module in modules}, key=str.lower)
        lines = [(versions or {}).get(name, name) for name in names]
        self.write(REQUIREMENTS, "".join(f"{line}\n" for line in lines))
        self.keys["metric"]["requirements"] = REQUIREMENTS
        for module, where in sorted(modules.items()):
            self.carry(f"package {PACKAGES_OF.get(module.lower(), module)} ({where}), in {REQUIREMENTS}")


def _not_taken(_folder: str, names: Sequence[str]) -> list[str]:
    return [name for name in names if name in ("__pycache__", ".git") or not is_data(name)]


def imported(make: Callable[[Draft], None], given: Path, to: Path | None) -> Imported:
    """Write the challenge that ``make`` reads from a folder or an archive, and check it.

    Raises UsageError if there is no such source, or the folder exists. Raises ChallengeError if the definition cannot
    be imported; every problem is named with its file.

    ``to``: the folder, which must not exist; by default one with a name made of the title, in the working directory.
    """
    if not given.exists():
        raise UsageError(f"{given}: no such file or folder")
    if to is not None and to.exists():  # before what may take long; a title is known only after it
        raise _exists(to)
    scratch = Path(f".import.{os.getpid()}.part") if to is None else to.with_name(f".{to.name}.{os.getpid()}.part")
    discard_tree(scratch)
    try:
        source = Source(_opened(given, scratch / "source"), str(given))
        draft = Draft(folder=scratch / "draft", source=source)
        draft.folder.mkdir(parents=True)
        try:
            make(draft)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as e:
            # a table or a program that was written to harm; definitions were looked at before
            raise ChallengeError(f"{given}: cannot be imported as it is: {type(e).__name__}: {e}") from e
        _finish(draft)
        folder = to or Path(slug(draft.title))
        if folder.exists():
            raise _exists(folder)
        (scratch / "made").mkdir()
        _placed(draft.folder.rename(scratch / "made" / folder.name), folder, given)
    finally:
        discard_tree(scratch)
    return Imported(folder=folder, carried=tuple(draft.carried), left_out=tuple(draft.left_out))


def _placed(part: Path, folder: Path, given: Path) -> None:
    """Check the challenge made of ``given`` beside its place, and move it there if it is right; both are named."""
    with chdir(part.parent):
        problems = check_challenge(Path(part.name))
    if problems:
        raise ChallengeError("\n".join([f"{given}: what is made of it is no challenge yet:", *problems]))
    try:
        part.rename(folder)
    except OSError as e:  # one that somebody else made in the meantime
        raise _exists(folder) if folder.exists() else e from e


def _exists(folder: Path) -> UsageError:
    return UsageError(f"{folder}: already exists; nothing was changed (--to DIR writes elsewhere)")


def _opened(given: Path, target: Path) -> Path:
    if given.is_dir() or given.suffix not in (".zip", ".tar", ".gz", ".tgz"):
        return given
    unpacked(given, target, given.name, whole_names=False)
    return target


def unpacked(archive: Path, target: Path, name: str, *, whole_names: bool = True) -> None:
    """Unpack an archive, which its reader knows by this name, into a folder. Raises ChallengeError if it cannot be."""
    work = target.with_name(f".{target.name}.unpacked")
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        room = shutil.disk_usage(target.parent).free // 2  # it is copied from there
        limits = replace(_LIMITS, unpacked_bytes=min(_LIMITS.unpacked_bytes, room))
        unpack(archive, work, limits, whole_names=whole_names)
    except EntryError as e:
        discard_tree(work)
        raise ChallengeError(f"{name}: {e}") from e
    shutil.copytree(work, target, dirs_exist_ok=True)
    discard_tree(work)


def _finish(draft: Draft) -> None:
    """Write challenge.yaml and README.md."""
    head = f"# {draft.title}. See README.md; every key is explained in the README of the folder `challenges`.\n"
    # what is hidden is the organiser's to say: then a host with software emulation needs their permission
    note = "# Add `hidden: true` to data.exam if its data are secret: then only counts leave the exam.\n"
    keys = {"title": draft.title, **draft.keys}
    draft.write(FILE, head + note + yaml.dump(keys, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110))
    text = [f"# {draft.title}", "", draft.description, *draft.readme]
    draft.write("README.md", "\n".join(text).rstrip() + "\n")
    draft.leave(
        "whether the exam is hidden",
        f"{FILE}:2",
        "its data lie in this folder: set data.exam.hidden: true before others may see it, and allow_tcg_exam on a "
        "host without KVM",
    )


class _Dumper(yaml.SafeDumper):
    """Lists of single values in one line."""


def _represent(dumper: yaml.SafeDumper, value: list[Any]) -> yaml.Node:
    flow = not any(isinstance(item, dict | list) for item in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow)


_Dumper.add_representer(list, _represent)


def slug(title: str) -> str:
    """A folder's name made of a title."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "challenge"


def modules_of(programs: Sequence[Path]) -> dict[str, str]:
    """The modules that programs import and that neither Python nor their own folder has -> where: ``file:line``."""
    own_modules = {path.stem for folder in programs for path in _sources(folder)}
    own_modules |= {path.name for folder in programs if folder.is_dir() for path in folder.rglob("*") if path.is_dir()}
    modules: dict[str, str] = {}
    for folder in programs:
        for path in _sources(folder):
            try:
                tree = ast.parse(path.read_bytes())
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                continue
            for node in ast.walk(tree):
                for module in _imported(node):
                    if module not in sys.stdlib_module_names | own_modules:
                        modules.setdefault(module, f"{path.name}:{getattr(node, 'lineno', 1)}")
    return modules


def _sources(folder: Path) -> list[Path]:
    if folder.is_dir():
        return sorted(path for path in folder.rglob("*.py") if is_data(str(path.relative_to(folder))))
    return [folder] if folder.suffix == ".py" else []


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        yield node.module.partition(".")[0]

"""Files of a folder that belong to an entry.

A git work tree gives the files that git tracks, with their present content; a folder that git does not track, all
files but those of its ``.gitignore``.  A file ``.evaluateignore`` (of the same form) leaves out more.  Version control,
credentials, virtual environments, caches and state directories of this program are never packed, even if git tracks
them.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

import pathspec

from evaluate.confine import children
from evaluate.core.errors import EntryError, UsageError
from metrics.readers.foreign import decoded, is_data, pointer

IGNORE = ".evaluateignore"
UNTRACKED, GONE = "not tracked by git", "tracked by git, but not here"
_VERSION_CONTROL = (".git", ".hg", ".svn", ".bzr", "CVS")
_CREDENTIALS = (
    ".env*",
    "*.env",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".npmrc",
    ".pgpass",
    ".git-credentials",
    ".htpasswd",
    ".ssh",
    ".aws",
    ".azure",
    ".gcloud",
    ".gnupg",
    ".kaggle",
    ".docker",
    ".kube",
    "kubeconfig*",
    "*.kubeconfig",
    ".huggingface",
    ".streamlit",
    ".dockercfg",
    ".boto",
    ".s3cfg",
    ".my.cnf",
    ".vault-token",
    ".gitconfig",
    ".condarc",
    ".Renviron",
    ".*history",
    "kaggle.json",
    "credentials.json",
    "application_default_credentials.json",
    "service-account*.json",
    "service_account*.json",
    "secrets.json",
    "secrets.y*ml",
    "secrets.toml",
    "*.tfstate",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "*.pem",
    "*.key",
    "*.ppk",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
)
_CACHES = (
    "__pycache__",
    "*.py[co]",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".tox",
    ".nox",
    ".cache",
    ".idea",
    ".vscode",
    ".*.sw?",
    "*~",
)
NEVER = {
    "version control": _VERSION_CONTROL,
    "may hold credentials": _CREDENTIALS,
    "cache": _CACHES,
    "report of this program": ("evaluate-report",),
    "state of this program": (".evaluate-state",),
}
"""Reason -> names that are left out wherever they are, in lower case or not."""
_ENVIRONMENTS = ("pyvenv.cfg", "conda-meta")
"""A folder with one of these is a virtual environment."""
_STATE = ("runs", "receipt-log")
"""A folder with both is a state directory of this program."""
_GIT_SECONDS, _GIT_BYTES = 60.0, 64 << 20
_MOST_FILES, _MOST_DEPTH = 200_000, 100


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A file, or a folder with all that is in it, which is not packed."""

    name: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Selection of the files of a folder that are packed."""

    folder: Path
    names: tuple[str, ...]
    """Files, symbolic links, and the folders that they are in; sorted."""
    left_out: tuple[LeftOut, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The names without those of folders."""
        return tuple(name for name in self.names if name not in self._folders)

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(name for name in self.names if stat.S_ISDIR((self.folder / name).lstat().st_mode))

    @cached_property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(content_of(self.folder / name).lstat().st_size for name in self.files)


def select(folder: Path, *, all_files: bool = False, state: Path | None = None) -> Selection:
    """Choose the files of an entry.

    Raises UsageError if ``.evaluateignore`` cannot be read. Raises EntryError if there are more files than an entry may
    have, or too deep ones.

    * ``all_files``: take what git does not track or ignores as well.
    * ``state``: the state directory in use, which is never packed.
    """
    walked = list(_walk(folder, state.resolve() if state is not None else None))
    left = [item for item in walked if isinstance(item, LeftOut)]
    names = [item for item in walked if isinstance(item, str)]
    wanted = names
    if not all_files:
        wanted = _of_git(folder, names, left)
    wanted = _not_ignored(folder / IGNORE, wanted, left)
    parents = {parent for name in wanted for parent in _parents(name)}
    return Selection(
        folder=folder,
        names=tuple(sorted(parents.union(wanted))),
        left_out=tuple(sorted(left, key=lambda item: item.name)),
    )


def content_of(path: Path) -> Path:
    """The file to pack: for a link of git-annex its content, if that is here, since no entry has its store."""
    if path.is_symlink() and pointer(os.fsencode(path.readlink())) is not None and path.is_file():
        content = path.resolve()
        return content if "/annex/objects/" in content.as_posix() else path
    return path


def _walk(folder: Path, state: Path | None) -> Iterator[str | LeftOut]:
    """Names of files and links below a folder, and what never goes; links are not followed."""
    waiting, count = [""], 0
    while waiting:
        here = waiting.pop()
        if here.count("/") > _MOST_DEPTH:
            raise EntryError(f"{here[:80]}…: folders in folders, more than {_MOST_DEPTH} deep")
        with suppress(FileNotFoundError), os.scandir(folder / here) as entries:  # an editor replaces files
            for entry in entries:
                count += 1
                if count > _MOST_FILES:
                    raise EntryError(f"{folder} contains more than {_MOST_FILES:,} files")
                name = here + entry.name
                reason = _reason(entry, state)
                if reason:
                    yield LeftOut(name=name, reason=reason)
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{name}/")
                else:
                    yield name


def _reason(entry: os.DirEntry[str], state: Path | None) -> str:
    """Why something is never packed, or nothing."""
    if not is_data(entry.name):
        return "left by a file manager"
    low = entry.name.lower()
    for reason, patterns in NEVER.items():
        if any(fnmatchcase(low, pattern.lower()) for pattern in patterns):
            return reason
    if entry.is_dir(follow_symlinks=False):
        path = Path(entry.path)
        if any((path / name).exists() for name in _ENVIRONMENTS):
            return "virtual environment"
        if (state is not None and path.resolve() == state) or all((path / name).is_dir() for name in _STATE):
            return "state of this program"
        return ""
    is_usable = entry.is_file(follow_symlinks=False) or entry.is_symlink()
    return "" if is_usable else "neither a file, a folder nor a link"


def _of_git(folder: Path, names: Sequence[str], left: list[LeftOut]) -> list[str]:
    """The names that git tracks; where it tracks nothing here, those that no ``.gitignore`` names."""
    tracked = _tracked(folder)
    if tracked:
        never = {file.name for file in left}
        gone = sorted(tracked.difference(names))
        left += (LeftOut(name=name, reason=UNTRACKED) for name in names if name not in tracked)
        left += (LeftOut(name=name, reason=GONE) for name in gone if never.isdisjoint((name, *_parents(name))))
        return [name for name in names if name in tracked]
    ignores = [path for path in (folder, *_above(folder)) if (path / ".gitignore").is_file()]
    for path in ignores:
        names = _not_ignored(path / ".gitignore", names, left, str(folder.resolve().relative_to(path.resolve())))
    return list(names)


def _above(folder: Path) -> tuple[Path, ...]:
    """The folders around a folder up to the top of its git work tree, if it is in one."""
    parents = tuple(folder.resolve().parents)
    top = next((number for number, path in enumerate(parents) if (path / ".git").exists()), None)
    return () if top is None or (folder / ".git").exists() else parents[: top + 1]


def _tracked(folder: Path) -> frozenset[str]:
    """Names that git tracks below a folder, submodules included; none outside of work trees.

    Raises UsageError if git cannot be asked about a work tree: what it does not track must not go unseen.
    """
    problem = "there is no program git here"
    if shutil.which("git") is not None:
        argv = ["git", "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--recurse-submodules", "--", "."]
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
        done = children.run(argv, env=environment, cwd=folder, seconds=_GIT_SECONDS, most_bytes=_GIT_BYTES)
        if done.returncode == 0:
            return frozenset(filter(None, done.stdout.split("\0")))
        problem = done.stderr.strip() or f"git ended with exit code {done.returncode}"
    for git in (path / ".git" for path in (folder.resolve(), *folder.resolve().parents)):
        if git.is_file() or (git / "HEAD").is_file():
            raise UsageError(f"{folder}: expected git to say which files it tracks: {problem}; --all-files asks no git")
    return frozenset()


def _not_ignored(file: Path, names: Sequence[str], left: list[LeftOut], below: str = ".") -> list[str]:
    """The names that a file of patterns does not leave out; ``below`` is the names' folder as seen from the file.

    To git a file is bytes, and a line ends at a zero: one of Windows in UTF-16 leaves out nothing.
    """
    if not file.is_file():
        return list(names)
    try:
        content = file.read_bytes()
        text = decoded(content) if file.name == IGNORE else content.decode("utf-8-sig", "surrogateescape")
        patterns = pathspec.GitIgnoreSpec.from_lines(line.partition("\0")[0] for line in text.splitlines())
    except (OSError, ValueError) as e:
        raise UsageError(f"{file}: expected patterns as in .gitignore: {e}") from e
    start = "" if below == "." else f"{below}/"
    ignored = {name for name in names if patterns.match_file(start + name)}
    left += (LeftOut(name=name, reason=f"ignored by {file.name}") for name in names if name in ignored)
    return [name for name in names if name not in ignored]


def _parents(name: str) -> Iterator[str]:
    while "/" in name:
        name = name.rpartition("/")[0]
        yield name

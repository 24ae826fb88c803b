"""An image that a ``Dockerfile`` describes, as it is after some of its instructions; nothing is executed."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from evaluate.core.model import Refusal, RefusalKind
from evaluate.untrusted.dockerfile import FILE
from evaluate.untrusted.dockerignore import Pattern, expression

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Of a machine."""
_SHOWN = 120
"""Characters of a command in a message."""
ADDRESS = re.compile(r"(?:https?|ftp|git|ssh)://|git@|git\+")
PACKED = re.compile(r"\.(?:tar|tgz|tbz2|txz|tar\.(?:gz|bz2|xz|zst))$", re.IGNORECASE)
HUB = re.compile(
    r"huggingface|\bhf\.co\b|\bhf\b|torch\.hub|torchvision\.models|from_pretrained|snapshot_download|gdown|drive\.google"
    r"|\bkaggle\b|nltk|spacy|tensorflow_hub|tfhub|timm|\.download\(",
    re.IGNORECASE,
)
ADD_UNPACKED = "add the unpacked files to the entry, and remove the line"
_ADD_IT = "download it once, add it to the entry so that COPY takes it along, and remove the line"


@dataclass(frozen=True, kw_only=True)
class LineRequest:
    """What a line asks for."""

    line: int
    text: str


@dataclass(kw_only=True)
class BuildStage:
    """An image as it is after some instructions."""

    base: str = ""
    env: dict[str, str] = field(default_factory=dict)
    args: dict[str, str] = field(default_factory=dict)
    cwd: str = "/"
    entrypoint: tuple[str, ...] = ()
    cmd: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict)
    """Place in the image -> name in the entry."""
    folders: dict[str, None] = field(default_factory=dict)
    executable: dict[str, None] = field(default_factory=dict)
    packages: list[LineRequest] = field(default_factory=list)
    requirements: list[LineRequest] = field(default_factory=list)
    requirement_files: list[LineRequest] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    def refuse(self, line: int, kind: RefusalKind, found: str, expected: str, way_out: str, file: str = FILE) -> None:
        """Remember what cannot be."""
        found = found if len(found) <= _SHOWN else f"{found[: _SHOWN - 1]}…"
        self.refusals.append(Refusal(file=file, line=line, kind=kind, found=found, expected=expected, way_out=way_out))

    def note(self, line: int, text: str, file: str = FILE) -> None:
        """Remember what its team should know."""
        self.notes.append(f"note: {file} line {line}: {text}")

    def value(self, name: str) -> str | None:
        """Of a variable; None: it has none."""
        return self.env.get(name, self.args.get(name, PATH if name == "PATH" else None))

    def place(self, path: str) -> str:
        """The absolute path of a path."""
        if path == "~" or path.startswith("~/"):
            path = f"/root{path[1:]}"
        return posixpath.normpath(posixpath.join(self.cwd, path)).replace("//", "/")

    def is_folder(self, place: str) -> bool:
        """Whether it is known to be one."""
        if place in ("/", self.cwd) or place in self.folders:
            return True
        return any(one.startswith(f"{place}/") for one in self.files)

    def below(self, place: str) -> dict[str, str]:
        """The file of that place, or those in that folder; a place may have stars."""
        return {
            one: name
            for one, name in self.files.items()
            if one == place or one.startswith(f"{place}/") or ("*" in place and fnmatchcase(one, place))
        }


@dataclass(frozen=True, kw_only=True)
class Context:
    """The files that a build sees."""

    all: tuple[str, ...]
    left_out: Mapping[str, Pattern]
    """By which line of `ignore_file`."""
    ignore_file: str
    escape: str
    names: tuple[str, ...]
    """Of all files those that are not left out."""

    def hidden(self, stage: BuildStage, name: str, shown: str, why: str) -> None:
        """Say which line leaves a file out."""
        pattern = self.left_out[name]
        stage.refuse(
            pattern.line,
            RefusalKind.IGNORED,
            pattern.text,
            f"it leaves out {shown}, {why}",
            f"remove the line, or add below it: !{name}",
            self.ignore_file,
        )

    def absent(self, stage: BuildStage, line: int, source: str) -> None:
        """Say why a file that is to be copied or read is not there."""
        clean = posixpath.normpath(source.lstrip("/") or ".")
        hidden = below(clean, list(self.left_out))
        if hidden:
            self.hidden(stage, next(iter(hidden)), source, f"which {FILE} line {line} needs")
            return
        near = difflib.get_close_matches(clean[:200], [name for name in self.names[:5000] if len(name) < 200], n=1)
        stage.refuse(
            line,
            RefusalKind.FILE,
            source,
            "expected a file of the entry",
            f"did you mean {near[0]}?" if near else "add it to the entry, or remove the line",
        )


def of_download(text: str) -> tuple[RefusalKind, str]:
    """Which kind of download a text asks for, and the way out."""
    if "get-pip" in text:
        return RefusalKind.DOWNLOAD, "remove the line: pip is already installed"
    if HUB.search(text):
        return (
            RefusalKind.MODEL_HUB,
            "save the model to a folder of the entry, load it from there, and remove the line",
        )
    if "git" in text and text.endswith(".git"):
        return RefusalKind.GIT, "add the files of that repository to the entry itself, and remove the line"
    return RefusalKind.DOWNLOAD, _ADD_IT


def makes_executable(mode: str) -> bool:
    """Whether a mode, ``755`` or ``+x``, makes files executable."""
    if mode.isdigit():
        return any(int(digit, 8) & 1 for digit in mode[-3:] if digit in "01234567")
    return "x" in mode and "-" not in mode


def below(clean: str, names: Sequence[str]) -> dict[str, str]:
    """The files that a source of COPY names -> their paths below it; empty for a file itself."""
    if not set(clean) & set("*?["):
        folder = f"{clean}/"
        return {
            name: "" if name == clean else name[len(folder) :]
            for name in names
            if name == clean or name.startswith(folder)
        }
    try:
        matches = re.compile(f"({expression(clean.replace('**', '*'))})(?:/(.*))?", re.DOTALL)
    except (ValueError, re.error):
        return {}
    found = {}
    for name in names:
        if match := matches.fullmatch(name):
            found[name] = match[2] or ""
    return found

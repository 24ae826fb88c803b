"""Packages and environment of a team's ``Dockerfile`` of the usual shape; nothing in it is executed.

The usual shape is ``FROM python``, ``WORKDIR``, ``COPY`` of the entry into one folder, ``RUN pip install`` and ``RUN
apt-get install``.  An instruction outside it is a `Refusal` with its line; `evaluate.stages.image_build` builds such a
file where the organiser allows builds.  All refusals are collected at once.
"""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import dropwhile

from evaluate.config.challenge.types import BaseImage
from evaluate.confine.delivery import usable_name
from evaluate.core.model import Refusal, RefusalKind
from evaluate.protocol.guest import HOME
from metrics.readers.foreign import decoded

FILE = "Dockerfile"
MOST_BYTES = 256 << 10
_MOST_REFUSALS = 100
_MOST_SHOWN = 120
"""Characters that are quoted of an instruction."""
_INSTRUCTION = re.compile(r"(?:([A-Za-z]+)((?:\s+--[a-z]\S*)*)(?:\s+|$))?(.*)")
_CONTINUED = re.compile(r"(?<!\\)\\[ \t]*$")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)")
_NO_EFFECT = ("ARG", "LABEL", "MAINTAINER", "EXPOSE", "VOLUME", "HEALTHCHECK", "USER", "CMD", "ENTRYPOINT")
_CACHES = ("/var/lib/apt/", "/var/cache/", "/tmp/", "/root/.cache")
_APT_HARMLESS = ("update", "upgrade", "clean", "autoclean", "autoremove")
_PIP_NO_EFFECT = ("--no-cache-dir", "--upgrade", "-U", "--quiet", "-q", "--user", "--no-input", "--prefer-binary")
_PIP_ITSELF = ("pip", "setuptools", "wheel")
_DOWNLOAD = re.compile(
    r"(?:^|[\s/])(?:git|curl|wget|aria2c|axel|rsync|scp|aws|gsutil|azcopy|rclone|lftp)\s|(?:https?|ftp|git|ssh)://"
)
_BASE = RefusalKind.BASE
_ALONE = "name the packages alone: they come from the challenge's index"
_AT_HOME = "do it at home and add its results to the entry, or let the program do it when it starts"
_TAKEN = (
    *("usr", "etc", "var", "bin", "sbin", "lib", "lib64", "opt", "srv", "home", "mnt", "media", "boot", "root"),
    *("dev", "proc", "sys", "run", "tmp", "input", "output"),
)
_OPEN = ("usr/src", "usr/local/src", "opt", "srv", "home", "mnt", "media")
"""Folders of the machine in which the entry's folder may be."""


@dataclass(frozen=True, kw_only=True)
class LineRequest:
    """A request of a line: a package, a requirement, an image, a word of a command."""

    line: int
    text: str


@dataclass(kw_only=True)
class ImagePlan:
    """An image in the terms of the machine."""

    images: list[LineRequest] = field(default_factory=list)
    """Images after FROM, but for earlier stages and variables, which only a build knows."""
    stages: list[list[LineRequest]] = field(default_factory=list)
    """All instructions of each stage, from its FROM on."""
    packages: list[LineRequest] = field(default_factory=list)
    """Packages of Debian, ``name`` or ``name=version``, as written in the file."""
    requirements: list[LineRequest] = field(default_factory=list)
    """Requirements from the package index, and options of pip that have none of their own meaning here."""
    requirement_files: list[LineRequest] = field(default_factory=list)
    """Files of the entry that list more of them."""
    env: dict[str, str] = field(default_factory=dict)
    top: str = ""
    """Folder of the image that has the entry's files under their own names; empty: nothing is copied."""
    notes: list[str] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class _Instruction:
    line: int
    name: str
    """In capitals."""
    flags: str
    text: str
    """Its lines joined, without the name, flags, comments and ends that continue a line."""

    @property
    def shown(self) -> str:
        """All of it, as refusals and reports of builds quote it."""
        return _shown(" ".join(filter(None, (self.name, self.flags, self.text))))

    def commands(self) -> list[list[str]] | None:
        """Words of the commands, joined by ``&&`` or ``;``; None for more of a shell than that."""
        lexer = shlex.shlex(self.text, posix=True, punctuation_chars=";&|()<>")
        lexer.whitespace_split, lexer.commenters = True, ""
        commands: list[list[str]] = [[]]
        try:
            for word in lexer:
                if word in ("&&", ";"):
                    commands.append([])
                elif not word or set(word) <= set(";&|()<>") or word.startswith("#") or "`" in word:
                    return None
                else:
                    commands[-1].append(word)
        except ValueError:  # quotes without an end
            return None
        return [command for command in commands if command]


def is_free(folder: str) -> bool:
    """True if the entry's folder may be there, without hiding anything of the machine.

    Never where the machine's own programs look for theirs: a library for its Python, or for its linker, would be loaded
    into the programs with which the supervisor unpacks the entry and describes the model that it has learned.
    """
    if not folder.startswith("/") or usable_name(folder[1:].encode(errors="surrogatepass")) is None or folder == HOME:
        return False
    return folder.split("/")[1] not in _TAKEN or any(folder.startswith(f"/{parent}/") for parent in _OPEN)


def full_name(image: str) -> str:
    """The name of an image with its registry and its tag, as Docker completes it."""
    name, at, digest = image.partition("@")
    first = name.partition("/")[0]
    if "/" not in name:
        name = f"docker.io/library/{name}"
    elif not ("." in first or ":" in first or first == "localhost"):
        name = f"docker.io/{name}"
    tagged = at or ":" in name.rpartition("/")[2]
    return f"{name}{at}{digest}" if tagged else f"{name}:latest"


def _shown(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"


def translate(text: bytes, names: Sequence[str], bases: Sequence[BaseImage], python: str) -> ImagePlan:
    """The plan of a ``Dockerfile``.

    * ``names``: the files of the entry.
    * ``bases``: the images that the organiser allows after FROM.
    * ``python``: version of the machine's Python, such as ``3.11``.
    """
    lines = decoded(text, errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}").splitlines()
    reader = _Reader(names, bases, python)
    for instruction in _instructions(lines):
        reader.read(instruction)
    return reader.ended()


def _instructions(lines: Sequence[str]) -> Iterator[_Instruction]:
    numbered = [(n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    first, parts = 0, list[str]()
    for number, line in (*numbered, (0, "")):
        first = first or number
        continued = _CONTINUED.search(line)
        parts.append(line[: continued.start() if continued else None].strip())
        if not continued and (match := _INSTRUCTION.fullmatch(" ".join(parts).strip())) and match[0]:
            yield _Instruction(line=first, name=(match[1] or "").upper(), flags=(match[2] or "").strip(), text=match[3])
            first, parts = 0, []


class _Reader:
    def __init__(self, names: Sequence[str], bases: Sequence[BaseImage], python: str) -> None:
        self._names, self._bases, self._python = frozenset(names), bases, python
        self._plan = ImagePlan()
        self._line, self._cwd = 0, "/"
        self._made: list[LineRequest] = []
        """Folders that ``mkdir`` makes."""
        self._aliases: set[str] = set()

    def ended(self) -> ImagePlan:
        """The plan after all instructions."""
        plan = self._plan
        if not plan.stages:
            self._refuse("no FROM", "expected an image to start from", self._allowed(), _BASE)
        for folder in self._made:
            if folder.text != (plan.top or HOME):
                self._line, expected = folder.line, "expected no folder to be made but that of the entry"
                way_out = "add the folder to the entry, or let the program make it when it starts"
                self._refuse(f"mkdir {folder.text}", expected, way_out)
        if len(plan.refusals) > _MOST_REFUSALS:
            plan.notes.append(f"and {len(plan.refusals) - _MOST_REFUSALS} more lines that cannot be translated")
            del plan.refusals[_MOST_REFUSALS:]
        return plan

    def read(self, instruction: _Instruction) -> None:
        """Add an instruction."""
        name, shown, stages = instruction.name, instruction.shown, self._plan.stages
        self._line = instruction.line
        is_early = not stages and name not in ("FROM", "ARG")
        if is_early:
            self._refuse(shown, "expected FROM before any other instruction", self._allowed(), _BASE)
        if is_early or name == "FROM":
            stages.append([])
        if stages:
            stages[-1].append(self._request(shown))
        readers = {
            "FROM": self._from,
            "RUN": self._run,
            "COPY": self._copy,
            "WORKDIR": self._work_folder,
            "ENV": self._environment,
        }
        if name in readers and name != "FROM" and "$" in instruction.text:
            self._refuse(shown, "expected no variable", "write the value itself")
        elif name in readers:
            readers[name](instruction)
        elif name not in _NO_EFFECT:
            self._refuse(shown, f"expected {', '.join(readers)}", _AT_HOME)

    def _request(self, text: str) -> LineRequest:
        return LineRequest(line=self._line, text=text)

    def _refuse(self, quoted: str, expected: str, way_out: str, kind: RefusalKind = RefusalKind.COMMAND) -> None:
        refusal = Refusal(
            file=FILE, line=self._line, kind=kind, found=_shown(quoted), expected=expected, way_out=way_out
        )
        self._plan.refusals.append(refusal)

    def _allowed(self) -> str:
        names = (f"python:{self._python}" if base.image == "python" else base.image for base in self._bases)
        return f"write: {' or '.join(f'FROM {name}' for name in names)}"

    def _from(self, instruction: _Instruction) -> None:
        image, *alias = instruction.text.split() or [""]
        if "$" not in image and image.lower() not in self._aliases:
            self._plan.images.append(self._request(image))
        self._aliases |= {word.lower() for word in alias[1:2]}
        name, _, tag = full_name(image).partition("@")[0].partition(":")
        name = name.removeprefix("docker.io/").removeprefix("library/")
        patterns = {base: base.image if ":" in base.image else f"{base.image}:*" for base in self._bases}
        base = next((base for base, pattern in patterns.items() if fnmatchcase(f"{name}:{tag}", pattern)), None)
        if len(self._plan.stages) > 1:
            way_out = "install everything in one stage by pip or apt-get"
            self._refuse(instruction.shown, "expected one FROM", way_out)
        elif "$" in image:
            self._refuse(instruction.shown, "expected no variable", self._allowed())
        elif base is None:
            allowed = f"expected an image that this challenge allows: {', '.join(base.image for base in self._bases)}"
            self._refuse(instruction.shown, allowed, self._allowed(), _BASE)
        else:
            version = _VERSION.match(tag)
            numbers = version[1] if version else ""
            if name == "python":
                self._of_python(instruction.shown, image, numbers)
            for text in base.requirements:
                wanted = text.replace("{version}", numbers) if numbers else re.sub(r"[=<>~!]=?\{version\}", "", text)
                self._plan.requirements.append(self._request(wanted))
            self._plan.packages += map(self._request, base.packages)

    def _of_python(self, shown: str, image: str, numbers: str) -> None:
        machine = tuple(map(int, self._python.split(".")))
        wanted = tuple(int(number) for number in numbers.split(".")[:2] if 0 < len(number) < 10)
        if wanted and (wanted[0] != machine[0] or wanted > machine):
            expected = f"expected Python {self._python}, which the machine has, or an older Python 3"
            way = f"write: FROM python:{self._python}, and try the program with that"
            self._refuse(shown, expected, way, RefusalKind.PYTHON)
        elif wanted != machine:
            becomes = f"{image} becomes Python {self._python} on Debian, which the machine has"
            self._plan.notes.append(f"note: {FILE} line {self._line}: {becomes}")

    def _work_folder(self, instruction: _Instruction) -> None:
        self._cwd = self._path(instruction.text.strip("\"'") or "/")

    def _path(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self._cwd, path)).replace("//", "/")

    def _environment(self, instruction: _Instruction) -> None:
        try:
            words = shlex.split(instruction.text)
        except ValueError:
            words = []
        if not words or not all(map(_ASSIGNMENT.fullmatch, words)):
            self._refuse(instruction.shown, "expected NAME=value", 'write: ENV NAME="value"')
        self._plan.env |= {pair[1]: pair[2] for pair in map(_ASSIGNMENT.fullmatch, words) if pair}

    def _copy(self, instruction: _Instruction) -> None:
        words = instruction.text.split()
        if len(words) < 2 or "--from" in instruction.flags or "--chmod" in instruction.flags:
            expected = "expected files of the entry, and the folder that they go to"
            self._refuse(instruction.shown, expected, _AT_HOME)
            return
        paths = [posixpath.normpath(source.lstrip("/") or ".") for source in words[:-1]]
        target = self._path(words[-1])
        within = words[-1].endswith("/") or len(paths) > 1 or target in (self._cwd, self._plan.top)
        for path in ("" if path == "." else path for path in paths):
            destination = posixpath.join(target, posixpath.basename(path)) if within and path in self._names else target
            folder = destination.removesuffix(f"/{path}") if path else destination
            if path and not any(name == path or name.startswith(f"{path}/") for name in self._names):
                self._refuse(path, "expected a file of the entry", "add it, or remove the line", RefusalKind.FILE)
            elif (
                (path and folder == destination)
                or self._plan.top not in ("", folder)
                or not (folder == HOME or is_free(folder))
            ):
                moved = f"COPY {path or '.'} to {destination}"
                expected = "expected one folder, which is none of the machine's, with the files under their own names"
                self._refuse(moved, expected, "write: WORKDIR /challenge, and: COPY . .", RefusalKind.PLACE)
            else:
                self._plan.top = folder

    def _run(self, instruction: _Instruction) -> None:
        commands = instruction.commands()
        if commands is None:
            self._refuse_command(instruction.text, _AT_HOME)
        for words in commands or ():
            command = list(dropwhile(_ASSIGNMENT.fullmatch, words))
            if command and (way_out := self._command(command)):
                self._refuse_command(" ".join(command), way_out)

    def _refuse_command(self, text: str, way_out: str) -> None:
        if not _DOWNLOAD.search(text):
            self._refuse(text, "expected a command that only installs: pip install or apt-get install", way_out)
            return
        if way_out == _AT_HOME:
            way_out = "download it once, add it to the entry so that COPY takes it along, and remove the line"
        self._refuse(text, "expected no download: there is no network", way_out, RefusalKind.DOWNLOAD)

    def _command(self, words: Sequence[str]) -> str:
        """Follow a command; returns the way out if that is not possible."""
        program = words[0]
        if re.fullmatch(r"python[\d.]*", program) and words[1:3] == ["-m", "pip"]:
            program, words = "pip", words[2:]
        action, *plain = [word for word in words[1:] if not word.startswith("-")] or [""]
        paths = [self._path(word) for word in (action, *plain)]
        if re.fullmatch(r"pip[\d.]*", program) and action == "install":
            return self._pip(words[words.index(action) + 1 :])
        if program in ("apt-get", "apt") and action == "install":
            self._plan.packages += map(self._request, plain)
        elif program == "mkdir":
            self._made += map(self._request, paths)
        elif not (
            program == "set"
            or (program in ("apt-get", "apt") and action in _APT_HARMLESS)
            or (program == "rm" and all(path.startswith(_CACHES) for path in paths))
        ):
            return _AT_HOME
        return ""

    def _pip(self, words: Sequence[str]) -> str:
        """Requirements of ``pip install``; the way out if it has another option than those with a meaning here."""
        waiting = iter(words)
        for word in waiting:
            option, _, value = word.partition("=")
            if option in ("-r", "--requirement"):
                self._requirement_file(value or next(waiting, ""))
            elif word.startswith("-") and word not in _PIP_NO_EFFECT:
                return _ALONE
            elif not word.startswith("-") and re.split(r"[\[=<>!~;]", word)[0].strip().lower() not in _PIP_ITSELF:
                self._plan.requirements.append(self._request(word))
        return ""

    def _requirement_file(self, path: str) -> None:
        name = self._path(path).removeprefix(f"{self._plan.top}/")
        if name in self._names:
            self._plan.requirement_files.append(self._request(name))
        else:
            way_out = "write above it: COPY . ., and add the file to the entry if it is missing"
            self._refuse(name, "expected a file of the entry that a line above it copies", way_out, RefusalKind.FILE)

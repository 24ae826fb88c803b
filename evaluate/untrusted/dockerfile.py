"""A team's ``Dockerfile`` of the usual shape as packages, an environment and a program; nothing in it is executed.

The usual shape is ``FROM python``, ``WORKDIR``, ``COPY`` of the entry into one folder, ``RUN pip install`` and ``RUN
apt-get install``.  An instruction outside it is a `Refusal` with its line; `evaluate.stages.image_build` builds such a
file where the organiser allows builds.  All refusals are collected at once.
"""

from __future__ import annotations

import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import dropwhile

from evaluate.config.challenge.types import BaseImage
from evaluate.confine.delivery import usable_name
from evaluate.core.errors import EntryError
from evaluate.core.model import Refusal, RefusalKind
from evaluate.protocol.guest import HOME
from metrics.readers.foreign import decoded

FILE = "Dockerfile"
MOST_BYTES = 256 << 10
_MOST_INSTRUCTIONS, _MOST_REFUSALS = 1000, 100
_MOST_SHOWN = 300
"""Characters of an instruction that is quoted."""
_INSTRUCTION = re.compile(r"\s*([A-Za-z]+)((?:\s+--[a-z]\S*)*)(?:\s+|$)")
_HEREDOC = re.compile(r"(?<!<)<<-?[\"']?[A-Za-z_]")
_CONTINUED = re.compile(r"(?<!\\)\\[ \t]*$")
_REGISTRY = re.compile(r"(?:(?:index\.|registry-1\.)?docker\.io/)?(?:library/)?")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)")
_WINDOWS = re.compile(r"nanoserver|windowsservercore")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_VARIABLE = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")
_PACKAGE = re.compile(r"[a-z0-9][a-z0-9.+-]+(?:=[^*]+)?")
_ADDRESS = re.compile(r"(?:https?|ftp|git|ssh)://|git@|git\+")
_HUB = re.compile(r"huggingface|\bhf\.co\b|torch\.hub|from_pretrained|snapshot_download|gdown|drive\.google|\bkaggle\b")
_TORCH_INDEX = re.compile(r"https?://download\.pytorch\.org/")
_NO_EFFECT = ("ARG", "LABEL", "MAINTAINER", "EXPOSE", "VOLUME", "STOPSIGNAL", "HEALTHCHECK", "ONBUILD")
_HARMLESS = ("set", "true", "echo", "useradd", "groupadd", "adduser", "addgroup", "chown")
_CACHES = ("/var/lib/apt/", "/var/cache/", "/tmp/", "/root/.cache")
_APT_HARMLESS = ("update", "upgrade", "clean", "autoclean", "autoremove")
_PIP_WITH_VALUE = ("--timeout", "--default-timeout", "--retries", "--trusted-host", "--progress-bar", "--cache-dir")
_PIP_HARMLESS = re.compile(
    r"--(?:no-cache-dir|upgrade|quiet|user|no-input|disable-pip-version-check|break-system-packages|prefer-binary"
    r"|no-warn-script-location|ignore-installed|verbose|no-compile|force-reinstall|root-user-action=\S+"
    r"|(?:progress-bar|timeout|default-timeout|retries|trusted-host|cache-dir)=\S+)|-[UqvI]+"
)
_PIP_INDEX = ("-i", "--index-url", "--extra-index-url", "-f", "--find-links")
_PIP_ITSELF = ("pip", "setuptools", "wheel")
FETCHERS = ("curl", "wget", "aria2c", "axel", "rsync", "scp", "aws", "gsutil", "azcopy", "rclone", "lftp")
"""Programs that download."""
_INSTALLS = "expected a command that only installs: pip install or apt-get install"
_GENERIC = "do it at home and add its results to the entry, or let the program do it when it starts"
_NO_NETWORK = "expected no download: there is no network"
_ADD_IT = "download it once, add it to the entry so that COPY takes it along, and remove the line"
_EXISTING = ("usr", "etc", "var", "bin", "sbin", "lib", "lib64", "opt", "srv", "home", "mnt", "media", "boot")
_OURS = ("dev", "proc", "sys", "run", "tmp", "root", "input", "output")
_OPEN = ("usr/src", "usr/local/src", "opt", "srv", "home", "mnt", "media")
"""Folders of the machine in which the entry's folder may be."""


@dataclass(frozen=True, kw_only=True)
class LineRequest:
    """A request of a line: a package, a requirement, an image."""

    line: int
    text: str


@dataclass(frozen=True, kw_only=True)
class ImagePlan:
    """An image in the terms of the machine."""

    images: tuple[LineRequest, ...] = ()
    """Images after FROM, but for earlier stages."""
    heredocs: tuple[LineRequest, ...] = ()
    """Instructions with here-documents."""
    stages: tuple[tuple[LineRequest, ...], ...] = ()
    """All instructions of each stage, from its FROM on."""
    packages: tuple[LineRequest, ...] = ()
    """Debian's, ``name`` or ``name = version``."""
    requirements: tuple[LineRequest, ...] = ()
    """Requirements from the package index."""
    requirement_files: tuple[LineRequest, ...] = ()
    """Files of the entry that list more of them."""
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: str = HOME
    argv: tuple[str, ...] = ()
    """ENTRYPOINT and CMD; empty: neither."""
    top: str = ""
    """Folder of the image that has the entry's files under their own names; empty: nothing is copied."""
    notes: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _Instruction:
    name: str
    """In capitals."""
    flags: str
    lines: tuple[tuple[int, str], ...]
    """Numbers and texts of its lines, without the name, flags, comments and ends that continue a line."""

    @property
    def line(self) -> int:
        return self.lines[0][0]

    @property
    def text(self) -> str:
        return " ".join(text.strip() for _, text in self.lines).strip()

    @property
    def words(self) -> tuple[str, ...] | None:
        """The words of the form ``["a", "b"]``; None for the other form, which Docker gives to a shell."""
        try:
            values = json.loads(self.text) if self.text.startswith("[") else None
        except (ValueError, RecursionError):
            return None
        if isinstance(values, list) and all(isinstance(value, str) and is_word(value) for value in values):
            return tuple(values)
        return None

    def quoted(self) -> LineRequest:
        return LineRequest(
            line=self.line, text=" ".join(filter(None, [self.name, self.flags, self.text]))[:_MOST_SHOWN]
        )


def is_word(text: str) -> bool:
    """True if a program can be given this text: no zero, and no half of a character."""
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def is_free(folder: str) -> bool:
    """True if the entry's folder may be there, without hiding anything of the machine.

    Never where the machine's own programs look for theirs: a library for its Python, or for its linker, would be loaded
    into the programs with which the supervisor unpacks the entry and describes the model that it has learned.
    """
    parts = folder.split("/")
    if parts[0] or usable_name(folder[1:].encode(errors="surrogatepass")) is None or parts[1] in _OURS:
        return False
    within = any(folder.startswith(f"/{one}/") for one in _OPEN) and folder.strip("/") not in _OPEN
    return folder != HOME and (parts[1] not in _EXISTING or within)


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


def translate(text: bytes, names: Sequence[str], bases: Sequence[BaseImage], python: str) -> ImagePlan:
    """The plan of a ``Dockerfile``. Raises EntryError if it is too large.

    * ``names``: the files of the entry.
    * ``bases``: the images that the organiser allows after FROM.
    * ``python``: version of the machine's Python, such as ``3.11``.
    """
    if len(text) > MOST_BYTES:
        raise EntryError(f"{FILE} has {len(text) >> 10} KiB; at most {MOST_BYTES >> 10} are allowed")
    lines = decoded(text, errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}").splitlines()
    reader = _Reader(names, bases, python)
    for number, instruction in enumerate(_instructions(lines)):
        if number >= _MOST_INSTRUCTIONS:
            raise EntryError(f"{FILE} has more than {_MOST_INSTRUCTIONS} instructions")
        if not reader.read(instruction):
            break
    return reader.plan()


def _instructions(lines: Sequence[str]) -> Iterator[_Instruction]:
    parts: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#") or not line.strip():
            continue
        continued = _CONTINUED.search(line)
        parts.append((number, line[: continued.start()] if continued else line))
        if not continued:
            yield _instruction(parts)
            parts = []
    if parts:
        yield _instruction(parts)


def _instruction(parts: Sequence[tuple[int, str]]) -> _Instruction:
    (number, first), *others = parts
    start = _INSTRUCTION.match(first)
    name, flags, end = (start[1].upper(), start[2].strip(), start.end()) if start else (first.strip(), "", len(first))
    return _Instruction(name=name, flags=flags, lines=((number, first[end:]), *others))


@dataclass(frozen=True, kw_only=True)
class _Word:
    line: int
    text: str


class _NotPlain(ValueError):
    """A command of a shell with more than words."""


class _Reader:
    def __init__(self, names: Sequence[str], bases: Sequence[BaseImage], python: str) -> None:
        self._names, self._bases, self._python = names, bases, python
        self._defaults: dict[str, str] = {}
        """Values of ARG before FROM, which only FROM may use."""
        self._cwd = "/"
        self._env: dict[str, str] = {}
        self._entrypoint: tuple[str, ...] = ()
        self._cmd: tuple[str, ...] = ()
        self._copied: dict[str, tuple[str, int]] = {}
        """Place in the image -> path in the entry (empty: all of it), and the line of the COPY."""
        self._made: dict[str, int] = {}
        """Folders that ``mkdir`` makes, and their lines."""
        self._read_by_pip: set[str] = set()
        self._images: list[LineRequest] = []
        self._heredocs: list[LineRequest] = []
        self._stages: list[list[LineRequest]] = []
        self._aliases: set[str] = set()
        self._packages: list[LineRequest] = []
        self._requirements: list[LineRequest] = []
        self._requirement_files: list[LineRequest] = []
        self._notes: list[str] = []
        self._refusals: list[Refusal] = []

    def plan(self) -> ImagePlan:
        """The image after all instructions."""
        if not self._stages and not self._refusals:
            self._refuse(0, RefusalKind.BASE, "no FROM", "expected an image to start from", self._allowed())
        top = self._top()
        within = bool(top) and f"{self._cwd}/".startswith(f"{top}/")
        notes, refusals = list(self._notes), self._refusals
        if len(refusals) > _MOST_REFUSALS:
            notes.append(f"and {len(refusals) - _MOST_REFUSALS} more lines that cannot be translated")
        return ImagePlan(
            images=tuple(self._images),
            heredocs=tuple(self._heredocs),
            stages=tuple(map(tuple, self._stages)),
            packages=tuple(self._packages),
            requirements=tuple(self._requirements),
            requirement_files=tuple(self._requirement_files),
            env=self._env,
            cwd=f"{HOME}{self._cwd[len(top) :]}" if within else HOME,
            argv=(*self._entrypoint, *self._cmd),
            top=top,
            notes=tuple(notes),
            refusals=tuple(refusals[:_MOST_REFUSALS]),
        )

    def read(self, instruction: _Instruction) -> bool:
        """Add an instruction; False if nothing after it can be read."""
        if instruction.name == "FROM":
            self._stages.append([])
        if self._stages:
            self._stages[-1].append(instruction.quoted())
        elif instruction.name == "ARG":
            pairs = map(_ASSIGNMENT.fullmatch, instruction.text.split())
            self._defaults |= {pair[1]: pair[2] for pair in pairs if pair}
        else:
            expected = "expected FROM before any other instruction"
            self._refuse(instruction.line, RefusalKind.BASE, instruction.quoted().text, expected, self._allowed())
            return False
        if instruction.name in ("RUN", "COPY", "ADD") and _HEREDOC.search(instruction.text):
            self._heredocs.append(instruction.quoted())
            way = "write: RUN first && second, or put the lines into a file of the entry and start that"
            self._refuse_instruction(instruction, "expected no here-document", way)
            return False  # its lines look like instructions
        readers = {
            "FROM": self._from,
            "RUN": self._run,
            "COPY": self._copy,
            "ADD": self._copy,
            "WORKDIR": self._work_folder,
            "ENV": self._environment,
            "USER": self._user,
            "CMD": self._program,
            "ENTRYPOINT": self._program,
        }
        if instruction.name in readers:
            readers[instruction.name](instruction)
        elif instruction.name not in _NO_EFFECT:
            self._refuse_instruction(instruction, "expected FROM, WORKDIR, COPY, ENV, RUN, CMD or ENTRYPOINT", "")
        return True

    def _work_folder(self, instruction: _Instruction) -> None:
        if "$" in instruction.text:
            self._refuse_variable(instruction.line, instruction.quoted().text)
        else:
            self._cwd = self._place(instruction.text.strip("\"'") or "/")

    def _user(self, instruction: _Instruction) -> None:
        self._note(instruction.line, f"USER {instruction.text}: the program runs as the machine's own user")

    def _program(self, instruction: _Instruction) -> None:
        shell = ("/bin/sh", "-c", instruction.text) if instruction.text else ()
        argv = instruction.words if instruction.words is not None else shell
        if instruction.name == "CMD":
            self._cmd = argv
        else:
            self._entrypoint, self._cmd = argv, ()

    def _refuse(self, line: int, kind: RefusalKind, found: str, expected: str, way_out: str) -> None:
        shown = found if len(found) <= 120 else f"{found[:119]}…"
        self._refusals.append(Refusal(file=FILE, line=line, kind=kind, found=shown, expected=expected, way_out=way_out))

    def _refuse_instruction(self, instruction: _Instruction, expected: str, way_out: str) -> None:
        shown = instruction.quoted().text
        self._refuse(instruction.line, RefusalKind.INSTRUCTION, shown, expected, way_out)

    def _refuse_variable(self, line: int, shown: str) -> None:
        self._refuse(line, RefusalKind.VARIABLE, shown, "expected no variable", "write the value itself")

    def _note(self, line: int, text: str) -> None:
        self._notes.append(f"note: {FILE} line {line}: {text}")

    def _place(self, path: str) -> str:
        return posixpath.normpath(posixpath.join(self._cwd, path)).replace("//", "/")

    def _allowed(self) -> str:
        return "write: " + " or ".join(f"FROM {_example(base.image, self._python)}" for base in self._bases)

    # where it begins

    def _from(self, instruction: _Instruction) -> None:
        words = [
            _VARIABLE.sub(lambda name: self._defaults.get(name[1], name[0]), word) for word in instruction.text.split()
        ]
        image, *others = words or [""]
        if image.lower() not in self._aliases:
            self._images.append(LineRequest(line=instruction.line, text=image))
        self._aliases |= {others[1].lower()} if len(others) > 1 else set()
        if len(self._stages) > 1:
            expected = "expected one FROM: several stages are not translated"
            way = "install everything in one stage by pip or apt-get"
            self._refuse(instruction.line, RefusalKind.STAGE, f"FROM {instruction.text}", expected, way)
        else:
            self._base(instruction.line, image)

    def _base(self, line: int, image: str) -> None:
        name, _, tag = _REGISTRY.sub("", image, count=1).partition("@")[0].partition(":")
        version = _VERSION.match(tag)
        numbers = version[1] if version else ""
        base = next((base for base in self._bases if _is_of(base.image, name, tag)), None)
        if base is None or _WINDOWS.search(tag) or "$" in image:
            allowed = ", ".join(base.image for base in self._bases)
            expected = f"expected an image that this challenge allows: {allowed}"
            way = f"{self._allowed()}; and install the rest by pip"
            self._refuse(line, RefusalKind.BASE, f"FROM {image}", expected, way)
            return
        if name == "python":
            self._of_python(line, image, numbers)
        for text in base.requirements:
            wanted = text.replace("{version}", numbers) if numbers else re.sub(r"[=<>~!]=?\{version\}", "", text)
            self._requirements.append(LineRequest(line=line, text=wanted))
        self._packages += [LineRequest(line=line, text=text) for text in base.packages]

    def _of_python(self, line: int, image: str, numbers: str) -> None:
        machine = tuple(map(int, self._python.split(".")))
        asked = tuple(int(number) for number in numbers.split(".")[:2] if 0 < len(number) < 10)
        if asked and (asked[0] != machine[0] or asked > machine):
            expected = f"expected Python {self._python}, which the machine has, or an older Python 3"
            way = f"write: FROM python:{self._python}, and try the program with that"
            self._refuse(line, RefusalKind.PYTHON, f"FROM {image}", expected, way)
        elif asked != machine:
            self._note(line, f"{image} becomes Python {self._python} on Debian, which the machine has")

    def _environment(self, instruction: _Instruction) -> None:
        if "$" in instruction.text:
            self._refuse_variable(instruction.line, instruction.quoted().text)
            return
        try:
            words = shlex.split(instruction.text)
        except ValueError:
            words = [""]
        if words and "=" not in words[0]:  # the old form: ENV NAME everything else
            words = ["=".join(instruction.text.split(maxsplit=1))]
        pairs = [_ASSIGNMENT.fullmatch(word) for word in words]
        if all(pairs):
            self._env |= {pair[1]: pair[2] for pair in pairs if pair}
        else:
            self._refuse_instruction(instruction, "expected NAME=value", 'write: ENV NAME="value"')

    # files

    def _copy(self, instruction: _Instruction) -> None:
        shown = instruction.quoted().text
        words = list(instruction.words if instruction.words is not None else instruction.text.split())
        if "$" in shown:
            self._refuse_variable(instruction.line, shown)
        elif "--from" in instruction.flags:
            expected = "expected files of the entry: no other stage is translated"
            way = "install what it brings by pip or apt-get, or add its files to the entry"
            self._refuse(instruction.line, RefusalKind.STAGE, shown, expected, way)
        elif any(map(_ADDRESS.match, words)):
            self._refuse_download(instruction.line, shown)
        elif "--chmod" in instruction.flags or len(words) < 2 or (instruction.name == "ADD" and _is_packed(words)):
            self._refuse_instruction(instruction, "expected files of the entry, and the folder that they go to", "")
        else:
            *sources, target = words
            paths = [path for source in sources for path in self._paths(instruction.line, source)]
            place = self._place(target)
            into = target.endswith("/") or len(paths) > 1 or place in (self._cwd, *self._copied)
            for path in paths:
                is_folder = not path or any(name.startswith(f"{path}/") for name in self._names)
                inside = f"{place}/{posixpath.basename(path)}" if into and not is_folder else place
                self._copied[inside.replace("//", "/")] = (path, instruction.line)

    def _paths(self, line: int, source: str) -> list[str]:
        """The files and folders of the entry that a source names; the whole entry is an empty path."""
        clean = posixpath.normpath(source.lstrip("/") or ".")
        if clean == ".":
            return [""]
        tops = {"/".join(name.split("/")[: clean.count("/") + 1]): None for name in self._names}
        paths = [top for top in tops if top == clean or (set(clean) & set("*?[") and fnmatchcase(top, clean))]
        if not paths:
            self._refuse(line, RefusalKind.FILE, source, "expected a file of the entry", "add it, or remove the line")
        return paths

    def _top(self) -> str:
        """The folder in which the entry's files lie under their own names; refuses files that lie elsewhere."""
        top = ""
        for place, (path, line) in self._copied.items():
            folder = place if not path else place.removesuffix(f"/{path}")
            misplaced = bool(path) and not place.endswith(f"/{path}")
            if place in self._read_by_pip and (misplaced or not is_free(folder)):
                continue  # only pip needs it there
            if misplaced or folder not in (top or folder, HOME) or not (folder == HOME or is_free(folder)):
                self._refuse(
                    line,
                    RefusalKind.PLACE,
                    f"COPY {path or '.'} to {place}",
                    "expected one folder, which is none of the machine's, with the files under their own names",
                    "write: WORKDIR /challenge, and: COPY . .",
                )
            else:
                top = folder
        for folder, line in self._made.items():
            if top and not f"{folder}/".startswith(f"{top}/"):
                way = "make the folder in the entry, or when the program starts"
                self._refuse(line, RefusalKind.COMMAND, f"mkdir {folder}", _INSTALLS, way)
        return top

    # commands

    def _run(self, instruction: _Instruction) -> None:
        if "$" in instruction.text or "`" in instruction.text:
            self._refuse_variable(instruction.line, instruction.quoted().text)
            return
        try:
            commands = _commands(instruction)
        except _NotPlain:
            self._refuse_command(instruction.line, instruction.text)
            return
        for words in commands:
            command = list(dropwhile(lambda word: _ASSIGNMENT.fullmatch(word.text), words))
            if command and not self._command(command):
                self._refuse_command(command[0].line, " ".join(word.text for word in command))

    def _command(self, words: Sequence[_Word]) -> bool:
        """Follow a command; False if that is not possible."""
        texts = [word.text for word in words]
        program = texts[0].rpartition("/")[2]
        if re.fullmatch(r"python[\d.]*", program) and texts[1:3] == ["-m", "pip"]:
            program, words = "pip", words[2:]
        plain = [word for word in words[1:] if not word.text.startswith("-")]
        if re.fullmatch(r"pip[\d.]*", program):
            return bool(plain) and plain[0].text == "install" and self._pip(words[words.index(plain[0]) + 1 :])
        if program in ("apt-get", "apt"):
            return bool(plain) and self._apt(plain)
        if program == "mkdir":
            self._made |= {self._place(word.text): word.line for word in plain}
            return not any(set("{}*") & set(word.text) for word in plain)
        if program == "rm":
            return all(self._place(word.text).startswith(_CACHES) for word in plain)
        return program in _HARMLESS

    def _refuse_command(self, line: int, text: str) -> None:
        programs = {word.rpartition("/")[2] for word in text.split()}
        if "git" in programs:
            way = "add its files to the entry itself, and remove the line"
            self._refuse(line, RefusalKind.GIT, text, _NO_NETWORK, way)
        elif programs & set(FETCHERS) or _ADDRESS.search(text) or _HUB.search(text):
            self._refuse_download(line, text)
        else:
            self._refuse(line, RefusalKind.COMMAND, text, _INSTALLS, _GENERIC)

    def _refuse_download(self, line: int, text: str) -> None:
        if _HUB.search(text):
            way = "save the model to a folder of the entry, load it from there, and remove the line"
            self._refuse(line, RefusalKind.MODEL_HUB, text, _NO_NETWORK, way)
        else:
            self._refuse(line, RefusalKind.DOWNLOAD, text, _NO_NETWORK, _ADD_IT)

    def _apt(self, words: Sequence[_Word]) -> bool:
        if words[0].text in _APT_HARMLESS:
            return True
        for word in words[1:] if words[0].text == "install" else ():
            if _PACKAGE.fullmatch(word.text):
                self._packages.append(LineRequest(line=word.line, text=word.text.replace("=", " = ", 1)))
            else:
                expected = "expected the name of a package of Debian, or name=version"
                way = f"write: apt-get install -y {re.split(r'[=:/*]', word.text)[0] or 'PACKAGE'}"
                self._refuse(word.line, RefusalKind.PACKAGE, f"apt-get install {word.text}", expected, way)
        return words[0].text == "install"

    def _pip(self, words: Sequence[_Word]) -> bool:
        left, of_torch, wanted = iter(words), False, list[_Word]()
        for word in left:
            option, equals, value = word.text.partition("=")
            if word.text in _PIP_WITH_VALUE:
                next(left, None)
            elif option in (*_PIP_INDEX, "-r", "--requirement"):
                value = value if equals else getattr(next(left, None), "text", "")
                if option in _PIP_INDEX:
                    of_torch = self._index(word.line, option, value) or of_torch
                else:
                    self._requirement_file(word.line, value)
            elif word.text.startswith("-") and not _PIP_HARMLESS.fullmatch(word.text):
                kind = RefusalKind.SOURCE if option in ("-e", "--editable") else RefusalKind.COMMAND
                expected = "expected names and versions of packages, or -r FILE"
                self._refuse(word.line, kind, f"pip install {word.text}", expected, f"leave out {word.text}")
                return True
            elif not word.text.startswith("-"):
                wanted.append(word)
        for word in wanted:
            self._requirement(word, of_torch)
        return True

    def _index(self, line: int, option: str, address: str) -> bool:
        """True if it is PyTorch's own index, whose packages are in every other under the same names."""
        if _TORCH_INDEX.match(address):
            self._note(line, f"{option} {address} is ignored: packages come from the challenge's index")
            return True
        expected = "expected no other index: packages come from the challenge's"
        self._refuse(line, RefusalKind.INDEX, f"pip install {option} {address}", expected, f"leave out {option}")
        return False

    def _requirement_file(self, line: int, path: str) -> None:
        place = self._place(path)
        name = self._copied[place][0] if place in self._copied else None
        for folder, (source, _) in self._copied.items():
            if name is None and place.startswith(f"{folder.rstrip('/')}/"):
                inside = posixpath.join(source, place[len(folder.rstrip("/")) + 1 :])
                name = inside if inside in self._names else None
        if name:
            self._read_by_pip.add(place)
            self._requirement_files.append(LineRequest(line=line, text=name))
        else:
            expected = f"expected {place} in the image: no COPY above brings it"
            way = "write above it: COPY . ., and add the file to the entry if it is missing"
            self._refuse(line, RefusalKind.FILE, f"pip install -r {path}", expected, way)

    def _requirement(self, word: _Word, of_torch: bool) -> None:
        text = word.text
        if re.split(r"[\[=<>!~;]", text)[0].strip().lower() in _PIP_ITSELF:
            return
        address = _ADDRESS.search(text)
        if text.startswith(".") or "/" in text or address or text.endswith((".whl", ".zip", ".gz")):
            kind = RefusalKind.GIT if address and "git" in text else RefusalKind.SOURCE
            expected = "expected names and versions of packages: nothing is built from source"
            way = f"add the modules of {text} to the entry, and name their folder by ENV PYTHONPATH=FOLDER"
            self._refuse(word.line, kind, f"pip install {text}", expected, way)
            return
        if of_torch and "+" in text:
            text = re.sub(r"\+[A-Za-z0-9.]+", "", text)
            self._note(word.line, f"{word.text} becomes {text}")
        self._requirements.append(LineRequest(line=word.line, text=text))


def _commands(instruction: _Instruction) -> list[list[_Word]]:
    """The commands of a RUN, which are joined by ``&&``, ``;`` or the end of a line; raises _NotPlain for others."""
    if instruction.words is not None:
        return [[_Word(line=instruction.line, text=word) for word in instruction.words]]
    commands: list[list[_Word]] = [[]]
    for number, text in instruction.lines:
        lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|()<>")
        lexer.whitespace_split, lexer.commenters = True, ""
        try:
            tokens = list(lexer)
        except ValueError as e:  # quotes that end on another line
            raise _NotPlain from e
        for token in tokens:
            if token in ("&&", ";"):
                commands.append([])
            elif not token or set(token) <= set(";&|()<>") or token.startswith("#"):
                raise _NotPlain
            else:
                commands[-1].append(_Word(line=number, text=token))
    return commands


def _is_packed(words: Sequence[str]) -> bool:
    return any(re.search(r"\.(?:tar|tgz|tbz2|txz|tar\.\w+)$", word, re.IGNORECASE) for word in words)


def _example(pattern: str, python: str) -> str:
    """An image that a pattern allows."""
    name, _, tag = pattern.partition(":")
    return f"python:{python}" if name == "python" and fnmatchcase(python, tag or "*") else pattern


def _is_of(pattern: str, name: str, tag: str) -> bool:
    wanted, _, of_tag = pattern.partition(":")
    return fnmatchcase(name, wanted) and (not of_tag or fnmatchcase(tag, of_tag))

"""What a team's ``Dockerfile`` comes to in our terms: packages, files, an environment, a program; and what does not.

Nothing is executed.  What cannot be translated is a `Refusal` with its line and the nearest way out; all of them are
found at once.  Patterns of ``.dockerignore`` are expressions that may take for ever, so this runs behind walls.
"""

from __future__ import annotations

import copy
import difflib
import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

from evaluate.challenge.types import BaseImage
from evaluate.core.model import RefusalKind
from evaluate.untrusted.dockerfile import Instruction, Parsed, ShellWord, parse_dockerfile, tokens
from evaluate.untrusted.dockerignore import ignored, parse_dockerignore
from evaluate.untrusted.image_places import ImagePlan, placed
from evaluate.untrusted.image_stage import (
    ADD_UNPACKED,
    ADDRESS,
    PACKED,
    BuildStage,
    Context,
    LineRequest,
    below,
    makes_executable,
    of_download,
)
from evaluate.untrusted.run_lines import RunLines

_MOST_ENVIRONMENT, _MOST_REFUSALS = 32 << 10, 100
_MOST_SHOWN = 300
"""Characters of an instruction that is quoted."""
_REGISTRY = re.compile(r"(?:(?:index\.|registry-1\.)?docker\.io/)?(?:library/)?")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)")
_WINDOWS = re.compile(r"nanoserver|windowsservercore")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_MODEL = re.compile(
    r"(?:^|/)[^/]+\.(?:sav|pkl|pickle|joblib|pt|pth|h5|hdf5|keras|onnx|ckpt|safetensors|model|tflite|pb|npz|weights)$"
    r"|(?:^|/)(?:models?|weights|checkpoints?)/[^/].*\.(?:bin|json|txt|gz|npy)$",
    re.IGNORECASE,
)
"""Names that models have."""
_INSTALLED = re.compile(r"/(?:\.?venv|env|site-packages|dist-packages|\.local|usr/local(?:/lib|/bin)?|wheels)/")
"""Where pip installs."""
_BRINGS = {"pytorch/pytorch": ("torch", (2, 0)), "tensorflow/tensorflow": ("tensorflow", (2, 12))}
"""Images of others, the package that they are known for, and its first version with wheels for Python 3.11."""
_NO_EFFECT = ("LABEL", "MAINTAINER", "EXPOSE", "VOLUME", "STOPSIGNAL", "HEALTHCHECK", "ONBUILD")
_KNOWN = ("FROM", "RUN", "CMD", "ENV", "ADD", "COPY", "ENTRYPOINT", "USER", "WORKDIR", "ARG", "SHELL", *_NO_EFFECT)
_SHELLS = ("sh", "bash", "dash")


def translate(
    dockerfile: bytes,
    ignore: bytes,
    ignore_file: str,
    names: Sequence[str],
    bases: Sequence[BaseImage],
    needed: Sequence[str],
    python: str,
    trained: bool,
) -> ImagePlan:
    """The plan of a ``Dockerfile``. Raises EntryError if it cannot be read at all.

    * ``ignore`` and ``ignore_file``: the text of its ``.dockerignore``, which may be empty, and its name.
    * ``names``: the files of the entry.
    * ``bases``: what the organiser allows after FROM.
    * ``needed``: files of the entry that the challenge starts.
    * ``python``: of the machine, such as ``3.11``.
    * ``trained``: whether models are made by the challenge, so that none needs to be in the entry.
    """
    parsed = parse_dockerfile(dockerfile)
    left_out = ignored(names, parse_dockerignore(ignore, ignore_file))
    context = Context(
        all=tuple(names),
        names=tuple(name for name in names if name not in left_out),
        left_out=left_out,
        ignore_file=ignore_file,
        escape=parsed.escape,
    )
    reader = _Reader(parsed, context, bases, python)
    stage = reader.read()
    _check_needed(stage, context, needed)
    _check_models(stage, context, trained=trained)
    plan = replace(
        placed(stage, names),
        images=tuple(reader.images),
        heredocs=tuple(_quoted(one) for one in parsed.instructions if one.heredocs),
        stages=_stages(parsed),
        context=context.names,
    )
    if len(plan.refusals) > _MOST_REFUSALS:
        more = f"and {len(plan.refusals) - _MOST_REFUSALS} more lines that cannot be translated"
        plan = replace(plan, refusals=plan.refusals[:_MOST_REFUSALS], notes=(*plan.notes, more))
    return plan


def _stages(parsed: Parsed) -> tuple[tuple[LineRequest, ...], ...]:
    found: list[list[LineRequest]] = []
    for one in parsed.instructions:
        if one.name == "FROM":
            found.append([])
        if found:
            found[-1].append(_quoted(one))
    return tuple(map(tuple, found))


def _quoted(one: Instruction) -> LineRequest:
    flags = [f"--{name}={value}" if value else f"--{name}" for name, value in one.flags.items()]
    return LineRequest(line=one.line, text=" ".join([one.name, *flags, one.text])[:_MOST_SHOWN])


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


class _Reader:
    def __init__(self, parsed: Parsed, context: Context, bases: Sequence[BaseImage], python: str) -> None:
        self._parsed, self._context, self._bases, self._python = parsed, context, bases, python
        self._global: dict[str, str] = {}
        self._stages: dict[str, BuildStage] = {}
        self._numbered: list[BuildStage] = []
        self._stage = BuildStage()
        self.images: list[LineRequest] = []
        """Of others, after FROM."""

    def read(self) -> BuildStage:
        """The image that the last stage makes."""
        begun = False
        for one in self._parsed.instructions:
            if one.name == "FROM":
                begun = True
                self._from(one)
            elif begun or one.name == "ARG":
                self._instruction(one)
            else:
                shown = f"{one.name} {one.text}".strip()
                self._stage.refuse(
                    one.line, RefusalKind.BASE, shown, "expected FROM before any other instruction", self._allowed()
                )
                return self._stage
        if not begun:
            self._stage.refuse(0, RefusalKind.BASE, "no FROM", "expected an image to start from", self._allowed())
        return self._stage

    def _allowed(self) -> str:
        return "write: " + " or ".join(f"FROM {_example(one.image, self._python)}" for one in self._bases)

    def _words(self, one: Instruction) -> list[ShellWord]:
        return list(tokens(one.text, self._stage.value, escape=self._parsed.escape))

    def _instruction(self, one: Instruction) -> None:
        stage = self._stage
        match one.name:
            case "RUN":
                RunLines(stage, self._context).run(one)
            case "COPY" | "ADD":
                self._copy(one)
            case "WORKDIR":
                stage.cwd = stage.place("".join(word.text for word in self._words(one)[:1]) or "/")
                stage.folders[stage.cwd] = None
            case "ENV":
                self._env(one)
            case "ARG":
                self._arg(one)
            case "USER":
                stage.note(one.line, f"USER {one.text}: the program runs as the machine's own user")
            case "CMD":
                stage.cmd = _program(one)
            case "ENTRYPOINT":
                stage.entrypoint, stage.cmd = _program(one), ()
            case _:
                self._other(one)

    def _other(self, one: Instruction) -> None:
        shown = f"{one.name} {one.text}".strip()
        if one.name in _NO_EFFECT:
            return
        if one.name == "SHELL":
            if not one.words or one.words[0].rpartition("/")[2] not in _SHELLS:
                self._stage.refuse(one.line, RefusalKind.INSTRUCTION, shown, "expected sh or bash", "remove the line")
            return
        near = difflib.get_close_matches(one.name, _KNOWN, n=1)
        way = f"did you mean {near[0]}?" if near else f"write: RUN {one.name.lower()} {one.text}".strip()
        self._stage.refuse(
            one.line, RefusalKind.INSTRUCTION, shown, "expected an instruction such as RUN, COPY or ENV", way
        )

    # where it begins

    def _from(self, one: Instruction) -> None:
        words = [token.text for token in tokens(one.text, self._global.get, escape=self._parsed.escape)]
        image = words[0] if words else ""
        earlier = self._stages.get(image.lower())
        self._stage = BuildStage(base=image) if earlier is None else copy.deepcopy(earlier)
        self._stage.args = {}
        if earlier is None:
            self.images.append(LineRequest(line=one.line, text=image))
            self._base(one.line, image)
        self._numbered.append(self._stage)
        if len(words) > 2:
            self._stages[words[2].lower()] = self._stage

    def _base(self, line: int, image: str) -> None:
        name, _, tag = _REGISTRY.sub("", image, count=1).partition("@")[0].partition(":")
        version = _VERSION.match(tag)
        numbers = version[1] if version else ""
        base = next((one for one in self._bases if _is_of(one.image, name, tag)), None)
        if base is None or _WINDOWS.search(tag):
            also, first = _BRINGS.get(name, ("", ()))
            if also and numbers:
                has_wheels = _numbers(numbers) >= first
                also = f"{also}=={numbers}" if has_wheels else f"'{also}>={'.'.join(map(str, first))}'"
            self._stage.refuse(
                line,
                RefusalKind.BASE,
                f"FROM {image}",
                f"expected an image that this challenge allows: {', '.join(one.image for one in self._bases)}",
                f"{self._allowed()}; " + (f"and: RUN pip install {also}" if also else "and install the rest by pip"),
            )
            return
        if name == "python":
            self._of_python(line, image, numbers)
        for text in base.requirements:
            wanted = text.replace("{version}", numbers) if numbers else re.sub(r"[=<>~!]=?\{version\}", "", text)
            self._stage.requirements.append(LineRequest(line=line, text=wanted))
        self._stage.packages += [LineRequest(line=line, text=text) for text in base.packages]

    def _of_python(self, line: int, image: str, numbers: str) -> None:
        ours = tuple(map(int, self._python.split(".")))
        theirs = _numbers(numbers)
        if theirs and (theirs[0] != ours[0] or theirs > ours):
            self._stage.refuse(
                line,
                RefusalKind.PYTHON,
                f"FROM {image}",
                f"expected Python {self._python}, which the machine has, or an older Python 3",
                f"write: FROM python:{self._python}, and try the program with that",
            )
        elif theirs != ours:
            self._stage.note(line, f"{image} becomes Python {self._python} on Debian, which the machine has")

    # variables

    def _env(self, one: Instruction) -> None:
        words = self._words(one)
        if words and "=" not in words[0].text:  # the old form: ENV NAME everything else
            words = [ShellWord(text=f"{words[0].text}={' '.join(word.text for word in words[1:])}", at=0)]
        for word in words:
            found = _ASSIGNMENT.fullmatch(word.text)
            if found is not None:
                self._stage.env[found[1]] = found[2]
            else:
                self._stage.refuse(
                    one.line_at(word.at),
                    RefusalKind.INSTRUCTION,
                    f"ENV {word.text}",
                    "expected NAME=value",
                    'write: ENV NAME="value"',
                )
        if sum(map(len, self._stage.env.values())) > _MOST_ENVIRONMENT:
            most = f"expected at most {_MOST_ENVIRONMENT >> 10} KiB of values"
            self._stage.refuse(one.line, RefusalKind.INSTRUCTION, "ENV", most, "put them into a file of the entry")
            self._stage.env = {}

    def _arg(self, one: Instruction) -> None:
        """A name with a default, which is its value: nobody gives arguments for a build."""
        into, value = (self._stage.args, self._stage.value) if self._stage.base else (self._global, self._global.get)
        for word in tokens(one.text, value, escape=self._parsed.escape):
            name, _, default = word.text.partition("=")
            into[name] = default or self._global.get(name, "")

    # files

    def _copy(self, one: Instruction) -> None:
        shown = f"{one.name} {one.text}"
        words = list(one.words) if one.words is not None else [word.text for word in self._words(one)]
        if "from" in one.flags:
            self._from_stage(one, one.flags["from"], words)
        elif one.heredocs or len(words) < 2:
            self._stage.refuse(
                one.line,
                RefusalKind.INSTRUCTION,
                shown,
                "expected files of the entry, and where they go",
                "add the file to the entry, and write: COPY FILE PLACE",
            )
        else:
            *sources, target = words
            into = target.endswith("/") or target in (".", "..") or len(sources) > 1
            for source in sources:
                if ADDRESS.match(source):
                    kind, way = of_download(source)
                    self._stage.refuse(one.line, kind, shown, "expected a file of the entry: there is no network", way)
                elif one.name == "ADD" and PACKED.search(source):
                    self._stage.refuse(one.line, RefusalKind.COMMAND, shown, "expected no archive", ADD_UNPACKED)
                else:
                    self._copied(one.line, source, self._stage.place(target), into=into)
            if makes_executable(one.flags.get("chmod", "")):
                self._stage.executable |= dict.fromkeys(self._stage.below(self._stage.place(target)))

    def _from_stage(self, one: Instruction, name: str, words: Sequence[str]) -> None:
        """What pip installed in another stage is installed in this one; of files it has those of the entry."""
        other = self._stages.get(name.lower())
        if name.isdecimal() and other is None:
            other = dict(enumerate(self._numbered)).get(int(name[:4]))
        *sources, target = words if len(words) > 1 else ("", "/")
        for source in sources:
            place = posixpath.normpath(f"/{source.lstrip('/')}")
            own = other.below(place) if other is not None else {}
            if other is not None and _INSTALLED.search(f"{place}/"):
                self._stage.requirements += other.requirements
                self._stage.requirement_files += other.requirement_files
            elif own:
                top = self._stage.place(target)
                for one_place, file in own.items():
                    rest = one_place[len(place) :] or f"/{file.rpartition('/')[2]}" * target.endswith("/")
                    self._stage.files[f"{top}{rest}".replace("//", "/")] = file
            else:
                self._stage.refuse(
                    one.line,
                    RefusalKind.STAGE,
                    f"{one.name} --from={name} {one.text}",
                    "expected files of the entry or what pip installed: nothing is built, so no stage has other files",
                    "install what it brings in this stage by pip or apt-get, or add its files to the entry",
                )
                continue
            if other is not None:
                self._stage.refusals += (one for one in other.refusals if one not in self._stage.refusals)

    def _copied(self, line: int, source: str, target: str, *, into: bool) -> None:
        clean = posixpath.normpath(source.lstrip("/") or ".")
        names = self._context.names
        found = {name: name for name in names} if clean == "." else below(clean, names)
        if not found and clean != ".":
            self._context.absent(self._stage, line, source)
        into = into or self._stage.is_folder(target)
        for name, path in found.items():
            alone = f"{target}/{name.rpartition('/')[2]}" if into else target
            self._stage.files[(f"{target}/{path}" if path else alone).replace("//", "/")] = name


def _program(one: Instruction) -> tuple[str, ...]:
    return one.words if one.words is not None else ("/bin/sh", "-c", one.text) if one.text else ()


def _example(pattern: str, python: str) -> str:
    """An image that a pattern allows."""
    name, _, tag = pattern.partition(":")
    return f"python:{python}" if name == "python" and fnmatchcase(python, tag or "*") else pattern


def _numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version."""
    return tuple(int(number) for number in version.split(".")[:2] if 0 < len(number) < 10)


def _is_of(pattern: str, name: str, tag: str) -> bool:
    wanted, _, of_tag = pattern.partition(":")
    return fnmatchcase(name, wanted) and (not of_tag or fnmatchcase(tag, of_tag))


def _check_needed(stage: BuildStage, context: Context, needed: Sequence[str]) -> None:
    """The files that the challenge starts must be in the image."""
    inside, there = set(stage.files.values()), set(context.all)
    for name in needed:
        if name in inside or name not in there:
            continue
        if name in context.left_out:
            context.hidden(stage, name, name, "which the challenge starts")
        else:
            stage.refuse(
                0,
                RefusalKind.FILE,
                f"no COPY of {name}",
                f"expected {name} in the image: the challenge starts it",
                "write: COPY . .",
            )


def _check_models(stage: BuildStage, context: Context, *, trained: bool) -> None:
    """Models that are left out are an error where none remains: the program would find nothing to load."""
    by_line: dict[int, list[str]] = {}
    for name, pattern in context.left_out.items():
        if _MODEL.search(name):
            by_line.setdefault(pattern.line, []).append(name)
    some = trained or any(_MODEL.search(name) for name in stage.files.values())
    for line, names in by_line.items():
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        if some:
            stage.note(line, f"{context.left_out[names[0]].text} leaves out {shown}", context.ignore_file)
        else:
            context.hidden(stage, names[0], shown, "and the image has no other model")

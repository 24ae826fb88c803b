"""What ``pip install`` of a ``Dockerfile`` asks for; see `evaluate.untrusted.run_lines`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from evaluate.core.model import RefusalKind
from evaluate.untrusted.image_stage import ADDRESS, PACKED, BuildStage, Context, LineRequest

_TORCH = re.compile(r"https?://download\.pytorch\.org/")
_HARMLESS = re.compile(
    r"--(?:no-cache-dir|upgrade|quiet|user|no-input|disable-pip-version-check|break-system-packages|prefer-binary|pre"
    r"|no-warn-script-location|no-warn-conflicts|ignore-installed|no-build-isolation|use-pep517|verbose|compile|no-compile"
    r"|force-reinstall|system|require-hashes|use-deprecated=\S+|root-user-action=\S+|progress-bar=\S+|timeout=\S+"
    r"|default-timeout=\S+|retries=\S+|trusted-host=\S+|upgrade-strategy=\S+|only-binary=\S+|cache-dir=\S+)"
    r"|-[UqvI]+"
)
_WITH_VALUE = (
    *("--timeout", "--default-timeout", "--retries", "--trusted-host", "--progress-bar", "--upgrade-strategy"),
    *("--root-user-action", "--only-binary", "--cache-dir", "--use-deprecated"),
)
_INDEX = ("-i", "--index-url", "--extra-index-url", "-f", "--find-links")
_ITSELF = ("pip", "setuptools", "wheel")
_OF_SOURCE = (
    "list what it needs in requirements.txt, write: RUN pip install -r requirements.txt, and make its modules found by "
    "ENV PYTHONPATH=FOLDER"
)


_REFUSED_WITH_VALUE = ("-e", "--editable", "-c", "--constraint", "-t", "--target", "--prefix", "--root")


def pip_install(stage: BuildStage, context: Context, words: Sequence[tuple[str, int]]) -> None:
    """Follow one ``pip install``, whose other words these are, with their lines."""
    of_torch, wanted = False, list[tuple[str, int]]()
    left, none = iter(words), ("", 0)
    for word, line in left:
        name, _, value = word.partition("=")
        if word in _WITH_VALUE:
            next(left, none)
        elif _HARMLESS.fullmatch(word):
            continue
        elif name in _INDEX:
            of_torch = _index(stage, line, name, value or next(left, none)[0]) or of_torch
        elif name in ("-r", "--requirement"):
            _file(stage, context, line, value or next(left, none)[0])
        elif word.startswith("-r"):
            _file(stage, context, line, word[2:])
        elif word == "--no-deps":
            stage.note(line, "--no-deps is ignored: packages are installed with what they need")
        elif word.startswith("-"):
            value = next(left, none)[0] if word in _REFUSED_WITH_VALUE else ""
            stage.refuse(
                line,
                RefusalKind.SOURCE if name in ("-e", "--editable") else RefusalKind.COMMAND,
                f"pip install {word} {value}".rstrip(),
                "expected names and versions of packages, or -r FILE",
                _OF_SOURCE if name in ("-e", "--editable") else f"leave out {word}",
            )
        else:
            wanted.append((word, line))
    for word, line in wanted:
        _requirement(stage, line, word, of_torch)


def _index(stage: BuildStage, line: int, option: str, address: str) -> bool:
    """Whether it is PyTorch's own index, whose packages are in every other under the same names."""
    if _TORCH.match(address):
        stage.note(line, f"{option} {address} is ignored: packages come from the challenge's index")
        return True
    stage.refuse(
        line,
        RefusalKind.INDEX,
        f"pip install {option} {address}",
        "expected no other index: packages come from the challenge's",
        f"leave out {option}; a package that is nowhere else goes into the entry as a folder of its modules",
    )
    return False


def _file(stage: BuildStage, context: Context, line: int, path: str) -> None:
    place = stage.place(path)
    name = stage.files.get(place)
    clean = posixpath.normpath(path)
    there = [one for one in context.names if one.rpartition("/")[2] == path.rpartition("/")[2]]
    if name is not None:
        stage.requirement_files.append(LineRequest(line=line, text=name))
    elif ADDRESS.match(path) or not there:
        context.absent(stage, line, path)
    else:
        stage.refuse(
            line,
            RefusalKind.FILE,
            f"pip install -r {path}",
            f"expected {place} in the image, but {there[0] if clean not in there else clean} was not copied there",
            f"write above it: COPY {there[0]} {place}",
        )


def _requirement(stage: BuildStage, line: int, word: str, of_torch: bool) -> None:
    if re.split(r"[\[=<>!~;]", word)[0].strip().lower() in _ITSELF:
        return
    address = ADDRESS.search(word)
    if word.startswith(".") or "/" in word or address or PACKED.search(word) or word.endswith((".whl", ".zip")):
        stage.refuse(
            line,
            RefusalKind.GIT if address and "git" in word else RefusalKind.SOURCE,
            f"pip install {word}",
            "expected names and versions of packages: nothing is built from source",
            f"add the modules of {word} to the entry" if address else _OF_SOURCE,
        )
        return
    if of_torch and "+" in word:
        plain = re.sub(r"\+[A-Za-z0-9.]+", "", word)
        stage.note(line, f"{word} becomes {plain}")
        word = plain
    stage.requirements.append(LineRequest(line=line, text=word))

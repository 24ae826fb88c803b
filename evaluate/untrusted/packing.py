"""Archive of an entry's folder as a publisher packs it: what a person is shown before it leaves the machine."""

from __future__ import annotations

import gzip
import math
import os
import re
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from evaluate.core.errors import EntryError, UsageError
from evaluate.untrusted.selection import IGNORE, Selection, content_of, select
from evaluate.untrusted.tar import anonymous
from metrics.readers.foreign import pointer

# What looks like a secret: keys and tokens whose form is published, and passwords written into a program


_LOOKED_AT_BYTES, _OF_NOTEBOOKS_BYTES = 1 << 20, 64 << 20
"""Bytes looked at, from the beginning of a file: programs and settings are shorter, notebooks with pictures are not."""
ALLOWED = "evaluate: not a secret"
"""A line with these words is not looked at."""
_FORMS = {
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----",
    "an AWS access key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "a GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{50,})",
    "a GitLab token": r"\bgl(?:pat|cbt|dt|rt|ptt|soat)-[A-Za-z0-9_\-]{20,}",
    "a Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}\b",
    "a Google API key": r"\bAIza[0-9A-Za-z_\-]{35}",
    "an OpenAI or Anthropic key": r"\bsk-(?:proj-|ant-|svcacct-)?[A-Za-z0-9_\-]{32,}",
    "a Slack token": r"\bxox[abeoprs]-[A-Za-z0-9\-]{10,}",
    "a Stripe key": r"\b[rs]k_live_[0-9A-Za-z]{20,}",
    "an npm token": r"\bnpm_[A-Za-z0-9]{36}\b",
    "a PyPI token": r"\bpypi-[A-Za-z0-9_\-]{50,}",
    "an Azure storage key": r"\bAccountKey=[A-Za-z0-9+/]{80,}",
    "a JSON web token": r"\beyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{20,}",
    "a token of an evaluate site": r"\bev_[A-Za-z0-9_\-]{43}",
    "a password in an address": r"\b[a-z][a-z0-9+.\-]*://[^\s/:@'\"<>{}$]+:[^\s/:@'\"<>{}$*]{4,}@[\w\[]",
}
_FORM = {what: re.compile(form) for what, form in _FORMS.items()}
_NAME = (
    r"(?:pass(?:word|wd|phrase)|secret(?:_?key)?|api_?key|(?:access|auth|private|kaggle|wandb)_?(?:token|key)|token"
    r"|login\(key)"
)
_VALUE = r"[A-Za-z0-9+/=_\-.!@#%^&*]{12,}"
_ASSIGNED = re.compile(
    # NAME = "value", ["NAME"] = "value" and NAME: "value" of a program, NAME=value of a shell or a settings file;
    # also as a notebook has them, in which quotes are escaped
    rf"(?i){_NAME}(?:\\?[\"'])?\]?\s*[:=]\s*(\\?[\"'])(?P<value>{_VALUE})\1"
    rf"|{_NAME}=(?P<plain>{_VALUE})(?=\s*$|\\n|\")"
    # a token in the place of a user
    r"|://(?P<user>[A-Za-z0-9_\-]{20,})@"
)
_OF_YAML = re.compile(rf"(?i)^[\s\-]*\w*{_NAME}:\s+(?P<value>{_VALUE})\s*$")
_PICTURE = re.compile(r"[A-Za-z0-9+/=]{1000,}")
"""Longer than any key; the time is for what is left."""
_WORD = re.compile(r"[A-Za-z]*|[0-9]*|[A-Za-z0-9]{1,4}")
_BITS = 3.5
"""Entropy of a character of what was drawn at random, at least; words of a language have less."""


@dataclass(frozen=True, kw_only=True)
class Suspect:
    """A line of a file that looks like a secret; the secret itself is nowhere repeated."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file} line {self.line} looks like {self.what}"


def suspects(name: str, path: Path) -> Iterator[Suspect]:
    """Lines of a file that look like secrets, one finding a line; binary files have none."""
    with path.open("rb") as file:
        text = _text(file.read(_OF_NOTEBOOKS_BYTES if name.lower().endswith(".ipynb") else _LOOKED_AT_BYTES))
    yaml = name.lower().endswith((".yaml", ".yml"))
    for number, line in enumerate(_PICTURE.sub("", text).splitlines(), 1):
        if ALLOWED not in line and (what := _kind_of_secret(line, yaml=yaml)):
            yield Suspect(file=name, line=number, what=what)


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # as some programs of Windows write it
        return data.decode("utf-16", "replace")
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def _kind_of_secret(line: str, *, yaml: bool) -> str:
    for what, form in _FORM.items():
        if form.search(line):
            return what
    forms = (_ASSIGNED, _OF_YAML) if yaml else (_ASSIGNED,)
    values = (next(filter(None, match.groupdict().values())) for form in forms for match in form.finditer(line))
    return "a password or key" if any(map(_random, values)) else ""


def _random(value: str) -> bool:
    """True if a value was drawn at random: letters and digits mixed, nearly all different, no name made of words."""
    if not (re.search(r"[a-zA-Z]", value) and re.search(r"[0-9]", value)):
        return False
    if all(_WORD.fullmatch(part) for part in re.split(r"[_\-./=]", value)):
        return False
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts) >= min(_BITS, 0.9 * math.log2(len(value)))


_SHOWN = 20
_ADVICE = (
    f"remove it from the file, or leave the file out by {IGNORE}; if it is harmless, write '{ALLOWED}' into that line"
)
_LEVEL = 1
"""Compression level: programs are small at any, and models hardly smaller at a higher one, which takes longer."""


def pack(selection: Selection, target: Path) -> Path:
    """Write a tar.gz; the same contents give the same bytes, for every user and at any time.

    Raises EntryError if nothing is selected.
    """
    if not selection.files:
        raise EntryError(f"{selection.folder}: no file to pack; {_left_out(selection) or 'the folder is empty'}")
    with (
        target.open("wb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as bundle,
    ):
        for name in selection.names:
            bundle.inodes.clear()  # type: ignore[attr-defined]  # a second name of a file is a file of its own
            bundle.add(content_of(selection.folder / name), name, recursive=False, filter=anonymous)
    return target


def _shown(
    folder: Path, say: Callable[[str], None], *, listed: bool, all_files: bool, state: Path | None
) -> tuple[Selection, list[Suspect]]:
    """Choose the files of a folder, all of which can be read, and say which; and lines of them like secrets."""
    selection = select(folder, all_files=all_files, state=state)
    paths = {name: folder / name for name in selection.files if not (folder / name).is_symlink()}
    closed = [name for name, path in paths.items() if not os.access(path, os.R_OK)]
    if closed:
        more = f" and {len(closed) - _SHOWN} more" if len(closed) > _SHOWN else ""
        raise EntryError(
            f"no permission to read {', '.join(closed[:_SHOWN])}{more}: chmod u+r gives it; or leave it out by {IGNORE}"
        )
    for line in described(selection, listed=listed):
        say(line)
    return selection, list(islice((line for name, path in paths.items() for line in suspects(name, path)), _SHOWN))


def _leaving(selection: Selection) -> Iterator[str]:
    """Links that lead out of the folder, and those of git-annex whose content is not here, a line for each."""
    for name in selection.files:
        path = content_of(selection.folder / name)
        if path.is_symlink():
            target = path.readlink()
            if absent := pointer(os.fsencode(target)):
                yield f"{name} is {absent}"
            elif target.is_absolute() or os.path.normpath(Path(name).parent / target).startswith(os.pardir):
                yield f"{name} is a link that leaves the folder"


def to_send(
    folder: Path, say: Callable[[str], None], *, all_files: bool = False, state: Path | None = None
) -> Selection:
    """Choose what leaves this machine, and show it.

    Raises UsageError if a line looks like a secret, or a link leaves the folder: no entry may have one, and it names a
    place of this machine. Raises EntryError if a file cannot be read.
    """
    selection, secrets = _shown(folder, say, listed=True, all_files=all_files, state=state)
    if secrets:
        raise UsageError("\n".join(["nothing was submitted", *map(str, secrets), _ADVICE]))
    if leaving := list(islice(_leaving(selection), _SHOWN)):
        advice = f"put what they name in their place, or leave them out by {IGNORE}"
        raise UsageError("\n".join(["nothing was submitted", *leaving, advice]))
    return selection


def to_try(
    folder: Path, say: Callable[[str], None], *, all_files: bool = False, state: Path | None = None
) -> Selection:
    """Choose what would be submitted, where nothing leaves this machine: a secret is a warning.

    Raises EntryError if a file cannot be read.
    """
    selection, secrets = _shown(folder, say, listed=False, all_files=all_files, state=state)
    for secret in secrets:
        say(f"warning: {secret}")
    if secrets:
        say(f"warning: it would not be submitted: {_ADVICE}")
    return selection


def described(selection: Selection, *, listed: bool = True) -> Iterator[str]:
    """Describe what goes and what stays, in lines.

    ``listed``: name the files, up to twenty of them.
    """
    files = selection.files
    yield f"{selection.folder.resolve().name}: {len(files)} files, {_bytes(selection.size)}"
    if listed:
        yield from (f"  {name}" for name in files[:_SHOWN])
        if len(files) > _SHOWN:
            yield f"  and {len(files) - _SHOWN} more"
    if left := _left_out(selection):
        yield left


def _left_out(selection: Selection) -> str:
    """One sentence on what is left out, by reason."""
    reasons = Counter(file.reason for file in selection.left_out)
    some = {reason: [file.name for file in selection.left_out if file.reason == reason][:3] for reason in reasons}
    parts = [
        f"{', '.join(some[reason])}{' …' if count > len(some[reason]) else ''} ({reason})"
        for reason, count in reasons.most_common()
    ]
    if not parts:
        return ""
    untracked = any(reason.startswith(("not tracked", "ignored by .gitignore")) for reason in reasons)
    return "left out: " + "; ".join(parts) + ("; --all-files takes what git leaves out" if untracked else "")


def _bytes(size: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size /= 1024
    return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"

"""What looks like a secret: keys and tokens whose form is published, and passwords written into a program."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_LOOKED_AT_BYTES, _OF_NOTEBOOKS_BYTES = 1 << 20, 64 << 20
"""Of a file, from its beginning: programs and settings are shorter, notebooks with pictures are not."""
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


def looked_at(file: str) -> int:
    """How many bytes of a file are looked at, from its beginning."""
    return _OF_NOTEBOOKS_BYTES if file.lower().endswith(".ipynb") else _LOOKED_AT_BYTES


def suspects(file: str, data: bytes) -> Iterator[Suspect]:
    """Lines of a file that look like secrets, one finding a line; binary files have none.

    ``data``: the first `looked_at` bytes of the file.
    """
    text, yaml = _text(data), file.lower().endswith((".yaml", ".yml"))
    for number, line in enumerate(_PICTURE.sub("", text).splitlines(), 1):
        if ALLOWED not in line and (what := _what(line, yaml=yaml)):
            yield Suspect(file=file, line=number, what=what)


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # as some programs of Windows write it
        return data.decode("utf-16", "replace")
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def _what(line: str, *, yaml: bool) -> str:
    for what, form in _FORM.items():
        if form.search(line):
            return what
    forms = (_ASSIGNED, _OF_YAML) if yaml else (_ASSIGNED,)
    values = (next(filter(None, found.groupdict().values())) for form in forms for found in form.finditer(line))
    return "a password or key" if any(map(_random, values)) else ""


def _random(value: str) -> bool:
    """Whether a value was drawn at random: letters and digits mixed, nearly all different, no name made of words."""
    if not (re.search(r"[a-zA-Z]", value) and re.search(r"[0-9]", value)):
        return False
    if all(_WORD.fullmatch(part) for part in re.split(r"[_\-./=]", value)):
        return False
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts) >= min(_BITS, 0.9 * math.log2(len(value)))

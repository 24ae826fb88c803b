"""What looks like a secret: keys and tokens whose form is published, and passwords written into a program."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

LOOKED_AT_BYTES = 1 << 20
"""Of a file, from its beginning: programs and settings are shorter."""
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
    rf"(?i){_NAME}(?:\\?[\"'])?\]?\s*[:=]\s*(?P<quote>\\?[\"'])(?P<value>{_VALUE})(?P=quote)"
    rf"|{_NAME}=(?P<plain>{_VALUE})\s*(?:\\n\",?)?$"
)
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


def suspects(file: str, data: bytes) -> Iterator[Suspect]:
    """Lines of a file that look like secrets, one finding a line; binary files have none.

    ``data``: the first `LOOKED_AT_BYTES` of the file.
    """
    text = _text(data)
    for number, line in enumerate(text.splitlines(), 1):
        if ALLOWED not in line and (what := _what(line)):
            yield Suspect(file=file, line=number, what=what)


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):  # as some programs of Windows write it
        return data.decode("utf-16", "replace")
    return "" if b"\0" in data else data.decode("utf-8", "replace")


def _what(line: str) -> str:
    for what, form in _FORM.items():
        if form.search(line):
            return what
    found = _ASSIGNED.search(line)
    return "a password or key" if found and _random(found["value"] or found["plain"]) else ""


def _random(value: str) -> bool:
    """Whether a value was drawn at random: letters and digits mixed, nearly all different, no name made of words."""
    if not (re.search(r"[a-zA-Z]", value) and re.search(r"[0-9]", value)):
        return False
    if all(_WORD.fullmatch(part) for part in re.split(r"[_\-./=]", value)):
        return False
    counts = Counter(value).values()
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts) >= min(_BITS, 0.9 * math.log2(len(value)))

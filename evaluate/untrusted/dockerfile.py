"""A team's ``Dockerfile`` as a list of instructions, read as BuildKit reads it; nothing in it is executed.

No library does what is needed here: ``dockerfile-parse`` knows no here-documents and edits files in place, and
``dockerfile``, the parser of BuildKit compiled from Go, does not say which line of a continued instruction has a word.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate

from evaluate.core.errors import EntryError

FILE = "Dockerfile"
MOST_BYTES = 256 << 10
_MOST_INSTRUCTIONS = 1000
_MOST_EXPANDED = 64 << 10
"""Characters of a text with its variables in place: one may hold another twice."""
_DIRECTIVE = re.compile(r"#\s*([a-zA-Z][a-zA-Z0-9]*)\s*=\s*(\S+)\s*")
_INSTRUCTION = re.compile(r"\s*([A-Za-z]+)(?:\s+|$)")
_ANY_WORD = re.compile(r"\s*(\S*)\s*")
_FLAG = re.compile(r"--([a-z][a-z-]*)(?:=(\S*))?\s*")
_HEREDOC = re.compile(r"(?<!<)<<(-?)([\"']?)([A-Za-z_][A-Za-z0-9_.]*)\2")
_WITH_HEREDOCS = ("RUN", "COPY", "ADD")
_IN_JSON = ("RUN", "CMD", "ENTRYPOINT", "SHELL", "COPY", "ADD", "VOLUME")
_VARIABLE = re.compile(
    r"\$(?:(?P<bare>[A-Za-z_][A-Za-z0-9_]*)|\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?:(?P<operator>:[-+])(?P<word>[^{}]*))?\})"
)
_OPERATOR = re.compile(r"&&|\|\||;;|>>|<<<|<<-?|&>>?|[<>]&|[;&|()<>\n]")


@dataclass(frozen=True, kw_only=True)
class Heredoc:
    """The lines of a here-document."""

    text: str
    line: int
    """Of its first line."""


@dataclass(frozen=True, kw_only=True)
class Instruction:
    """One instruction."""

    line: int
    name: str
    """In capitals."""
    text: str
    """Continued lines are joined; flags are taken off."""
    flags: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] | None = None
    """Of the form ``["a", "b"]``; None: the other form."""
    heredocs: tuple[Heredoc, ...] = ()
    offsets: tuple[int, ...] = ()
    """Where the joined lines begin in ``text``."""
    numbers: tuple[int, ...] = ()
    """The numbers of these lines in the file."""

    def line_at(self, offset: int) -> int:
        """The line of the file that a place in ``text`` is from."""
        at = bisect_right(self.offsets, offset) - 1
        return self.numbers[at] if at >= 0 else self.line


@dataclass(frozen=True, kw_only=True)
class ShellWord:
    """A word of a shell, or an operator."""

    text: str
    at: int
    """Offset."""
    operator: bool = False
    clear: bool = True
    """Whether its value is known: nothing in it is computed by the shell, or comes from an unknown variable."""


@dataclass(frozen=True, kw_only=True)
class Parsed:
    """A file."""

    instructions: tuple[Instruction, ...]
    escape: str = "\\"


def parse_dockerfile(text: bytes) -> Parsed:
    """The instructions of a file, known or not.

    Raises EntryError if it is too large, or a here-document does not end.
    """
    if len(text) > MOST_BYTES:
        raise EntryError(f"{FILE} has {len(text) >> 10} KiB; at most {MOST_BYTES >> 10} are allowed")
    lines = text.decode("utf-8-sig", errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}").split("\n")
    lines = [line.removesuffix("\r") for line in lines]
    escape = _escape(lines)
    last = re.escape(escape)
    continued = re.compile(rf"(?<!{last}){last}[ \t]*$")
    found: list[Instruction] = []
    at = 0
    while at < len(lines):
        begin = at
        parts: list[str] = []
        numbers: list[int] = []
        more = True
        while more and at < len(lines):
            line, at = lines[at], at + 1
            if line.lstrip().startswith("#") or not line.strip():
                more = bool(parts)
                begin = begin if parts else at
                continue
            end = continued.search(line)
            parts.append(line[: end.start()] if end else line)
            numbers.append(at)
            more = end is not None
        if not parts:
            continue
        one = _instruction(parts, numbers)
        if one.name in _WITH_HEREDOCS and one.words is None:
            heredocs, at = _heredocs(one, lines, at)
            one = replace(one, heredocs=heredocs)
        found.append(one)
        if len(found) > _MOST_INSTRUCTIONS:
            raise EntryError(f"{FILE} has more than {_MOST_INSTRUCTIONS} instructions")
    return Parsed(instructions=tuple(found), escape=escape)


def _escape(lines: list[str]) -> str:
    """The escape character that the directives at the top choose."""
    for line in lines:
        directive = _DIRECTIVE.fullmatch(line.strip())
        if directive is None:
            break
        if directive[1].lower() == "escape" and directive[2] in ("\\", "`"):
            return directive[2]
    return "\\"


def _instruction(parts: list[str], numbers: list[int]) -> Instruction:
    text = "".join(parts)
    starts = list(accumulate(map(len, parts[:-1]), initial=0))
    name = _INSTRUCTION.match(text) or _ANY_WORD.match(text)
    assert name is not None
    begin = name.end()
    flags: dict[str, str] = {}
    while flag := _FLAG.match(text, begin):
        flags[flag[1]] = flag[2] or ""
        begin = flag.end()
    rest = text[begin:].rstrip()
    word = name[1].upper()
    return Instruction(
        line=numbers[0],
        name=word,
        text=rest,
        flags=flags,
        words=_json_words(rest) if word in _IN_JSON else None,
        offsets=tuple(max(0, start - begin) for start in starts),
        numbers=tuple(numbers),
    )


def _json_words(text: str) -> tuple[str, ...] | None:
    """The words of ``["a", "b"]``; None if it is not that, as Docker then takes it as a command of the shell.

    Nor if a word is none that a program can be given: with a zero, or half a character.
    """
    if not text.startswith("["):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    good = isinstance(found, list) and all(isinstance(one, str) and is_word(one) for one in found)
    return tuple(found) if good else None


def is_word(text: str) -> bool:
    """Whether a program can be given this text."""
    return "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text)


def _heredocs(one: Instruction, lines: list[str], at: int) -> tuple[tuple[Heredoc, ...], int]:
    found = []
    for tabs, _, name in _HEREDOC.findall(one.text):
        begin = at
        while at < len(lines) and (lines[at].lstrip("\t") if tabs else lines[at]) != name:
            at += 1
        if at >= len(lines):
            raise EntryError(
                f"{FILE} line {one.line}: the here-document {name!r} does not end; expected a line {name!r}"
            )
        body = [line.lstrip("\t") if tabs else line for line in lines[begin:at]]
        found.append(Heredoc(text="\n".join(body), line=begin + 1))
        at += 1
    return tuple(found), at


def tokens(
    text: str, value: Callable[[str], str | None], *, escape: str = "\\", shell: bool = False
) -> Iterator[ShellWord]:
    """The words of a text with their quotes taken off and variables in place, in linear time.

    * ``value``: of a variable; None: unknown.
    * ``shell``: whether operators and comments of a shell are looked for; otherwise a word ends with white space alone.
    """
    words = _Words(text, value, escape, shell=shell)
    white = re.compile(r"[ \t\r]+" if shell else r"\s+")
    while words.at < len(text):
        if blank := white.match(text, words.at):
            words.at = blank.end()
        elif shell and text[words.at] == "#":
            end = text.find("\n", words.at)
            words.at = len(text) if end < 0 else end
        elif shell and (operator := _OPERATOR.match(text, words.at)):
            yield ShellWord(text=operator[0], at=words.at, operator=True)
            words.at = operator.end()
        else:
            yield words.word()


class _Words:
    """A text that is read word by word."""

    def __init__(self, text: str, value: Callable[[str], str | None], escape: str, *, shell: bool) -> None:
        self._text, self._value, self._escape, self._shell = text, value, escape, shell
        self._plain = re.compile(r"[^ \t\r\n;&|()<>]" if shell else r"\S")
        self.at = 0
        self._grown = 0
        self._clear = True

    def word(self) -> ShellWord:
        """The word that begins here."""
        begin, parts = self.at, list[str]()
        self._clear = True
        while self.at < len(self._text):
            c = self._text[self.at]
            if c == "'":
                end = self._text.find("'", self.at + 1)
                self._clear = self._clear and end >= 0
                end = len(self._text) if end < 0 else end
                parts.append(self._text[self.at + 1 : end])
                self.at = end + 1
            elif c == '"':
                parts.append(self._quoted())
            elif c == self._escape or self._plain.match(c):
                parts.append(self._one(quoted=False))
            else:
                break
        return ShellWord(text="".join(parts), at=begin, clear=self._clear)

    def _quoted(self) -> str:
        parts: list[str] = []
        self.at += 1
        while self.at < len(self._text):
            if self._text[self.at] == '"':
                self.at += 1
                return "".join(parts)
            parts.append(self._one(quoted=True))
        self._clear = False
        return "".join(parts)

    def _one(self, *, quoted: bool) -> str:
        """What the next character stands for, with what belongs to it."""
        c, following = self._text[self.at], self._text[self.at + 1 : self.at + 2]
        if c == self._escape and following:
            self.at += 2
            if self._shell and following == "\n":
                return ""
            return c + following if quoted and following not in '"$`\\\n' else following
        if c == "$":
            return self._variable()
        self._clear = self._clear and not (self._shell and c == "`")
        self.at += 1
        return c

    def _variable(self) -> str:
        found = _VARIABLE.match(self._text, self.at)
        if found is None:
            self._clear, self.at = False, self.at + 1
            return "$"
        self.at = found.end()
        known = self._value(found["bare"] or found["name"])
        match found["operator"]:
            case ":-":
                known = known or found["word"]
            case ":+":
                known = found["word"] if known else ""
        if known is None or "$" in (found["word"] or ""):
            self._clear = False
        self._grown += len(known or "")
        if self._grown > _MOST_EXPANDED:
            raise EntryError(f"{FILE}: its variables make more than {_MOST_EXPANDED >> 10} KiB of one instruction")
        return known or ""

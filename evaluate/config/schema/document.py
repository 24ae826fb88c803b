"""A YAML file as values, the line of each key, and the mistakes found in it."""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from evaluate.core.errors import ChallengeError
from metrics.readers.foreign import decoded

Where = tuple[str | int, ...]
"""Keys from the top of a file down to a value; items of a list are counted from 1."""
Complain = Callable[[Where, str], None]
"""Called with the keys of a value and a description of what is wrong with it."""

_PLAIN_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str", "merge")}
_SHOWN_CHARACTERS = 80
_REPR = reprlib.Repr()
"""Bounded also for lists of lists, which aliases of YAML make endless."""
_REPR.maxlevel, _REPR.maxlist, _REPR.maxdict = 4, 20, 20
_REPR.maxstring = _REPR.maxlong = _REPR.maxother = 4 * _SHOWN_CHARACTERS
MOST_BYTES = 1 << 20
"""Nobody writes a larger file by hand; PyYAML would take minutes for it."""
_AFTER_ALL_LINES = 1 << 62


@dataclass(kw_only=True)
class Document:
    """The values of one file; mistakes are collected, so that all of them can be named at once."""

    path: Path
    value: Any
    name: str = ""
    """Name that its reader uses for the file; by default its path."""
    lines: dict[Where, int] = field(default_factory=dict)
    """Line of each key and list item, from 1; empty for values that were not read from a file."""
    _problems: list[tuple[int, str]] = field(default_factory=list)

    def complain(self, where: Where, problem: str, *, key: str = "") -> None:
        """Note a mistake in the value under these keys, or in ``key`` of it, which does not belong there."""
        line = self.line((*where, key) if key else where)
        name = self.name or str(self.path)
        parts = [f"{name}:{line}" if line else name, dotted(where), problem]
        self._problems.append((line, ": ".join(filter(None, parts))))

    def line(self, where: Where) -> int:
        """The line of a key, or of the nearest above it that has one; 0 if none has."""
        return next((self.lines[where[:n]] for n in range(len(where), -1, -1) if where[:n] in self.lines), 0)

    def complain_of_file(self, problem: str) -> None:
        """Note a mistake in another file that this one names; the problem begins with that file."""
        self._problems.append((_AFTER_ALL_LINES, problem))

    @property
    def problems(self) -> list[str]:
        """Every mistake as ``FILE:LINE: key.path: expected WISH, found VALUE``, in the order of the lines."""
        return [problem for _, problem in sorted(self._problems, key=lambda item: item[0])]

    def refuse_problems(self) -> None:
        """Raise a ChallengeError that names every mistake, if there is one."""
        if self._problems:
            raise ChallengeError("\n".join(self.problems))


def dotted(where: Where) -> str:
    """Keys as they are shown: ``phases[2].name``."""
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in where).removeprefix(".")


def shown(value: object) -> str:
    """A value as it is shown in a message, in one line of bounded length."""
    words = {None: "nothing", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return words[value]
    try:
        text = _REPR.repr(value)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return "a very large number"
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"


def load_document(path: Path, name: str = "") -> Document:
    """Read a YAML file, which mistakes call by its path, or by ``name``.

    Numbers are those of YAML 1.2: ``6e10`` is a number, and a whole one is an integer.  Dates remain text, and so do
    keys, such as labels ``0``, ``no`` or ``~``.

    Raises ChallengeError if the file cannot be read, is larger than 1 MiB, or is not YAML.
    """
    name = name or str(path)
    try:
        with path.open("rb") as f:
            data = f.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ChallengeError(f"{name}: expected at most {MOST_BYTES >> 20} MiB of keys and values, found more")
        text = decoded(data)
    except OSError as e:
        raise ChallengeError(f"{name}: cannot be read: {e.strerror or e}") from e
    except UnicodeDecodeError as e:
        line = data[: e.start].count(b"\n") + 1
        raise ChallengeError(f"{name}:{line}: not UTF-8 text") from e
    loader: _Loader | None = None
    document = Document(path=path, name=name, value=None)
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is not None:
            document.value = _Reading(loader, document).read(node, ())
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        at = f"{name}:{mark.line + 1}" if mark else name
        raise ChallengeError(f"{at}: not valid YAML: {', '.join(filter(None, (e.context, e.problem)))}") from e
    except yaml.reader.ReaderError as e:
        line = text[: e.position].count("\n") + 1
        raise ChallengeError(f"{name}:{line}: not valid YAML: contains the control character {e.character!r}") from e
    except RecursionError as e:
        raise ChallengeError(f"{name}: nested too deep") from e
    finally:
        if loader is not None:
            loader.dispose()
    return document


class _Loader(yaml.SafeLoader):
    """PyYAML reads YAML 1.1, where ``6e10`` is text, ``2017-02-01`` a date, ``010`` is 8 and ``1:30`` is 90."""


_OTHER_FORMS = {f"tag:yaml.org,2002:{name}" for name in ("timestamp", "int", "float")}
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in _OTHER_FORMS]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _name, _form in (
    ("int", r"[-+]?(0|[1-9][0-9]*)$"),
    ("float", r"([-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_name}", re.compile(_form), list("-+.0123456789"))


class _Reading:
    """Makes values of YAML nodes and keeps their lines."""

    def __init__(self, loader: _Loader, document: Document) -> None:
        self._loader = loader
        self._document = document
        self._known: dict[int, Any] = {}
        """Values by node: an alias is the value of its anchor, not a copy, however often it occurs."""

    def read(self, node: yaml.Node, where: Where) -> Any:
        self._document.lines.setdefault(where, node.start_mark.line + 1)
        if id(node) not in self._known:
            self._known[id(node)] = None  # a value that refers to itself gets None
            self._known[id(node)] = self._value(node, where)
        return self._known[id(node)]

    def _value(self, node: yaml.Node, where: Where) -> Any:
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, where)
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*where, n)) for n, item in enumerate(node.value, 1)]
        return self._scalar(node, where)

    def _mapping(self, node: yaml.MappingNode, where: Where) -> dict[str, Any]:
        first: dict[str, int] = {}
        for key_node, _ in node.value:
            line = key_node.start_mark.line + 1
            if isinstance(key_node, yaml.ScalarNode) and key_node.tag != "tag:yaml.org,2002:merge":
                if key_node.value in first:
                    here = (*where, key_node.value)
                    self._document.lines[here] = line
                    self._document.complain(here, f"appears twice; first on line {first[key_node.value]}")
                first.setdefault(key_node.value, line)
        self._loader.flatten_mapping(node)
        values = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                self._document.lines[(*where, "?")] = key_node.start_mark.line + 1
                self._document.complain((*where, "?"), "expected a name as key, found a list or a mapping")
                continue
            key = key_node.value
            self._document.lines[(*where, key)] = key_node.start_mark.line + 1
            values[key] = self.read(value_node, (*where, key))
        return values

    def _scalar(self, node: yaml.Node, where: Where) -> Any:
        if node.tag not in _PLAIN_TAGS:
            self._document.complain(where, f"the tag {node.tag} is not supported")
            return None
        try:
            value = self._loader.construct_object(node)
        except (ValueError, KeyError, yaml.constructor.ConstructorError):
            return node.value
        return int(value) if isinstance(value, float) and value.is_integer() else value

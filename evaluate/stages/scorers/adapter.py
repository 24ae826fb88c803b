"""Common parts of the forms of scorers: commands in guests of their own, and numbers read from what they wrote.

A form is an adapter, and nothing else in the stages knows which there are.  It says which commands are run and what
lies where in their guests (`Steps`), and reads what they left (`Read`), which happens behind walls, since the files
were made of what a team sent.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from evaluate.config.challenge.scorer import Scorer
from evaluate.config.challenge.types import RecordSet
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Program
from evaluate.core.sanitize import in_one_line
from evaluate.images.squashfs import Content
from metrics.readers.foreign import decoded

OUTPUT = "/output"
"""The one folder that a command may write to and that is kept."""
HOME = "/scorer"
"""Folder in a guest for the forms that prescribe no places."""
_MOST_READ_BYTES = 64 << 20
_MOST_NAMED, _MOST_NAME = 5, 80
MOST_YAML_BYTES = 1 << 20
"""Scores in YAML: PyYAML would take minutes for more."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One command of a scorer, in a guest of its own."""

    argv: Sequence[str]
    files: Mapping[str, Content]
    """Absolute path in the guest -> what is there; nothing else of the challenge or the entry is."""
    cwd: str
    env: Mapping[str, str] = field(default_factory=dict)
    runs_entry: bool = False
    """True if it runs programs of the entry, so that the team is to blame for how it ends."""


@dataclass(frozen=True, kw_only=True)
class ScorerTask:
    """Task of a scorer, with its files on the host."""

    scorer: Scorer
    records: RecordSet
    references: Path
    answers: Path
    """A folder."""
    outputs: Path
    """The folder with the outputs of the steps."""
    program: Program | None = None
    """Program that the container is started with, if there is one."""

    def output(self, step: int) -> Path:
        """Folder in which the files of a step are put; it exists once the step has ended."""
        return self.outputs / str(step)

    @property
    def folder(self) -> Path:
        """The scorer's program."""
        assert self.scorer.program is not None  # the keys require it
        return self.scorer.program


Steps = Callable[[ScorerTask], Sequence[Step]]
"""The commands, in order.  Raises ChallengeError or `NotShown`."""


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """Statement of a scorer about an entry."""

    values: Mapping[str, Any] = field(default_factory=dict)
    """Numbers by their keys, as they were written: nothing is checked yet."""
    records: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Numbers of single records, where the scorer gives them."""
    refused: str = ""
    """Words that the team reads in the place of a score, where the form has words for the team."""
    strict: bool = True
    """True if values that the challenge does not declare are an error, not something that its platform ignores."""


@dataclass(frozen=True, kw_only=True)
class ScoreRequest:
    """Facts that the reader of a form may know."""

    primary: str
    values: tuple[str, ...] = ()
    stdout: str = ""
    hidden: bool = False
    """True if the references are: names that the challenge does not declare could then tell of them."""


Read = Callable[[Path, ScoreRequest], Numbers]
"""Reads what the last command left in its folder.  Raises `UnreadableScores`."""


class UnreadableScores(Exception):
    """Output of a scorer that is not what its form asks for: the organiser's fault."""


class NotShown(Exception):
    """The answers cannot even be shown to the scorer, such as two files where the form knows one: the team's fault."""


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """One form."""

    steps: Steps
    read: Read


def read_text(path: Path, most: int = _MOST_READ_BYTES) -> str:
    """A file that a scorer wrote. Raises UnreadableScores if it is missing, too large, or no text."""
    if not path.is_file():
        raise UnreadableScores(f"wrote no {path.name}")
    if (size := path.stat().st_size) > most:
        raise UnreadableScores(f"{path.name}: expected at most {most >> 20} MiB, found {size / (1 << 20):.1f}")
    try:
        return decoded(path.read_bytes())
    except UnicodeDecodeError as e:
        raise UnreadableScores(f"{path.name}: expected text in UTF-8: {e.reason}") from e


def read_json(text: str, name: str) -> Any:
    """JSON as Python writes it, with NaN and Infinity, which are refused later by their names."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return _each_once(pairs, name)

    try:
        return json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as e:
        raise UnreadableScores(f"{name}: expected JSON: {e}") from e


def read_yaml(path: Path) -> Any:
    """A file of lines ``key: number``, as YAML."""

    class Loader(yaml.SafeLoader):
        """With a constructor of its own."""

    def pairs_of(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
        loader.flatten_mapping(node)
        made = loader.construct_object
        return _each_once([(made(key, deep=True), made(value, deep=True)) for key, value in node.value], path.name)

    Loader.add_constructor("tag:yaml.org,2002:map", pairs_of)
    try:
        return yaml.load(read_text(path, MOST_YAML_BYTES), Loader)  # a safe one
    except (yaml.YAMLError, RecursionError, TypeError) as e:  # TypeError: a key that is a list
        raise UnreadableScores(f"{path.name}: expected lines key: number: {e}") from e


def _each_once(pairs: Sequence[tuple[Any, Any]], name: str) -> dict[Any, Any]:
    """Raises UnreadableScores if a key has two values: readers would disagree on which counts."""
    values = dict(pairs)
    if len(values) < len(pairs):
        for key, value in pairs:  # values within values, which aliases can make endless, are not compared
            same = values[key] is value or (isinstance(value, int | float | str) and values[key] == value)
            if not same:
                raise UnreadableScores(f"{name}: {named(key)} has two values")
    return values


def named(*names: Any) -> str:
    """Names that a scorer wrote, in one line and not all of many or long ones."""
    shown = [in_one_line(str(name))[:_MOST_NAME] for name in names[:_MOST_NAMED]]
    return ", ".join(shown) + (" …" if len(names) > _MOST_NAMED else "")


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    """A JSON object."""
    if not isinstance(value, dict):
        raise UnreadableScores(f"{name}: expected an object of keys and values, found {type(value).__name__}")
    return value


_MOST_DEEP = 12


def flat(value: Any, prefix: str = "", depth: int = 0) -> dict[str, Any]:
    """The numbers of nested objects by dotted keys; lists, texts and booleans are left out."""
    numbers: dict[str, Any] = {}
    for key, item in value.items() if isinstance(value, dict) else ():
        name = f"{prefix}{key}"
        if isinstance(item, dict) and depth < _MOST_DEEP:
            numbers |= flat(item, f"{name}.", depth + 1)
        elif isinstance(item, int | float) and not isinstance(item, bool):
            numbers[name] = item
    return numbers


def under(folder: str, name: str) -> str:
    """A path below a place of the guest. Raises ChallengeError if it leads out of it."""
    inside = PurePosixPath(name)
    if inside.is_absolute() or ".." in inside.parts:
        raise ChallengeError(f"expected a path below {folder}, found {name!r}")
    return str(PurePosixPath(folder) / inside)


# Form `command`: any program with an exit code and a JSON.
#
# `command` is split by the rules of a shell, without one, and `$program`, `$references`, `$answers` and
# `$output` in it are replaced by folders; it is started in that of the program.  It writes `$output/scores.json`, or
# prints the same as the last line of standard output::
#
#     {"F1": 0.83, "accuracy": 0.9}
#     {"values": {"F1": 0.83}, "records": {"A1": {"F1": 1.0}}, "refused": "line 3: expected a number"}
#
# `records` gives intervals where the primary value is the mean of theirs; `refused` takes the place of a score and is
# shown to the team, so it must not quote references.


SCORES = "scores.json"
PLACES = {
    "program": f"{HOME}/program",
    "references": f"{HOME}/references",
    "answers": f"{HOME}/answers",
    "output": OUTPUT,
}


def replaced(command: str, places: dict[str, str]) -> tuple[str, ...]:
    """A command line as words, its ``$names`` replaced."""
    try:
        words = shlex.split(command)
    except ValueError as e:
        raise ChallengeError(f"the scorer's command cannot be split into words ({e}): {command}") from e
    for name in sorted(places, key=len, reverse=True):  # $program is the beginning of $programs
        words = [word.replace(f"${name}", places[name]) for word in words]
    if not words:
        raise ChallengeError("the scorer's command is empty")
    return tuple(words)


def placed(task: ScorerTask) -> dict[str, Content]:
    """Program, references and answers at their places."""
    return {
        PLACES["program"]: task.folder,
        PLACES["references"]: task.references,
        PLACES["answers"]: task.answers,
    }


def steps(task: ScorerTask) -> Sequence[Step]:
    """One command."""
    return (Step(argv=replaced(task.scorer.command, PLACES), files=placed(task), cwd=PLACES["program"]),)


def read(output: Path, request: ScoreRequest) -> Numbers:
    """``scores.json``, or standard output: all of it, or its last line."""
    if (output / SCORES).exists():
        return of_json(mapping(read_json(read_text(output / SCORES), SCORES), SCORES))
    lines = request.stdout.strip().splitlines()
    for text in (request.stdout, lines[-1] if lines else ""):
        try:
            scores = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(scores, dict):
            return of_json(read_json(text, "standard output"))
    wish = json.dumps({request.primary: 0.5})
    raise UnreadableScores(
        f"wrote no {SCORES}: expected JSON such as {wish} in $output/{SCORES}, or as the last line of standard output"
    )


def of_json(scores: Any) -> Numbers:
    """Numbers alone, or under ``values`` with what else there is."""
    if not {"values", "records", "refused"} & set(scores):
        return Numbers(values=scores)
    unknown = set(scores) - {"values", "records", "refused"}
    values = {**mapping(scores.get("values", {}), "values"), **{key: scores[key] for key in unknown}}
    return Numbers(
        values=values, records=mapping(scores.get("records", {}), "records"), refused=str(scores.get("refused") or "")
    )


COMMAND = Adapter(steps=steps, read=read)

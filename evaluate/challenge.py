"""A challenge: its folder, its ``challenge.yaml``, its record sets.

Everything is read and checked before anything is used, and every mistake is named at once, with file, key, value
found and value wanted.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

import yaml

from evaluate.errors import ChallengeError, UsageError
from evaluate.model import MIB, Limits
from evaluate.resources import data_folder
from evaluate.sandbox.base import Sizes

T = TypeVar("T")
FILE = "challenge.yaml"
RECORDS = "RECORDS"
_RECORD_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
"""A record's name becomes an argument of a shell script and a part of file names."""


class Kind(StrEnum):
    """What a team uploads."""

    SCRIPTS = "scripts"
    PYTHON = "python"
    IMAGE = "image"
    ANSWERS = "answers"


@dataclass(frozen=True, kw_only=True)
class RecordSet:
    """The records of one stage: input files, and the references that never enter a guest."""

    folder: Path
    records: tuple[str, ...]
    inputs: tuple[str, ...]
    """Names of a record's input files, with ``{record}``."""
    references: Path | None
    hidden: bool = False
    """Whether its records are secret, so that only counts may leave the exam."""

    def files(self, record: str) -> tuple[Path, ...]:
        """The input files of one record, and no other file of the folder."""
        return tuple(self.folder / pattern.format(record=record) for pattern in self.inputs)


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What an entry of kind ``scripts`` leaves for a record."""

    file: str = "answers.txt"
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """Bounds of an uploaded archive, checked on its listing."""

    bytes: int = 512 * MIB
    unpacked_bytes: int = 1900 * MIB
    files: int = 50_000
    text_bytes: int = 4 * MIB
    """Of each file the host itself reads: dependencies, answers."""


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """The rules of one challenge."""

    name: str
    title: str
    folder: Path
    kind: Kind
    image: str
    metric: str
    rules: str
    required_files: tuple[str, ...]
    answers: Answers
    archive: ArchiveLimits
    limits: Mapping[str, Limits]
    """For ``setup``, ``quiz`` and ``exam``."""
    sizes: Sizes
    quiz: RecordSet
    exam: RecordSet
    allow_tcg_exam: bool
    """Whether a hidden exam may run under software emulation, which QEMU does not call a security boundary."""


def list_challenges() -> tuple[str, ...]:
    """Names of the challenges that travel with the program."""
    return tuple(sorted(path.parent.name for path in data_folder("challenges").glob(f"*/{FILE}")))


def challenge_folder(name_or_path: str) -> Path:
    """The folder of a challenge, by its name or its path.

    Raises
    ------
    UsageError
        There is none.
    """
    named = data_folder("challenges") / name_or_path
    for folder in (named, Path(name_or_path)):
        if (folder / FILE).is_file():
            return folder.resolve()
    raise UsageError(
        f"no challenge {name_or_path!r}: neither one of {', '.join(list_challenges())} nor a folder with a {FILE}"
    )


def load_challenge(name_or_path: str) -> Challenge:
    """The challenge of that name or in that folder.

    Raises
    ------
    UsageError
        There is none.
    ChallengeError
        Its file is wrong; every mistake is named.
    """
    challenge, problems = read_challenge(challenge_folder(name_or_path))
    if challenge is None or problems:
        raise ChallengeError("\n".join(problems))
    return challenge


class _Loader(yaml.SafeLoader):
    """YAML 1.2 floats: PyYAML takes ``6e10`` and ``6.0e10`` for text."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"^[-+]?(\d[\d_]*)(\.[\d_]*)?([eE][-+]?\d+)$"),
    list("-+0123456789"),
)


def load_yaml(path: Path) -> Any:
    """The contents of a YAML file.

    Raises
    ------
    ChallengeError
        It cannot be read.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as e:
        raise ChallengeError(f"{path}: {e}") from e


class Keys:
    """Takes checked values out of a mapping and remembers every mistake."""

    def __init__(self, value: Any, where: str, problems: list[str]) -> None:
        self.where = where
        self.problems = problems
        self._known: list[str] = []
        if not isinstance(value, dict):
            problems.append(f"{where}: expected keys and values, found {value!r}")
            value = {}
        self._values: dict[str, Any] = value

    def take(self, key: str, wish: str, convert: Callable[[Any], T], default: T) -> T:
        """The converted value of ``key``; ``wish`` says what is wanted where ``convert`` raises ValueError."""
        self._known.append(key)
        if key in self._values:
            try:
                return convert(self._values[key])
            except (TypeError, ValueError):
                self.problems.append(f"{self.where}: {key}: expected {wish}, found {self._values[key]!r}")
        return default

    def need(self, key: str, wish: str, convert: Callable[[Any], T], stand_in: T) -> T:
        """As `take`, for a key that must be there; ``stand_in`` serves to find the other mistakes."""
        if key not in self._values:
            self._known.append(key)
            self.problems.append(f"{self.where}: key {key!r} is missing; wanted {wish}")
            return stand_in
        return self.take(key, wish, convert, stand_in)

    def below(self, key: str) -> Keys:
        """The mapping under ``key``; an empty one if it is absent."""
        self._known.append(key)
        return Keys(self._values.get(key, {}), f"{self.where}: {key}", self.problems)

    def end(self) -> None:
        """Name the keys that nobody asked for."""
        for key in self._values:
            if key not in self._known:
                near = difflib.get_close_matches(str(key), self._known, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(self._known)}"
                self.problems.append(f"{self.where}: unknown key {key!r}{hint}")


def read_challenge(folder: Path) -> tuple[Challenge | None, list[str]]:
    """The challenge in a folder and every mistake in it; None where it cannot even be read."""
    path = folder / FILE
    problems: list[str] = []
    try:
        keys = Keys(load_yaml(path), str(path), problems)
    except ChallengeError as e:
        return None, [str(e)]
    no_texts: tuple[str, ...] = ()
    inputs = keys.need("inputs", "a list of file names with {record}", _patterns, no_texts)
    answers = keys.below("answers")
    archive = keys.below("archive")
    sizes = keys.below("sizes")
    limits = keys.below("limits")
    data = keys.below("data")
    challenge = Challenge(
        name=folder.name,
        title=keys.need("title", "a line of text", _text, ""),
        folder=folder,
        kind=keys.need("kind", f"one of {', '.join(Kind)}", Kind, Kind.SCRIPTS),
        image=keys.need("image", "the name of an image recipe", _text, ""),
        metric=keys.need("metric", "the name of a metric", _text, ""),
        rules=keys.take("rules", "official or corrected", _one_of("official", "corrected"), "corrected"),
        required_files=keys.need("required_files", "a list of file names", _texts, no_texts),
        answers=Answers(
            file=answers.take("file", "a file name", _text, "answers.txt"),
            labels=answers.need("labels", "a list of labels", _texts, no_texts),
        ),
        archive=ArchiveLimits(
            bytes=archive.take("mib", "a number", _mebibytes, ArchiveLimits.bytes),
            unpacked_bytes=archive.take("unpacked_mib", "a number", _mebibytes, ArchiveLimits.unpacked_bytes),
            files=archive.take("files", "a whole number", _whole, ArchiveLimits.files),
        ),
        limits={
            name: _limits(limits.below(name), "record" if name != "setup" else "") for name in ("setup", "quiz", "exam")
        },
        sizes=Sizes(
            memory_bytes=sizes.take("memory_mib", "a number", _mebibytes, Sizes.memory_bytes),
            root_bytes=sizes.take("root_mib", "a number", _mebibytes, Sizes.root_bytes),
            home_bytes=sizes.take("home_mib", "a number", _mebibytes, Sizes.home_bytes),
            tmp_bytes=sizes.take("tmp_mib", "a number", _mebibytes, Sizes.tmp_bytes),
        ),
        quiz=_record_set(data.below("quiz"), folder, inputs),
        exam=_record_set(data.below("exam"), folder, inputs),
        allow_tcg_exam=keys.take("allow_tcg_exam", "true or false", _yes_no, False),
    )
    for below in (answers, archive, sizes, limits, data, keys):
        below.end()
    return challenge, problems


def _limits(keys: Keys, per: str) -> Limits:
    tail = f"_per_{per}" if per else ""
    found = Limits(
        instructions=keys.need(f"instructions{tail}", "a number such as 6.0e10", _whole, 1),
        wall_seconds=keys.need(f"wall_seconds{tail}", "a number of seconds", _positive, 1.0),
        memory_bytes=keys.take("memory_mib", "a number", _mebibytes, Limits.memory_bytes),
        processes=keys.take("processes", "a whole number", _whole, Limits.processes),
        output_bytes=keys.take("output_mib", "a number", _mebibytes, Limits.output_bytes),
        answer_bytes=keys.take("answer_mib", "a number", _mebibytes, Limits.answer_bytes),
    )
    keys.end()
    return found


def _record_set(keys: Keys, folder: Path, inputs: Sequence[str]) -> RecordSet:
    place = folder / keys.need("folder", "a folder with a RECORDS file", _text, ".")
    references = keys.take("references", "a path", _text, "")
    hidden = keys.take("hidden", "true or false", _yes_no, False)
    keys.end()
    try:
        return record_set(place, inputs, folder / references if references else None, hidden=hidden)
    except ChallengeError as e:
        keys.problems.append(str(e))
        return RecordSet(folder=place, records=(), inputs=tuple(inputs), references=None)


def record_set(
    folder: Path, inputs: Sequence[str], references: Path | None = None, *, hidden: bool = False
) -> RecordSet:
    """The records of a folder, by its RECORDS file or, without one, by the files of the first input pattern.

    Raises
    ------
    ChallengeError
        The folder, a record's file or the references are missing, or a name is unfit; all are named.
    """
    if not folder.is_dir():
        raise ChallengeError(f"{folder}: no such folder of records")
    listing = folder / RECORDS
    if not inputs:
        raise ChallengeError(f"{folder}: no names of input files are given")
    if listing.is_file():
        source = str(listing)
        names = [line.strip() for line in listing.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    else:
        source = str(folder)
        before, _, after = inputs[0].partition("{record}")
        names = sorted(p.name[len(before) : -len(after) or None] for p in folder.glob(f"{before}*{after}"))
    problems = []
    if not names:
        problems.append(f"{source}: no records; wanted a RECORDS file or files like {inputs[0]}")
    problems += [f"{source}: {n!r} is no fit name for a record" for n in names if not _RECORD_NAME.fullmatch(n)]
    problems += [f"{source}: record {n} stands there twice" for n in sorted({n for n in names if names.count(n) > 1})]
    found = RecordSet(folder=folder, records=tuple(names), inputs=tuple(inputs), references=references, hidden=hidden)
    if not problems:
        missing = [path for name in names for path in found.files(name) if not path.is_file()]
        problems += [f"{path}: missing, although {source} names its record" for path in missing[:20]]
        if len(missing) > 20:
            problems.append(f"and {len(missing) - 20} more files are missing")
    if references is not None and not references.exists():
        problems.append(f"{references}: no such references")
    if problems:
        raise ChallengeError("\n".join(problems))
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError
    return tuple(_text(item) for item in value)


def _patterns(value: Any) -> tuple[str, ...]:
    found = _texts(value)
    if not all("{record}" in pattern and "/" not in pattern for pattern in found):
        raise ValueError
    return found


def _one_of(*choices: str) -> Callable[[Any], str]:
    def convert(value: Any) -> str:
        if value not in choices:
            raise ValueError
        return str(value)

    return convert


def _yes_no(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _positive(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        raise ValueError
    return float(value)


def _whole(value: Any) -> int:
    if _positive(value) != int(value):
        raise ValueError
    return int(value)


def _mebibytes(value: Any) -> int:
    return int(_positive(value) * MIB)

"""A challenge: its folder, its ``challenge.yaml``, its record sets.

Everything is read and checked before anything is used, and every mistake is named at once, with file, key, value
found and value wanted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.keys import (
    Keys,
    checked,
    from_one,
    load_yaml,
    mebibytes,
    one_of,
    positive,
    some_of,
    text,
    texts,
    whole,
    yes_no,
)
from evaluate.core.model import MIB, Limits, Sizes
from evaluate.core.resources import data_folder

FILE = "challenge.yaml"
RECORDS = "RECORDS"
_RECORD_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
"""A record's name becomes an argument of a shell script and a part of file names."""
_NESTED_NAME = re.compile(rf"{_RECORD_NAME.pattern}(/{_RECORD_NAME.pattern})*")
"""Where no shell script gets it, a record may be a file somewhere below the data folder."""


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

    strip_comments: bool = False
    """Whether the comments of WFDB headers, which may hold the diagnosis, are kept from the guest."""

    def files(self, record: str) -> dict[str, Path]:
        """The input files of one record by their place below the data folder, and no other file of it."""
        names = [pattern.format(record=record) for pattern in self.inputs]
        return {name: self.folder / name for name in names}


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What an entry leaves for a record."""

    file: str = "answers.txt"
    """Of kind ``scripts``: the file with a line ``record,label``."""
    labels: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Of other kinds: patterns with ``{record}``; the first that exists is the record's answer."""
    shared: tuple[str, ...] = ()
    """Files that answer for the whole set; none of them must be there."""

    def names(self, record: str) -> tuple[str, ...]:
        """Where the answer for one record may be, the preferred place first."""
        return tuple(pattern.format(record=record) for pattern in self.files)


class Mode(StrEnum):
    """How often an entry's program is started."""

    SET = "set"
    """Once, for all records."""
    RECORD = "record"
    """Once for every record."""


@dataclass(frozen=True, kw_only=True)
class RunRules:
    """How an entry of kind ``python`` or ``image`` is started."""

    program: str = ""
    """Of kind ``python``: called as ``python PROGRAM DATA RESULT``."""
    octave: str = ""
    """A function file that may stand in place of ``program``, called as ``FUNCTION(DATA, RESULT)`` under Octave."""
    octave_packages: tuple[str, ...] = ("octave",)
    matlab: str = ""
    """The program in the machine that runs the function instead of Octave, such as ``/opt/matlab/bin/matlab``."""
    mode: Mode = Mode.SET
    argument: str = ""
    """Of kind ``image``: the argument of the entry point."""
    extra: str = ""
    """Argument of a second run after the exam, which no score depends on; its output is kept for the organiser."""


@dataclass(frozen=True, kw_only=True)
class BoardRules:
    """How attempts become a place on the board."""

    attempts: int = 0
    """How many a team has; 0: any number."""
    decimals: int = 12
    """Scores that are equal to so many decimals share a rank."""


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
    kinds: tuple[Kind, ...]
    """What may be uploaded; of several, the archive itself shows which it is."""
    image: str
    layers: tuple[Path, ...]
    """Squashfs files of the organiser's that lie above the image in every guest, such as an installed MATLAB."""
    metric: str
    rules: str
    required_files: tuple[str, ...]
    answers: Answers
    run: RunRules
    archive: ArchiveLimits
    limits: Mapping[str, Limits]
    """For ``setup``, ``quiz`` and ``exam``."""
    sizes: Sizes
    quiz: RecordSet
    exam: RecordSet
    board: BoardRules
    licence: bool
    """Whether entries need the host's licence server, as MATLAB does."""
    gpus: int
    """How many of the host's GPUs an entry is given."""
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
    one_kind: tuple[Kind, ...] = (Kind.SCRIPTS,)
    kinds = keys.need("kind", f"one of {', '.join(Kind)}, or a list of them", _kinds, one_kind)
    scripts, runs = Kind.SCRIPTS in kinds, kinds != (Kind.ANSWERS,)
    answers, archive, sizes = keys.below("answers"), keys.below("archive"), keys.below("sizes")
    limits, data, run, headers, board = map(keys.below, ("limits", "data", "run", "public_headers", "board"))
    strip = headers.take("strip_comments", "true or false", yes_no, False)
    challenge = Challenge(
        name=folder.name,
        title=keys.need("title", "a line of text", text, ""),
        folder=folder,
        kinds=kinds,
        image=keys.some("image", "the name of an image recipe", text, "", needed=runs),
        layers=_layers(keys, folder),
        metric=_metric(keys.need("metric", "the name of a metric, or a .py file of this folder", text, ""), folder),
        rules=keys.take("rules", "official or corrected", one_of("official", "corrected"), "corrected"),
        required_files=keys.some("required_files", "a list of file names", texts, no_texts, needed=scripts),
        answers=_answers(answers, scripts=scripts),
        run=_run_rules(run, kinds),
        archive=ArchiveLimits(
            bytes=archive.take("mib", "a number", mebibytes, ArchiveLimits.bytes),
            unpacked_bytes=archive.take("unpacked_mib", "a number", mebibytes, ArchiveLimits.unpacked_bytes),
            files=archive.take("files", "a whole number from 1", from_one, ArchiveLimits.files),
        ),
        limits={
            name: _limits(limits.below(name), name, needed=scripts if name == "setup" else runs)
            for name in ("setup", "quiz", "exam")
        },
        sizes=Sizes(
            memory_bytes=sizes.take("memory_mib", "a number", mebibytes, Sizes.memory_bytes),
            root_bytes=sizes.take("root_mib", "a number", mebibytes, Sizes.root_bytes),
            home_bytes=sizes.take("home_mib", "a number", mebibytes, Sizes.home_bytes),
            tmp_bytes=sizes.take("tmp_mib", "a number", mebibytes, Sizes.tmp_bytes),
        ),
        quiz=_record_set(data.below("quiz"), folder, inputs, nested=not scripts, strip_comments=strip),
        exam=_record_set(data.below("exam"), folder, inputs, nested=not scripts, strip_comments=strip),
        board=BoardRules(
            attempts=board.take("attempts", "a whole number", whole, BoardRules.attempts),
            decimals=board.take("decimals", "a whole number", whole, BoardRules.decimals),
        ),
        licence=keys.take("licence", "true or false", yes_no, False),
        gpus=keys.take("gpus", "a whole number", whole, 0),
        allow_tcg_exam=keys.take("allow_tcg_exam", "true or false", yes_no, False),
    )
    for below in (answers, archive, sizes, limits, data, run, headers, board, keys):
        below.end()
    return challenge, problems


def _layers(keys: Keys, folder: Path) -> tuple[Path, ...]:
    none: tuple[str, ...] = ()
    found = tuple(folder / name for name in keys.take("layers", "a list of squashfs files", texts, none))
    keys.problems += [f"{path}: no such layer" for path in found if not path.is_file()]
    return found


def _metric(name: str, folder: Path) -> str:
    return str(folder / name) if name.endswith(".py") else name


def _answers(keys: Keys, *, scripts: bool) -> Answers:
    none: tuple[str, ...] = ()
    if scripts:
        return Answers(
            file=keys.take("file", "a file name", text, "answers.txt"),
            labels=keys.need("labels", "a list of labels", texts, none),
        )
    return Answers(
        files=keys.need("files", "a list of file names with {record}", _patterns, none),
        shared=keys.take("shared", "a list of file names", texts, none),
    )


def _run_rules(keys: Keys, kinds: Sequence[Kind]) -> RunRules:
    python = Kind.PYTHON in kinds
    wish = "the file name of a program"
    return RunRules(
        program=keys.some("program", wish, text, "", needed=python),
        octave=keys.take("octave", "the file name of a function, such as challenge.m", text, ""),
        octave_packages=keys.take("octave_packages", "a list of Debian packages", texts, RunRules.octave_packages),
        matlab=keys.take("matlab", "the path of a program in the machine", _absolute, ""),
        mode=keys.take("mode", f"one of {', '.join(Mode)}", Mode, Mode.SET),
        argument=keys.take("argument", "a word", text, ""),
        extra=keys.take("extra", "a word", text, ""),
    )


def _limits(keys: Keys, stage: str, *, needed: bool) -> Limits:
    tail = "" if stage == "setup" else "_per_record"
    found = Limits(
        instructions=keys.some(f"instructions{tail}", "a number such as 6.0e10", from_one, 10**12, needed=needed),
        wall_seconds=keys.some(f"wall_seconds{tail}", "a number of seconds", positive, 1800.0, needed=needed),
        memory_bytes=keys.take("memory_mib", "a number", mebibytes, Limits.memory_bytes),
        processes=keys.take("processes", "a whole number from 1", from_one, Limits.processes),
        output_bytes=keys.take("output_mib", "a number", mebibytes, Limits.output_bytes),
        answer_bytes=keys.take("answer_mib", "a number", mebibytes, Limits.answer_bytes),
        answers_bytes=keys.take("answers_mib", "a number", mebibytes, Limits.answers_bytes),
    )
    keys.end()
    return found


def _record_set(keys: Keys, folder: Path, inputs: Sequence[str], *, nested: bool, strip_comments: bool) -> RecordSet:
    place = folder / keys.need("folder", "a folder with a RECORDS file", text, ".")
    references = keys.take("references", "a path", text, "")
    hidden = keys.take("hidden", "true or false", yes_no, False)
    keys.end()
    truth = folder / references if references else None
    try:
        found = record_set(place, inputs, truth, nested=nested)
    except ChallengeError as e:
        keys.problems.append(str(e))
        found = RecordSet(folder=place, records=(), inputs=tuple(inputs), references=None)
    return replace(found, hidden=hidden, strip_comments=strip_comments)


def record_set(
    folder: Path, inputs: Sequence[str], references: Path | None = None, *, nested: bool = False
) -> RecordSet:
    """The records of a folder, by its RECORDS file or, without one, by the files of the first input pattern.

    Parameters
    ----------
    nested : bool
        Whether a record may lie in a folder below, its name then being a path.

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
        found_files = folder.glob(f"{before}{'**/' if nested else ''}*{after}")
        names = sorted(str(p.relative_to(folder))[len(before) : -len(after) or None] for p in found_files)
    problems = []
    if not names:
        problems.append(f"{source}: no records; wanted a RECORDS file or files like {inputs[0]}")
    fit = _NESTED_NAME if nested else _RECORD_NAME
    problems += [f"{source}: {n!r} is no fit name for a record" for n in names if not fit.fullmatch(n)]
    problems += [f"{source}: record {n} stands there twice" for n in sorted({n for n in names if names.count(n) > 1})]
    found = RecordSet(folder=folder, records=tuple(names), inputs=tuple(inputs), references=references)
    if not problems:
        missing = [path for name in names for path in found.files(name).values() if not path.is_file()]
        problems += [f"{path}: missing, although {source} names its record" for path in missing[:20]]
        if len(missing) > 20:
            problems.append(f"and {len(missing) - 20} more files are missing")
    if references is not None and not references.exists():
        problems.append(f"{references}: no such references")
    if problems:
        raise ChallengeError("\n".join(problems))
    return found


def _patterns(value: Any) -> tuple[str, ...]:
    found = texts(value)
    good = all("{record}" in pattern and not {"", "..", "."} & set(pattern.split("/")) for pattern in found)
    return checked(found, good)


def _kinds(value: Any) -> tuple[Kind, ...]:
    kinds = some_of(Kind)(value) if isinstance(value, list) else (Kind(value),)
    return checked(kinds, len(set(kinds)) == len(kinds) and (Kind.SCRIPTS not in kinds or len(kinds) == 1))


def _absolute(value: Any) -> str:
    return checked(text(value), value.startswith("/"))

"""A challenge: its folder, its ``challenge.yaml``, its record sets.

The annotations of the dataclasses are the one description of ``challenge.yaml``: the reader, the JSON schema and the
table in ``challenges/README.md`` come from them.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from glob import escape
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Annotated, Any, Literal

from evaluate.core.document import Document, load_document
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.files import is_there
from evaluate.core.keys import (
    ANY_NUMBER,
    COUNT,
    MEBIBYTES,
    POSITIVE,
    POSITIVE_SECONDS,
    SWITCH,
    TEXT,
    WHOLE,
    Key,
    ListOf,
    Section,
    Value,
    like,
    one_of,
    read,
)
from evaluate.core.model import MIB, Limits, Sizes
from evaluate.core.resources import data_folder

_KEPT: dict[tuple[Path, str | None], tuple[tuple[Path, ...], list[tuple[int, ...] | None], Challenge]] = {}
"""Folder and isolation -> what its challenge was read of, how that was, and the challenge."""
_MOST_KEPT = 100
_SETTLED_SECONDS = 2.0
"""After so long a change of a file changes its times, however coarse the clock of its file system is."""
FILE = "challenge.yaml"
RECORDS = "RECORDS"
_SHOWN = 20
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


MOST_SAVED_LAYERS = 3
"""An entry may bring one more."""
_WITH_PROGRAM = (Kind.SCRIPTS, Kind.PYTHON, Kind.IMAGE)
"""Kinds whose entries are run in a machine."""
_WITH_FOLDER = (Kind.PYTHON, Kind.IMAGE, Kind.ANSWERS)
"""Kinds whose answers are a folder of files; the other leaves lines ``record,label`` in one file."""


def _answers_are_lines(kinds: Sequence[Kind]) -> bool:
    return any(kind not in _WITH_FOLDER for kind in kinds)


def _several_kinds(found: Kind | tuple[Kind, ...]) -> tuple[Kind, ...]:
    kinds = (found,) if isinstance(found, Kind) else found
    if not kinds or len(set(kinds)) < len(kinds) or (Kind.SCRIPTS in kinds and len(kinds) > 1):
        raise ValueError
    return kinds


def _named_metric(found: str | dict[str, Any]) -> str:
    """The name by which `metrics.get` finds it; a measure with its options is a JSON object."""
    if not found or (isinstance(found, str) and not found.strip()):
        raise ValueError
    return found if isinstance(found, str) else json.dumps(found, sort_keys=True)


_FILE_NAME = TEXT.but(expected="a file name")
_PATTERN = like(
    r"(?!(?:.*/)?\.{0,2}(?:/|$))[^{}\n]*(?:\{record\}[^{}\n]*)+",  # no other braces, no way out of the folder
    "a file name with {record}",
)
_PATTERNS = ListOf(expected="a list of file names with {record}", item=_PATTERN)
_FILE_NAMES = ListOf(expected="a list of file names", item=_FILE_NAME)
_METRIC = Value(
    expected="the name of a metric, a measure with its options, or a .py file of this folder",
    type=str | dict[str, Any],
    read=_named_metric,
    schema={"anyOf": [{"type": "string", "minLength": 1}, {"type": "object", "minProperties": 1}]},
)
_KINDS = Value(
    expected=f"one of {', '.join(Kind)}, or a list of them",
    type=Kind | tuple[Kind, ...],
    read=_several_kinds,
    schema={
        "anyOf": [
            {"enum": list(Kind)},
            {"const": [Kind.SCRIPTS]},
            {"type": "array", "items": {"enum": list(_WITH_FOLDER)}, "minItems": 1, "uniqueItems": True},
        ]
    },
)


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
    sample_score: float | None = None
    """What the sample entry scores on these records; shown beside every score."""

    def files(self, record: str) -> dict[str, Path]:
        """The input files of one record by their path below the data folder, and no other file of it."""
        names = [pattern.format(record=record) for pattern in self.inputs]
        return {name: self.folder / name for name in names}


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What an entry leaves for a record."""

    file: Annotated[
        str, Key("The file in which `next.sh` leaves a line `record,label`.", _FILE_NAME, only_for=(Kind.SCRIPTS,))
    ] = "answers.txt"
    labels: Annotated[
        tuple[str, ...],
        Key(
            "The labels allowed in it.",
            ListOf(expected="a list of labels", item=TEXT.but(expected="a label")),
            required_for=(Kind.SCRIPTS,),
            only_for=(Kind.SCRIPTS,),
        ),
    ] = ()
    files: Annotated[
        tuple[str, ...],
        Key(
            "Where a record's answer may be; the first file that exists counts.",
            _PATTERNS,
            required_for=_WITH_FOLDER,
            only_for=_WITH_FOLDER,
        ),
    ] = ()
    shared: Annotated[
        tuple[str, ...],
        Key("Answer files for the whole set; all of them are optional.", _FILE_NAMES, only_for=_WITH_FOLDER),
    ] = ()

    def names(self, record: str) -> tuple[str, ...]:
        """Where the answer for one record may be, the preferred path first."""
        return tuple(pattern.format(record=record) for pattern in self.files)


class Isolation(StrEnum):
    """What separates one record from the next."""

    NAMESPACE = "namespace"
    """Namespaces, a control group and a root of its own, in one machine for all records."""
    SNAPSHOT = "snapshot"
    """A machine of its own, restored from the same saved state, that has no other record's files."""


class Mode(StrEnum):
    """How often an entry's program is started."""

    SET = "set"
    """Once, for all records."""
    RECORD = "record"
    """Once for every record."""


@dataclass(frozen=True, kw_only=True)
class RunRules:
    """How an entry of kind ``python`` or ``image`` is started."""

    program: Annotated[
        str,
        Key(
            "Of kind `python`: started as `python3 PROGRAM DATA RESULT`.",
            TEXT.but(expected="the file name of a program"),
            required_for=(Kind.PYTHON,),
        ),
    ] = ""
    octave: Annotated[
        str,
        Key(
            "A function that a team may submit instead of `program`; called as `FUNCTION(DATA, RESULT)` under Octave.",
            TEXT.but(expected="the file name of a function, such as challenge.m"),
        ),
    ] = ""
    octave_packages: Annotated[
        tuple[str, ...],
        Key(
            "What is installed to run it.",
            ListOf(expected="a list of Debian packages", item=TEXT.but(expected="a Debian package")),
        ),
    ] = ("octave",)
    matlab: Annotated[
        str,
        Key(
            "Runs the function instead of Octave, such as `/opt/matlab/bin/matlab`; see `layers` and `licence`.",
            like(r"/(?:.|\n)*", "the absolute path of a program in the machine"),
        ),
    ] = ""
    mode: Annotated[
        Mode, Key("Start once for all records (limits are then averages over them), or once for each.", one_of(Mode))
    ] = Mode.SET
    argument: Annotated[str, Key("Of kind `image`: the argument of the entry point.", TEXT.but(expected="a word"))] = ""
    extra: Annotated[
        str,
        Key(
            "The argument of a second run after the exam, which is not scored; its output is kept for the organiser.",
            TEXT.but(expected="a word"),
        ),
    ] = ""


@dataclass(frozen=True, kw_only=True)
class BoardRules:
    """How attempts become a rank on the board."""

    attempts: Annotated[int, Key("How many attempts a team has; 0: any number.", WHOLE)] = 0
    decimals: Annotated[int, Key("Scores that are equal to this many decimals share a rank.", WHOLE)] = 12


@dataclass(frozen=True, kw_only=True)
class FeedbackRules:
    """How much a team may learn of a hidden exam; see `evaluate.report.leaks`."""

    bits: Annotated[
        int,
        Key(
            "Of a hidden exam, what a team may learn in a phase, in bits. Where they do not suffice, feedback is by "
            "the Ladder, and when they are used up, only verdicts are shown; see docs/receipts.md.",
            COUNT,
        ),
    ] = 4000
    digits: Annotated[int, Key("Digits of the numbers of a score while the budget lasts.", COUNT)] = 3
    numbers: Annotated[
        int,
        Key(
            "How many numbers of a score are shown while the budget lasts, the primary one first; an interval has two.",
            COUNT,
        ),
    ] = 24
    step: Annotated[
        float,
        Key("By the Ladder a score is shown only if it is better by this much.", POSITIVE),
    ] = 0.01


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """Limits of an uploaded archive, checked on its listing."""

    bytes: Annotated[int, Key("Size of an upload.", MEBIBYTES, name="mib")] = 512 * MIB
    unpacked_bytes: Annotated[int, Key("Its size when unpacked.", MEBIBYTES, name="unpacked_mib")] = 1900 * MIB
    files: Annotated[int, Key("Number of files in it.", COUNT)] = 50_000
    text_bytes: int = 4 * MIB
    """Of each file the host itself reads: dependencies, answers."""


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """The definition of one challenge, with its records."""

    name: str
    title: str
    folder: Path
    kinds: tuple[Kind, ...]
    """What may be uploaded; of several, the archive itself shows which it is."""
    image: str
    layers: tuple[Path, ...]
    """The organiser's squashfs files, mounted above the image in every guest, such as an installed MATLAB."""
    metric: str
    rules: str
    """Rules of the metric: ``official`` or ``corrected``."""
    required_files: tuple[str, ...]
    wanted_files: tuple[str, ...]
    """What an entry should contain; one that is missing is a note for its team, not an error."""
    answers: Answers
    run: RunRules
    archive: ArchiveLimits
    limits: Mapping[str, Limits]
    """For ``setup``, ``quiz`` and ``exam``."""
    sizes: Sizes
    quiz: RecordSet
    exam: RecordSet
    board: BoardRules
    feedback: FeedbackRules
    isolation: Isolation
    licence: bool
    """Whether entries need the host's licence server, as MATLAB does."""
    gpus: int
    """How many of the host's GPUs an entry is given."""
    allow_tcg_exam: bool
    """Whether a hidden exam may run under software emulation, which QEMU does not call a security boundary."""

    @property
    def answers_are_lines(self) -> bool:
        """Whether answers are lines ``record,label`` of one file, not a folder of files."""
        return _answers_are_lines(self.kinds)

    @property
    def records_may_be_nested(self) -> bool:
        """Whether a record's name may be a path; not where a shell script gets it as an argument."""
        return not _answers_are_lines(self.kinds)

    @property
    def runs_programs(self) -> bool:
        """Whether some entries are run in a machine; otherwise answers are only scored."""
        return any(kind in _WITH_PROGRAM for kind in self.kinds)


# challenge.yaml: its layout differs from that of `Challenge`, so that a file reads well


def _limits(tail: str, needed: tuple[Kind, ...]) -> Section[Limits]:
    """Limits of a command; ``tail`` ends the names of the two that every challenge sets."""
    return Section(
        Limits,
        {
            "instructions": Key(
                "Retired user-mode instructions, such as `6.0e10`, of all processes together.",
                COUNT.but(expected="a whole number of instructions, such as 6.0e10"),
                name=f"instructions{tail}",
                required_for=needed,
            ),
            "wall_seconds": Key(
                "Time on the clock, for programs that sleep; generous, because a busy host must not change a verdict.",
                POSITIVE_SECONDS,
                name=f"wall_seconds{tail}",
                required_for=needed,
            ),
            "memory_bytes": Key("Memory of the command.", MEBIBYTES, name="memory_mib"),
            "processes": Key("Processes and threads at once.", COUNT),
            "output_bytes": Key("Standard output and error together.", MEBIBYTES, name="output_mib"),
            "answer_bytes": Key("Each answer file.", MEBIBYTES, name="answer_mib"),
            "answers_bytes": Key("All answer files together.", MEBIBYTES, name="answers_mib"),
        },
        # of a challenge that runs no programs; never reached
        {"instructions": 10**12, "wall_seconds": 1800.0},
    )


_SIZES = Section(
    Sizes,
    {
        "memory_bytes": Key("Memory of the machine.", MEBIBYTES, name="memory_mib"),
        "root_bytes": Key("Its root disk, for everything that an entry installs.", MEBIBYTES, name="root_mib"),
        "home_bytes": Key("Its `/home`, where the entry is unpacked.", MEBIBYTES, name="home_mib"),
        "tmp_bytes": Key("Its `/tmp`.", MEBIBYTES, name="tmp_mib"),
    },
)


@dataclass(frozen=True, kw_only=True)
class _RecordSetKeys:
    folder: Annotated[
        str,
        Key(
            "Folder of the records, with a list `RECORDS`.",
            TEXT.but(expected="a folder with a RECORDS file"),
            required=True,
        ),
    ] = ""
    references: Annotated[str, Key("Their references, which never enter a machine.", TEXT.but(expected="a path"))] = ""
    hidden: Annotated[bool, Key("Whether they are secret, so that only counts leave the exam.", SWITCH)] = False
    sample_score: Annotated[
        float | None, Key("What the sample entry scores on them; reports show it for comparison.", ANY_NUMBER)
    ] = None


@dataclass(frozen=True, kw_only=True)
class _DataKeys:
    quiz: Annotated[_RecordSetKeys, Key("Public records.", Section(_RecordSetKeys))] = _RecordSetKeys()
    exam: Annotated[_RecordSetKeys, Key("Records that decide the score.", Section(_RecordSetKeys))] = _RecordSetKeys()


@dataclass(frozen=True, kw_only=True)
class _HeaderKeys:
    strip_comments: Annotated[
        bool, Key("Whether comments of WFDB headers are left out because they would give the answer away.", SWITCH)
    ] = False


_LIMITS: Section[dict[str, Limits]] = Section(
    dict,
    {
        "setup": Key("`setup.sh`, once.", _limits("", (Kind.SCRIPTS,))),
        "quiz": Key("Each record of the quiz.", _limits("_per_record", _WITH_PROGRAM)),
        "exam": Key("Each record of the exam.", _limits("_per_record", _WITH_PROGRAM)),
    },
)


@dataclass(frozen=True, kw_only=True)
class _ChallengeKeys:
    title: Annotated[
        str, Key("One line for lists and reports.", TEXT.but(expected="a line of text"), required=True)
    ] = ""
    kinds: Annotated[
        tuple[Kind, ...],
        Key(
            "What teams upload; of a list such as `[answers, image]` the uploaded archive shows which it is.",
            _KINDS,
            name="kind",
            required=True,
            decides=True,
        ),
    ] = ()
    image: Annotated[
        str,
        Key(
            "A recipe of `vm_images`: the system that entries run in.",
            TEXT.but(expected="the name of an image recipe"),
            required_for=_WITH_PROGRAM,
        ),
    ] = ""
    layers: Annotated[
        tuple[str, ...],
        Key(
            "The organiser's file systems, mounted above the image in every machine, such as an installed MATLAB.",
            ListOf(expected="a list of squashfs files", item=_FILE_NAME),
        ),
    ] = ()
    metric: Annotated[
        str,
        Key(
            "A metric of `python -m metrics --list`, a generic measure with its options "
            "(`{measure: classification.f1, average: macro}`, see metrics/README.md), a metric of another distribution "
            "(entry-point group `evaluate.metrics`), or a `.py` file of this folder with an object `METRIC`.",
            _METRIC,
            required=True,
        ),
    ] = ""
    rules: Annotated[
        str,
        Key(
            "Which rules of the metric decide; the result by the others is reported too. A metric of your own gets the "
            "word as `rules`; without an official program it has `has_official = False`, and this key has no effect.",
            Value(expected="official or corrected", type=Literal["official", "corrected"]),
        ),
    ] = "corrected"
    required_files: Annotated[
        tuple[str, ...], Key("What an entry must contain.", _FILE_NAMES, required_for=(Kind.SCRIPTS,))
    ] = ()
    wanted_files: Annotated[
        tuple[str, ...],
        Key(
            "What an entry should contain, such as a licence: one that is missing is noted, and no error.",
            _FILE_NAMES,
        ),
    ] = ()
    inputs: Annotated[
        tuple[str, ...],
        Key(
            "A record's input files; no other file of the data folder reaches a machine. Except for `scripts`, a "
            "record may be in a subfolder, and its name is then a path.",
            _PATTERNS,
            required=True,
        ),
    ] = ()
    answers: Annotated[Answers, Key("What an entry leaves.", Section(Answers))] = Answers()
    run: Annotated[RunRules, Key("How programs are started.", Section(RunRules))] = RunRules()
    public_headers: Annotated[
        _HeaderKeys, Key("What parts of the records' headers a machine may see.", Section(_HeaderKeys))
    ] = _HeaderKeys()
    data: Annotated[_DataKeys, Key("The records.", Section(_DataKeys))] = _DataKeys()
    limits: Annotated[Mapping[str, Limits], Key("What commands may use.", _LIMITS)] = field(default_factory=dict)
    sizes: Annotated[Sizes, Key("The machine.", _SIZES)] = Sizes()
    archive: Annotated[ArchiveLimits, Key("What may be uploaded.", Section(ArchiveLimits))] = ArchiveLimits()
    board: Annotated[BoardRules, Key("How attempts become a rank.", Section(BoardRules))] = BoardRules()
    feedback: Annotated[FeedbackRules, Key("How much a team learns of a hidden exam.", Section(FeedbackRules))] = (
        FeedbackRules()
    )
    isolation: Annotated[
        Isolation,
        Key(
            "What separates one record from the next: namespaces in one machine, or a machine of its own for each, "
            "restored from the same saved state; see docs/clean-room.md.",
            one_of(Isolation),
        ),
    ] = Isolation.NAMESPACE
    licence: Annotated[bool, Key("Whether entries need the host's licence server, as MATLAB does.", SWITCH)] = False
    gpus: Annotated[int, Key("How many GPUs of the host an entry is given.", WHOLE)] = 0
    allow_tcg_exam: Annotated[
        bool,
        Key(
            "Whether a hidden exam may run under software emulation, which QEMU does not call a security boundary.",
            SWITCH,
        ),
    ] = False


CHALLENGE = Section(_ChallengeKeys)
"""The keys of ``challenge.yaml``."""


def list_challenges() -> tuple[str, ...]:
    """Names of the challenges that come with the program."""
    return tuple(sorted(path.parent.name for path in data_folder("challenges").glob(f"*/{FILE}")))


def program_challenge(name: str) -> Path | None:
    """The folder of a challenge that comes with the program; None if none has this name."""
    folder = data_folder("challenges") / name
    return folder.resolve() if "/" not in name and is_there(folder / FILE, S_ISREG) else None


def challenge_folder(name_or_path: str) -> Path:
    """The folder of a challenge, by its name or its path.

    Raises
    ------
    UsageError
        There is none.
    """
    if (named := program_challenge(name_or_path)) is not None:
        return named
    if is_there(Path(name_or_path) / FILE, S_ISREG):
        return Path(name_or_path).resolve()
    raise UsageError(
        f"no challenge {name_or_path!r}: neither one of {', '.join(list_challenges())} nor a folder with a {FILE}"
    )


def load_challenge(name_or_path: str, isolation: str | None = None) -> Challenge:
    """The challenge of that name or in that folder.

    Parameters
    ----------
    isolation : str, optional
        Instead of what its file says.

    Raises
    ------
    UsageError
        There is none.
    ChallengeError
        Its file is wrong, or it cannot have this isolation; every mistake is named.
    """
    folder, began = challenge_folder(name_or_path), time.time()
    kept = _KEPT.get((folder, isolation))
    if kept is not None and _state_of(kept[0]) == kept[1]:
        return kept[2]
    challenge, problems = read_challenge(folder, isolation)
    if challenge is None or problems:
        raise ChallengeError("\n".join(problems))
    if kept is not None and kept[2] == challenge:
        challenge = kept[2]  # so that what is made of it in turn stays the same
    paths = _read_of(challenge)
    state = _state_of(paths)
    newest = max((one[-1] for one in state if one is not None), default=0)
    if newest < (began - _SETTLED_SECONDS) * 1e9:  # else it may change once more and look the same
        while len(_KEPT) >= _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)), None)
        _KEPT[folder, isolation] = paths, state, challenge
    return challenge


def _read_of(challenge: Challenge) -> tuple[Path, ...]:
    """Every file and folder that says whether a challenge would be read as it was, in which records come and go."""
    found = dict.fromkeys((challenge.folder / FILE, *challenge.layers))
    for records in (challenge.quiz, challenge.exam):
        found |= dict.fromkeys((records.folder, records.folder / RECORDS))
        if records.references is not None:
            found[records.references] = None
        for record in records.records:
            for file in records.files(record).values():
                if file.is_symlink():
                    found[file.resolve().parent] = None
                for folder in file.parents:
                    if folder == records.folder or folder in found:
                        break
                    found[folder] = None
    return tuple(found)


def _state_of(paths: Sequence[Path]) -> list[tuple[int, ...] | None]:
    """What changes with the content of files and folders."""
    found: list[tuple[int, ...] | None] = []
    for path in paths:
        try:
            one = path.stat()
        except OSError:
            found.append(None)
        else:
            found.append((one.st_dev, one.st_ino, one.st_size, one.st_mtime_ns, one.st_ctime_ns))
    return found


def read_challenge(folder: Path, isolation: str | None = None) -> tuple[Challenge | None, list[str]]:
    """The challenge in a folder and every mistake in it; None where it cannot even be read."""
    try:
        document = load_document(folder / FILE)
    except ChallengeError as e:
        return None, str(e).splitlines()
    if isolation is not None and isinstance(document.value, dict):
        document.value["isolation"] = isolation
    challenge = make_challenge(document)
    return challenge, document.problems


def make_challenge(document: Document) -> Challenge | None:
    """The challenge that a ``challenge.yaml`` describes; its mistakes are noted in the document."""
    folder = document.path.parent
    found = read(document, CHALLENGE)
    if found is None:
        return None
    layers = tuple(folder / name for name in found.layers)
    for n, path in enumerate(layers, 1):
        if not is_there(path, S_ISREG):
            document.complain(("layers", n), f"{path}: no such layer")
    _check_isolation(document, found)
    quiz, exam = (
        _record_set(document, stage, keys, found)
        for stage, keys in (("quiz", found.data.quiz), ("exam", found.data.exam))
    )
    return Challenge(
        name=folder.name,
        title=found.title,
        folder=folder,
        kinds=found.kinds,
        image=found.image,
        layers=layers,
        metric=str(folder / found.metric) if found.metric.endswith(".py") else found.metric,
        rules=found.rules,
        required_files=found.required_files,
        wanted_files=found.wanted_files,
        answers=found.answers,
        run=found.run,
        archive=found.archive,
        limits=found.limits,
        sizes=found.sizes,
        quiz=quiz,
        exam=exam,
        board=found.board,
        feedback=found.feedback,
        isolation=found.isolation,
        licence=found.licence,
        gpus=found.gpus,
        allow_tcg_exam=found.allow_tcg_exam,
    )


def _check_isolation(document: Document, found: _ChallengeKeys) -> None:
    """Note what cannot be combined with a saved machine."""
    if found.isolation is not Isolation.SNAPSHOT:
        return
    folders = any(kind in _WITH_FOLDER and kind in _WITH_PROGRAM for kind in found.kinds)
    for problem, wrong in (
        (
            "needs run.mode: record, because each record has a machine of its own",
            folders and found.run.mode is Mode.SET,
        ),
        ("cannot be combined with run.extra, which is a run on all records", bool(found.run.extra)),
        ("cannot be combined with gpus: a device cannot be saved", found.gpus > 0),
        ("cannot be combined with licence: a connection cannot be saved", found.licence),
        (f"allows at most {MOST_SAVED_LAYERS} layers", len(found.layers) > MOST_SAVED_LAYERS),
    ):
        if wrong:
            document.complain(("isolation",), f"{Isolation.SNAPSHOT} {problem}")


def _record_set(document: Document, stage: str, keys: _RecordSetKeys, found: _ChallengeKeys) -> RecordSet:
    """The records of a stage; an empty set where they cannot be read."""
    base = document.path.parent
    empty = RecordSet(
        folder=base / keys.folder,
        records=(),
        inputs=found.inputs,
        references=None,
        hidden=keys.hidden,
        strip_comments=found.public_headers.strip_comments,
        sample_score=keys.sample_score,
    )
    if not keys.folder or not found.inputs:  # named already
        return empty
    references = base / keys.references if keys.references else None
    if references is not None and not is_there(references):
        document.complain(("data", stage, "references"), f"{references}: no such file or folder")
        references = None
    if not is_there(empty.folder, S_ISDIR):
        document.complain(("data", stage, "folder"), f"{empty.folder}: no such folder")
        return empty
    try:
        records = record_set(empty.folder, found.inputs, references, nested=not _answers_are_lines(found.kinds))
    except ChallengeError as e:
        for problem in str(e).splitlines():
            document.complain_of_file(problem)
        return empty
    return replace(records, hidden=empty.hidden, strip_comments=empty.strip_comments, sample_score=empty.sample_score)


def record_set(
    folder: Path, inputs: Sequence[str], references: Path | None = None, *, nested: bool = False
) -> RecordSet:
    """The records of a folder, by its RECORDS file or, without one, by the files of the first input pattern.

    Parameters
    ----------
    nested : bool
        Whether a record may be in a subfolder; its name is then a path.

    Raises
    ------
    ChallengeError
        The folder, a record's file or the references are missing, or a name is not valid; the first 20 are named.
    """
    if not is_there(folder, S_ISDIR):
        raise ChallengeError(f"{folder}: no such folder of records")
    if not inputs:
        raise ChallengeError(f"{folder}: no names of input files are given")
    listing = folder / RECORDS
    if listing.is_file():
        source = str(listing)
        lines = listing.read_text(encoding="utf-8-sig", errors="replace").splitlines()
        named = [(line.strip(), f"{listing}:{n}") for n, line in enumerate(lines, 1) if line.strip()]
    else:
        source = str(folder)
        before, _, after = inputs[0].partition("{record}")
        files = folder.glob(f"{escape(before)}{'**/' if nested else ''}*{escape(after)}")
        names = sorted(str(p.relative_to(folder))[len(before) : -len(after) or None] for p in files)
        named = [(name, source) for name in names]
    problems = [] if named else [f"{source}: no records; expected a {RECORDS} file or files like {inputs[0]}"]
    valid = _NESTED_NAME if nested else _RECORD_NAME
    first: dict[str, str] = {}
    for name, where in named:
        if not valid.fullmatch(name):
            problems.append(f"{where}: {name!r} is not a valid record name")
        elif name in first:
            problems.append(f"{where}: record {name} appears twice; first at {first[name]}")
        first.setdefault(name, where)
    found = RecordSet(folder=folder, records=tuple(first), inputs=tuple(inputs), references=references)
    if not problems:
        missing = [path for name in first for path in found.files(name).values() if not is_there(path, S_ISREG)]
        problems += [f"{path}: missing, although its record is in {source}" for path in missing]
    if len(problems) > _SHOWN:
        problems[_SHOWN:] = [f"{source}: and {len(problems) - _SHOWN} more problems"]
    if references is not None and not is_there(references):
        problems.append(f"{references}: no such references")
    if problems:
        raise ChallengeError("\n".join(problems))
    return found

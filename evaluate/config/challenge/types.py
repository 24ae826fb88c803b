"""A challenge: kinds of entries, answers, rules, limits, records.

The attributes of `Challenge` are the one description of ``challenge.yaml``: the reader and the table in
``challenges/README.md`` come from them.  `evaluate.config.challenge.load` adds what the paths in the file lead to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from glob import escape
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from evaluate.config.challenge.contract import ContractName, Sockets
from evaluate.config.challenge.scorer import Scorer
from evaluate.config.schema.document import Complain
from evaluate.config.schema.keys import (
    ANY_NUMBER,
    COUNT,
    MEBIBYTES,
    PATH,
    POSITIVE_SECONDS,
    SWITCH,
    TEXT,
    WHOLE,
    Key,
    ListOf,
    Named,
    Section,
    Value,
    key,
    like,
    one_of,
)
from evaluate.core.errors import ChallengeError
from evaluate.core.model import MIB, MOST_PROCESSORS, Limits, Sizes, Stage
from metrics.readers.foreign import is_data

MAIN_EXAM = "exam"
"""The name of the exam of challenges with one, and of phases that name none."""


class Kind(StrEnum):
    """Kind of entry that a team uploads."""

    SCRIPTS = "scripts"
    PYTHON = "python"
    IMAGE = "image"
    ANSWERS = "answers"


MOST_SAVED_LAYERS = 3
"""An entry may bring one more."""
MORE_WITH_DOCKERFILE = 2
"""Layers more for an entry with a Dockerfile, which has some for places, Debian's packages and those of the index."""
WITH_PROGRAM = (Kind.SCRIPTS, Kind.PYTHON, Kind.IMAGE)
"""Kinds whose entries are run in a machine."""
WITH_FOLDER = (Kind.PYTHON, Kind.IMAGE, Kind.ANSWERS)
"""Kinds whose answers are a folder of files; the other leaves lines ``record,label`` in one file."""


_FILE_NAME = TEXT.but(expected="a file name")
_FILE = PATH.but(expected="a file name", leads_to="file")
_BELOW = r"(?!(?:.*/)?\.{0,2}(?:/|$))"
_FILE_BELOW = like(rf"{_BELOW}[^\n]+", "a file name")
"""A path that does not lead out of the folder."""
_PATTERN = like(
    rf"{_BELOW}[^{{}}\n]*(?:\{{record\}}[^{{}}\n]*)+",  # no other braces
    "a file name with {record}",
)
_PATTERNS = ListOf(expected="a list of file names with {record}", item=_PATTERN)
_INPUTS = ListOf(
    expected=_PATTERNS.expected,
    first=_PATTERN,
    item=like(rf"{_BELOW}[^{{}}\n]*(?:\{{record\}}[^{{}}\n]*)*", _PATTERN.expected),
)
"""The same, and files of all records."""
_FILE_NAMES = ListOf(expected="a list of file names", item=_FILE_NAME)
_RECORDS = TEXT.but(expected="a folder with a RECORDS file")


@dataclass(frozen=True, kw_only=True)
class RecordSet:
    """The records of one stage: input files, and the references that never enter a guest."""

    folder: Path = key("Folder of the records, with a list `RECORDS`.", _RECORDS.but(read=Path), Path(), required=True)
    references: Path | None = key(
        "Their references, which never enter a machine.", PATH.but(expected="a path", leads_to="file or folder"), None
    )
    hidden: bool = key("Whether they are secret, so that only counts leave the exam.", SWITCH, False)
    sample_score: float | None = key(
        "What the sample entry scores on them; reports show it for comparison.", ANY_NUMBER, None
    )
    input_data: Path | None = key(
        "What the ingestion program of a scorer reads.", PATH.but(expected="a folder", leads_to="folder"), None
    )
    records: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    """Names of a record's input files, with ``{record}`` at least in the first; others are files of all records.  A
    ``*`` stands for any letters, also for no file at all."""
    strip_comments: bool = False
    """True if the comments of WFDB headers, which may hold the diagnosis, are kept from the guest."""
    name: str = ""
    """Name of an exam."""

    def files(self, record: str) -> dict[str, Path]:
        """The input files of one record by their path below the data folder, and no other file of it."""
        files: dict[str, Path] = {}
        for pattern in self.inputs:
            if "*" in pattern:
                paths = sorted(self.folder.glob(pattern.format(record=escape(record))))
                names = {str(path.relative_to(self.folder)): path for path in paths if path.is_file()}
                files |= {name: path for name, path in names.items() if is_data(name)}
            else:
                name = pattern.format(record=record)
                files[name] = self.folder / name
        return files


@dataclass(frozen=True, kw_only=True)
class Answers:
    """Answer that an entry leaves for a record."""

    file: str = key(
        "The file in which `next.sh` leaves a line `record,label`.", _FILE_NAME, "answers.txt", only_for=(Kind.SCRIPTS,)
    )
    labels: tuple[str, ...] = key(
        "The labels allowed in it.",
        ListOf(expected="a list of labels", item=TEXT.but(expected="a label")),
        (),
        required_for=(Kind.SCRIPTS,),
        only_for=(Kind.SCRIPTS,),
    )
    files: tuple[str, ...] = key(
        "Where a record's answer may be; the first file that exists counts.",
        _PATTERNS,
        (),
        only_for=WITH_FOLDER,
        default="required, except with `whole` or `contract`",
    )
    shared: tuple[str, ...] = key(
        "Files of lines for the whole set, all optional; those of several starts or shards are put together.",
        _FILE_NAMES,
        (),
        only_for=WITH_FOLDER,
    )

    whole: bool = key(
        "Whether all files of an upload are the answer, as they are named there; for a scorer that asks for no "
        "files of single records.",
        SWITCH,
        False,
        only_for=(Kind.ANSWERS,),
    )

    def names(self, record: str) -> tuple[str, ...]:
        """Return the paths at which the answer for one record may be, the preferred one first."""
        return tuple(pattern.format(record=record) for pattern in self.files)


class Isolation(StrEnum):
    """Separation of one record from the next."""

    NAMESPACE = "namespace"
    """Namespaces, a control group and a root of its own, in one machine for all records."""
    SNAPSHOT = "snapshot"
    """A machine of its own, restored from the same saved state, that has no other record's files."""


class Mode(StrEnum):
    """Frequency with which an entry's program is started."""

    SET = "set"
    """Once, for all records."""
    RECORD = "record"
    """Once for every record."""


@dataclass(frozen=True, kw_only=True)
class RunRules:
    """Rules by which an entry of kind ``python`` or ``image`` is started."""

    program: str = key(
        "Of kind `python`: started as `python3 PROGRAM DATA RESULT`. Of kind `image`: called with `argument` in an "
        "image that has it, such as `/workspace/prediction.sh`, and no entry point.",
        TEXT.but(expected="the file name of a program"),
        "",
        required_for=(Kind.PYTHON,),
        unless="contract",
    )
    octave: str = key(
        "A function that a team may submit instead of `program`; called as `FUNCTION(DATA, RESULT)` under Octave.",
        TEXT.but(expected="the file name of a function, such as challenge.m"),
        "",
    )
    octave_packages: tuple[str, ...] = key(
        "What is installed to run it.",
        ListOf(expected="a list of Debian packages", item=TEXT.but(expected="a Debian package")),
        ("octave",),
    )
    matlab: str = key(
        "Runs the function instead of Octave, such as `/opt/matlab/bin/matlab`; see `layers` and `licence`.",
        like(r"/(?:.|\n)*", "the absolute path of a program in the machine"),
        "",
    )
    newer_pins: bool = key(
        "Of kind `python`: where a version that `requirements.txt` pins cannot be installed for the machine's "
        "Python, install the nearest that can, and tell the team; for templates that are older than the image.",
        SWITCH,
        False,
    )
    allow_failures: bool = key(
        "With a `contract` that lets the organiser decide: whether the entry's program may fail for single records "
        "and continue with the next.",
        SWITCH,
        False,
    )
    mode: Mode = key(
        "Start once for all records (limits are then averages over them), or once for each.", one_of(Mode), Mode.SET
    )
    argument: str = key("Of kind `image`: the argument of the entry point.", TEXT.but(expected="a word"), "")


_LINES = TEXT.but(expected="a package")


@dataclass(frozen=True, kw_only=True)
class BaseImage:
    """An image after FROM that an entry's Dockerfile may begin with, and its replacement here."""

    image: str = key(
        "Its name on Docker Hub, such as `python`, or with a pattern for its tag, such as `pytorch/pytorch:2.*`.",
        like(r"[^\s@]+", "the name of an image, such as python"),
        "",
        required=True,
    )
    requirements: tuple[str, ...] = key(
        "What it has of the package index, such as `torch=={version}`, with the version in its tag.",
        ListOf(expected="a list of lines of a requirements.txt", item=_LINES),
        (),
    )
    packages: tuple[str, ...] = key(
        "What it has of Debian.", ListOf(expected="a list of Debian packages", item=_LINES), ()
    )


@dataclass(frozen=True, kw_only=True)
class BuildRules:
    """Rules by which the Dockerfile of an entry is built if it cannot be translated."""

    images: Mapping[str, Path] = key(
        "What it may begin with: names as after FROM, such as `python:3.10-slim`, and for each a container image "
        "in the folder of the challenge, as `docker save` writes it, or as an OCI archive.",
        Named(expected="names of images and their archives", item=_FILE, placeholder="IMAGE"),
        factory=dict,
        required=True,
    )
    indexes: bool = key(
        "Whether a build reaches this site's package index and mirror of Debian; nothing else can be reached.",
        SWITCH,
        False,
    )
    instructions: int = key(
        "Retired user-mode instructions of a build.", COUNT.but(expected="a whole number of instructions"), 10**13
    )
    wall_seconds: float = key("Its time on the clock.", POSITIVE_SECONDS, 3600.0)
    memory_bytes: int = key("Its memory.", MEBIBYTES, 2048 * MIB, name="memory_mib")
    disk_bytes: int = key(
        "Its disk, for the base images and what is built on them.", MEBIBYTES, 20_480 * MIB, name="disk_mib"
    )
    image_bytes: int = key("The image that it leaves, unpacked.", MEBIBYTES, 8192 * MIB, name="image_mib")
    image_files: int = key("Files in that image.", COUNT, 300_000)


@dataclass(frozen=True, kw_only=True)
class DockerfileRules:
    """Rules for the Dockerfile of an entry: the images that it may begin with, and whether it is built."""

    bases: tuple[BaseImage, ...] = key(
        "Images that it may begin with; each becomes the machine's own system, with what is listed for it.",
        ListOf(expected="a list of images", item=Section(BaseImage, shorthand="image")),
        (BaseImage(image="python"),),
        default="`python`",
    )
    build: BuildRules | None = key(
        "Build a Dockerfile that cannot be translated, in a machine of its own.",
        Section(BuildRules),
        None,
        optional=True,
        default="it is refused",
    )


@dataclass(frozen=True, kw_only=True)
class BoardRules:
    """Rules by which attempts become a rank on the board."""

    attempts: int = key("How many attempts a team has; 0: any number.", WHOLE, 0)
    decimals: int = key("Scores that are equal to this many decimals share a rank.", WHOLE, 12)


class Show(StrEnum):
    """Results of an attempt at a hidden exam that its team sees."""

    SCORE = "score"
    VERDICT = "verdict"


@dataclass(frozen=True, kw_only=True)
class FeedbackRules:
    """Feedback on attempts at a hidden exam; see `evaluate.report.audience`."""

    show: Show = key(
        "Of a hidden exam, what a team is shown of each attempt: its score, or its verdict alone until the phase "
        "ends, and then the score of its best attempt.",
        one_of(Show),
        Show.SCORE,
    )
    digits: int = key("Digits of the numbers of a hidden exam's score.", COUNT, 3)


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """Limits of an uploaded archive, checked on its listing."""

    bytes: int = key("Size of an upload.", MEBIBYTES, 512 * MIB, name="mib")
    unpacked_bytes: int = key("Its size when unpacked.", MEBIBYTES, 1900 * MIB, name="unpacked_mib")
    files: int = key("Number of files in it.", COUNT, 50_000)
    text_bytes: int = 4 * MIB
    """Size of each file that the host itself reads: dependencies, answers."""


def _several_kinds(given: Kind | tuple[Kind, ...]) -> tuple[Kind, ...]:
    kinds = (given,) if isinstance(given, Kind) else given
    if not kinds or len(set(kinds)) < len(kinds) or (Kind.SCRIPTS in kinds and len(kinds) > 1):
        raise ValueError
    return kinds


def _named_metric(metric: str | dict[str, Any]) -> str:
    """The name by which `metrics.get` finds it; a measure with its options is a JSON object."""
    if not metric or (isinstance(metric, str) and not metric.strip()):
        raise ValueError
    return metric if isinstance(metric, str) else json.dumps(metric, sort_keys=True)


_METRIC = Value(
    expected="the name of a metric, a measure with its options, a scorer, or a .py file of this folder",
    type=str | dict[str, Any],
    read=_named_metric,
)
_KINDS = Value(
    expected=f"one of {', '.join(Kind)}, or a list of them",
    type=Kind | tuple[Kind, ...],
    read=_several_kinds,
)


_PROCESSORS = Value(
    expected=f"a whole number from 1 to {MOST_PROCESSORS}", type=Annotated[int, Meta(ge=1, le=MOST_PROCESSORS)]
)


_SYSTEM_BYTES = 512 * MIB
"""Memory of a machine that its command cannot have by default."""
_UNITS = {"MiB": 1 << 20, "GiB": 1 << 30}


def _size(text: str) -> int:
    number, unit = text[:-3].strip(), text[-3:]
    return int(number) * _UNITS[unit]


_MEMORY = like("[1-9][0-9]* ?GiB|[1-9][0-9]{3,} ?MiB", "a size of at least 1000 MiB, such as 8 GiB").but(read=_size)


def _limits_section(tail: str, needed: tuple[Kind, ...] = ()) -> Section[Limits]:
    """Limits of a command; ``tail`` ends the names of the two that must be set, by default always."""
    return Section(
        Limits,
        {
            "instructions": Key(
                "Retired user-mode instructions, such as `6.0e10`, of all processes together.",
                COUNT.but(expected="a whole number of instructions, such as 6.0e10"),
                name=f"instructions{tail}",
                required=not needed,
                required_for=needed,
            ),
            "wall_seconds": Key(
                "Time on the clock, for programs that sleep; generous, because a busy host must not change a verdict.",
                POSITIVE_SECONDS,
                name=f"wall_seconds{tail}",
                required=not needed,
                required_for=needed,
            ),
            "memory_bytes": Key("Memory of the command.", MEBIBYTES, name="memory_mib"),
            "processes": Key("Processes and threads at once.", COUNT),
            "output_bytes": Key("Standard output and error together.", MEBIBYTES, name="output_mib"),
            "answer_bytes": Key("Each answer file.", MEBIBYTES, name="answer_mib"),
            "answers_bytes": Key("All answer files together.", MEBIBYTES, name="answers_mib"),
            "processors": Key(
                "Processors of the machine, whose instructions are added; see docs/organiser.md.",
                _PROCESSORS,
                default="as `processors`",
            ),
            "machine_bytes": Key(
                "Memory of the machine; its command gets all but 512 MiB, unless `memory_mib` says otherwise.",
                _MEMORY,
                name="memory",
                default="as `memory`",
            ),
        },
        # of a challenge that runs no programs; never reached
        {"instructions": 10**12, "wall_seconds": 1800.0},
    )


_SIZES = Section(
    Sizes,
    {
        "memory_bytes": Key("Memory of the machine, where `memory` does not say it.", MEBIBYTES, name="memory_mib"),
        "root_bytes": Key("Its root disk, for everything that an entry installs.", MEBIBYTES, name="root_mib"),
        "home_bytes": Key("Its `/home`, where the entry is unpacked.", MEBIBYTES, name="home_mib"),
        "tmp_bytes": Key("Its `/tmp`.", MEBIBYTES, name="tmp_mib"),
    },
)
_LIMITS: Section[dict[str, Limits]] = Section(
    dict,
    {
        "setup": Key("`setup.sh`, or loading a server, once.", _limits_section("", (Kind.SCRIPTS,))),
        "quiz": Key("Each record of the quiz.", _limits_section("_per_record", WITH_PROGRAM)),
        "exam": Key("Each record of the exam.", _limits_section("_per_record", WITH_PROGRAM)),
    },
)


class OfPlatform(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The platform that entries were written for, which a file may also name alone."""

    platform: ContractName
    programs: str = ""
    """A folder of the challenge with the organiser's own programs; without it, ours."""


_CONTRACT = Value(
    expected="the name of a contract, such as physionet-2025, or {platform: NAME, programs: DIR}",
    type=ContractName | OfPlatform,
    read=lambda given: given if isinstance(given, OfPlatform) else OfPlatform(platform=given),
)


@dataclass(frozen=True, kw_only=True)
class Headers:
    """Parts of headers that a machine may see."""

    strip_comments: bool = key(
        "Whether comments of WFDB headers are left out because they would give the answer away.", SWITCH, False
    )


@dataclass(frozen=True, kw_only=True)
class Data:
    """The records of the stages."""

    quiz: RecordSet = key("Public records.", Section(RecordSet), RecordSet())
    exam: RecordSet = key("Records that decide the score.", Section(RecordSet), RecordSet())
    exams: Mapping[str, RecordSet] = key(
        "Further exams, such as a final test set, each with a name by which phases of evaluate.yaml choose it.",
        Named(expected="names of exams, each with its keys", item=Section(RecordSet), placeholder="EXAM"),
        factory=dict,
    )


def _unread_records(folder: str) -> RecordSet:
    return RecordSet(folder=Path(folder))


def _unread_sockets(file: str) -> Sockets:
    return Sockets(file=Path(file))


@dataclass(frozen=True, kw_only=True)
class Training:
    """Training of entries before they answer anything."""

    records: RecordSet = key(
        "Folder of the records to learn from, with a list `RECORDS`.",
        _RECORDS.but(read=_unread_records),
        RecordSet(),
        required=True,
    )
    inputs: tuple[str, ...] = key(
        "A record's files, which may have its labels; comments of headers are kept.", _INPUTS, (), default="as `inputs`"
    )
    files: tuple[str, ...] = key(
        "Further files of the folder, of no single record, such as a table of labels.",
        ListOf(expected="a list of file names", item=_FILE_BELOW),
        (),
    )
    hidden: bool = key(
        "Whether they are secret: then neither what training prints nor single records of the quiz or the exam, "
        "which a model could tell them by, are shown to teams.",
        SWITCH,
        False,
    )
    program: str = key(
        "Started as `python3 PROGRAM DATA MODEL`, once; with a `contract`, as that says.",
        TEXT.but(expected="the file name of a program"),
        "train_model.py",
    )
    model: str = key(
        "The folder MODEL in the entry's folder; it is empty when training starts.",
        like(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", "the name of a folder"),
        "model",
    )
    optional: bool = key(
        "Whether an entry that brings files in its folder MODEL is not trained, and uses these.", SWITCH, False
    )
    seed: int = key(
        "Given to the program as the environment variables `EVALUATE_SEED` and `PYTHONHASHSEED`.",
        Value(expected="a whole number below 2^32", type=Annotated[int, Meta(ge=0, lt=2**32)]),
        0,
    )
    limits: Limits | None = key("What training may use.", _limits_section(""), None)

    def is_skipped_for(self, members: Iterable[str]) -> bool:
        """True if an entry of these files is not trained, since it brings a model."""
        return self.optional and any(name.startswith(f"{self.model}/") for name in members)


@dataclass(frozen=True, kw_only=True)
class Challenge:
    """The definition of one challenge, with its records."""

    title: str = key("One line for lists and reports.", TEXT.but(expected="a line of text"), "", required=True)
    kinds: tuple[Kind, ...] = key(
        "What teams upload; of a list such as `[answers, image]` the uploaded archive shows which it is.",
        _KINDS,
        (),
        name="kind",
        required=True,
        decides=True,
    )
    image: str = key(
        "A recipe of `vm_images`: the system that entries run in.",
        TEXT.but(expected="the name of an image recipe"),
        "",
        required_for=WITH_PROGRAM,
    )
    metric: str = key(
        "A metric of `evaluate score --list`, a generic measure with its options "
        "(`{measure: classification.f1, average: macro}`, see metrics/README.md), a metric of another distribution "
        "(entry-point group `evaluate.metrics`), a `.py` file of this folder with an object `METRIC`, or a scoring "
        "program of another platform's form (`{scorer: codabench, program: scoring_program, primary: accuracy}`, "
        "see docs/scorers.md).",
        _METRIC,
        "",
        required=True,
    )
    rules: str = key(
        "Which rules of the metric decide; the result by the others is reported too. A metric of your own gets the "
        "word as `rules`; without an official program it has `has_official = False`, and this key has no effect.",
        Value(expected="official or corrected", type=Literal["official", "corrected"]),
        "corrected",
    )
    required_files: tuple[str, ...] = key("What an entry must contain.", _FILE_NAMES, (), required_for=(Kind.SCRIPTS,))
    wanted_files: tuple[str, ...] = key(
        "What an entry should contain, such as a licence: one that is missing is noted, and no error.", _FILE_NAMES, ()
    )
    answers: Answers = key("What an entry leaves.", Section(Answers), Answers())
    run: RunRules = key("How programs are started.", Section(RunRules), RunRules())
    dockerfile: DockerfileRules | None = key(
        "Of kind `python`: an entry's `Dockerfile` says what is installed; see docs/dockerfiles.md. `{}` allows "
        "official images of Python.",
        Section(DockerfileRules),
        None,
        optional=True,
        default="a Dockerfile is a file like any other",
    )
    limits: Mapping[str, Limits] = key("What commands may use.", _LIMITS, factory=dict)
    processors: int = key(
        "Processors of the machine in every stage; clean rooms and equal counts are promised for one.", _PROCESSORS, 1
    )
    memory: int = key(
        "Memory of the machine in every stage; its commands get all but 512 MiB, unless `memory_mib` of their "
        "limits says otherwise.",
        _MEMORY,
        0,
        default="as `sizes.memory_mib`",
    )
    sizes: Sizes = key("The machine.", _SIZES, Sizes())
    archive: ArchiveLimits = key("What may be uploaded.", Section(ArchiveLimits), ArchiveLimits())
    board: BoardRules = key("How attempts become a rank.", Section(BoardRules), BoardRules())
    feedback: FeedbackRules = key("How much a team learns of a hidden exam.", Section(FeedbackRules), FeedbackRules())
    isolation: Isolation = key(
        "What separates one record from the next: namespaces in one machine, or a machine of its own for each, "
        "restored from the same saved state; see docs/clean-room.md.",
        one_of(Isolation),
        Isolation.NAMESPACE,
    )
    licence: bool = key("Whether entries need the host's licence server, as MATLAB does.", SWITCH, False)
    gpus: int = key("How many GPUs of the host an entry is given.", WHOLE, 0)
    allow_tcg_exam: bool = key(
        "Whether a hidden exam may run under software emulation, which QEMU does not call a security boundary.",
        SWITCH,
        False,
    )
    contract: OfPlatform | None = key(
        "The platform that entries were written for; they run here as they are. It stands for `inputs`, "
        "`answers.files` and `run`, so that a challenge needs none of these. Of PhysioNet also "
        "`{platform: physionet-2025, programs: DIR}`, with your own programs of the year in a folder of the "
        "challenge; see docs/contracts.md.",
        _CONTRACT,
        None,
    )
    sockets: Sockets | None = key(
        "With `contract: grand-challenge`: JSON with the `inputs` and `outputs` of an algorithm, each a list of "
        "sockets, as `evaluate challenge import` writes it.",
        _FILE_NAME.but(read=_unread_sockets),
        None,
    )
    layers: tuple[Path, ...] = key(
        "The organiser's file systems, mounted above the image in every machine, such as an installed MATLAB.",
        ListOf(expected="a list of squashfs files", item=_FILE),
        (),
    )
    inputs: tuple[str, ...] = key(
        "A record's input files; no other file of the data folder reaches a machine. A `*` stands for any letters, "
        "and there need be no such file; one without `{record}`, after the first, is a file of all records. Except "
        "for `scripts`, a record may be in a subfolder, and its name is then a path.",
        _INPUTS,
        (),
        required=True,
        unless="contract",
    )
    public_headers: Headers = key("What parts of the records' headers a machine may see.", Section(Headers), Headers())
    data: Data = key("The records.", Section(Data), Data())
    train: Training | None = key(
        "Train every entry between prep and quiz; without it, entries bring their models. See docs/training.md.",
        Section(Training),
        None,
        optional=True,
        only_for=(Kind.PYTHON,),
    )
    name: str = ""
    folder: Path = Path()
    scorer: Scorer | None = None
    """The organiser's own program that scores, in the place of a metric."""

    @property
    def quiz(self) -> RecordSet:
        """Its public records."""
        return self.data.quiz

    @property
    def exam(self) -> RecordSet:
        """The records that decide the score."""
        return self.data.exam

    @property
    def exams(self) -> Mapping[str, RecordSet]:
        """All exams by their names, first that of challenges with one."""
        return {MAIN_EXAM: self.data.exam, **self.data.exams}

    @property
    def hides_exams(self) -> bool:
        """True if the records of any are secret."""
        return any(map(self.hides, self.exams))

    def hides(self, exam: str) -> bool:
        """True if the records of the exam of this name are secret; also of one that is there no more."""
        return exam not in self.exams or self.exams[exam].hidden

    def with_exam(self, name: str) -> Challenge:
        """The same challenge with one of its exams as the exam.

        Raises ChallengeError if it has none of this name.
        """
        if name not in self.exams:
            raise ChallengeError(
                f"{self.folder / 'challenge.yaml'}: data.exams: expected {name!r}, which a phase in evaluate.yaml "
                f"names as its data, found {', '.join(self.data.exams) or 'none'}"
            )
        return self if name == MAIN_EXAM else self.with_records(exam=self.exams[name])

    def with_records(self, *, quiz: RecordSet | None = None, exam: RecordSet | None = None) -> Challenge:
        """The same challenge with other records of quiz, exam, or both."""
        return replace(self, data=replace(self.data, quiz=quiz or self.quiz, exam=exam or self.exam))

    @property
    def platform(self) -> ContractName | None:
        """The platform that its entries were written for; None: this one."""
        return self.contract.platform if self.contract is not None else None

    @property
    def programs(self) -> Path | None:
        """The organiser's own programs of a contract; None: ours."""
        named = self.contract.programs if self.contract is not None else ""
        return self.folder / named if named else None

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Stages that its entries go through, in order."""
        left_out = {Stage.TRAIN: self.train is None, Stage.SCORE: self.exam.references is None}
        return tuple(stage for stage in Stage if not left_out.get(stage, False))

    @property
    def base_images(self) -> Mapping[str, Path]:
        """Base images that Dockerfiles are built on: names after FROM, and archives."""
        build = self.dockerfile.build if self.dockerfile is not None else None
        return build.images if build is not None else {}

    @property
    def answers_are_lines(self) -> bool:
        """True if answers are lines ``record,label`` of one file, not a folder of files."""
        return any(kind not in WITH_FOLDER for kind in self.kinds)

    @property
    def has_own_judge(self) -> bool:
        """True if a program of the organiser gives the scores, and no metric of this program."""
        return self.metric.endswith(".py") or self.scorer is not None

    @property
    def hides_training(self) -> bool:
        """True if its entries learn from records that are secret."""
        return self.train is not None and self.train.records.hidden

    @property
    def runs_programs(self) -> bool:
        """True if some entries are run in a machine; otherwise answers are only scored."""
        return any(kind in WITH_PROGRAM for kind in self.kinds)

    def sizes_of(self, stage: Stage) -> Sizes:
        """The machine of a stage."""
        limits = self.limits.get("setup" if stage is Stage.PREP else stage.value)
        if limits is None:
            return self.sizes
        processors, memory = limits.processors, limits.machine_bytes
        return replace(
            self.sizes,
            processors=processors or self.sizes.processors,
            memory_bytes=memory or self.sizes.memory_bytes,
        )

    def with_machines(self, limits: Mapping[str, Limits]) -> Challenge:
        """The challenge with these limits; processors and memory of its machines are in those and in its sizes."""

        def of_stage(stage: Limits) -> Limits:
            memory = stage.machine_bytes or self.memory
            unset = stage.memory_bytes == Limits.memory_bytes
            command = memory - _SYSTEM_BYTES if memory and unset else stage.memory_bytes
            processors = stage.processors or self.processors
            return replace(stage, processors=processors, machine_bytes=memory, memory_bytes=command)

        memory = self.memory or self.sizes.memory_bytes
        return replace(
            self,
            sizes=replace(self.sizes, processors=self.processors, memory_bytes=memory),
            limits={name: of_stage(stage) for name, stage in limits.items()},
        )

    @property
    def limits_in_use(self) -> Mapping[str, Limits]:
        """The limits of stages in which a program of an entry runs."""
        runs = {
            "setup": Kind.SCRIPTS in self.kinds or self.isolation is Isolation.SNAPSHOT,
            Stage.QUIZ.value: bool(self.quiz.records),
            Stage.EXAM.value: bool(self.exam.records),
        }
        return {stage: limits for stage, limits in self.limits.items() if self.runs_programs and runs.get(stage, True)}


def _with_answers(challenge: Challenge, complain: Complain) -> Challenge:
    needed = not challenge.answers.whole and set(challenge.kinds) & set(WITH_FOLDER)
    if needed and not challenge.answers.files:
        complain(("answers",), "key 'files' is missing; expected a list of file names with {record}")
    return challenge


CHALLENGE = Section(Challenge, finish=_with_answers)
"""The keys of ``challenge.yaml``."""

"""What a challenge says: kinds of entries, answers, rules, limits, records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from glob import escape
from pathlib import Path
from typing import Annotated, Any, Literal

from evaluate.challenge.contract import ContractName
from evaluate.challenge.scorer import Scorer
from evaluate.challenge.sockets import Sockets
from evaluate.core.model import MIB, Limits, Sizes, Stage
from evaluate.schema.keys import (
    COUNT,
    MEBIBYTES,
    POSITIVE,
    POSITIVE_SECONDS,
    SWITCH,
    TEXT,
    WHOLE,
    Key,
    ListOf,
    Named,
    Section,
    Sections,
    Value,
    like,
    one_of,
)
from metrics.readers.foreign import is_data


class Kind(StrEnum):
    """What a team uploads."""

    SCRIPTS = "scripts"
    PYTHON = "python"
    IMAGE = "image"
    ANSWERS = "answers"


MOST_SAVED_LAYERS = 3
"""An entry may bring one more."""
MORE_WITH_DOCKERFILE = 2
"""Of an entry with a Dockerfile, which has layers for places, for Debian's packages and for those of the index."""
WITH_PROGRAM = (Kind.SCRIPTS, Kind.PYTHON, Kind.IMAGE)
"""Kinds whose entries are run in a machine."""
WITH_FOLDER = (Kind.PYTHON, Kind.IMAGE, Kind.ANSWERS)
"""Kinds whose answers are a folder of files; the other leaves lines ``record,label`` in one file."""


def answers_are_lines(kinds: Sequence[Kind]) -> bool:
    """Whether an entry of these kinds leaves lines ``record,label`` in one file, not a folder of files."""
    return any(kind not in WITH_FOLDER for kind in kinds)


FILE_NAME = TEXT.but(expected="a file name")
_FILE = TEXT.but(expected="a file name", read=Path, write=str)
_BELOW = r"(?!(?:.*/)?\.{0,2}(?:/|$))"
FILE_BELOW = rf"{_BELOW}[^\n]+"
"""A path that does not lead out of the folder."""
_PATTERN = like(
    rf"{_BELOW}[^{{}}\n]*(?:\{{record\}}[^{{}}\n]*)+",  # no other braces
    "a file name with {record}",
)
PATTERNS = ListOf(expected="a list of file names with {record}", item=_PATTERN)
INPUTS = ListOf(
    expected=PATTERNS.expected,
    first=_PATTERN,
    item=like(rf"{_BELOW}[^{{}}\n]*(?:\{{record\}}[^{{}}\n]*)*", _PATTERN.expected),
)
"""The same, and files of all records."""
FILE_NAMES = ListOf(expected="a list of file names", item=FILE_NAME)


@dataclass(frozen=True, kw_only=True)
class RecordSet:
    """The records of one stage: input files, and the references that never enter a guest."""

    folder: Path
    records: tuple[str, ...]
    inputs: tuple[str, ...]
    """Names of a record's input files, with ``{record}`` at least in the first; others are files of all records.  A
    ``*`` stands for any letters, also for no file at all."""
    references: Path | None
    hidden: bool = False
    """Whether its records are secret, so that only counts may leave the exam."""

    strip_comments: bool = False
    """Whether the comments of WFDB headers, which may hold the diagnosis, are kept from the guest."""
    sample_score: float | None = None
    """What the sample entry scores on these records; shown beside every score."""
    input_data: Path | None = None
    """What a scorer's ingestion program reads."""
    hours: float | None = None
    """Of recordings that go on for hours, those that end before so many; None: all."""

    def files(self, record: str) -> dict[str, Path]:
        """The input files of one record by their path below the data folder, and no other file of it."""
        found: dict[str, Path] = {}
        for pattern in self.inputs:
            if "*" in pattern:
                paths = sorted(self.folder.glob(pattern.format(record=escape(record))))
                names = {str(path.relative_to(self.folder)): path for path in paths if path.is_file()}
                found |= {name: path for name, path in names.items() if is_data(name)}
            else:
                name = pattern.format(record=record)
                found[name] = self.folder / name
        return found


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What an entry leaves for a record."""

    file: Annotated[
        str, Key("The file in which `next.sh` leaves a line `record,label`.", FILE_NAME, only_for=(Kind.SCRIPTS,))
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
            PATTERNS,
            only_for=WITH_FOLDER,
            default="required, except with `whole` or `contract`",
        ),
    ] = ()
    shared: Annotated[
        tuple[str, ...],
        Key("Answer files for the whole set; all of them are optional.", FILE_NAMES, only_for=WITH_FOLDER),
    ] = ()

    whole: Annotated[
        bool,
        Key(
            "Whether all files of an upload are the answer, as they are named there; for a scorer that asks for no "
            "files of single records.",
            SWITCH,
            only_for=(Kind.ANSWERS,),
        ),
    ] = False

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
            "Of kind `python`: started as `python3 PROGRAM DATA RESULT`. Of kind `image`: called with `argument` in an "
            "image that has it, such as `/workspace/prediction.sh`, and no entry point.",
            TEXT.but(expected="the file name of a program"),
            required_for=(Kind.PYTHON,),
            unless="contract",
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
    newer_pins: Annotated[
        bool,
        Key(
            "Of kind `python`: where a version that `requirements.txt` pins cannot be installed for the machine's "
            "Python, install the nearest that can, and tell the team; for templates that are older than the image.",
            SWITCH,
        ),
    ] = False
    allow_failures: Annotated[
        bool,
        Key(
            "With a `contract` that lets the organiser decide: whether the entry's program may fail for single records "
            "and continue with the next.",
            SWITCH,
            only_with="contract",
        ),
    ] = False
    hours: Annotated[
        float | None,
        Key(
            "With `contract: physionet-2023`: how many hours of a record's recordings entries see, such as 12, 24, 48, "
            "72; those that end later are left out.",
            POSITIVE,
            only_with="contract",
            default="all",
        ),
    ] = None
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


_LINES = TEXT.but(expected="a package")


@dataclass(frozen=True, kw_only=True)
class BaseImage:
    """An image after FROM that an entry's Dockerfile may begin with, and what stands for it here."""

    image: Annotated[
        str,
        Key(
            "Its name on Docker Hub, such as `python`, or with a pattern for its tag, such as `pytorch/pytorch:2.*`.",
            like(r"[^\s@]+", "the name of an image, such as python"),
            required=True,
        ),
    ] = ""
    requirements: Annotated[
        tuple[str, ...],
        Key(
            "What it has of the package index, such as `torch=={version}`, with the version in its tag.",
            ListOf(expected="a list of lines of a requirements.txt", item=_LINES),
        ),
    ] = ()
    packages: Annotated[
        tuple[str, ...],
        Key("What it has of Debian.", ListOf(expected="a list of Debian packages", item=_LINES)),
    ] = ()


@dataclass(frozen=True, kw_only=True)
class BuildRules:
    """How the Dockerfile of an entry is built that cannot be translated."""

    images: Annotated[
        Mapping[str, Path],
        Key(
            "What it may begin with: names as after FROM, such as `python:3.10-slim`, and for each a container image "
            "in the folder of the challenge, as `docker save` writes it, or as an OCI archive.",
            Named(expected="names of images and their archives", item=_FILE, placeholder="IMAGE"),
            required=True,
        ),
    ] = field(default_factory=dict)
    indexes: Annotated[
        bool,
        Key(
            "Whether a build reaches this site's package index and mirror of Debian; nothing else can be reached.",
            SWITCH,
        ),
    ] = False
    instructions: Annotated[
        int, Key("Retired user-mode instructions of a build.", COUNT.but(expected="a whole number of instructions"))
    ] = 10**13
    wall_seconds: Annotated[float, Key("Its time on the clock.", POSITIVE_SECONDS)] = 3600.0
    memory_bytes: Annotated[int, Key("Its memory.", MEBIBYTES, name="memory_mib")] = 2048 * MIB
    disk_bytes: Annotated[
        int, Key("Its disk, for the base images and what is built on them.", MEBIBYTES, name="disk_mib")
    ] = 20_480 * MIB
    image_bytes: Annotated[int, Key("The image that it leaves, unpacked.", MEBIBYTES, name="image_mib")] = 8192 * MIB
    image_files: Annotated[int, Key("Files in that image.", COUNT)] = 300_000


@dataclass(frozen=True, kw_only=True)
class DockerfileRules:
    """Whether the Dockerfile of an entry says what is installed, and what it may begin with."""

    bases: Annotated[
        tuple[BaseImage, ...],
        Key(
            "Images that it may begin with; each becomes the machine's own system, with what is listed for it.",
            Sections(expected="a list of images", item=Section(BaseImage, shorthand="image"), empty=False),
            default="`python`",
        ),
    ] = (BaseImage(image="python"),)
    build: Annotated[
        BuildRules | None,
        Key(
            "Build a Dockerfile that cannot be translated, in a machine of its own.",
            Section(BuildRules),
            optional=True,
            default="it is refused",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Training:
    """How entries are trained before they answer anything."""

    records: RecordSet
    """What they learn from; its inputs may have the labels."""
    files: tuple[str, ...]
    """Further files of that folder, of no single record, such as a table of labels."""
    program: str
    """Started as ``python3 PROGRAM DATA MODEL``; empty: nothing is started, and the entry's own model is used."""
    model: str
    """The folder of models, in the entry's folder."""
    optional: bool
    """Whether an entry that has files in that folder is not trained."""
    seed: int

    def is_skipped_for(self, members: Iterable[str]) -> bool:
        """Whether an entry of these files is not trained, since it brings a model."""
        return self.optional and any(name.startswith(f"{self.model}/") for name in members)


@dataclass(frozen=True, kw_only=True)
class BoardRules:
    """How attempts become a rank on the board."""

    attempts: Annotated[int, Key("How many attempts a team has; 0: any number.", WHOLE)] = 0
    decimals: Annotated[int, Key("Scores that are equal to this many decimals share a rank.", WHOLE)] = 12


class Show(StrEnum):
    """Results of an attempt at a hidden exam that its team sees."""

    SCORE = "score"
    VERDICT = "verdict"


@dataclass(frozen=True, kw_only=True)
class FeedbackRules:
    """Feedback on attempts at a hidden exam; see `evaluate.report.leaks`."""

    show: Annotated[
        Show,
        Key(
            "Of a hidden exam, what a team is shown of each attempt: its score, or its verdict alone until the phase "
            "ends, and then the score of its best attempt.",
            one_of(Show),
        ),
    ] = Show.SCORE
    digits: Annotated[int, Key("Digits of the numbers of a hidden exam's score.", COUNT)] = 3


@dataclass(frozen=True, kw_only=True)
class ArchiveLimits:
    """Limits of an uploaded archive, checked on its listing."""

    bytes: Annotated[int, Key("Size of an upload.", MEBIBYTES, name="mib")] = 512 * MIB
    unpacked_bytes: Annotated[int, Key("Its size when unpacked.", MEBIBYTES, name="unpacked_mib")] = 1900 * MIB
    files: Annotated[int, Key("Number of files in it.", COUNT)] = 50_000
    text_bytes: int = 4 * MIB
    """Of each file the host itself reads: dependencies, answers."""


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


_METRIC = Value(
    expected="the name of a metric, a measure with its options, a scorer, or a .py file of this folder",
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
            {"type": "array", "items": {"enum": list(WITH_FOLDER)}, "minItems": 1, "uniqueItems": True},
        ]
    },
)


def limits_section(tail: str, needed: tuple[Kind, ...] = ()) -> Section[Limits]:
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
_LIMITS: Section[dict[str, Limits]] = Section(
    dict,
    {
        "setup": Key("`setup.sh`, or loading a server, once.", limits_section("", (Kind.SCRIPTS,))),
        "quiz": Key("Each record of the quiz.", limits_section("_per_record", WITH_PROGRAM)),
        "exam": Key("Each record of the exam.", limits_section("_per_record", WITH_PROGRAM)),
    },
)


@dataclass(frozen=True, kw_only=True)
class ChallengeRules:
    """The keys of ``challenge.yaml`` that say the same there and in a `Challenge`."""

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
            required_for=WITH_PROGRAM,
        ),
    ] = ""
    metric: Annotated[
        str,
        Key(
            "A metric of `evaluate score --list`, a generic measure with its options "
            "(`{measure: classification.f1, average: macro}`, see metrics/README.md), a metric of another distribution "
            "(entry-point group `evaluate.metrics`), a `.py` file of this folder with an object `METRIC`, or a scoring "
            "program of another platform's form (`{scorer: codabench, program: scoring_program, primary: accuracy}`, "
            "see docs/scorers.md).",
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
        tuple[str, ...], Key("What an entry must contain.", FILE_NAMES, required_for=(Kind.SCRIPTS,))
    ] = ()
    wanted_files: Annotated[
        tuple[str, ...],
        Key(
            "What an entry should contain, such as a licence: one that is missing is noted, and no error.",
            FILE_NAMES,
        ),
    ] = ()
    answers: Annotated[Answers, Key("What an entry leaves.", Section(Answers))] = Answers()
    run: Annotated[RunRules, Key("How programs are started.", Section(RunRules))] = RunRules()
    dockerfile: Annotated[
        DockerfileRules | None,
        Key(
            "Of kind `python`: an entry's `Dockerfile` says what is installed; see docs/dockerfiles.md. `{}` allows "
            "official images of Python.",
            Section(DockerfileRules),
            optional=True,
            default="a Dockerfile is a file like any other",
        ),
    ] = None
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


@dataclass(frozen=True, kw_only=True)
class Challenge(ChallengeRules):
    """The definition of one challenge, with its records."""

    name: str
    folder: Path
    layers: tuple[Path, ...]
    """The organiser's squashfs files, mounted above the image in every guest, such as an installed MATLAB."""
    quiz: RecordSet
    exam: RecordSet
    scorer: Scorer | None = None
    """The organiser's own program that scores, in the place of a metric."""
    sockets: Sockets | None = None
    """What an algorithm reads and leaves, of a contract that has sockets."""
    contract: ContractName | None = None
    """The platform that its entries were written for; None: this one."""
    programs: Path | None = None
    """The organiser's own programs of a contract, in a folder of the challenge; None: ours."""
    train: Training | None = None
    """None: entries are not trained."""

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Those that its entries go through, in order."""
        left_out = {Stage.TRAIN: self.train is None, Stage.SCORE: self.exam.references is None}
        return tuple(stage for stage in Stage if not left_out.get(stage, False))

    @property
    def base_images(self) -> Mapping[str, Path]:
        """What Dockerfiles are built on: names after FROM, and archives."""
        build = self.dockerfile.build if self.dockerfile is not None else None
        return build.images if build is not None else {}

    @property
    def answers_are_lines(self) -> bool:
        """Whether answers are lines ``record,label`` of one file, not a folder of files."""
        return answers_are_lines(self.kinds)

    @property
    def has_own_judge(self) -> bool:
        """True if a program of the organiser gives the scores, and no metric of this program."""
        return self.metric.endswith(".py") or self.scorer is not None

    @property
    def hides_training(self) -> bool:
        """Whether its entries learn from records that are secret."""
        return self.train is not None and self.train.records.hidden

    @property
    def has_subgroups(self) -> bool:
        """Whether its metric gives the scores of subgroups, by the option of that name."""
        return self.metric.startswith("{") and "subgroups" in json.loads(self.metric)

    @property
    def records_may_be_nested(self) -> bool:
        """Whether a record's name may be a path; not where a shell script gets it as an argument."""
        return not answers_are_lines(self.kinds)

    @property
    def runs_programs(self) -> bool:
        """Whether some entries are run in a machine; otherwise answers are only scored."""
        return any(kind in WITH_PROGRAM for kind in self.kinds)

    @property
    def limits_in_use(self) -> Mapping[str, Limits]:
        """The limits of stages in which a program of an entry runs."""
        runs = {
            "setup": Kind.SCRIPTS in self.kinds or self.isolation is Isolation.SNAPSHOT,
            Stage.QUIZ.value: bool(self.quiz.records),
            Stage.EXAM.value: bool(self.exam.records),
        }
        return {stage: limits for stage, limits in self.limits.items() if self.runs_programs and runs.get(stage, True)}

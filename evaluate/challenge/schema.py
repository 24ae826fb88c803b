"""The keys of ``challenge.yaml``, whose layout differs from that of `Challenge` so that a file reads well.

The annotations are the one description of the file: the reader, the JSON schema and the table in
``challenges/README.md`` come from them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from evaluate.challenge.contract import ContractName
from evaluate.challenge.types import (
    FILE_BELOW,
    FILE_NAME,
    FILE_NAMES,
    INPUTS,
    WITH_FOLDER,
    WITH_PROGRAM,
    Answers,
    ArchiveLimits,
    BoardRules,
    DockerfileRules,
    FeedbackRules,
    Isolation,
    Kind,
    RunRules,
)
from evaluate.core.model import Limits, Sizes
from evaluate.schema.document import Complain
from evaluate.schema.keys import (
    ANY_NUMBER,
    COUNT,
    MEBIBYTES,
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
)


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


class ContractKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Under ``contract``, which may also be the name of the platform alone."""

    platform: ContractName
    programs: str = ""


_CONTRACT = Value(
    expected="the name of a contract, such as physionet-2025, or {platform: NAME, programs: DIR}",
    type=ContractName | ContractKeys,
    read=lambda found: found if isinstance(found, ContractKeys) else ContractKeys(platform=found),
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


# challenge.yaml: its layout differs from that of `Challenge`, so that a file reads well


def _limits(tail: str, needed: tuple[Kind, ...] = ()) -> Section[Limits]:
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


@dataclass(frozen=True, kw_only=True)
class RecordSetKeys:
    """Under ``data``: the records of a stage."""

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
    input_data: Annotated[str, Key("What the ingestion program of a scorer reads.", TEXT.but(expected="a folder"))] = ""


@dataclass(frozen=True, kw_only=True)
class _DataKeys:
    quiz: Annotated[RecordSetKeys, Key("Public records.", Section(RecordSetKeys))] = RecordSetKeys()
    exam: Annotated[RecordSetKeys, Key("Records that decide the score.", Section(RecordSetKeys))] = RecordSetKeys()


@dataclass(frozen=True, kw_only=True)
class TrainKeys:
    """Under ``train``: the stage in which entries are trained."""

    records: Annotated[
        str,
        Key(
            "Folder of the records to learn from, with a list `RECORDS`.",
            TEXT.but(expected="a folder with a RECORDS file"),
            required=True,
        ),
    ] = ""
    inputs: Annotated[
        tuple[str, ...],
        Key(
            "A record's files, which may have its labels; comments of headers are kept.",
            INPUTS,
            default="as `inputs`",
        ),
    ] = ()
    files: Annotated[
        tuple[str, ...],
        Key(
            "Further files of the folder, of no single record, such as a table of labels.",
            ListOf(expected="a list of file names", item=like(FILE_BELOW, "a file name")),
        ),
    ] = ()
    hidden: Annotated[
        bool,
        Key(
            "Whether they are secret: then neither what training prints nor single records of the quiz or the exam, "
            "which a model could tell them by, are shown to teams.",
            SWITCH,
        ),
    ] = False
    program: Annotated[
        str,
        Key(
            "Started as `python3 PROGRAM DATA MODEL`, once; with a `contract`, as that says.",
            TEXT.but(expected="the file name of a program"),
        ),
    ] = "train_model.py"
    model: Annotated[
        str,
        Key(
            "The folder MODEL in the entry's folder; it is empty when training starts.",
            like(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", "the name of a folder"),
        ),
    ] = "model"
    optional: Annotated[
        bool, Key("Whether an entry that brings files in its folder MODEL is not trained, and uses these.", SWITCH)
    ] = False
    seed: Annotated[
        int,
        Key(
            "Given to the program as the environment variables `EVALUATE_SEED` and `PYTHONHASHSEED`.",
            Value(expected="a whole number below 2^32", type=Annotated[int, Meta(ge=0, lt=2**32)]),
        ),
    ] = 0
    limits: Annotated[Limits | None, Key("What training may use.", _limits(""))] = None


@dataclass(frozen=True, kw_only=True)
class HeaderKeys:
    """Under ``public_headers``."""

    strip_comments: Annotated[
        bool, Key("Whether comments of WFDB headers are left out because they would give the answer away.", SWITCH)
    ] = False


_LIMITS: Section[dict[str, Limits]] = Section(
    dict,
    {
        "setup": Key("`setup.sh`, or loading a server, once.", _limits("", (Kind.SCRIPTS,))),
        "quiz": Key("Each record of the quiz.", _limits("_per_record", WITH_PROGRAM)),
        "exam": Key("Each record of the exam.", _limits("_per_record", WITH_PROGRAM)),
    },
)


@dataclass(frozen=True, kw_only=True)
class ChallengeKeys:
    """The top of the file."""

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
    contract: Annotated[
        ContractKeys | None,
        Key(
            "The platform that entries were written for; they run here as they are. It stands for `inputs`, "
            "`answers.files` and `run`, so that a challenge needs none of these. Of PhysioNet also "
            "`{platform: physionet-2025, programs: DIR}`, with your own programs of the year in a folder of the "
            "challenge; see docs/contracts.md.",
            _CONTRACT,
        ),
    ] = None
    sockets: Annotated[
        str,
        Key(
            "With `contract: grand-challenge`: JSON with the `inputs` and `outputs` of an algorithm, each a list of "
            "sockets, as `evaluate challenge import` writes it.",
            FILE_NAME,
        ),
    ] = ""
    image: Annotated[
        str,
        Key(
            "A recipe of `vm_images`: the system that entries run in.",
            TEXT.but(expected="the name of an image recipe"),
            required_for=WITH_PROGRAM,
        ),
    ] = ""
    layers: Annotated[
        tuple[str, ...],
        Key(
            "The organiser's file systems, mounted above the image in every machine, such as an installed MATLAB.",
            ListOf(expected="a list of squashfs files", item=FILE_NAME),
        ),
    ] = ()
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
    inputs: Annotated[
        tuple[str, ...],
        Key(
            "A record's input files; no other file of the data folder reaches a machine. A `*` stands for any letters, "
            "and there need be no such file; one without `{record}`, after the first, is a file of all records. Except "
            "for `scripts`, a record may be in a subfolder, and its name is then a path.",
            INPUTS,
            required=True,
            unless="contract",
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
    public_headers: Annotated[
        HeaderKeys, Key("What parts of the records' headers a machine may see.", Section(HeaderKeys))
    ] = HeaderKeys()
    data: Annotated[_DataKeys, Key("The records.", Section(_DataKeys))] = _DataKeys()
    train: Annotated[
        TrainKeys | None,
        Key(
            "Train every entry between prep and quiz; without it, entries bring their models. See docs/training.md.",
            Section(TrainKeys),
            optional=True,
            only_for=(Kind.PYTHON,),
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


def _with_answers(found: ChallengeKeys, complain: Complain, folder: Path) -> ChallengeKeys:
    needed = not found.answers.whole and set(found.kinds) & set(WITH_FOLDER)
    if needed and not found.answers.files:
        complain(("answers",), "key 'files' is missing; expected a list of file names with {record}")
    return found


CHALLENGE = Section(ChallengeKeys, finish=_with_answers)
"""The keys of ``challenge.yaml``."""

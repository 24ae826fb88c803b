"""The keys of ``challenge.yaml``, whose layout differs from that of `Challenge` so that a file reads well.

The annotations are the one description of the file: the reader, the JSON schema and the table in
``challenges/README.md`` come from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from evaluate.challenge.contract import ContractName
from evaluate.challenge.types import (
    FILE_BELOW,
    FILE_NAME,
    INPUTS,
    WITH_FOLDER,
    ChallengeRules,
    Kind,
    limits_section,
)
from evaluate.core.model import Limits
from evaluate.schema.document import Complain
from evaluate.schema.keys import (
    ANY_NUMBER,
    SWITCH,
    TEXT,
    Key,
    ListOf,
    Section,
    Value,
    like,
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


# challenge.yaml: its layout differs from that of `Challenge`, so that a file reads well


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
    limits: Annotated[Limits | None, Key("What training may use.", limits_section(""))] = None


@dataclass(frozen=True, kw_only=True)
class HeaderKeys:
    """Under ``public_headers``."""

    strip_comments: Annotated[
        bool, Key("Whether comments of WFDB headers are left out because they would give the answer away.", SWITCH)
    ] = False


@dataclass(frozen=True, kw_only=True)
class ChallengeKeys(ChallengeRules):
    """The top of the file."""

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
    layers: Annotated[
        tuple[str, ...],
        Key(
            "The organiser's file systems, mounted above the image in every machine, such as an installed MATLAB.",
            ListOf(expected="a list of squashfs files", item=FILE_NAME),
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


def _with_answers(found: ChallengeKeys, complain: Complain, folder: Path) -> ChallengeKeys:
    needed = not found.answers.whole and set(found.kinds) & set(WITH_FOLDER)
    if needed and not found.answers.files:
        complain(("answers",), "key 'files' is missing; expected a list of file names with {record}")
    return found


CHALLENGE = Section(ChallengeKeys, finish=_with_answers)
"""The keys of ``challenge.yaml``."""

"""Description of a challenge's scorer: a program of the organiser's own that scores in the place of a metric.

It is what ``metric`` has with a key ``scorer``.  Each form is the contract of a platform, at one version of it; what a
form makes of these keys is in `evaluate.stages.scorers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from evaluate.config.schema.keys import (
    COUNT,
    MEBIBYTES,
    PATH,
    POSITIVE_SECONDS,
    TEXT,
    Key,
    ListOf,
    Named,
    Section,
    Value,
    key,
    one_of,
)
from evaluate.core.model import MIB, Limits


class Form(StrEnum):
    """Whose contract a scorer has."""

    COMMAND = "command"
    CODABENCH = "codabench"
    GRAND_CHALLENGE = "grand-challenge"
    PHYSIONET = "physionet"


CONTRACTS: Mapping[Form, str] = {
    Form.COMMAND: "1",
    Form.CODABENCH: "codalab/codabench@c7dbc756",
    Form.GRAND_CHALLENGE: "DIAGNijmegen/rse-grand-challenge@4e38c78b",
    Form.PHYSIONET: "physionetchallenges.github.io@3d2f23d6",
}
"""The version of each contract that the forms follow, which a receipt names."""
IN_CONTAINER = (Form.GRAND_CHALLENGE,)
"""Forms whose program is a container image."""
_WITH_PROGRAM = tuple(form for form in Form if form not in IN_CONTAINER)
_FILE = PATH.but(expected="a file or folder of the challenge", leads_to="file or folder")
_NAMES = ListOf(expected="a list of names", item=TEXT.but(expected="a name"))
_LIMITS = Limits(
    instructions=10**13, wall_seconds=1800.0, memory_bytes=1536 * MIB, answer_bytes=64 * MIB, answers_bytes=256 * MIB
)
"""Unless the challenge sets others."""


def _limits() -> Section[Limits]:
    """Limits of a scorer; each has a default."""
    return Section(
        Limits,
        {
            "instructions": Key("Retired user-mode instructions of one scoring, such as `1.0e13`.", COUNT),
            "wall_seconds": Key("Time on the clock.", POSITIVE_SECONDS),
            "memory_bytes": Key("Memory of its command.", MEBIBYTES, name="memory_mib"),
            "processes": Key("Processes and threads at once.", COUNT),
            "output_bytes": Key("Standard output and error together.", MEBIBYTES, name="output_mib"),
            "answers_bytes": Key("All files that it writes.", MEBIBYTES, name="files_mib"),
        },
        {"instructions": _LIMITS.instructions, "wall_seconds": _LIMITS.wall_seconds, "answers_bytes": 256 * MIB},
    )


@dataclass(frozen=True, kw_only=True)
class Computed:
    """A number that is calculated of others."""

    by: str = key(
        "How.", Value(expected="sum, avg, min or max", type=Literal["sum", "avg", "min", "max"]), required=True
    )
    of: tuple[str, ...] = key("Their keys.", _NAMES, required=True)


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """The keys of ``metric`` with ``scorer``; paths are absolute once a challenge is loaded."""

    form: Form = key("Whose contract it has.", one_of(Form), Form.COMMAND, name="scorer", required=True, decides=True)
    program: Path | None = key(
        "Its folder in the folder of the challenge.", _FILE, None, required_for=_WITH_PROGRAM, only_for=_WITH_PROGRAM
    )
    container: Path | None = key(
        "A container image as `docker save` writes it, in whose root the program runs.",
        _FILE,
        None,
        required_for=IN_CONTAINER,
    )
    image: str = key(
        "A recipe of `vm_images`: the system that it runs in.",
        TEXT.but(expected="the name of an image recipe"),
        "bookworm",
    )
    requirements: Path | None = key(
        "Python packages that it needs, as a `requirements.txt`; without `container`.", _FILE, None
    )
    packages: tuple[str, ...] = key("Debian packages that it needs; without `container`.", _NAMES, ())
    command: str = key(
        "How it is started, with `$program`, `$references`, `$answers` and `$output`; of form `codabench` in the "
        "place of that in its `metadata`.",
        TEXT.but(expected="a command"),
        "",
        required_for=(Form.COMMAND,),
        only_for=(Form.COMMAND, Form.CODABENCH, Form.PHYSIONET),
    )
    primary: str = key(
        "The number that ranks: its key in what the scorer writes, `a.b` where keys are nested.",
        TEXT.but(expected="a key"),
        "",
        required=True,
    )
    direction: str = key(
        "Whether the larger or the smaller value of it is better; boards show the negative of the latter.",
        Value(expected="larger or smaller", type=Literal["larger", "smaller"]),
        "larger",
    )
    values: tuple[str, ...] = key(
        "All numbers that count, the primary one among them; by default those that it writes, of hidden references "
        "the primary and the computed ones alone.",
        _NAMES,
        (),
    )
    computed: Mapping[str, Computed] = key(
        "Numbers that are calculated of others, such as a mean over data sets, or of those above them.",
        Named(expected="names and how each is calculated", item=Section(Computed)),
        factory=dict,
    )
    ingestion: Path | None = key(
        "The folder of the ingestion program, which runs the uploaded files before they are scored.",
        _FILE,
        None,
        only_for=(Form.CODABENCH,),
    )
    year: int = key(
        "The year of the challenge.",
        Value(expected="a year from 2020 to 2026", type=Literal[2020, 2021, 2022, 2023, 2024, 2025, 2026]),
        0,
        required_for=(Form.PHYSIONET,),
        only_for=(Form.PHYSIONET,),
    )
    sockets: Path | None = key(
        "JSON with the `inputs` and `outputs` of an algorithm, each a list of sockets; without it answers lie in "
        "`/input` as they are.",
        _FILE,
        None,
        only_for=(Form.GRAND_CHALLENGE,),
    )
    limits: Limits = key("What one scoring may use.", _limits(), _LIMITS)

    @property
    def name(self) -> str:
        """Text that stands where a metric has its name."""
        return f"scorer:{self.form}"

    @property
    def contract(self) -> str:
        """The version of its form's contract."""
        return CONTRACTS[self.form]

    @property
    def files(self) -> tuple[Path, ...]:
        """Everything that it consists of."""
        paths = (self.program, self.container, self.requirements, self.ingestion, self.sockets)
        return tuple(path for path in paths if path is not None)


SCORER = Section(Scorer)
"""The keys of ``metric`` in ``challenge.yaml`` where a program of the organiser's own scores."""

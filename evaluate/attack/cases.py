"""The hostile cases: a folder each, with its aim and its expected outcomes in ``expect.yaml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import msgspec

from evaluate.core.errors import ChallengeError
from evaluate.core.files import data_folder
from evaluate.core.model import Verdict

EXPECT = "expect.yaml"
FAULT, CHALLENGE_ERROR, NOT_TRIED = "FAULT", "CHALLENGE_ERROR", "NOT_TRIED"
"""Outcomes of an attack other than a verdict: the infrastructure's fault, the organiser's, or not tried here."""
GOT = "GOT"
"""A line of this word and what was reached, printed by an attack, means that it worked."""


class Via(StrEnum):
    """The way into the product."""

    RECORD = "record"
    """A program that runs for a record; all share one guest."""
    SETUP = "setup"
    """A setup program, whose files stay; all share a second guest."""
    UPLOAD = "upload"
    """Upload of a team, as the intake checks it."""
    ANSWERS = "answers"
    """Answers as the score stage reads them."""
    METRIC = "metric"
    """A metric of an organiser, or one that was taken over by an answer."""
    GUEST = "guest"
    """A guest agent that was taken over, as the host hears it."""
    QEMU = "qemu"
    """A QEMU that was taken over by its guest, as the host's kernel sees it."""


_OUTCOMES = "|".join([*Verdict, FAULT, CHALLENGE_ERROR])


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One attack."""

    attack: str
    """Its aim, in a sentence."""
    via: Via
    expected: tuple[Annotated[str, msgspec.Meta(pattern=f"^(?:{_OUTCOMES})$")], ...]
    """Outcomes that are right: a verdict, FAULT (the infrastructure's) or CHALLENGE_ERROR (the organiser's)."""
    says: str = ""
    """A regular expression that its message, or what the program printed, must match."""
    limits: Mapping[str, int] = {}
    """Fields of `Limits` that differ from the usual ones."""
    steps: tuple[str, ...] = ("",)
    """First arguments of the program, which runs once with each; the last run is the one that counts."""
    residual: str = ""
    """Amount that is known to get through: it is listed, and no failure."""
    challenge: str = "cinc2017"
    """Challenge of uploads and answers."""
    metric: str = ""
    """Metric of answers, if not the challenge's; a measure with its options is JSON."""
    folder: Path = Path()

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def wanted(self) -> str:
        """Outcome that it must have, in words."""
        text = " or ".join(self.expected)
        return f"{text}, saying {self.says!r}" if self.says else text

    def command(self, step: str) -> tuple[str, ...]:
        """The command of an attack in a guest, which gets its program as text and a step as its first argument."""
        for file, before, after in (("attack.py", "/usr/bin/python3", ()), ("attack.sh", "/bin/bash", ("attack",))):
            if (self.folder / file).is_file():
                return (before, "-c", (self.folder / file).read_text(), *after, step)
        raise ChallengeError(f"{self.folder}: expected attack.py or attack.sh")


@dataclass(frozen=True)
class Seen:
    """Result of an attack."""

    outcome: str
    text: str
    """Its message, or what its program printed."""
    reached: tuple[str, ...] = ()
    """Things that the attack got hold of; must be empty unless it is known to get through."""


def judge(case: Case, seen: Seen) -> bool:
    """True if it ended as expected."""
    held = not seen.reached or bool(case.residual)
    return held and seen.outcome in case.expected and re.search(case.says, seen.text, re.MULTILINE) is not None


def cases_folder() -> Path:
    """Return the folder of the cases, in a checkout and in an installed wheel."""
    return data_folder("tests/hostile")


def load_cases(folder: Path | None = None) -> list[Case]:
    """Every case, by name. Raises ChallengeError if a file is at fault; every such file is named."""
    cases, problems = [], []
    for path in sorted((folder or cases_folder()).glob(f"*/{EXPECT}")):
        try:
            case = msgspec.yaml.decode(path.read_bytes(), type=Case)
            re.compile(case.says)
        except (msgspec.MsgspecError, re.error) as e:
            problems.append(f"{path}: {e}")
        else:
            cases.append(msgspec.structs.replace(case, folder=path.parent))
    if problems:
        raise ChallengeError("\n".join(problems))
    return cases

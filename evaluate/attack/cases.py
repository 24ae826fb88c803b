"""The hostile cases: a folder each, with its aim and its expected outcomes in ``expect.yaml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from evaluate.authoring.check import CHANGED_LIMITS
from evaluate.config.schema.document import Complain, load_document
from evaluate.config.schema.keys import TEXT, Key, ListOf, Section, like, one_of, read
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


_OUTCOME = like("|".join([*Verdict, FAULT, CHALLENGE_ERROR]), "a verdict, FAULT or CHALLENGE_ERROR")


@dataclass(frozen=True, kw_only=True)
class Case:
    """One attack."""

    attack: Annotated[str, Key("What it tries, in a sentence.", TEXT, required=True)]
    via: Annotated[Via, Key("The way into the product.", one_of(Via), required=True)]
    expected: Annotated[
        tuple[str, ...],
        Key(
            "How it may end: a verdict, FAULT (ours) or CHALLENGE_ERROR (the organiser's).",
            ListOf(expected="a list of outcomes", item=_OUTCOME),
            required=True,
        ),
    ]
    says: Annotated[
        str, Key("A regular expression that its message, or what the program printed, must match.", TEXT)
    ] = ""
    limits: Annotated[Mapping[str, Any], Key("Limits that differ from the usual ones.", CHANGED_LIMITS)] = field(
        default_factory=dict
    )
    steps: Annotated[
        tuple[str, ...],
        Key(
            "The program runs once with each of these words; the last run is the one that counts.",
            ListOf(expected="a list of words", item=TEXT),
        ),
    ] = ("",)
    residual: Annotated[str, Key("What is known to get through, and how much: it is listed, and no failure.", TEXT)] = (
        ""
    )
    challenge: Annotated[str, Key("Of uploads and answers: the challenge.", TEXT)] = "cinc2017"
    metric: Annotated[
        str, Key("Of answers: the metric, if not the challenge's; a measure with its options is JSON.", TEXT)
    ] = ""
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


def _finished(case: Case, complain: Complain, folder: Path) -> Case:
    try:
        re.compile(case.says)
    except re.error as e:
        complain(("says",), f"expected a regular expression: {e}")
    return replace(case, folder=folder)


_CASE = Section(Case, finish=_finished)


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
    """Every case, by name. Raises ChallengeError if a file is at fault; every mistake is named."""
    cases, problems = [], []
    for path in sorted((folder or cases_folder()).glob(f"*/{EXPECT}")):
        document = load_document(path)
        case = read(document, _CASE)
        problems += document.problems
        if case is not None:
            cases.append(case)
    if problems:
        raise ChallengeError("\n".join(problems))
    return cases

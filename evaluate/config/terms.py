"""An organiser's settings for one challenge: phases, quotas, release of scores, pruning."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import MAIN_EXAM, BoardRules
from evaluate.config.schema.document import Complain
from evaluate.config.schema.keys import DAYS, MAIL, MOMENT, PATH, SWITCH, TEXT, WHOLE, Key, ListOf, Section, key, one_of


class Scores(StrEnum):
    """Release of scores to teams."""

    RELEASED = "released"
    WITHHELD = "withheld"


class Receipts(StrEnum):
    """Publication of receipts by `evaluate log export`."""

    PRIVATE = "private"
    PUBLISHED = "published"


_ATTEMPTS = WHOLE.but(expected="a whole number (0: any number)")


@dataclass(frozen=True, kw_only=True)
class AttemptLimits:
    """Number of entries of a team that may reach the exam; 0: any number, None: as said in general."""

    phase: int | None = key(
        "In a phase; in all, where there are no phases.", _ATTEMPTS, None, default="as `board.attempts` of its file"
    )
    day: int | None = key("On a day, which begins at midnight UTC.", _ATTEMPTS, None, default="any number")
    week: int | None = key("In a week, which begins on Monday UTC.", _ATTEMPTS, None, default="any number")

    @property
    def any(self) -> bool:
        """True if there is a limit."""
        return any((self.phase, self.day, self.week))

    def over(self, general: AttemptLimits) -> AttemptLimits:
        """These limits; where one is not set, the general one."""
        return AttemptLimits(
            phase=general.phase if self.phase is None else self.phase,
            day=general.day if self.day is None else self.day,
            week=general.week if self.week is None else self.week,
        )


_PHASE_KEYS = {
    name: Key(meaning, _ATTEMPTS, default="as the challenge says")
    for name, meaning in (("phase", "In it."), ("day", "On a day."), ("week", "In a week."))
}


def _finished_phase(phase: Phase, complain: Complain) -> Phase:
    if not phase.begins < phase.ends:
        complain(("ends",), "expected a time after begins")
    return phase


@dataclass(frozen=True, kw_only=True)
class Phase:
    """A part of a challenge with its own board and quota."""

    name: str = key("The name by which its board is requested.", TEXT.but(expected="a word"), required=True)
    begins: float = key("Entries submitted from this time on belong to it.", MOMENT, -math.inf, default="always")
    """Seconds since 1970, UTC, as below."""
    ends: float = key("Entries submitted from this time on do not.", MOMENT, math.inf, default="never")
    attempts: AttemptLimits = key(
        "The same for entries to this phase.", Section(AttemptLimits, _PHASE_KEYS, shorthand="phase"), AttemptLimits()
    )

    data: str = key(
        "The exam that scores its entries: a name of `data.exams` in challenge.yaml, such as that of a final test set.",
        TEXT.but(expected="the name of an exam"),
        MAIN_EXAM,
        default="the challenge's `data.exam`",
    )

    def allowed(self, most: int) -> int:
        """Return how many entries of a team may reach the exam in it; 0: any number.

        ``most``: in a phase that sets no number itself.
        """
        return most if self.attempts.phase is None else self.attempts.phase


def phase_at(phases: Sequence[Phase], at: float) -> Phase | None:
    """The phase of an entry that was submitted at ``at``; None if there is none."""
    return next((phase for phase in phases if phase.begins <= at < phase.ends), None)


def in_utc(at: float) -> str:
    """A time, seconds since 1970, in messages."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


@dataclass(frozen=True, kw_only=True)
class PruneRules:
    """Rules for what `evaluate prune` may remove, and the daemon by itself when less than ``free_gib`` is free."""

    prepared_days: float | None = key(
        "Prepared disks, so long after an entry ended; it can then be rejudged from prep only.",
        DAYS,
        None,
        default="never",
    )
    superseded_days: float | None = key(
        "What attempts produced that no longer count, so long after.", DAYS, None, default="never"
    )
    uploads_days: float | None = key(
        "Uploads that were refused in prep or cancelled, so long after (0: at once).", DAYS, None, default="never"
    )
    evidence_days: float | None = key(
        "The evidence of faults, so long after an entry ended.", DAYS, None, default="never"
    )


def _as_json(at: float) -> str | None:
    """A time; None: always, or never."""
    return datetime.fromtimestamp(at, UTC).isoformat() if math.isfinite(at) else None


def counting_rules(phases: Sequence[Phase], attempts: int) -> dict[str, Any]:
    """The rules by which entries count on a board, as values of JSON.

    ``attempts``: of a team in a phase that sets no number itself; 0: any number.
    """
    each = [
        {
            "name": phase.name,
            "begins": _as_json(phase.begins),
            "ends": _as_json(phase.ends),
            "attempts": phase.allowed(attempts),
            **({} if phase.data == MAIN_EXAM else {"data": phase.data}),
        }
        for phase in phases
    ]
    return {"attempts": attempts, "phases": each}


def finished_terms(terms: Terms, complain: Complain) -> Terms:
    """Terms with a folder of one spelling; phases of one name, or that overlap, are noted."""
    phases = Counter(phase.name for phase in terms.phases)
    for name in sorted(name for name, n in phases.items() if n > 1):
        complain(("phases",), f"{name!r} appears twice")
    ordered = sorted(terms.phases, key=lambda phase: phase.begins)
    for before, after in pairwise(ordered):
        if after.begins < before.ends and before.begins < before.ends:
            complain(("phases",), f"{after.name!r} begins before {before.name!r} ends")
    return replace(terms, folder=terms.folder.resolve()) if terms.folder else terms


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The organiser's settings for one challenge, in addition to its ``challenge.yaml``."""

    folder: Path | None = key(
        "Where a challenge of your own is, relative to this file; without it, the name is one of the program's.",
        PATH.but(expected="the folder of a challenge"),
        None,
        default="the challenge of that name that comes with the program",
    )
    attempts: AttemptLimits = key(
        "How many entries of a team may reach the exam; a number alone is that of `phase`.",
        Section(AttemptLimits, shorthand="phase"),
        AttemptLimits(),
    )
    charge_dry_runs: bool = key(
        "Whether an entry that does not reach the exam costs an attempt as well.", SWITCH, False
    )
    scores: Scores = key("Whether teams may see their scores.", one_of(Scores, "released or withheld"), Scores.RELEASED)
    receipts: Receipts = key(
        "Whether `evaluate log export` publishes the receipts of its entries, with their teams and scores.",
        one_of(Receipts, "private or published"),
        Receipts.PRIVATE,
    )
    phases: tuple[Phase, ...] = key(
        "Parts of the challenge, each with its own board and quota.",
        ListOf(expected="a list of phases", item=Section(Phase, finish=_finished_phase), empty=True),
        (),
    )

    organisers: tuple[str, ...] = key(
        "Who organises this challenge at the site, and nothing else there; an admin can name more.",
        ListOf(expected="a list of mail addresses", item=MAIL, empty=True),
        (),
    )
    prune: PruneRules = key("What may be removed to free disk space.", Section(PruneRules), PruneRules())

    def allowed(self, board: BoardRules) -> int:
        """Return how many entries of a team may reach the exam in a phase that sets no number itself; 0: any number."""
        return board.attempts if self.attempts.phase is None else self.attempts.phase

    def limits(self, phase: Phase | None, board: BoardRules) -> AttemptLimits:
        """Return how many entries of a team may reach the exam in a phase, on a day and in a week; 0: any number."""
        general = self.attempts.over(AttemptLimits(phase=board.attempts, day=0, week=0))
        return general if phase is None else phase.attempts.over(general)

    @property
    def most(self) -> int | None:
        """Number of a team's entries that may reach the exam in the most generous phase; None: as in the challenge."""
        given = [phase.attempts.over(self.attempts).phase for phase in self.phases] or [self.attempts.phase]
        if 0 in given:
            return 0
        limits = [limit for limit in given if limit is not None]
        return max(limits) if limits and len(limits) == len(given) else None

    def sealed(self, board: BoardRules) -> dict[str, Any]:
        """Return the settings that a rank depends on, as values of JSON; see `evaluate.receipts.seal`."""
        rules = counting_rules(self.phases, self.allowed(board))
        counting = {**rules, "charge_dry_runs": self.charge_dry_runs}
        return {"terms": counting, "decimals": board.decimals, "scores": self.scores.value}

    def data(self, at: float) -> str:
        """The name of the exam of an entry that was submitted at ``at``."""
        phase = self.phase(at)
        return MAIN_EXAM if phase is None else phase.data

    def data_of(self, phase: str) -> str:
        """The name of the exam of a phase, by its name."""
        return next((item.data for item in self.phases if item.name == phase), MAIN_EXAM)

    def next_phase(self, at: float) -> Phase | None:
        """The phase that opens first after ``at``; None if none does."""
        later = (phase for phase in self.phases if phase.begins > at)
        return min(later, key=lambda phase: phase.begins, default=None)

    def phase(self, at: float) -> Phase | None:
        """The phase of an entry that was submitted at ``at``; None if there is none."""
        return phase_at(self.phases, at)

"""Rows of the queue's tables as values; knows no database.

An entry moves forward only::

    queued ─> prep ─> [train] ─> quiz ─> exam ─> score ─> done      from each also to done, parked, cancelled
      ^                                          parked ─> queued, as a further attempt (retry)
      └── the same archive of the same team is the same entry, unless that was cancelled or is of an earlier phase
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from evaluate import __version__
from evaluate.config.challenge.types import FeedbackRules
from evaluate.core.model import Limits, MachineInfo, Score, Stage, StageOutcome, StageResult
from evaluate.store.db.reasons import Reason, reason_from_text


class State(StrEnum):
    """State of an entry. `QUEUED` to `SCORE` advance by themselves; the others are final or wait for the organiser."""

    QUEUED = "queued"
    PREP = "prep"
    TRAIN = "train"
    """Only of challenges whose entries are trained."""
    QUIZ = "quiz"
    EXAM = "exam"
    SCORE = "score"
    DONE = "done"
    PARKED = "parked"
    """The infrastructure (after all tries) or the challenge is at fault; the organiser must act."""
    CANCELLED = "cancelled"
    """Cancelled by the organiser; nothing more is done."""
    WITHDRAWN = "withdrawn"
    """It was done, and then withdrawn or disqualified (`evaluate.store.entries.withdrawal`)."""

    @property
    def ended(self) -> bool:
        """True if nothing more will be done."""
        return self in (State.DONE, State.CANCELLED, State.WITHDRAWN)

    def may_follow(self, before: State) -> bool:
        """True if an entry that was ``before`` may be here now; the same state may be recorded again."""
        order = list(State)
        return before is self or (before in (State.QUEUED, *ACTIVE) and order.index(self) > order.index(before))


ACTIVE = (State.PREP, State.TRAIN, State.QUIZ, State.EXAM, State.SCORE)


@dataclass(frozen=True, kw_only=True)
class AttemptRules:
    """Rules of a challenge that an attempt keeps from its beginning to its report (`evaluate.store.entries.bases`)."""

    stages: tuple[Stage, ...]
    """All of the challenge, whether or not the attempt runs them itself."""
    limits: Mapping[str, Limits]
    feedback: FeedbackRules
    hidden_exam: bool
    hidden_training: bool
    sample_score: float | None
    """Score of the sample entry on the records of the exam."""
    file: str
    """Digest of ``challenge.yaml``."""


@dataclass(frozen=True, kw_only=True)
class QueuedEntry:
    """An entry, as one attempt at it sees it: the one that counts, or an attempt of a rejudging.

    An attempt of a rejudging has its own number, references, state, reason and plan; its products are separate, it
    costs nothing, and the entry stays what it is until the attempt is adopted.
    """

    id: str
    number: int
    challenge: str
    team: str
    name: str
    sha256: str
    bytes: int
    commit: str
    data: str
    """The name of its exam in the challenge."""
    state: State
    attempt: int
    reason: Reason
    """Reason of this state."""
    charged: bool
    submitted: float
    """The time by which it belongs to a phase."""
    arrived: float
    """When all of it had come; later than `submitted`, where the team had a later deadline."""
    changed: float
    references: str = ""
    """References that the exam is scored against, if not the challenge's own."""
    plan: str = ""
    """Plan that this attempt was started with (`evaluate.run.chain.AttemptPlan`), as JSON; empty before."""
    purpose: str = ""
    """The rejudging that it belongs to, whose attempts are adopted or discarded together; empty: none."""
    base: int = 0
    """The attempt on whose products it builds; 0: none."""
    first: Stage = Stage.PREP
    """The first stage that it runs itself."""
    adopted: bool = False
    """True if it became the attempt that counts, even if a later one has replaced it."""
    rules: AttemptRules | None = None
    """Rules that the attempt began with; None where they were not looked up."""

    @property
    def rejudging(self) -> bool:
        """True for an attempt of a rejudging."""
        return self.purpose != ""


def entry_of(row: Mapping[Any, Any]) -> QueuedEntry:
    """The entry of a row of `entries`, or an attempt of a rejudging with what is in the row of its entry."""
    values = {str(key): value for key, value in row.items()}
    values |= {"state": State(row["state"]), "reason": reason_from_text(row["reason"]), "charged": bool(row["charged"])}
    return QueuedEntry(**values | ({"first": Stage(row["first"])} if "first" in values else {}))


@dataclass(frozen=True, kw_only=True)
class TaskRow:
    """A stage, or a shard of an exam, that waits for a slot or holds one."""

    entry: str
    attempt: int
    task: str
    """``prep``, ``exam-2``."""
    number: int
    """Number of its try, from 0."""
    stage: Stage
    executor: str
    """Executor that runs it; empty while it waits."""
    since: float
    """When it started to wait, or to run."""
    deadline: float | None
    """When it will have ended by all limits; None while it waits."""
    gpus: tuple[str, ...] = ()
    """PCI addresses of the devices of its host that it holds."""
    flow: str = ""
    """The workflow of DBOS that may end it."""
    needs_gpu: bool = False
    held: bool = False
    """True while it waits for something else than a slot."""
    delay: float = 0.0
    """Seconds from ``since`` on before which it does not run."""
    turn: int = 0
    """Number of times that this try was given to another workflow."""
    shards: int = 1
    """Number of shards of the exam that it is of."""
    seconds: float = 0.0
    """Seconds that it takes if every limit is reached."""
    avoid: tuple[str, ...] = ()
    """Hosts on which it failed; others come first."""

    @property
    def running(self) -> bool:
        """True if it holds a slot."""
        return self.executor != ""

    @property
    def shard(self) -> int | None:
        """Which part of an exam it is."""
        number = self.task.partition("-")[2]
        return int(number) if number else None


def task_of(row: Mapping[Any, Any]) -> TaskRow:
    """The task of a row."""
    values = {str(key): value for key, value in row.items() if key not in ("tag", "place")}
    values |= {name: tuple(json.loads(row[name])) for name in ("gpus", "avoid")}
    return TaskRow(**values | {"stage": Stage(row["stage"]), "held": row["place"] < 0})


@dataclass(frozen=True, kw_only=True)
class Host:
    """One process that takes entries through their stages."""

    executor: str
    name: str
    slots: int
    running: int
    """Number of its slots that are held."""
    version: str
    flow: str
    started: float
    left_seconds: float
    """Seconds until its lease expires by the clock of the database, to be shown; hosts decide by their own clocks."""
    draining: bool
    gpus: int = 0
    """Number of devices that it has for its guests."""
    fault: int = 0
    """The internal error for which it drained itself; 0: the organiser did, or it is not drained."""


class FaultyPart(StrEnum):
    """Part that may be guilty."""

    HOST = "host"
    IMAGE = "image"
    CHALLENGE = "challenge"
    MIRROR = "mirror"
    """Mirror of packages, from which layers of dependencies are made."""


@dataclass(frozen=True, kw_only=True)
class RecordedFault:
    """A fault as it is recorded."""

    id: int
    part: FaultyPart
    name: str
    """Name of the host, the image, the challenge or the mirror."""
    stage: str
    """Stage at which it failed last; the message and the lines are the last ones, too."""
    message: str
    lines: tuple[str, ...]
    first: float
    last: float
    times: int
    stopped: bool
    """True if the part is stopped until the fault is resolved."""
    resolved: float
    """When; 0: it is not."""
    entries: tuple[str, ...] = ()
    """Whom it affects."""

    @property
    def words(self) -> str:
        """The guilty part."""
        return f"{self.part} {Path(self.name).name if self.part is FaultyPart.CHALLENGE else self.name}"

    def as_json(self) -> dict[str, Any]:
        """As values of JSON."""
        return {**asdict(self), "part": self.part.value, "lines": list(self.lines), "entries": list(self.entries)}


def fault_of(row: Mapping[Any, Any], entries: Sequence[str] = ()) -> RecordedFault:
    """The fault of a row."""
    values = {str(key): value for key, value in row.items() if key not in ("streak", "challenges")}
    more = {"lines": tuple(json.loads(row["lines"])), "part": FaultyPart(row["part"]), "stopped": bool(row["stopped"])}
    return RecordedFault(**{**values, **more}, entries=tuple(entries))


def to_row(outcome: StageOutcome, executor: str = "") -> dict[str, Any]:
    """Written form of the outcome of a stage, in its folder and in the tables, without its score: one flat JSON object.

    It has the result, what the stage ran on (``machine``), and who ran it (``executor``, ``version``).
    """
    from evaluate.core.codec import to_json  # noqa: PLC0415  # most commands read no outcome

    run = {"machine": to_json(outcome.machine), "executor": executor, "version": __version__}
    return {**to_json(outcome.result), **run}


def from_row(values: Mapping[str, Any], score: Mapping[str, Any] | None = None) -> StageOutcome:
    """Restore the outcome that `to_row` wrote, with the score, if there is one."""
    from evaluate.core.codec import from_json  # noqa: PLC0415

    machine = values.get("machine")
    return StageOutcome(
        result=from_json(StageResult, values),
        machine=from_json(MachineInfo, machine) if machine else None,
        score=from_json(Score, score) if score else None,
    )


def folded(name: str) -> str:
    """Common form of all spellings of a team's name: no case, no width, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())

"""Progress of an evaluation: observers of its steps while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from evaluate.core.model import Limits, RecordOutcome, Stage, StageResult, Usage


class Monitor(Protocol):
    """Observes each step; formats and prints, decides nothing."""

    def say(self, text: str) -> None:
        """One line about something that happens once: which accelerator is used, a layer was built."""

    def stage_started(self, stage: Stage, records: int) -> None:
        """A stage starts; ``records`` is 0 where it has none."""

    def step(self, text: str) -> None:
        """What the current stage is doing now."""

    def using(self, usage: Usage, limits: Limits) -> None:
        """What the running command of the entry has used so far."""

    def record_ended(self, stage: Stage, outcome: RecordOutcome, printed: str = "") -> None:
        """One record of quiz or exam is done, and its program ``printed`` this."""

    def stage_ended(self, result: StageResult) -> None:
        """A stage is done."""


class NullMonitor:
    """A monitor for callers that only want the result."""

    def say(self, text: str) -> None:
        """Nothing."""

    def stage_started(self, stage: Stage, records: int) -> None:
        """Nothing."""

    def step(self, text: str) -> None:
        """Nothing."""

    def using(self, usage: Usage, limits: Limits) -> None:
        """Nothing."""

    def record_ended(self, stage: Stage, outcome: RecordOutcome, printed: str = "") -> None:
        """Nothing."""

    def stage_ended(self, result: StageResult) -> None:
        """Nothing."""


class Lines(NullMonitor):
    """A monitor for a log: what happens once, and nothing else."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def say(self, text: str) -> None:
        self._say(text)

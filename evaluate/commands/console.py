"""Output that a person sees while an evaluation runs: stages and records live on a terminal, plain lines elsewhere."""

from __future__ import annotations

import threading
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from evaluate.core.model import Limits, RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.core.sanitize import sanitize
from evaluate.report.audience import Policy, record_for_team, result_for_team
from evaluate.report.words import power, seconds, used
from evaluate.stages.job import Monitor

_SHOWN_LINES, _SHOWN_CHARACTERS = 40, 400
_LONG_SECONDS = 5.0
_QUIET_SECONDS = 30.0
"""Off a terminal, a line says that something still runs after so long without one, then after twice as long."""


class ConsoleMonitor(Monitor):
    """Output on standard error; standard output stays free for results."""

    def __init__(
        self,
        policy: Policy,
        *,
        again: str = "",
        has_shell: bool = True,
        show_output: bool = False,
    ) -> None:
        """A monitor for the team.

        * ``again``: the command that was typed, for what can be done about a record that failed; empty: nothing is
          proposed.
        * ``has_shell``: whether it can open a shell.
        * ``show_output``: show what every record's program printed, not only that of the first that failed.
        """
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._live = self._console.is_terminal
        self._policy = policy
        self._again, self._has_shell = again, has_shell
        self._show_output = show_output
        self._done = 0
        self._total = 0
        self._failed = False
        self._stage = ""
        self._used = ""
        self._at, self._since, self._moves = "", time.monotonic(), 0
        self._ended = threading.Event()
        self._progress = Progress(
            SpinnerColumn(finished_text=" "),
            TextColumn("{task.description:<6}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[now]}", markup=False),
            console=self._console,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> ConsoleMonitor:
        """Start the live lines, one for each stage."""
        if self._live:
            self._progress.start()
        else:
            threading.Thread(target=self._remind, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the lines as they are."""
        self._ended.set()
        if self._live:
            self._progress.stop()

    def say(self, text: str) -> None:
        """One line that stays."""
        self._console.print(text, markup=False)

    def stage_started(self, stage: Stage, records: int) -> None:
        """Start a line with a bar."""
        self._done, self._total, self._failed = 0, records, False
        self._stage = stage.value
        self._task = self._progress.add_task(stage.value, total=records or None, now="")
        if not self._live:
            self.say(f"{stage.value}:" + (f" {records} records" if records else ""))

    def step(self, text: str) -> None:
        """Show the step that runs."""
        self._now(text)
        if not self._live and not self._total:
            self.say(f"  {text}")

    def using(self, usage: Usage, limits: Limits) -> None:
        """Keep it for `_remind`; on a terminal, show it of a command that runs long."""
        if self._policy.hidden_exam if self._stage == Stage.EXAM else self._policy.hidden_training:
            return
        self._used = _of_limits(usage, limits)
        if self._live and usage.wall_seconds > _LONG_SECONDS and self._task is not None:
            self._progress.update(self._task, now=f"{self._at}  {self._used}")

    def record_ended(self, stage: Stage, outcome: RecordOutcome, printed: str = "") -> None:
        """Move the bar, or print a line; tell of the first record that fails at once."""
        self._done += 1
        shown = record_for_team(stage, outcome, self._policy)
        if self._task is not None:
            self._progress.update(self._task, completed=self._done)
        line = "" if shown is None else _in_a_line(shown)
        self._now(line if self._live else "")
        if not self._live:
            self.say(f"  {self._done}/{self._total} {line}".rstrip())
        if shown is not None and not shown.verdict.passed and not self._failed:
            self._failed = True
            self.say(f"{stage} {shown.record}: {shown.verdict} {shown.message}")
            self._quote(printed)
            if self._again and shown.usage != Usage():
                self.say(f"  next: {self._again} --record {shown.record}     runs it alone")
                if self._has_shell:
                    self.say(f"        {self._again} --shell {shown.record}      opens a shell where it ran")
        elif shown is not None and self._show_output:
            self._quote(printed)

    def stage_ended(self, result: StageResult) -> None:
        """One line that stays."""
        shown = result_for_team(result, self._policy)
        first = shown.message.partition("\n")[0]
        if self._live and self._task is not None:
            total = self._total or 1
            self._progress.update(self._task, total=total, completed=self._done or total)
            self._now(f"{result.verdict.value}  {first}".rstrip())
        else:
            self.say(f"{result.stage.value:<6}{result.verdict.value}" + (f"  {first}" if first else ""))
        if result.stage in (Stage.PREP, Stage.TRAIN) and not result.verdict.passed:
            self._quote(shown.diagnostics)

    def _remind(self) -> None:
        """Say now and then that something still runs: a log without a new line looks dead."""
        pause, seen = _QUIET_SECONDS, -1
        while not self._ended.wait(pause):
            if self._moves != seen:
                pause, seen = _QUIET_SECONDS, self._moves
            age = time.monotonic() - self._since
            if age < pause:
                continue
            self.say(
                f"  still running: {self._at or self._stage or 'preparing the machine'}, {self._used or seconds(age)}"
            )
            pause *= 2

    def _now(self, text: str) -> None:
        self._at, self._since, self._moves, self._used = text, time.monotonic(), self._moves + 1, ""
        if self._task is not None:
            self._progress.update(self._task, now=text)

    def _quote(self, printed: str) -> None:
        for line in sanitize(printed).splitlines()[-_SHOWN_LINES:]:
            self.say(f"    | {line[:_SHOWN_CHARACTERS]}" + (" …" if len(line) > _SHOWN_CHARACTERS else ""))


def _of_limits(usage: Usage, limits: Limits) -> str:
    """ "41.0 s of at most 600 s, 4.1e9 of 6.0e10 instructions (6.8 %)" """
    parts = [f"{seconds(usage.wall_seconds)} of at most {seconds(limits.wall_seconds)}"]
    parts += [used(usage.instructions, limits.instructions)] if usage.instructions else []
    return ", ".join(parts)


def _in_a_line(outcome: RecordOutcome) -> str:
    line = f"{outcome.record} {outcome.answer if outcome.verdict is Verdict.OK else outcome.verdict.value}"
    if outcome.usage != Usage():  # one start for all records has no usage per record
        counted = f"{power(outcome.usage.instructions)} instructions, " if outcome.usage.instructions else ""
        line += f"  {counted}{outcome.usage.wall_seconds:.1f} s"
    return line

"""What a person sees while an evaluation runs: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from evaluate.core.model import RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.report.audience import Policy, record_for_team, result_for_team
from evaluate.report.words import power


class ConsoleMonitor:
    """A `Monitor` that writes to standard error; standard output stays free for results."""

    def __init__(self, policy: Policy) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._live = self._console.is_terminal
        self._policy = policy
        self._done = 0
        self._total = 0
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None, visible=False)

    def __enter__(self) -> ConsoleMonitor:
        """Start the live line."""
        if self._live:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the live line."""
        if self._live:
            self._progress.stop()

    def say(self, text: str) -> None:
        """One line that stays."""
        self._console.print(text, markup=False)

    def stage_started(self, stage: Stage, records: int) -> None:
        """Start a progress bar."""
        self._done, self._total = 0, records
        self._progress.reset(self._task, total=records or None, description=stage.value, visible=True)
        if not self._live:
            self.say(f"{stage.value}:" + (f" {records} records" if records else ""))

    def step(self, text: str) -> None:
        """Show what is being done."""
        self._progress.update(self._task, description=text)
        if not self._live and not self._total:
            self.say(f"  {text}")

    def record_ended(self, stage: Stage, outcome: RecordOutcome) -> None:
        """Move the bar, or print a line."""
        self._done += 1
        self._progress.update(self._task, completed=self._done)
        if self._live:
            return
        line = f"  {self._done}/{self._total}"
        if (shown := record_for_team(stage, outcome, self._policy)) is not None:
            what = shown.answer if shown.verdict is Verdict.OK else shown.verdict.value
            line += f" {shown.record} {what}"
            if shown.usage != Usage():  # one start for all records has no usage per record
                line += f"  {power(shown.usage.instructions)} instructions, {shown.usage.wall_seconds:.1f} s"
        self.say(line)

    def stage_ended(self, result: StageResult) -> None:
        """One line that stays."""
        first = result_for_team(result, self._policy).message.partition("\n")[0]
        self.say(f"{result.stage.value:<6}{result.verdict.value}" + (f"  {first}" if first else ""))

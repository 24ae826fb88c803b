"""The words and numbers that every form of a report shares."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from evaluate.core.model import (
    MIB,
    Evaluation,
    Limits,
    RecordOutcome,
    Refusal,
    Score,
    Stage,
    StageResult,
    Usage,
    Verdict,
)

MOST_DECIMALS = 4
"""Decimals of a score in tables and pages."""

MEANING = {
    Verdict.INVALID_ENTRY: "the entry is not complete or not well-formed",
    Verdict.RUNTIME_ERROR: "a command of the entry failed",
    Verdict.INSTRUCTION_LIMIT: "over the instruction limit",
    Verdict.WALL_LIMIT: "over the time limit",
    Verdict.MEMORY_LIMIT: "over the memory limit",
    Verdict.PROCESS_LIMIT: "over the process limit",
    Verdict.DISK_LIMIT: "a disk is full",
    Verdict.OUTPUT_LIMIT: "over the output limit",
    Verdict.MISMATCH: "an answer differs from the entry's own answers",
    Verdict.BAD_ANSWER: "an answer is missing or not well-formed",
    Verdict.DRY_RUN: "dry run passed",
    Verdict.OK: "passed",
}

ADVICE = {
    Verdict.INVALID_ENTRY: "Fix the problems that prep lists below and upload again. None of the programs has run.",
    Verdict.RUNTIME_ERROR: "Read the command's output below, fix the problem, and run the entry at home with "
    "'evaluate try' before the next upload.",
    Verdict.INSTRUCTION_LIMIT: "Reduce the computation per record. The same work takes the same number of instructions "
    "on every machine, so 'evaluate try' at home shows whether it is within the limit.",
    Verdict.WALL_LIMIT: "The program spent most of its time sleeping, waiting or in system calls, which are not "
    "counted as instructions: read input once and do not wait.",
    Verdict.MEMORY_LIMIT: "Reduce peak memory: read records in parts, and free what is no longer needed.",
    Verdict.PROCESS_LIMIT: "Start fewer processes and threads at once.",
    Verdict.DISK_LIMIT: "Write less to disk, and delete temporary files.",
    Verdict.OUTPUT_LIMIT: "Print less, and leave no files but the answers.",
    Verdict.MISMATCH: "Run the entry on the public records with 'evaluate try' and upload those answers; make it "
    "deterministic: fixed seeds, the same versions, no dependence on time or on the order of records.",
    Verdict.BAD_ANSWER: "Leave one well-formed answer for every record; the message below names what was expected.",
    Verdict.DRY_RUN: "The entry works. Remove the file DRYRUN and upload it again to have it scored.",
    Verdict.OK: "No action needed.",
}
"""Advice on what a team can do about a verdict."""


_NO_VERDICT = {
    "parked": "the entry is parked: its evaluation stopped because of an internal error, and waits for the organiser",
    "cancelled": "the organiser cancelled the entry",
    "withdrawn": "the entry was withdrawn or disqualified",
}
_NO_ADVICE = {
    "parked": "No action needed: the organiser will resume the evaluation, at no cost to the team.",
    "cancelled": "Ask the organiser for the reason.",
    "withdrawn": "Ask the organiser for the reason.",
}
_ONCE = {Stage.PREP: ("setup.sh", "setup"), Stage.TRAIN: ("training", "train")}
"""Name of what is run once in a stage, and the name of its limits."""
_LONG_SECONDS, _SLOW, _SHOWN = 5.0, 1e7, 20
"""A program that computes executes at least ``_SLOW`` instructions a second, also when emulated on a busy host."""


def counts(outcomes: Sequence[RecordOutcome], rounded: Callable[[int], int] = int) -> str:
    """ "12 records, 10 answered; 1 RUNTIME_ERROR, 1 WALL_LIMIT": nothing else leaves a hidden exam.

    ``rounded``: rounds each count.
    """
    failed = Counter(o.verdict.value for o in outcomes if o.verdict is not Verdict.OK)
    answered = len(outcomes) - sum(failed.values())
    tail = ", ".join(f"{rounded(n)} {verdict}" for verdict, n in sorted(failed.items()))
    return f"{rounded(len(outcomes))} records, {rounded(answered)} answered" + (f"; {tail}" if tail else "")


def score_in_words(score: Score) -> str:
    """ "F1 0.8857 (95 % interval 0.556 to 1.000)" """
    text = f"{score.primary} {score.values[score.primary]:.4f}"
    if score.primary in score.intervals:
        low, high = score.intervals[score.primary]
        text += f" (95 % interval {low:.3f} to {high:.3f})"
    return text


def origin(evaluation: Evaluation) -> str:
    """ "team red · submitted 2026-11-22 09:00 UTC · judged 2026-11-22 09:20 UTC · evaluate 0.1.0" """
    parts = [f"team {evaluation.team}" if evaluation.team else ""]
    parts += [f"submitted {moment(evaluation.submitted)}" if evaluation.submitted is not None else ""]
    parts += [f"judged {moment(evaluation.judged)}" if evaluation.judged is not None else ""]
    parts += [f"evaluate {evaluation.version}" if evaluation.version else ""]
    return " · ".join(filter(None, parts))


def conclusion(evaluation: Evaluation) -> tuple[str, str]:
    """The verdict and what it means, or that there is none."""
    if evaluation.decided:
        return evaluation.verdict.value, MEANING[evaluation.verdict]
    return "none yet" if evaluation.state not in _NO_VERDICT else "none", _NO_VERDICT.get(
        evaluation.state, "the entry is being evaluated"
    )


def advice(evaluation: Evaluation) -> str:
    """Say what the team can do next, in a sentence or two."""
    if not evaluation.decided:
        return _NO_ADVICE.get(evaluation.state, "Please wait; finished stages are shown below.")
    failed = [record for stage in evaluation.stages if stage.stage is Stage.EXAM for record in stage.failed]
    if evaluation.verdict.passed and failed:
        return (
            f"{len(failed)} of the exam's records have no valid answer and count as wrong; the exam's table gives "
            "the reasons."
        )
    return ADVICE[evaluation.verdict]


def beside_refusals(stage: StageResult) -> tuple[str, ...]:
    """The lines of a stage's message that none of its refusals is, and what it installed."""
    shown = set(map(str, stage.refusals))
    rest = f" and {len(stage.installed) - _SHOWN} more" if len(stage.installed) > _SHOWN else ""
    installed = [f"installed: {', '.join(stage.installed[:_SHOWN])}{rest}"] if stage.installed else []
    return (*(line for line in stage.message.splitlines() if line not in shown), *installed)


def moment(at: float) -> str:
    """Seconds since 1970 as a time of day."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def used(instructions: int, limit: int) -> str:
    """ "6.4e8 of 6.0e10 instructions (1.1 %)" """
    return f"{power(instructions)} of {power(limit)} instructions ({percent(100 * instructions / limit)})"


def percent(share: float) -> str:
    """Two digits, or whole percents from 100 on: "0.17 %", "104 %"."""
    return f"{share:.0f} %" if share >= 99.5 else f"{share:.2g} %"


def seconds(value: float) -> str:
    """ "12.5 s", "1,800 s" """
    return f"{value:.1f} s" if value < 100 else f"{value:,.0f} s"


def power(count: float) -> str:
    """A large count: 6.4e8."""
    return f"{count:.1e}".replace("e+0", "e").replace("e+", "e")


def uncounted(usage: Usage) -> str:
    """Return what to add where a program took long and counted little; empty if it computed.

    Work of the guest's kernel is not counted, so a low count says nothing about a program that lives on system calls.
    """
    if usage.wall_seconds < _LONG_SECONDS or usage.instructions >= _SLOW * usage.wall_seconds:
        return ""
    return f"; most of {usage.wall_seconds:.0f} s was spent in the kernel, asleep or waiting, which is not counted"


def lines_to_change(refusals: Sequence[Refusal]) -> str:
    """Say how many lines of its files a team has to change."""
    return f"{len(refusals)} line{'s' if len(refusals) > 1 else ''} to change"


def usage_line(stage: StageResult, limits: Mapping[str, Limits]) -> str:
    """Say in a sentence what a stage used: its worst record where the records are known; empty where nothing ran."""
    if stage.stage in _ONCE and stage.usage.instructions:
        name, limits_of = _ONCE[stage.stage]
        taken = f"; {seconds(stage.usage.wall_seconds)}" if stage.stage is Stage.TRAIN else ""
        return (
            f"{name}: {used(stage.usage.instructions, limits[limits_of].instructions)}{taken}{uncounted(stage.usage)}"
        )
    if stage.stage not in (Stage.QUIZ, Stage.EXAM) or stage.usage == Usage():
        return ""
    if not stage.usage.instructions:
        return f"{seconds(stage.usage.wall_seconds)} in all; instructions and memory were not counted"
    limit = limits[stage.stage.value].instructions
    taken, memory = seconds(stage.usage.wall_seconds), stage.usage.memory_bytes >> 20
    if not stage.records:
        count = power(stage.usage.instructions)
        return f"all records together: {count} instructions, {taken} and {memory} MiB{uncounted(stage.usage)}"
    if not counted_by_record(stage):  # the program was started once for all records
        whole = used(stage.usage.instructions, limit * len(stage.records))
        return f"all records together: {whole}; {taken} and {memory} MiB{uncounted(stage.usage)}"
    worst = max(stage.records, key=lambda outcome: outcome.usage.instructions)
    slowest = max((outcome.usage for outcome in stage.records), key=lambda usage: usage.wall_seconds)
    memory = max(outcome.usage.memory_bytes for outcome in stage.records) >> 20
    return (
        f"{percent(share(worst, limit))} of the instruction limit on the worst record, {worst.record}: "
        f"{used(worst.usage.instructions, limit)}; at most {seconds(slowest.wall_seconds)} and {memory} MiB a record"
        f"{uncounted(slowest)}"
    )


def counted_by_record(stage: StageResult) -> bool:
    """True if usage was counted for each record of a stage."""
    return any(outcome.usage != Usage() for outcome in stage.records)


def share(outcome: RecordOutcome, limit: int) -> float:
    """Return the percentage of its instruction limit that a record used."""
    return 100 * outcome.usage.instructions / limit


def how_it_ran(evaluation: Evaluation) -> str:
    """Accelerator, counter and image."""
    machine = evaluation.machine
    if machine is None:
        refused = evaluation.stages[-1].stage is Stage.PREP
        return "nothing was run" if refused else "nothing was run: the answers themselves were uploaded"
    if machine.counter and machine.counter.kind == "none":
        return "no virtual machine: the programs of this computer, nothing was counted"
    how = f"accelerator {machine.accelerator}"
    if machine.counter:
        how += f", counter {machine.counter.kind} (calibration error {machine.counter.calibration_error:+.1e})"
    if machine.processors > 1:
        how += f", {machine.processors} processors, whose instructions are added"
    return f"{how}, image {machine.image}"


def decimals_of(values: Iterable[float | None], most: int = MOST_DECIMALS) -> int:
    """Decimals with which the numbers of one column are shown: as many as one of them has, at most ``most``.

    >>> decimals_of([0.5, 1 / 3, None]), decimals_of([0.5, 0.25]), decimals_of([1.0, 1.0])
    (4, 2, 0)
    """
    texts = (f"{value:.{most}f}" for value in values if value is not None and math.isfinite(value))
    return max((len(text.partition(".")[2].rstrip("0")) for text in texts), default=0)


# How much of each limit a stage used: the worst record.
#
# Only numbers and their texts; pages draw them, the console prints them.


@dataclass(frozen=True, kw_only=True)
class Share:
    """A limit, and how much was used of it."""

    what: str
    """Name of what is limited, such as "instructions"."""
    limit: float
    worst: float
    worst_record: str
    """Empty for a command that is not for a record."""
    number: Callable[[float], str]

    @property
    def worst_percent(self) -> float:
        """Percentage of the limit that was used by the worst record, or by the whole."""
        return 100 * self.worst / self.limit

    @property
    def used(self) -> str:
        """ "6.4e8 of 6.0e10 (1.1 %) on A00001" """
        record = f" on {self.worst_record}" if self.worst_record else ""
        return f"{self.number(self.worst)} of {self.number(self.limit)} ({percent(self.worst_percent)}){record}"


def _number(value: float) -> str:
    """Three digits: "0.005", "12.5", "16,800"."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


_LIMITS: tuple[tuple[str, Callable[[Limits], float], Callable[[Usage], float], Callable[[float], str]], ...] = (
    ("instructions", lambda of: of.instructions, lambda used: used.instructions, power),
    ("time", lambda of: of.wall_seconds, lambda used: used.wall_seconds, lambda x: f"{_number(x)} s"),
    ("memory", lambda of: of.memory_bytes, lambda used: used.memory_bytes, lambda x: f"{_number(x / MIB)} MiB"),
    ("output", lambda of: of.output_bytes, lambda used: used.output_bytes, lambda x: f"{_number(x / 1000)} kB"),
)
_COUNTED = ("instructions", "memory")
"""Limits that only a virtual machine has."""
_SUMMED = ("instructions", "time")
"""Limits of which a program that is started once for all records has the sum."""


def shares(stage: StageResult, limits: Mapping[str, Limits]) -> tuple[Share, ...]:
    """The share of each limit of a stage; of setup in prep.

    Empty where nothing ran, or where the records of an exam may not be seen: the limits of those are for each of them.
    """
    limit = limits.get("setup" if stage.stage is Stage.PREP else stage.stage.value)
    by_record = counted_by_record(stage)
    whole = stage.stage in (Stage.PREP, Stage.TRAIN) or bool(stage.records)
    if limit is None or not (by_record or (whole and stage.usage != Usage())):
        return ()
    counted = [outcome for outcome in stage.records if outcome.usage != Usage()]
    result = []
    for what, limit_of, used_of, number in _LIMITS:
        if what in _COUNTED and not any(usage.instructions for usage in (stage.usage, *(out.usage for out in counted))):
            continue  # it ran without a virtual machine
        times = len(stage.records) if what in _SUMMED and stage.records and not by_record else 1
        worst = max(counted, key=lambda outcome: used_of(outcome.usage)) if counted else None
        result.append(
            Share(
                what=what,
                limit=limit_of(limit) * times,
                worst=used_of(worst.usage if worst else stage.usage),
                worst_record=worst.record if worst else "",
                number=number,
            )
        )
    return tuple(result)

"""exam: does the entry work on the hidden records?

A record that fails does not end it and becomes a missing answer.  Only counts leave the exam: no diagnostics,
nothing per record, since both would reveal hidden data.
"""

from __future__ import annotations

import math
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from evaluate.config.challenge.types import Answers, Challenge
from evaluate.core.model import RecordOutcome, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.report.words import counts
from evaluate.stages.job import Job, PreparedEntry, of_stage
from evaluate.stages.kinds.detection import handler
from evaluate.stages.kinds.entry_kind import diagnostics
from evaluate.stages.kinds.folders import keep_shared


@of_stage(Stage.EXAM)
def exam(job: Job, prepared: PreparedEntry, records: Sequence[str] | None = None) -> StageResult:
    """Answer the records of the exam, or some of them, and leave the answers in ``job.answers``."""
    record_set = job.exam if records is None else replace(job.exam, records=tuple(records))
    outcomes: list[RecordOutcome] = []
    usage, verdict, reason = Usage(), Verdict.OK, ""
    job.answers.mkdir()
    with closing(handler(prepared.kind).answer(job, prepared, Stage.EXAM, record_set, job.answers)) as started:
        for answered in started:
            usage += answered.usage
            outcomes += answered.outcomes
            printed = diagnostics(answered.run) if answered.run is not None else ""
            for outcome in answered.outcomes:
                job.monitor.record_ended(Stage.EXAM, outcome, printed)
            if answered.over and answered.run is not None:
                verdict, reason = answered.run.verdict, answered.run.detail
    return _result(verdict, reason, usage, outcomes)


@dataclass(frozen=True, kw_only=True)
class Shard:
    """A part of an exam that was run separately."""

    outcome: StageOutcome
    answers: Path
    """The folder that it left its answers in."""


def join_exam(challenge: Challenge, records: Sequence[str], shards: Sequence[Shard], answers: Path) -> StageOutcome:
    """Put the shards of an exam together: results, and answers in the order of ``records`` in the folder ``answers``.

    The result and the answers are those of one run over all records; only the sums of usage differ slightly, because
    several guests were counted.  A shard that was refused (`Verdict.INVALID_ENTRY`) has no records, and its verdict is
    that of the exam.
    """
    results = [shard.outcome.result for shard in shards]
    outcomes = {outcome.record: outcome for result in results for outcome in result.records}
    _join_answers(challenge.answers, records, [shard.answers for shard in shards], answers)
    ordered = [outcomes[record] for record in records if record in outcomes]
    ended = next((result for result in results if result.verdict is not Verdict.OK), None)
    usage = sum((result.usage for result in results), Usage())
    joined = _result(ended.verdict if ended else Verdict.OK, ended.reason if ended else "", usage, ordered)
    if ended is not None and not ended.records:
        joined = replace(joined, message=ended.message)
    machine = next((shard.outcome.machine for shard in shards if shard.outcome.machine is not None), None)
    return StageOutcome(result=joined, machine=machine)


def _join_answers(rules: Answers, records: Sequence[str], parts: Sequence[Path], answers: Path) -> None:
    answers.mkdir()
    lines: dict[str, str] = {}
    for part in parts:
        for path in sorted(p for p in part.rglob("*") if p.is_file()):
            name = path.relative_to(part)
            if str(name) in rules.shared:
                keep_shared(part, str(name), answers, math.inf)
                continue
            if str(name) == rules.file:
                lines |= {line.partition(",")[0]: line for line in path.read_text().splitlines()}
                continue
            (answers / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, answers / name)
    if lines:
        (answers / rules.file).write_text("".join(f"{lines[record]}\n" for record in records if record in lines))


def _result(verdict: Verdict, reason: str, usage: Usage, outcomes: Sequence[RecordOutcome]) -> StageResult:
    message = "; ".join(filter(None, (reason, counts(outcomes))))
    return StageResult(
        stage=Stage.EXAM, verdict=verdict, message=message, reason=reason, usage=usage, records=tuple(outcomes)
    )


def shards(records: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """``records`` in order, split into at most ``n`` parts whose lengths differ by at most one; none is empty."""
    n = max(1, min(n, len(records)))
    short, longer = divmod(len(records), n)
    cuts = [part * short + min(part, longer) for part in range(n + 1)]
    return [tuple(records[start:end]) for start, end in pairwise(cuts)]

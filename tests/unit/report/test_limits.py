"""Shares of limits, by hand calculation."""

from __future__ import annotations

from evaluate.core.model import Limits, RecordOutcome, Stage, StageResult, Usage, Verdict
from evaluate.report.words import shares

LIMITS = Limits(instructions=1000, wall_seconds=10, memory_bytes=100 << 20, output_bytes=1000)


def record(name: str, instructions: int, seconds: float) -> RecordOutcome:
    usage = Usage(instructions=instructions, wall_seconds=seconds, memory_bytes=10 << 20, output_bytes=5)
    return RecordOutcome(record=name, verdict=Verdict.OK, usage=usage)


def test_each_limit_has_its_own_worst_record_and_its_median() -> None:
    records = (record("a", 100, 5.0), record("b", 400, 1.0), record("c", 200, 2.0))
    stage = StageResult(stage=Stage.QUIZ, verdict=Verdict.OK, records=records)
    lines = [f"{share.what}: {share.used}" for share in shares(stage, {"quiz": LIMITS})]
    assert lines == [
        "instructions: 4.0e2 of 1.0e3 (40 %) on b; median 2.0e2 (20 %)",
        "time: 5 s of 10 s (50 %) on a; median 2 s (20 %)",
        "memory: 10 MiB of 100 MiB (10 %) on a; median 10 MiB (10 %)",
        "output: 0.005 kB of 1 kB (0.5 %) on a; median 0.005 kB (0.5 %)",
    ]


def test_a_program_started_once_for_all_records_has_the_sum_of_their_limits() -> None:
    records = tuple(RecordOutcome(record=name, verdict=Verdict.OK, usage=Usage()) for name in "ab")
    used = Usage(instructions=500, wall_seconds=5)
    stage = StageResult(stage=Stage.EXAM, verdict=Verdict.OK, records=records, usage=used)
    assert shares(stage, {"exam": LIMITS})[0].used == "5.0e2 of 2.0e3 (25 %)"


def test_large_numbers_are_written_out_and_a_stage_that_ran_nothing_has_no_share() -> None:
    used = Usage(instructions=500, wall_seconds=16_777.2)
    stage = StageResult(stage=Stage.PREP, verdict=Verdict.OK, usage=used)
    assert shares(stage, {"setup": LIMITS})[1].used.startswith("16,777 s of 10 s ")
    assert shares(StageResult(stage=Stage.PREP, verdict=Verdict.OK), {"setup": LIMITS}) == ()

"""The shards of an exam put together: as if one guest had run all of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import (
    CounterInfo,
    MachineInfo,
    RecordOutcome,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.report.words import counts
from evaluate.stages.exam import Shard, join_exam, shards
from tests.support.scorers import written

CHALLENGE = load_challenge("cinc2017")
MACHINE = MachineInfo(accelerator="tcg", image="sha256:0", counter=CounterInfo(kind="tcg", calibration_error=0.0))
USAGE = Usage(instructions=10, wall_seconds=1.0, memory_bytes=5)


def shard(
    folder: Path,
    records: dict[str, Verdict],
    verdict: Verdict = Verdict.OK,
    reason: str = "",
    message: str | None = None,
) -> Shard:
    """A shard whose records ended like this, and its answers on disk."""
    folder.mkdir()
    answered = [record for record, ended in records.items() if ended is Verdict.OK]
    (folder / "answers.txt").write_text("".join(f"{record},N\n" for record in answered))
    outcomes = tuple(RecordOutcome(record=record, verdict=ended, usage=USAGE) for record, ended in records.items())
    said = "; ".join(filter(None, (reason, counts(outcomes)))) if message is None else message
    result = StageResult(stage=Stage.EXAM, verdict=verdict, message=said, reason=reason, usage=USAGE, records=outcomes)
    return Shard(outcome=StageOutcome(result=result, machine=MACHINE), answers=folder)


def test_shards_become_one_exam_in_the_order_of_the_records(tmp_path: Path) -> None:
    parts = [
        shard(tmp_path / "1", {"c": Verdict.OK, "d": Verdict.WALL_LIMIT}),
        shard(tmp_path / "0", {"a": Verdict.OK, "b": Verdict.RUNTIME_ERROR}),
    ]
    written(tmp_path, {"0/site/a.json": "of a", "1/site/c.json": "of c"})
    joined = join_exam(CHALLENGE, ["a", "b", "c", "d"], parts, tmp_path / "answers")
    result = joined.result
    assert (result.verdict, result.message) == (Verdict.OK, "4 records, 2 answered; 1 RUNTIME_ERROR, 1 WALL_LIMIT")
    assert [outcome.record for outcome in result.records] == ["a", "b", "c", "d"]
    assert result.usage == Usage(instructions=20, wall_seconds=2.0, memory_bytes=5)
    assert joined.machine == MACHINE
    assert (tmp_path / "answers" / "answers.txt").read_text() == "a,N\nc,N\n"
    assert [(tmp_path / f"answers/site/{name}.json").read_text() for name in "ac"] == ["of a", "of c"]


@pytest.mark.parametrize("reason", ["ran for more than 5 s", "ran for long; and printed 3 records, 1 answered; 2 OK"])
def test_shard_that_ended_early_gives_the_exam_its_verdict_and_counts_appear_once(tmp_path: Path, reason: str) -> None:
    parts = [
        shard(tmp_path / "0", {"a": Verdict.OK}),
        shard(tmp_path / "1", {"b": Verdict.INSTRUCTION_LIMIT}, Verdict.INSTRUCTION_LIMIT, reason),
    ]
    result = join_exam(CHALLENGE, ["a", "b"], parts, tmp_path / "answers").result
    assert result.verdict is Verdict.INSTRUCTION_LIMIT
    assert result.message == f"{reason}; 2 records, 1 answered; 1 INSTRUCTION_LIMIT"


def test_shard_that_was_refused_is_the_verdict_of_the_exam(tmp_path: Path) -> None:
    refused = "b.csv is larger than 1 MiB"
    parts = [
        shard(tmp_path / "0", {"a": Verdict.OK}),
        shard(tmp_path / "1", {}, Verdict.INVALID_ENTRY, refused, message=refused),
    ]
    result = join_exam(CHALLENGE, ["a", "b"], parts, tmp_path / "answers").result
    assert (result.verdict, result.message) == (Verdict.INVALID_ENTRY, refused)
    assert [outcome.record for outcome in result.records] == ["a"]


def test_exam_of_uploaded_answers_ran_on_no_machine(tmp_path: Path) -> None:
    part = shard(tmp_path / "0", {"a": Verdict.OK})
    part = replace(part, outcome=replace(part.outcome, machine=None))
    assert join_exam(CHALLENGE, ["a"], [part], tmp_path / "answers").machine is None


@given(st.integers(0, 40), st.integers(1, 12))
def test_every_record_is_in_one_shard_and_none_is_empty(n: int, parts: int) -> None:
    records = [f"r{i}" for i in range(n)]
    found = shards(records, parts)
    assert [record for part in found for record in part] == records
    if records:
        assert len(found) == min(n, parts)
        assert max(map(len, found)) - min(map(len, found)) <= 1

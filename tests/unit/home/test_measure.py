"""Limits follow from what entries use that must pass."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from evaluate.config.challenge.load import read_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.core.files import data_folder
from evaluate.core.model import MIB, Entry, Evaluation, RecordOutcome, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.home.measure import measure
from tests.support.scorers import written

SAMPLE, SLOW = 6e8, 5e9
"""Instructions of the slowest record of the sample entry, and of an entry that must fail."""


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    folder = tmp_path / "hearts"
    shutil.copytree(data_folder("challenges") / "cinc2017", folder, ignore=shutil.ignore_patterns("bad_entries"))
    return loaded(folder)


def loaded(folder: Path) -> Challenge:
    found, problems = read_challenge(folder)
    assert found is not None and problems == []
    return found


def bad(challenge: Challenge, name: str, text: str) -> None:
    written(challenge.folder / "bad_entries" / name, {"expect.yaml": text})


def evaluation(challenge: Challenge, entry: Path, instructions: float, *, failed: Verdict = Verdict.OK) -> Evaluation:
    """One in which prep, and the second record of quiz and exam, use so much, or are stopped at the limit."""
    stages = []
    for stage in (Stage.PREP, Stage.QUIZ, Stage.EXAM):
        limits = challenge.limits["setup" if stage is Stage.PREP else stage.value]
        stopped = stage is Stage.QUIZ and instructions > limits.instructions
        verdict = Verdict.INSTRUCTION_LIMIT if stopped else failed if stage is Stage.QUIZ else Verdict.OK
        used = Usage(instructions=int(min(instructions, limits.instructions)), wall_seconds=1.5, memory_bytes=90 * MIB)
        few = Usage(instructions=1000, wall_seconds=0.5, memory_bytes=MIB)
        records = (
            RecordOutcome(record="A1", verdict=Verdict.OK, usage=few, answer="N"),
            RecordOutcome(record="A2", verdict=verdict, usage=used, answer="N"),
        )
        result = StageResult(stage=stage, verdict=verdict, usage=used, records=() if stage is Stage.PREP else records)
        stages.append(StageOutcome(result=result))
        if not verdict.passed:
            break
    return Evaluation(entry=Entry(archive=entry, sha256="", size=0), challenge=challenge.name, outcomes=tuple(stages))


def using(**instructions: float) -> Callable[[Path, Challenge], Evaluation]:
    verdicts = {"wrong": Verdict.MISMATCH}
    return lambda entry, rules: evaluation(
        rules, entry, instructions[entry.name], failed=verdicts.get(entry.name, Verdict.OK)
    )


def test_limit_is_twice_what_the_slowest_uses_that_must_pass(challenge: Challenge, tmp_path: Path) -> None:
    bad(challenge, "dry", "stage: quiz\nverdict: OK\n")
    found = measure(challenge, tmp_path, using(sample_entry=SAMPLE, dry=SAMPLE + 1e8))
    assert found.problems == ()
    assert found.limits["quiz"] == {"instructions": 1.4e9, "memory": 192 * MIB, "time": 60}
    assert list(found.limits) == ["setup", "quiz", "exam"]
    assert "quiz: 7.0e8 of instructions by bad_entries/dry, record A2; proposed 1.4e9, now 6.0e10" in found.lines
    text = (challenge.folder / "challenge.yaml").read_text()
    (challenge.folder / "challenge.yaml").write_text(text.partition("limits:")[0] + found.yaml)
    limits = loaded(challenge.folder).limits
    assert (limits["quiz"].instructions, limits["quiz"].memory_bytes) == (1.4e9, 192 * MIB)
    assert set(yaml.safe_load(found.yaml)["limits"]["setup"]) == {"instructions", "wall_seconds", "memory_mib"}


def test_entry_that_does_not_end_as_it_should_is_a_problem(challenge: Challenge, tmp_path: Path) -> None:
    bad(challenge, "wrong", "stage: quiz\nverdict: MISMATCH\n")
    bad(challenge, "slow", "stage: quiz\nverdict: INSTRUCTION_LIMIT\n")
    found = measure(challenge, tmp_path, using(sample_entry=SAMPLE, wrong=SAMPLE, slow=SLOW))
    assert found.problems == ("bad_entries/slow: expected INSTRUCTION_LIMIT in quiz, found OK in quiz",)
    limits = {stage: replace(one, instructions=10**7) for stage, one in challenge.limits.items()}
    found = measure(
        replace(challenge, limits=limits), tmp_path / "again", using(sample_entry=SAMPLE, wrong=1, slow=SLOW)
    )
    assert found.problems[0].startswith("sample_entry: expected to pass with 10 times the limits, found INSTRUCTION")


def test_memory_is_never_more_than_the_machine_has(challenge: Challenge, tmp_path: Path) -> None:
    small = replace(challenge, sizes=replace(challenge.sizes, memory_bytes=128 * MIB))
    found = measure(small, tmp_path, using(sample_entry=SAMPLE))
    assert found.limits["exam"]["memory"] == 128 * MIB

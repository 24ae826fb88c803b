"""A receipt is compared with what the entry does here; without a machine, rooms are scripted."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, RecordSet
from evaluate.core.errors import SandboxFault
from evaluate.core.files import sha256_file
from evaluate.core.model import (
    CounterInfo,
    Entry,
    Evaluation,
    MachineInfo,
    MachineParts,
    RecordOutcome,
    Run,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.home import recount
from evaluate.home.recount import InRooms
from evaluate.receipts.issue import Issued, Registry
from evaluate.report.audience import Policy

CHALLENGE = load_challenge("cinc2017")
MACHINE = MachineInfo(
    accelerator="tcg",
    image="sha256:1",
    counter=CounterInfo(kind="tcg", calibration_error=0.0),
    layers=("ab",),
    isolation="snapshot",
)


def outcome(record: str, *, count: int = 1000, answer: str = "N", verdict: Verdict = Verdict.OK) -> RecordOutcome:
    return RecordOutcome(record=record, verdict=verdict, usage=Usage(instructions=count), answer=answer)


def receipt(tmp_path: Path, machine: MachineInfo = MACHINE) -> Issued:
    archive = tmp_path / "entry.zip"
    archive.write_bytes(b"an entry")
    stages = [
        StageOutcome(
            result=StageResult(stage=stage, verdict=Verdict.OK, records=tuple(outcome(one) for one in records)),
            machine=machine,
        )
        for stage, records in ((Stage.QUIZ, CHALLENGE.quiz.records), (Stage.EXAM, CHALLENGE.exam.records))
    ]
    entry = Entry(archive=archive, sha256=sha256_file(archive), size=8)
    evaluation = Evaluation(entry=entry, challenge="cinc2017", outcomes=tuple(stages))
    return Registry(tmp_path / "state").issue(evaluation, CHALLENGE, Policy(hidden_exam=True))


@pytest.fixture
def does(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """How the entry behaves here."""
    other: dict[str, Any] = {"machine": MACHINE}

    def in_rooms(_entry: Path, _challenge: Challenge, stage: Stage, records: RecordSet, *_: object) -> InRooms:
        changes = {key: value for key, value in other.items() if key != "machine"}
        found = [outcome(name, **changes) for name in records.records]
        answered = tuple((one, Run(verdict=one.verdict, usage=one.usage)) for one in found)
        return InRooms(stage=stage, answered=answered, maps=(), machine=other["machine"])

    monkeypatch.setattr(recount, "in_rooms", in_rooms)
    return other


def verify(tmp_path: Path, issued: Issued, *argv: str) -> Result:
    words = ["verify", str(issued.receipt), "--entry", str(tmp_path / "entry.zip"), *argv]
    return CliRunner().invoke(main, ["--state", str(tmp_path / "state"), *words])


@pytest.mark.usefixtures("does")
def test_a_quiz_that_does_the_same_is_said_to_and_what_is_not_proven_too(tmp_path: Path) -> None:
    done = verify(tmp_path, receipt(tmp_path), "--rerun", "quiz")
    assert done.exit_code == 0, done.output
    n = len(CHALLENGE.quiz.records)
    assert f"On this machine the entry did with {n} records what is stated." in done.stdout
    assert "What it did with other records, and the score, is shown by the key's holder alone." in done.stdout
    assert (
        f"ok          rerun {CHALLENGE.quiz.records[0]}: the same verdict and answer, the same count, equal to the"
        in done.stdout
    )


@pytest.mark.parametrize(
    ("isolation", "change", "code", "said"),
    [
        (
            "snapshot",
            {"count": 201_011},
            1,
            "201011 instructions, not 1000 within the 2.0e+05 that are allowed between two",
        ),
        ("snapshot", {"answer": "A"}, 1, "answer 'A', not 'N'"),
        ("snapshot", {"verdict": Verdict.WALL_LIMIT}, 1, "verdict WALL_LIMIT, not OK"),
        ("namespace", {"count": 1001}, 0, "1001 instructions, stated 1000"),
        ("namespace", {"count": 300_000}, 1, "300000 instructions, not 1000 within"),
    ],
)
def test_what_it_does_otherwise_is_named(
    tmp_path: Path, does: dict[str, Any], isolation: str, change: dict[str, Any], code: int, said: str
) -> None:
    does.update(change)
    record = CHALLENGE.quiz.records[1]
    done = verify(tmp_path, receipt(tmp_path, replace(MACHINE, isolation=isolation)), "--rerun", record)
    begin = f"WRONG       rerun {record}: " if code else f"ok          rerun {record}: the same verdict and answer, "
    assert (done.exit_code, begin + said in done.stdout) == (code, True), done.stdout


@pytest.mark.usefixtures("does")
def test_a_hidden_record_runs_again_for_who_can_open_it(tmp_path: Path) -> None:
    issued, record = receipt(tmp_path), CHALLENGE.exam.records[0]
    refused = verify(tmp_path, issued, "--rerun", record)
    assert refused.exit_code == 2 and "give what opens it (--openings)" in refused.output
    openings = str(issued.folder / "openings.json")
    assert verify(tmp_path, issued, "--rerun", record, "--openings", openings).exit_code == 0


def test_another_machine_is_told_and_is_no_fault(tmp_path: Path, does: dict[str, Any]) -> None:
    does["machine"] = replace(MACHINE, image="sha256:2", layers=("cd",))
    done = verify(tmp_path, receipt(tmp_path), "--rerun", "quiz", "--json")
    found = {one["what"]: one for one in json.loads(done.stdout)["findings"]}
    assert done.exit_code == 0
    assert found["machine"]["found"] == "another image, layers than in the receipt" and found["machine"]["ok"] is None


def test_a_host_that_cannot_run_it_is_exit_code_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> InRooms:
        raise SandboxFault("no connection to libvirt")

    monkeypatch.setattr(recount, "in_rooms", fails)
    issued = receipt(tmp_path)
    assert verify(tmp_path, issued, "--rerun", "quiz").exit_code == 3
    assert verify(tmp_path, issued).exit_code == 0, "all but the rerun needs no machine"


@pytest.mark.parametrize(
    ("stated", "here", "ok"),
    [
        # what was measured between two snapshots of one image: an honest receipt
        (12_013_096, 12_013_284, True),
        (23_977_630, 23_951_293, True),
        (86_810_747, 87_556_151, True),
        (1_357_607_131, 1_357_830_139, True),
        # three times the largest spread that was seen, and a program that did other work
        (86_810_747, 86_810_747 + 3 * 745_404, False),
        (1_357_607_131, 1_300_000_000, False),
    ],
)
def test_counts_of_rooms_are_judged_by_the_spread_between_snapshots(stated: int, here: int, ok: bool) -> None:
    told = {"machine": {"isolation": "snapshot", "accelerator": "tcg", "parts": {"tolerance": 0.0}}}
    record = outcome("S1", count=here)
    run = Run(verdict=Verdict.OK, usage=record.usage)
    found = recount._record({"verdict": "OK", "answer": "N", "instructions": stated}, record, run, told, MACHINE)
    assert found.ok is ok, found
    assert "between two snapshots (1.0% and 200000)" in found.found
    assert ("apart, within" in found.found) is ok


def test_counts_of_another_version_of_the_counter_are_shown_and_not_judged() -> None:
    told = {"machine": {"isolation": "snapshot", "accelerator": "tcg", "parts": {"counter_version": "tcg 4"}}}
    record = outcome("S1", count=10**9)
    parts = MachineParts(**{field.name: "" for field in fields(MachineParts)})  # type: ignore[arg-type]
    stated = {"verdict": "OK", "answer": "N", "instructions": 1000}
    here = replace(MACHINE, parts=replace(parts, counter_version="tcg 5"))
    found = recount._record(stated, record, Run(verdict=Verdict.OK, usage=record.usage), told, here)
    assert found.ok is None and "counted by tcg 4, and here by tcg 5" in found.found
    other = recount._record({**stated, "answer": "A"}, record, Run(verdict=Verdict.OK, usage=record.usage), told, here)
    assert other.ok is False and "answer 'N', not 'A'" in other.found

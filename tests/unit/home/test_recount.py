"""Records that are counted again, and receipts that are compared with what the entry does here, in scripted rooms."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from click.testing import Result

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, Isolation, Mode, RecordSet
from evaluate.core.errors import SandboxFault, UsageError
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
    TrainedModel,
    Usage,
    Verdict,
)
from evaluate.home import recount
from evaluate.home.recount import CountDifference, InRooms, agreement, differences, region
from evaluate.receipts.issue import Issued, Registry
from evaluate.report.audience import Policy
from evaluate.stages.job import NullMonitor
from tests.support.commands import run
from tests.support.scorers import written

CHALLENGE = load_challenge("cinc2017")
COUNTER = CounterInfo(kind="tcg", calibration_error=0.0)
MACHINE = MachineInfo(accelerator="tcg", image="sha256:1", counter=COUNTER, layers=("ab",), isolation="snapshot")


def outcome(record: str, *, count: int = 1000, answer: str = "N", verdict: Verdict = Verdict.OK) -> RecordOutcome:
    return RecordOutcome(record=record, verdict=verdict, usage=Usage(instructions=count), answer=answer)


def receipt(
    tmp_path: Path, machine: MachineInfo = MACHINE, count: int = 1000, model: TrainedModel | None = None
) -> Issued:
    archive = written(tmp_path, {"entry.zip": b"an entry"}) / "entry.zip"
    stages = []
    for stage, names in ((Stage.QUIZ, CHALLENGE.quiz.records), (Stage.EXAM, CHALLENGE.exam.records)):
        records = tuple(outcome(name, count=count) for name in names)
        result = StageResult(stage=stage, verdict=Verdict.OK, records=records, model=model)
        stages.append(StageOutcome(result=result, machine=machine))
    entry = Entry(archive=archive, sha256=sha256_file(archive), size=8)
    evaluation = Evaluation(entry=entry, challenge="cinc2017", outcomes=tuple(stages))
    return Registry(tmp_path / "state").issue(evaluation, CHALLENGE, Policy(hidden_exam=True))


@pytest.fixture
def does(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """How the entry behaves here."""
    other: dict[str, Any] = {"machine": MACHINE}

    def in_rooms(_entry: Path, _challenge: Challenge, stage: Stage, records: RecordSet, *_: object) -> InRooms:
        changes = {key: value for key, value in other.items() if key not in ("machine", "model")}
        found = [outcome(name, **changes) for name in records.records]
        answered = tuple((one, Run(verdict=one.verdict, usage=one.usage)) for one in found)
        return InRooms(stage=stage, answered=answered, maps=(), machine=other["machine"], model=other.get("model"))

    monkeypatch.setattr(recount, "in_rooms", in_rooms)
    return other


def verify(tmp_path: Path, issued: Issued, *argv: str, code: int | None = None) -> Result:
    return run(tmp_path / "state", "verify", issued.receipt, "--entry", tmp_path / "entry.zip", *argv, code=code)


@pytest.mark.usefixtures("does")
def test_a_quiz_that_does_the_same_is_said_to_and_a_hidden_record_runs_again_for_who_can_open_it(
    tmp_path: Path,
) -> None:
    issued, record = receipt(tmp_path), CHALLENGE.exam.records[0]
    assert "give what opens it (--openings)" in verify(tmp_path, issued, "--rerun", record, code=2).output
    openings = str(issued.folder / "openings.json")
    assert verify(tmp_path, issued, "--rerun", record, "--openings", openings).exit_code == 0
    done = verify(tmp_path, issued, "--rerun", "quiz", code=0)
    n = len(CHALLENGE.quiz.records)
    assert f"On this machine the entry did with {n} records what is stated." in done.stdout
    assert "What it did with other records, and the score, is shown by the key's holder alone." in done.stdout
    same = f"ok          rerun {CHALLENGE.quiz.records[0]}: the same verdict and answer, the same count, equal to the"
    assert same in done.stdout


@pytest.mark.parametrize(
    ("isolation", "stated", "change", "code", "said"),
    [
        ("snapshot", 1000, {"count": 201_011}, 1, "201011 instructions, not 1000 within the 2.0e+05 that are allowed"),
        ("snapshot", 1000, {"answer": "A"}, 1, "answer 'A', not 'N'"),
        ("snapshot", 1000, {"verdict": Verdict.WALL_LIMIT}, 1, "verdict WALL_LIMIT, not OK"),
        ("namespace", 1000, {"count": 1001}, 0, "1001 instructions, stated 1000"),
        ("namespace", 1000, {"count": 300_000}, 1, "300000 instructions, not 1000 within"),
        # what was measured between two snapshots of one image: an honest receipt
        ("snapshot", 12_013_096, {"count": 12_013_284}, 0, "12013284 instructions, stated 12013096: 188 apart, within"),
        ("snapshot", 86_810_747, {"count": 87_556_151}, 0, "87556151 instructions, stated 86810747: 745404 apart"),
        # three times the largest spread that was seen, and a program that did other work
        ("snapshot", 86_810_747, {"count": 86_810_747 + 3 * 745_404}, 1, "89046959 instructions, not 86810747 within"),
        ("snapshot", 1_357_607_131, {"count": 1_300_000_000}, 1, "1300000000 instructions, not 1357607131 within"),
    ],
)
def test_what_it_does_otherwise_is_named(
    tmp_path: Path, does: dict[str, Any], isolation: str, stated: int, change: dict[str, Any], code: int, said: str
) -> None:
    does.update({"count": stated, **change})
    record = CHALLENGE.quiz.records[1]
    done = verify(tmp_path, receipt(tmp_path, replace(MACHINE, isolation=isolation), stated), "--rerun", record)
    begin = f"WRONG       rerun {record}: " if code else f"ok          rerun {record}: the same verdict and answer, "
    assert (done.exit_code, begin + said in done.stdout) == (code, True), done.stdout
    between = "between two snapshots (1.0% and 200000)" if isolation == "snapshot" else "between its machine and this"
    assert "within" not in done.stdout or between in done.stdout


@pytest.mark.parametrize(
    ("here", "code", "said"),
    [
        ("a", 0, "its model is that of the receipt"),
        ("b", 1, f"has sha256 {'b' * 64}, not {'a' * 64}"),
        ("", 1, "does not exist"),
    ],
)
def test_model_of_a_training_here_is_compared(
    tmp_path: Path, does: dict[str, Any], here: str, code: int, said: str
) -> None:
    model = TrainedModel(sha256="a" * 64, files=1, bytes=2)
    does["model"] = replace(model, sha256=here * 64) if here else None
    assert said in verify(tmp_path, receipt(tmp_path, model=model), "--rerun", "quiz", code=code).stdout


def test_counts_of_another_version_of_the_counter_are_shown_and_not_judged(
    tmp_path: Path, does: dict[str, Any]
) -> None:
    texts: dict[str, Any] = {field.name: "" for field in fields(MachineParts)} | {"tolerance": 0.0}
    there, here = (
        replace(MACHINE, parts=MachineParts(**{**texts, "counter_version": version})) for version in ("tcg 4", "tcg 5")
    )
    does |= {"machine": here, "count": 10**9}
    issued, record = receipt(tmp_path, there), CHALLENGE.quiz.records[1]
    done = verify(tmp_path, issued, "--rerun", record, code=0)
    assert f"not checked rerun {record}: " in done.stdout and "counted by tcg 4, and here by tcg 5" in done.stdout
    does["answer"] = "A"
    assert "answer 'A', not 'N'" in verify(tmp_path, issued, "--rerun", record, code=1).stdout


def test_another_machine_is_told_and_is_no_fault(tmp_path: Path, does: dict[str, Any]) -> None:
    does["machine"] = replace(MACHINE, image="sha256:2", layers=("cd",))
    done = verify(tmp_path, receipt(tmp_path), "--rerun", "quiz", "--json")
    found = {one["what"]: one for one in json.loads(done.stdout)["findings"]}
    assert done.exit_code == 0
    assert found["machine"]["found"] == "another image, layers than in the receipt" and found["machine"]["ok"] is None


def test_a_host_that_cannot_run_it_is_exit_code_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recount, "in_rooms", Mock(side_effect=SandboxFault("no connection to libvirt")))
    issued = receipt(tmp_path)
    assert verify(tmp_path, issued, "--rerun", "quiz").exit_code == 3
    assert verify(tmp_path, issued).exit_code == 0, "all but the rerun needs no machine"


# `evaluate recount` and `try --isolation`


Counted = Callable[..., Result]


@pytest.fixture
def recounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Counted:
    """Runs the command as if its machines had counted this."""

    def evaluate(*argv: str, counts: tuple[int, ...], code: int) -> Result:
        def counted(_entry: object, challenge: Challenge, record: str, *_: object, **__: object) -> InRooms:
            assert record != "mine" or challenge.exam.records == challenge.quiz.records == (record,)
            runs = [Run(verdict=Verdict.OK, usage=Usage(instructions=n)) for n in counts]
            answered = tuple((outcome(record), run) for run in runs)
            return InRooms(stage=Stage.EXAM, answered=answered, maps=(), machine=MACHINE)

        monkeypatch.setattr(recount, "recount", counted)
        return run(tmp_path, "recount", *argv, code=code)

    return evaluate


@pytest.mark.parametrize(("counts", "code"), [((640, 640), 0), ((640, 641), 1)])
def test_counts_as_json_and_the_exit_code_says_whether_they_differ(
    recounted: Counted, counts: tuple[int, ...], code: int
) -> None:
    done = recounted("e.zip", "A00001", "--challenge", "cinc2017", "--times", "2", "--json", counts=counts, code=code)
    told = {"record": "A00001", "mode": "tcg-icount", "counts": list(counts), "answers": ["N", "N"]}
    assert json.loads(done.stdout) == told


def test_a_record_of_ones_own_is_counted(recounted: Counted, tmp_path: Path) -> None:
    records = str(written(tmp_path / "records", {"mine.hea": "mine 1 300 3000\n", "mine.mat": b""}))
    recounted("e.zip", "mine", "--challenge", "cinc2017", "--records", records, "--json", counts=(1,), code=0)


def test_isolation_of_a_try_replaces_that_of_the_challenge_where_it_can_be_had() -> None:
    assert load_challenge("cinc2017").isolation is Isolation.NAMESPACE
    assert load_challenge("cinc2017", "snapshot").isolation is Isolation.SNAPSHOT
    done = run(None, "try", "x.zip", "--challenge", "cpsc2021", "--isolation", "snapshot")
    assert done.exit_code == 2 and "snapshot needs run.mode: record" in done.output


@pytest.mark.parametrize(
    ("kind", "isolation", "mode"),
    [
        ("tcg", "namespace", "tcg"),
        ("tcg", "snapshot", "tcg-icount"),
        ("perf", "snapshot", "perf"),
        ("none", "namespace", "none"),
        (None, "namespace", "none"),
    ],
)
def test_mode_of_a_machine_is_known_before_its_stage_has_ended(kind: str | None, isolation: str, mode: str) -> None:
    counter = None if kind is None else CounterInfo(kind=kind, calibration_error=0.0)
    machine = MachineInfo(accelerator="tcg", image="sha256:0", counter=counter, isolation=isolation)
    assert machine.mode == mode


def test_counts_are_listed_by_how_often_they_came_and_differences_by_their_size() -> None:
    assert agreement([7] * 100) == "100 of 100 equal"
    assert agreement([7, 9, 7]) == "7 (2 ×), 9 (1 ×)"
    first = {0x401000: 10, 0x5555_5555_5000: 100, 0x7FFF_F7D0_0000: 5}
    second = {0x401000: 10, 0x5555_5555_5000: 90, -1: 1}
    found = differences([first, second])
    assert found[0] == CountDifference(address=0x5555_5555_5000, region="a program", counts=(100, 90))
    assert [one.region for one in found[1:]] == ["a shared library", "elsewhere"]
    assert differences([]) == differences([first]) == ()
    assert region(0x400000) == "a program at a fixed address"
    assert region(0xFFFF_8000_0000_0000) == "no process"


def test_what_cannot_be_counted_again_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cinc2017 has no record 'Z9'; there is S00001, S00002, S00003, …"):
        recount.recount("entry.zip", CHALLENGE, "Z9", tmp_path, NullMonitor())
    with pytest.raises(UsageError, match="need a GPU or a licence server"):
        recount.recount("entry.zip", replace(CHALLENGE, gpus=1), CHALLENGE.quiz.records[0], tmp_path, NullMonitor())
    challenge = load_challenge("cpsc2021")
    challenge = replace(challenge, run=replace(challenge.run, mode=Mode.SET))
    with pytest.raises(UsageError, match="none has its own count"):
        recount.recount("entry.zip", challenge, challenge.quiz.records[0], tmp_path, NullMonitor())

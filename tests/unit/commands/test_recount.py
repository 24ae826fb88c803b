"""`evaluate recount` and `try --isolation`: the contract with outside programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, Isolation
from evaluate.core.errors import ChallengeError
from evaluate.core.model import CounterInfo, MachineInfo, RecordOutcome, Run, Stage, Usage, Verdict
from evaluate.home import recount
from evaluate.home.recount import InRooms

Counted = Callable[..., Result]


@pytest.fixture
def asked() -> list[Challenge]:
    return []


@pytest.fixture
def recounted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[Challenge]) -> Counted:
    """Runs the command as if its machines had counted this."""

    def run(*argv: str, counts: tuple[int, ...]) -> Result:
        def counted(_entry: object, challenge: Challenge, record: str, *_: object, **__: object) -> InRooms:
            asked.append(challenge)
            runs = [Run(verdict=Verdict.OK, usage=Usage(instructions=n)) for n in counts]
            outcome = RecordOutcome(record=record, verdict=Verdict.OK, usage=Usage(), answer="N")
            answered = tuple((outcome, run) for run in runs)
            counter = CounterInfo(kind="tcg", calibration_error=0.0)
            machine = MachineInfo(accelerator="tcg", image="sha256:0", counter=counter, isolation="snapshot")
            return InRooms(stage=Stage.EXAM, answered=answered, maps=(), machine=machine)

        monkeypatch.setattr(recount, "recount", counted)
        return CliRunner().invoke(main, ["--state", str(tmp_path), "recount", *argv])

    return run


@pytest.mark.parametrize(("counts", "code"), [((640, 640), 0), ((640, 641), 1)])
def test_counts_as_json_and_the_exit_code_says_whether_they_differ(
    recounted: Counted, counts: tuple[int, ...], code: int
) -> None:
    done = recounted("e.zip", "A00001", "--challenge", "cinc2017", "--times", "2", "--json", counts=counts)
    assert done.exit_code == code, done.output
    told = {"record": "A00001", "mode": "tcg-icount", "counts": list(counts), "answers": ["N", "N"]}
    assert json.loads(done.stdout) == told


def test_a_record_of_ones_own_is_counted(recounted: Counted, asked: list[Challenge], tmp_path: Path) -> None:
    records = tmp_path / "records"
    records.mkdir()
    (records / "mine.hea").write_text("mine 1 300 3000\n")
    (records / "mine.mat").write_bytes(b"")
    done = recounted("e.zip", "mine", "--challenge", "cinc2017", "--records", str(records), "--json", counts=(1,))
    assert done.exit_code == 0, done.output
    assert asked[0].exam.records == asked[0].quiz.records == ("mine",)


def test_isolation_of_a_try_replaces_that_of_the_challenge_where_it_can_be_had() -> None:
    assert load_challenge("cinc2017").isolation is Isolation.NAMESPACE
    assert load_challenge("cinc2017", "snapshot").isolation is Isolation.SNAPSHOT
    with pytest.raises(ChallengeError, match=r"snapshot needs run\.mode: record"):
        load_challenge("cpsc2021", "snapshot")
    done = CliRunner().invoke(main, ["try", "x.zip", "--challenge", "cpsc2021", "--isolation", "snapshot"])
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

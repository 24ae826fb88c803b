"""Hostile cases as files, and the comparison of an outcome with the expected ones."""

import json
import os
import runpy
import subprocess
import sys
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from evaluate.attack.cases import FAULT, NOT_TRIED, Case, Seen, Via, cases_folder, load_cases
from evaluate.attack.guests import Guests
from evaluate.attack.suite import Result, outcomes, selected
from evaluate.core.errors import ChallengeError, CounterFault, SandboxFault
from tests.conftest import CHECKOUT
from tests.support.commands import run
from tests.support.passable import AS_ANOTHER_USER
from tests.support.scorers import written

CASE = Case(attack="reads", via=Via.RECORD, expected=("OK",), says="^done$", folder=Path("reads"))
KINDS = {
    *("hog", "outlive", "carry", "ahead", "kernel", "forged", "answer", "clock", "counter", "setup", "archive"),
    *("dependencies", "requirements", "image", "repository", "answers", "metric", "guest", "qemu"),
}


def test_every_kind_of_attack_has_cases() -> None:
    assert {case.name.partition("-")[0] for case in selected(load_cases(), [])} == KINDS


def test_functions_are_those_of_cases() -> None:
    kinds = tuple(f"{kind}_" for kind in KINDS)
    made: set[str] = set()
    for file in ("makers.py", "metrics.py"):
        made |= {name for name in runpy.run_path(str(cases_folder() / file)) if name.startswith(kinds)}
    cases = {case.name.replace("-", "_"): case.via for case in load_cases()}
    assert made <= {*cases}
    assert {name for name, via in cases.items() if via in (Via.ANSWERS, Via.METRIC, Via.GUEST)} <= made
    programs = [case for case in load_cases() if case.via in (Via.RECORD, Via.SETUP, Via.QEMU)]
    assert all(case.command("step") for case in programs)


@pytest.mark.parametrize("error", [SandboxFault("the guest closed its channel"), CounterFault("the guest has ended")])
def test_guest_that_an_attack_has_ended_is_replaced_whoever_sees_it(error: Exception, tmp_path: Path) -> None:
    def run_command(*_: object) -> None:
        raise error

    booted: list[object] = []
    hypervisor: Any = SimpleNamespace(boot=lambda machine: booted.append(machine) or nullcontext(sandbox))
    sandbox = SimpleNamespace(run=run_command)
    guests: Any = object.__new__(Guests)
    vars(guests).update(_machine=None, _hypervisor=hypervisor, _held=ExitStack(), _sandbox=None, _via=Via.RECORD)
    (tmp_path / "attack.sh").touch()
    case = msgspec.structs.replace(CASE, folder=tmp_path)
    assert [guests.attack(case).outcome for _ in range(2)] == [FAULT, FAULT]
    assert len(booted) == 2


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ("via: record\nexpected: [FINE]", "matching regex"),
        ("via: record\nexpected: [OK]\nhow: now", "unknown field `how`"),
        ("via: record\nexpected: [OK]\nsays: '('", "unterminated subpattern"),
    ],
)
def test_mistake_in_a_case_is_named_with_its_file(keys: str, problem: str, tmp_path: Path) -> None:
    written(tmp_path, {"bad/expect.yaml": f"attack: x\n{keys}\n"})
    with pytest.raises(ChallengeError, match=f"bad/expect.yaml: .*{problem}"):
        load_cases(tmp_path)


def test_program_gets_its_step_as_first_argument(tmp_path: Path) -> None:
    for name, step_at in (("attack.py", 3), ("attack.sh", 4)):
        folder = written(tmp_path / name.replace(".", "-"), {name: "text"})
        command = msgspec.structs.replace(CASE, folder=folder).command("leave")
        assert (command[2], command.index("leave")) == ("text", step_at)
    with pytest.raises(ChallengeError, match=r"expected attack\.py or attack\.sh"):
        msgspec.structs.replace(CASE, folder=tmp_path).command("")


def test_single_cases_are_attacked_and_written_as_json(tmp_path: Path) -> None:
    state, file = tmp_path / "state", tmp_path / "found.json"

    doctor = partial(run, state, "doctor")
    done = doctor("--attack", "archive-abs*", "archive-crc", "--json", str(file))
    assert done.exit_code in (0, 3), done.output  # 3: where this machine lacks something for virtual machines
    assert "2 of 2 attacks ended as they must; 0 not tried" in done.output
    told = json.loads(file.read_text())
    assert [case["case"] for case in told["cases"]] == ["archive-absolute", "archive-crc"]
    assert told["cases"][0] == {
        "case": "archive-absolute",
        "expected": ["INVALID_ENTRY"],
        "seen": "INVALID_ENTRY",
        "ok": True,
    }
    assert (told["passed"], told["failed"]) == (2, 0)
    for argv in (("--attack", "no-such-case"), ("archive-crc",), ("--json", str(file))):
        assert doctor(*argv).exit_code == 2


@AS_ANOTHER_USER
def test_attacks_hold_for_a_user_who_sees_no_home_of_root(passable: Path) -> None:
    os.chown(passable, 65534, 65534)
    argv = [sys.executable, "-m", "evaluate", "--state", passable / "state", "doctor", "--attack", "archive-crc"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT), "HOME": str(passable)}
    options: Any = {"cwd": passable, "env": environment, "user": 65534, "group": 65534, "extra_groups": []}
    done = subprocess.run(argv, capture_output=True, text=True, check=False, **options)
    assert "1 of 1 attacks ended as they must" in done.stdout, done.stdout + done.stderr


def test_outcomes_are_right_by_verdict_words_and_reach_and_what_attackers_print_moves_no_cursor() -> None:
    verdicts = {
        Seen("OK", "a line\ndone\n"): "held",
        Seen("OK", "done", ("GOT 8 bits",)): "known",
        Seen("OK", "\x1b[2Jdone", ("GOT \x1b[31mroot",)): "FAILED",
        Seen("OK", "not done yet"): "FAILED",
        Seen("WALL_LIMIT", "done", ("GOT 8 bits",)): "FAILED",
        Seen(NOT_TRIED, "only root can do this"): "not tried",
    }
    known = msgspec.structs.replace(CASE, residual="8 bits")
    results = [Result(case=known if "GOT 8 bits" in seen.reached else CASE, seen=seen, seconds=1) for seen in verdicts]
    told = outcomes(results)
    assert [case["ok"] for case in told["cases"]] == [verdict != "FAILED" for verdict in verdicts.values()]
    assert (told["cases"][-1]["seen"], told["passed"], told["failed"]) == (NOT_TRIED, 2, 3)
    for begin, result in zip(verdicts.values(), results, strict=True):
        assert result.line.startswith(begin) and "reads; expected OK" in result.line and "\x1b" not in result.line


def test_metric_that_may_run_as_root_without_walls_only_probes() -> None:
    """Where a wall is missing it would change the organiser's own machine: it asks, and does not do."""
    text = (cases_folder() / "metrics.py").read_text()
    harmful = ("ptrace", "tmpfs", "truncate", "unlink", "rmtree", "write_text", "write_bytes", ".read", "os.system")
    assert [word for word in harmful if word in text] == []

"""The readiness report is complete."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner
from click.testing import Result as Done

from evaluate.attack.cases import NOT_TRIED, Case, Seen, Via
from evaluate.attack.readiness import keep, line, outcomes, readiness
from evaluate.attack.suite import Result
from evaluate.commands.main import main
from evaluate.core.model import CounterInfo, MachineInfo
from evaluate.host.finding import Check
from tests.conftest import CHECKOUT
from tests.support.passable import AS_ANOTHER_USER, let_pass


def result(name: str, seen: Seen, residual: str = "") -> Result:
    case = Case(attack="tries it", via=Via.RECORD, expected=("OK",), residual=residual, folder=Path(name))
    return Result(case=case, seen=seen, seconds=1.25)


RESULTS = [
    result("holds", Seen("OK", "done")),
    result("known", Seen("OK", "done", ("GOT 8 bits",)), "8 bits a record"),
    result("fails", Seen("OK", "\x1b[2Jdone", ("GOT \x1b[31mroot",))),
    result("elsewhere", Seen(NOT_TRIED, "only root can do this")),
]
CHECKS = [Check(name="smt", ok=False, found="two guests may share a core", needed=False)]
MACHINE = MachineInfo(accelerator="tcg", image="sha256:1", counter=CounterInfo(kind="tcg", calibration_error=1e-5))


def test_single_cases_are_attacked_and_written_as_json(tmp_path: Path) -> None:
    state, file = tmp_path / "state", tmp_path / "found.json"

    def doctor(*argv: str) -> Done:
        return CliRunner().invoke(main, ["--state", str(state), "doctor", *argv])

    done = doctor("--attack", "archive-absolute", "archive-crc", "--json", str(file))
    assert done.exit_code in (0, 3), done.output  # 3: where this machine lacks something for virtual machines
    told = json.loads(file.read_text())
    assert [case["case"] for case in told["cases"]] == ["archive-absolute", "archive-crc"]
    assert told["cases"][0] == {
        "case": "archive-absolute",
        "expected": ["INVALID_ENTRY"],
        "seen": "INVALID_ENTRY",
        "ok": True,
    }
    assert (told["passed"], told["failed"]) == (2, 0)
    assert doctor("--attack", "no-such-case").exit_code == 2
    for argv in (("archive-crc",), ("--json", str(file))):
        done = doctor(*argv)
        assert (done.exit_code, "belong to --attack" in done.output) == (2, True)


@AS_ANOTHER_USER
def test_attacks_hold_for_a_user_who_sees_no_home_of_root(tmp_path: Path) -> None:
    let_pass(tmp_path)
    os.chown(tmp_path, 65534, 65534)
    argv = [sys.executable, "-m", "evaluate", "--state", str(tmp_path / "state"), "doctor", "--attack", "archive-crc"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(CHECKOUT), "HOME": str(tmp_path)}
    become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    done = subprocess.run([*become, *argv], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "1 of 1 attacks ended as they must" in done.stdout, done.stdout + done.stderr


def test_report_counts_what_held_what_is_known_and_what_failed() -> None:
    report = readiness(RESULTS, CHECKS, MACHINE)
    assert report["summary"] == {"tried": 3, "held": 2, "residual": 1, "failed": 1, "not_tried": 1}
    assert (report["accelerator"], report["counter"]["kind"], report["digests"]["image"]) == ("tcg", "tcg", "sha256:1")
    assert report["findings"][0]["name"] == "smt"
    told = outcomes(RESULTS)
    assert told["cases"][2] == {"case": "fails", "expected": ["OK"], "seen": "OK", "ok": False}
    assert (told["cases"][3]["seen"], told["passed"], told["failed"]) == (NOT_TRIED, 2, 1)
    without = readiness(RESULTS[:1], [], None)
    assert (without["accelerator"], without["counter"]) == (None, None)


def test_what_attackers_print_moves_no_cursor(tmp_path: Path) -> None:
    report = readiness(RESULTS, CHECKS, MACHINE)
    text = keep(report, RESULTS, tmp_path / "readiness")[1].read_text()
    for words in (
        "held      holds",
        "known     known",
        "FAILED    fails",
        "not tried elsewhere",
    ):
        assert words in text
    lines = list(map(line, RESULTS))
    for begin, told in zip(("held", "known", "FAILED", "not tried"), lines, strict=True):
        assert told.startswith(begin) and "tries it; expected OK; saw" in told
    assert "\x1b" not in "".join([text, *lines])

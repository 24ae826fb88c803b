"""The readiness report: complete, and fixed by a digest that a signature can be over."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from click.testing import Result as Done

from evaluate.attack.cases import NOT_TRIED, Case, Seen, Via
from evaluate.attack.readiness import keep, line, outcomes, readiness, signed, signed_by, to_text
from evaluate.attack.suite import Result
from evaluate.commands.main import main
from evaluate.core.model import CounterInfo, MachineInfo
from evaluate.host.finding import Check
from evaluate.receipts.keys import KeyRing
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


def test_report_counts_what_held_what_is_known_and_what_failed() -> None:
    report = readiness(RESULTS, CHECKS, MACHINE)
    assert report["summary"] == {"tried": 3, "held": 2, "residual": 1, "failed": 1, "not_tried": 1}
    assert (report["accelerator"], report["counter"]["kind"], report["digests"]["image"]) == ("tcg", "tcg", "sha256:1")
    assert report["findings"][0]["name"] == "smt"


def test_outcomes_for_other_programs_count_what_was_tried() -> None:
    found = outcomes(RESULTS)
    assert found["cases"][2] == {"case": "fails", "expected": ["OK"], "seen": "OK", "ok": False}
    assert found["cases"][3]["seen"] == NOT_TRIED
    assert (found["passed"], found["failed"]) == (2, 1)


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


def test_digest_is_over_everything_but_itself_and_the_signature() -> None:
    report = readiness(RESULTS, CHECKS, MACHINE)
    rest = {key: value for key, value in report.items() if key not in ("digest", "signature")}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    assert report["digest"] == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    assert report["signature"] is None


def test_signed_report_shows_its_key_and_a_changed_one_does_not(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    report = signed(readiness(RESULTS, CHECKS, MACHINE), ring.signer())
    (key,) = ring.public()
    assert signed_by(report, [key]) == key
    assert f"signed by key {key.id}" in to_text(report)
    other = KeyRing(tmp_path / "other")
    other.signer()
    assert signed_by(report, other.public()) is None
    better = {**report, "summary": {**report["summary"], "failed": 0}}
    assert signed_by(better, [key]) is None
    body = {key: value for key, value in better.items() if key not in ("digest", "signature")}
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    again = {**better, "digest": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"}
    assert signed_by(again, [key]) is None
    assert signed_by({**report, "signature": None}, [key]) is None


def test_command_verifies_a_report(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "state" / "keys")
    files = keep(signed(readiness(RESULTS, CHECKS, MACHINE), ring.signer()), tmp_path)
    done = CliRunner().invoke(main, ["--state", str(tmp_path / "state"), "doctor", "--verify", str(files[0])])
    assert (done.exit_code, "2 of 3 attacks ended as they must" in done.output) == (0, True)
    files[0].write_text(files[0].read_text().replace("root", "user"))
    done = CliRunner().invoke(main, ["--state", str(tmp_path / "state"), "doctor", "--verify", str(files[0])])
    assert (done.exit_code, "no signature by" in done.output) == (3, True)


def test_report_without_a_machine_says_so() -> None:
    report = readiness(RESULTS[:1], [], None)
    assert (report["accelerator"], report["counter"]) == (None, None)


def test_both_files_are_kept_and_what_attackers_print_moves_no_cursor(tmp_path: Path) -> None:
    report = readiness(RESULTS, CHECKS, MACHINE)
    files = keep(report, tmp_path / "readiness")
    assert json.loads(files[0].read_text()) == report
    text = files[1].read_text()
    assert text == to_text(report)
    assert "\x1b" not in text
    for part in ("held      holds", "FAILED    fails", "not tried elsewhere", "not signed", report["digest"]):
        assert part in text


@pytest.mark.parametrize(
    ("number", "begin"),
    [(0, "held"), (1, "known"), (2, "FAILED"), (3, "not tried")],
    ids=["held", "known", "fails", "not"],
)
def test_line_says_what_was_tried_expected_and_seen(number: int, begin: str) -> None:
    told = line(RESULTS[number])
    assert told.startswith(begin)
    assert "tries it; expected OK; saw" in told
    assert "\x1b" not in told

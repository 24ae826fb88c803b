"""Hostile cases as files, and the comparison of an outcome with the expected ones."""

from __future__ import annotations

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.attack.cases import Case, Seen, Via, cases_folder, judge, load_cases
from evaluate.attack.suite import selected
from evaluate.core.errors import ChallengeError, UsageError

CASE = Case(attack="reads", via=Via.RECORD, expected=("OK",), says="^done$", folder=Path("reads"))
COVERED = (
    *("hog-", "outlive-", "carry-", "ahead-", "kernel-", "forged-", "answer-", "clock-", "counter-", "setup-"),
    *(
        "archive-",
        "dependencies-",
        "requirements-",
        "image-",
        "repository-",
        "answers-",
        "metric-",
        "guest-",
        "qemu-",
    ),
)
PROGRAMS = {
    Via.RECORD: ("attack.py", "attack.sh"),
    Via.SETUP: ("attack.py", "attack.sh"),
    Via.QEMU: ("attack.py",),
}


def test_every_kind_of_attack_has_cases() -> None:
    names = [case.name for case in load_cases()]
    assert all(any(name.startswith(kind) for name in names) for kind in COVERED)
    assert all(name.startswith(COVERED) for name in names)


@pytest.mark.parametrize("case", load_cases(), ids=lambda case: case.name)
def test_case_has_its_program(case: Case) -> None:
    wanted = PROGRAMS.get(case.via, ())
    assert not wanted or any((case.folder / name).is_file() for name in wanted)


def test_functions_are_those_of_cases() -> None:
    kinds = tuple(kind.replace("-", "_") for kind in COVERED)
    made: set[str] = set()
    for file in ("makers.py", "metrics.py"):
        made |= {name for name in runpy.run_path(str(cases_folder() / file)) if name.startswith(kinds)}
    cases = {case.name.replace("-", "_"): case.via for case in load_cases()}
    assert made <= {*cases}
    assert {name for name, via in cases.items() if via in (Via.ANSWERS, Via.METRIC, Via.GUEST)} <= made


def test_mistakes_in_a_case_are_named(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "expect.yaml").write_text("attack: x\nvia: record\nexpected: [FINE]\nsays: '('\nhow: now\n")
    with pytest.raises(ChallengeError) as caught:
        load_cases(tmp_path)
    for part in ("expect.yaml:3: expected", "a verdict, FAULT or CHALLENGE_ERROR", "how"):
        assert part in str(caught.value)
    (tmp_path / "bad" / "expect.yaml").write_text("attack: x\nvia: record\nexpected: [OK]\nsays: '('\n")
    with pytest.raises(ChallengeError, match="expected a regular expression"):
        load_cases(tmp_path)


@pytest.mark.parametrize(
    ("seen", "held"),
    [
        (Seen("OK", "a line\ndone\n"), True),
        (Seen("OK", "not done yet"), False),
        (Seen("WALL_LIMIT", "done"), False),
        (Seen("OK", "done", ("GOT root",)), False),
    ],
    ids=["as expected", "says something else", "another verdict", "it worked"],
)
def test_case_holds_only_if_verdict_and_words_are_right_and_nothing_was_reached(seen: Seen, held: bool) -> None:
    assert judge(CASE, seen) is held
    assert judge(replace(CASE, residual="8 bits a record"), seen) is (held or bool(seen.reached))


def test_cases_are_chosen_by_name() -> None:
    cases = load_cases()
    assert {case.name.partition("-")[0] for case in selected(cases, ["archive-*", "image-*"])} == {"archive", "image"}
    assert len(selected(cases, [])) == len(cases)
    with pytest.raises(UsageError, match="no hostile case is called nothing"):
        selected(cases, ["nothing"])


def test_program_gets_its_step_as_first_argument(tmp_path: Path) -> None:
    for name, step_at in (("attack.py", 3), ("attack.sh", 4)):
        folder = tmp_path / name.replace(".", "-")
        folder.mkdir()
        (folder / name).write_text("text")
        command = replace(CASE, folder=folder).command("leave")
        assert (command[2], command.index("leave")) == ("text", step_at)
    with pytest.raises(ChallengeError, match=r"expected attack\.py or attack\.sh"):
        replace(CASE, folder=tmp_path).command("")


def test_metric_that_may_run_as_root_without_walls_only_probes() -> None:
    """Where a wall is missing it would change the organiser's own machine: it asks, and does not do."""
    text = (cases_folder() / "metrics.py").read_text()
    harmful = ("ptrace", "tmpfs", "truncate", "unlink", "rmtree", "write_text", "write_bytes", ".read", "os.system")
    assert [word for word in harmful if word in text] == []

"""The hostile cases: all that need no machine, and of the others those that are quick, in one guest."""

from pathlib import Path

import pytest

from evaluate.attack.cases import Case, Via, load_cases
from evaluate.attack.suite import Suite, selected

QUICK = ("carry-*", "kernel-*", "answer-*", "ahead-*", "forged-*", "outlive-*", "qemu-*", "hog-pipes")
_HOSTED = (Via.UPLOAD, Via.ANSWERS, Via.METRIC, Via.GUEST)
CASES = load_cases()
SELDOM = ("answers-kits23-bomb", "answers-mlperf_kits19-bomb", "answers-mlperf_kits19-shape")
"""Cases whose answers are those of kits19."""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=pytest.mark.long if case.name in SELDOM else ())
        for case in CASES
        if case.via in _HOSTED
    ],
)
def test_attack_on_what_the_host_reads_ends_as_it_must(case: Case, tmp_path: Path) -> None:
    (result,) = Suite(tmp_path, "tcg", lambda _: None).run([case])
    assert result.tried and result.held, result.seen


@pytest.mark.vm
def test_attacks_from_inside_a_guest_end_as_they_must(state: Path, hypervisor: object) -> None:
    results = list(Suite(state, "tcg", lambda _: None).run(selected(CASES, QUICK)))
    assert [f"{result.case.name}: {result.seen}" for result in results if not result.held] == []
    assert all(result.tried for result in results)

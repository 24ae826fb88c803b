"""What `recount` says of counts, without a machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Mode
from evaluate.core.errors import UsageError
from evaluate.home.recount import CountDifference, agreement, differences, recount, region
from evaluate.stages.job import NullMonitor


def test_equal_counts_are_called_equal_and_others_are_listed_by_how_often_they_came() -> None:
    assert agreement([7] * 100) == "100 of 100 equal"
    assert agreement([7, 9, 7]) == "7 (2 ×), 9 (1 ×)"


def test_differences_are_where_runs_disagree_and_the_largest_is_first() -> None:
    first = {0x401000: 10, 0x5555_5555_5000: 100, 0x7FFF_F7D0_0000: 5}
    second = {0x401000: 10, 0x5555_5555_5000: 90, -1: 1}
    found = differences([first, second])
    assert found[0] == CountDifference(address=0x5555_5555_5000, region="a program", counts=(100, 90))
    assert [one.region for one in found[1:]] == ["a shared library", "elsewhere"]
    assert differences([]) == differences([first]) == ()


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (0x400000, "a program at a fixed address"),
        (0x5555_5555_4000, "a program"),
        (0x7FFF_F7FE_0000, "a shared library"),
        (0xFFFF_8000_0000_0000, "no process"),
    ],
)
def test_address_is_named_by_what_linux_puts_there(address: int, name: str) -> None:
    assert region(address) == name


def test_what_cannot_be_counted_again_is_refused(tmp_path: Path) -> None:
    challenge = load_challenge("cinc2017")
    with pytest.raises(UsageError, match=r"cinc2017 has no record 'Z9'; there is S00001, S00002, S00003, …"):
        recount("entry.zip", challenge, "Z9", tmp_path, NullMonitor())
    with pytest.raises(UsageError, match="need a GPU or a licence server"):
        recount("entry.zip", replace(challenge, gpus=1), challenge.quiz.records[0], tmp_path, NullMonitor())
    challenge = load_challenge("cpsc2021")
    challenge = replace(challenge, run=replace(challenge.run, mode=Mode.SET))
    with pytest.raises(UsageError, match="none has its own count"):
        recount("entry.zip", challenge, challenge.quiz.records[0], tmp_path, NullMonitor())

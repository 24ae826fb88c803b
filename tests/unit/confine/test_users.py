"""Numbers of users for processes that must share nothing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from evaluate.confine import ownership
from evaluate.confine.ownership import free_subordinates, subordinate


@pytest.mark.parametrize(("mapped", "enough"), [(1 << 32, True), (65_536, True), (1000, False), (1, False)])
def test_every_process_is_another_user_where_the_numbers_are_enough(
    mapped: int, enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "_mapped", lambda _: mapped)
    assert ownership.has_own_users() is enough
    numbers = {ownership.own_user() for _ in range(20)}
    assert mapped == 1 or (len(numbers) > 1 and min(numbers) > 0)
    assert max(numbers) < mapped


def test_subordinate_numbers_are_those_of_the_files_and_enough(tmp_path: Path) -> None:
    (tmp_path / "subuid").write_text("other:1:65536\nevaluate:5:100\nevaluate:2000000:65536\n")
    assert subordinate("evaluate", tmp_path) is None
    (tmp_path / "subgid").write_text("evaluate:3000000:65536\n")
    assert subordinate("evaluate", tmp_path) == (range(2000000, 2065536), range(3000000, 3065536))
    assert subordinate("nobody", tmp_path) is None


def test_free_numbers_are_nobodys(tmp_path: Path) -> None:
    assert free_subordinates(tmp_path) == range(2_000_000, 2_065_536)
    (tmp_path / "subuid").write_text("a:100000:65536\nb:2000000:65536\n")
    (tmp_path / "subgid").write_text("a:100000:65536\nb:3000000:10\n")
    assert free_subordinates(tmp_path) == range(3_000_010, 3_065_546)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
def test_number_that_a_process_has_is_not_given_again() -> None:
    first = ownership.own_user()
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, user=first) as process:
        assert {ownership.unused(range(first, first + 2)) for _ in range(20)} == {first + 1}
        process.communicate()
    assert {ownership.unused(range(first, first + 1))} == {first}

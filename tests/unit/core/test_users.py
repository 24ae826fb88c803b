"""Numbers of users for processes that must share nothing."""

from __future__ import annotations

import pytest

from evaluate.core import users


@pytest.mark.parametrize("known", [1 << 32, 65_536, 1000])
def test_every_process_is_another_user(known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "_mapped", lambda _: known)
    found = {users.own_user() for _ in range(20)}
    assert len(found) > 1
    assert min(found) > 0
    assert max(found) < known


@pytest.mark.parametrize(("known", "enough"), [(1 << 32, True), (65_536, True), (1000, False), (1, False)])
def test_few_numbers_are_not_enough(known: int, enough: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "_mapped", lambda _: known)
    assert users.has_own_users() is enough

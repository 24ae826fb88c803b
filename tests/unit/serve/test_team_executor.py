"""Teams take turns, whatever each of them wants, and who waits long keeps no other team waiting."""

from __future__ import annotations

import threading

import pytest

from evaluate.serve.team_executor import Turns


def test_team_that_wants_much_stands_in_the_line_once() -> None:
    turns, began, order = Turns(1, "test"), threading.Event(), []
    first = turns.add("red", "first", began.wait)
    wanted = [("red", "r1"), ("red", "r2"), ("red", "r3"), ("blue", "b1"), ("green", "g1"), ("blue", "b2")]
    futures = [turns.add(team, key, lambda key=key: order.append(key)) for team, key in wanted]
    began.set()
    for future in [first, *futures]:
        future.result(60)
    assert order == ["b1", "g1", "r1", "b2", "r2", "r3"]


def test_team_has_one_thread_however_many_are_free() -> None:
    turns, release = Turns(4, "test"), threading.Event()
    slow = [turns.add("red", f"slow{n}", release.wait) for n in range(6)]
    turns.add("blue", "quick", lambda: None).result(60)
    assert not any(future.done() for future in slow)
    release.set()
    for future in slow:
        future.result(60)


def test_same_work_is_done_once_and_its_error_is_that_of_all_who_wait() -> None:
    turns, release, done = Turns(2, "test"), threading.Event(), []

    def work() -> None:
        release.wait()
        done.append(1)
        raise KeyError("x")

    first, again = turns.add("red", "one", work), turns.add("red", "one", work)
    assert first is again and not first.cancel()
    release.set()
    with pytest.raises(KeyError):
        first.result(60)
    assert done == [1]
    turns.add("red", "one", lambda: None).result(60)

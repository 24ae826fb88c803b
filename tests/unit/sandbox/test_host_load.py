"""Deadlines follow the time that a guest could use, and boots wait for each other."""

import threading
from pathlib import Path

import pytest

from evaluate.sandbox.starting import GuestClock, turn


class Host:
    """A kernel whose clock and whose measurements of threads, 7 and others, a test sets."""

    def __init__(self, folder: Path, *others: int) -> None:
        self.now = 100.0
        self._folder = folder
        for thread in (7, *others):
            (folder / str(thread)).mkdir()
            self.waited(0, thread)
        self.clock = GuestClock(7, *others, proc=folder, now=lambda: self.now)

    def waited(self, seconds: float, thread: int = 7) -> None:
        (self._folder / str(thread) / "schedstat").write_text(f"123 {int(seconds * 1e9)} 5\n")


LATER = list[tuple[float, dict[int, float], float]]


@pytest.mark.parametrize(
    ("others", "story"),
    [
        # seconds that pass, seconds that each thread has waited since the beginning, and what the clock then shows
        ((), [(60, {}, 60)]),
        ((), [(60, {7: 45}, 15)]),
        # the kernel knows a wait only when it is over; and the clock runs at a tenth, however busy the host is
        ((), [(60, {}, 60), (0, {7: 59}, 60), (940, {7: 999}, 100)]),
        ((8, 9), [(60, {7: 20, 8: 30}, 30), (60, {7: 60}, 30 + 20)]),  # a program moved to the first processor
        ((8,), [(8, {7: 4}, 4), (1, {8: 5}, 4), (3, {}, 12 - 5)]),  # processors that wait at once wait once
    ],
    ids=["idle", "waits", "back", "several", "at once"],
)
def test_clock_of_a_guest_leaves_out_the_time_in_which_it_waited_for_a_processor(
    tmp_path: Path, others: tuple[int, ...], story: LATER
) -> None:
    host = Host(tmp_path, *others)
    for passed, waited, shown in story:
        host.now += passed
        for thread, seconds in waited.items():
            host.waited(seconds, thread)
        assert host.clock() == pytest.approx(shown)


def test_clock_of_a_thread_that_has_ended_is_the_hosts(tmp_path: Path) -> None:
    host = Host(tmp_path)
    (tmp_path / "7" / "schedstat").unlink()
    host.now += 60
    assert host.clock() == pytest.approx(60)


def test_turns_are_limited_on_the_whole_host(tmp_path: Path) -> None:
    order: list[str] = []
    entered = threading.Event()

    def wait_for_a_turn() -> None:
        with turn(tmp_path / "boots", 2):
            order.append("third")
            entered.set()

    third = threading.Thread(target=wait_for_a_turn)
    with turn(tmp_path / "boots", 2):
        with turn(tmp_path / "boots", 2):
            third.start()
            assert not entered.wait(0.5)
            order.append("first two")
        third.join()
    assert order == ["first two", "third"]

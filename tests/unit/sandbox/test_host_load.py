"""Deadlines follow the time that a guest could use, and boots wait for each other."""

from __future__ import annotations

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


@pytest.fixture
def host(tmp_path: Path) -> Host:
    return Host(tmp_path)


def test_clock_of_a_guest_that_never_waits_is_the_hosts(host: Host) -> None:
    host.now += 60
    assert host.clock() == pytest.approx(60)


def test_time_in_which_the_guest_waited_for_a_core_does_not_count(host: Host) -> None:
    host.now += 60
    host.waited(45)
    assert host.clock() == pytest.approx(15)


def test_clock_never_goes_back_and_never_stands_still(host: Host) -> None:
    host.now += 60
    assert host.clock() == pytest.approx(60)  # the kernel does not yet know that it is waiting
    host.waited(59)
    assert host.clock() == pytest.approx(60)
    host.now += 940
    host.waited(999)
    assert host.clock() == pytest.approx(100), "a tenth, however busy the host is"


def test_clock_of_a_thread_that_has_ended_is_the_hosts(host: Host, tmp_path: Path) -> None:
    (tmp_path / "7" / "schedstat").unlink()
    host.now += 60
    assert host.clock() == pytest.approx(60)


def test_guest_of_several_processors_has_waited_as_long_as_the_one_that_waited_longest(tmp_path: Path) -> None:
    host = Host(tmp_path, 8, 9)
    host.now += 60
    host.waited(20), host.waited(30, 8)
    assert host.clock() == pytest.approx(30)
    host.now += 60
    host.waited(60)  # a program that has moved to the first processor
    assert host.clock() == pytest.approx(30 + 20)


def test_processors_that_wait_at_once_wait_once_whenever_the_kernel_knows_it(tmp_path: Path) -> None:
    host = Host(tmp_path, 8)
    host.now += 8
    host.waited(4)
    assert host.clock() == pytest.approx(4)
    host.now += 1
    host.waited(5, 8)
    assert host.clock() == pytest.approx(4)
    host.now += 3
    assert host.clock() == pytest.approx(12 - 5)


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

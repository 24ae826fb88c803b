"""What can be read, of descriptors of any number; waits for other processes are not silent."""

import fcntl
import logging
import os
import resource
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.core import files
from evaluate.core.files import exclusive
from evaluate.core.waiting import readable
from tests.chaos.audit import wait_until

HIGH = 1500


@pytest.fixture
def pipes() -> Iterator[list[int]]:
    """Two reading ends of pipes, with numbers above 1023, and their writing ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard not in (-1, resource.RLIM_INFINITY) and hard <= HIGH + 10:
        pytest.skip(f"a process may open only {hard} files on this machine")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, HIGH + 100), hard))
    low, writing = zip(os.pipe(), os.pipe(), strict=True)
    reading = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, HIGH) for number in low]
    yield [*reading, *writing]
    for number in (*low, *reading, *writing):
        os.close(number)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_descriptors_above_1023_are_waited_for(pipes: list[int]) -> None:
    first, other, its_end, other_end = pipes
    assert first >= HIGH
    assert readable([first, other], 0.0) == readable([first, other], -1.0) == []
    os.write(other_end, b"x")
    assert readable([first, other], 60.0) == [other]
    writer = threading.Timer(0.05, lambda: os.write(its_end, b"x"))
    writer.start()
    assert readable([first], 1e9) == [first], "what arrives later ends the wait"
    writer.join()
    assert readable([first, other]) == [first, other]
    assert os.read(first, 1) == b"x"
    null = os.open("/dev/null", os.O_WRONLY)
    os.dup2(null, its_end)
    os.close(null)
    assert readable([first], 60.0) == [first], "the end of what is read counts as readable"
    assert os.read(first, 1) == b""


def test_wait_for_another_process_says_for_which_unless_it_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: list[logging.LogRecord]
) -> None:
    lock = tmp_path / "x.lock"

    def waited(seconds: float, silent: float) -> list[str]:
        monkeypatch.setattr(files, "SILENT_SECONDS", silent)
        log.clear()
        with exclusive(lock):
            waiter = threading.Thread(target=hold)
            waiter.start()
            wait_until(lambda: log, seconds)
        waiter.join()
        return [record.getMessage() for record in log]

    def hold() -> None:
        with exclusive(lock, "another backup"):
            pass

    assert waited(0.1, 60.0) == []
    assert waited(60.0, 0.1) == [f"waiting for another backup, which holds {lock}"]


def test_two_processes_may_point_a_link_elsewhere_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, link, others = Path.replace, tmp_path / "image", ["second"]

    def later(path: Path, target: Path) -> Path:
        if others:
            files.point(link, others.pop())
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", later)
    files.point(link, "first")
    assert (str(link.readlink()), list(tmp_path.iterdir())) == ("first", [link])

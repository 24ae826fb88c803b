"""What can be read, of descriptors of any number."""

from __future__ import annotations

import fcntl
import os
import resource
import threading
from collections.abc import Iterator

import pytest

from evaluate.core.waiting import readable

HIGH = 1500


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    """Two pipes, whose reading ends have numbers above 1023."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard not in (-1, resource.RLIM_INFINITY) and hard <= HIGH + 10:
        pytest.skip(f"a process may open only {hard} files on this machine")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, HIGH + 100), hard))
    opened: list[int] = []
    try:
        for _ in range(2):
            low, end = os.pipe()
            opened += [fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, HIGH), end]
            os.close(low)
        yield opened[0], opened[1], opened[2], opened[3]
    finally:
        for number in opened:
            os.close(number)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_descriptors_above_1023_are_waited_for(pipes: tuple[int, int, int, int]) -> None:
    first, its_end, other, other_end = pipes
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

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

"""How many guests `slots: auto` starts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import Sizes
from evaluate.host.capacity import Capacity, HostLoad

GIB = 1 << 30
IDLE = HostLoad(cores=16, load=0.0, memory_bytes=64 * GIB, available_bytes=60 * GIB, guests=0, guests_bytes=0)
SMALL, LARGE = Capacity(processors=1, memory_bytes=2 * GIB), Capacity(processors=4, memory_bytes=8 * GIB)


@pytest.mark.parametrize(
    ("size", "held", "changes", "slots"),
    [
        (SMALL, 0, {}, 16),
        (LARGE, 0, {}, 4),
        (replace(LARGE, memory_bytes=20 * GIB), 0, {}, 2),  # a fifth of the memory is the host's own
        (LARGE, 3, {"load": 12.0}, 4),  # its own guests are no load of others
        (LARGE, 1, {"load": 12.0}, 2),
        (LARGE, 0, {"load": 90.0}, 1),  # the queue goes on
        (LARGE, 0, {"available_bytes": 17 * GIB}, 2),
        (LARGE, 1, {"available_bytes": 17 * GIB, "guests": 1, "guests_bytes": 8 * GIB}, 3),
        (LARGE, 1, {"available_bytes": 17 * GIB, "guests": 1, "guests_bytes": GIB}, 2),  # it will fill its memory
        (SMALL, 0, {"cores": 0}, 1),
    ],
)
def test_slots_are_as_many_as_processors_and_free_memory_bear(
    size: Capacity, held: int, changes: dict[str, float], slots: int
) -> None:
    assert size.now(held, replace(IDLE, **changes)) == slots


def test_guest_is_the_largest_of_the_challenges() -> None:
    small = load_challenge("cinc2017")
    limits = {**small.limits, "exam": replace(small.limits["exam"], processors=4)}
    large = replace(small, limits=limits, sizes=Sizes(memory_bytes=8 * GIB))
    found = Capacity.of([small, large])
    assert found.processors == 4 and 8 * GIB < found.memory_bytes < 9 * GIB
    assert Capacity.of([]).processors == 1


def test_load_of_this_host_is_measured() -> None:
    found = HostLoad.measured()
    assert 0 < found.available_bytes < found.memory_bytes and found.cores > 0

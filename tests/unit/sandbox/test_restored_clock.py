"""A restored guest must show this host's time before others are restored alike."""

from __future__ import annotations

from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import Run, Usage, Verdict
from evaluate.sandbox.libvirt import check_clock

NOW = 1_800_000_000


class Guest:
    """Shows times."""

    def __init__(self, shown: bytes) -> None:
        self.shown = shown

    def run(self, *_asked: Any) -> Run:
        return Run(verdict=Verdict.OK, usage=Usage(), stdout=self.shown)


def shown(*offsets: int) -> Any:
    return Guest("".join(f"{NOW + offset}\n" for offset in offsets).encode())


def test_clock_that_shows_the_time_and_goes_on_is_well() -> None:
    check_clock(shown(0, 1), lambda: NOW)


@pytest.mark.parametrize(
    "offsets",
    [(-86400, -86399), (0, 0), (86400, 86401), (1, 0), (0, 600), (0,)],
    ids=["saved yesterday", "stands", "ahead", "backwards", "fast", "once"],
)
def test_any_other_clock_is_a_fault_that_says_what_was_expected(offsets: tuple[int, ...]) -> None:
    with pytest.raises(SandboxFault, match="expected two seconds from"):
        check_clock(shown(*offsets), lambda: NOW)


def test_output_that_is_no_time_is_a_fault() -> None:
    with pytest.raises(SandboxFault, match="found OK b'no date'"):
        check_clock(Guest(b"no date"), lambda: NOW)  # type: ignore[arg-type]

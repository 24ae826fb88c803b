"""A restored guest must show this host's time before others are restored alike."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import Run, Usage, Verdict
from evaluate.sandbox.libvirt import check_clock

NOW = 1_800_000_000


def showing(text: str) -> Any:
    """A guest that prints this text."""
    return SimpleNamespace(run=lambda *_: Run(verdict=Verdict.OK, usage=Usage(), stdout=text.encode()))


def test_clock_that_shows_the_time_and_goes_on_is_well() -> None:
    check_clock(showing(f"{NOW} {NOW + 1}"), lambda: NOW)


@pytest.mark.parametrize(
    "text",
    [
        *(f"{NOW - 86400} {NOW - 86399}", f"{NOW} {NOW}", f"{NOW + 86400} {NOW + 86401}", f"{NOW + 1} {NOW}"),
        *(f"{NOW} {NOW + 600}", f"{NOW}", "no date"),
    ],
    ids=["saved yesterday", "paused", "ahead", "backwards", "fast", "once", "no time"],
)
def test_any_other_clock_is_a_fault_that_says_what_was_expected(text: str) -> None:
    with pytest.raises(SandboxFault, match=r"expected two seconds from .*, found"):
        check_clock(showing(text), lambda: NOW)

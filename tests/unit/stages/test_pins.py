"""Pinned versions that cannot be installed, and others in their place where the organiser allows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.core.errors import EntryError
from evaluate.stages.pins import install
from evaluate.untrusted.requirements import NotInstallable, loosened, requirement

ASKED = b"numpy==1.19.4\njoblib==0.17.0\nwfdb>=4\n"
NEAREST = b"numpy>=1.23.2,<1.26\njoblib==0.17.0\nwfdb>=4"


class Index:
    """Has no numpy 1.19.4, and what it has of ``lacking`` goes with nothing."""

    def __init__(self, lacking: bytes = b"none", instead: bytes = NEAREST) -> None:
        self.lacking, self.instead = lacking, instead
        self.asked: list[bytes] = []

    def wheels(self, requirements: bytes) -> Path | None:
        self.asked.append(requirements)
        if b"numpy==" in requirements:
            one = requirement("numpy==1.19.4", 1)
            assert one is not None
            raise NotInstallable(
                [one.refused("there is no wheel of it")], {"numpy==1.19.4": "numpy>=1.23.2,<1.26"}, self.instead
            )
        if self.lacking in requirements:
            raise EntryError(f"requirements.txt cannot be fulfilled: {self.lacking.decode()}")
        return Path("/layers/wheels.squashfs")


def test_nearest_version_is_installed_and_named_with_the_reason() -> None:
    layer, notes = install(Index(), ASKED, newer=True)
    assert layer is not None and notes == [
        "note: requirements.txt is older than this Python; installed: numpy>=1.23.2,<1.26 in the place of "
        "numpy==1.19.4",
        "note: requirements.txt line 1: numpy==1.19.4: there is no wheel of it",
    ]


def test_pins_that_do_not_go_with_it_are_loosened_too() -> None:
    index = Index(lacking=b"joblib==")
    _, notes = install(index, ASKED, newer=True)
    assert "joblib>=0.17.0 in the place of joblib==0.17.0" in notes[0] and "numpy==1.19.4" in notes[0]
    assert index.asked == [ASKED, NEAREST, b"numpy<1.26,>=1.23.2\njoblib>=0.17.0\nwfdb>=4"]


@pytest.mark.parametrize("instead", [NEAREST, b"wfdb>=4"])
def test_tried_versions_are_named_where_they_do_not_suffice(instead: bytes) -> None:
    with pytest.raises(EntryError, match=r"cannot be fulfilled: wfdb\n.*tried: numpy>=1.23.2,<1.26 in the place of"):
        install(Index(b"wfdb", instead), ASKED, newer=True)


def test_nothing_is_replaced_without_leave() -> None:
    with pytest.raises(NotInstallable, match=r"line 1: numpy==1\.19\.4"):
        install(Index(), ASKED, newer=False)


def test_pins_become_lower_bounds_and_nothing_else_changes() -> None:
    found = loosened(b"a==1.*\nb[x]==2,!=3\nc>=1\nd\n")
    assert found == (b"a==1.*\nb[x]!=3,>=2\nc>=1\nd", {"b[x]!=3,==2": "b[x]!=3,>=2"})

"""Readers that were taken over, and parts of the machine that fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.attack.cases import NOT_TRIED
from evaluate.attack.guests import Guests
from evaluate.attack.suite import IMAGE
from evaluate.host.accelerators import open_hypervisor
from evaluate.images.image import load_image
from tests.attacks.attacks import Attack, attacks
from tests.attacks.faults import FaultPlace, inject
from tests.attacks.readers import reader
from tests.support.passable import let_pass


@pytest.mark.parametrize("case", attacks("reader"), ids=lambda case: case.name)
def test_host_believes_no_reader_that_was_taken_over(case: Attack, tmp_path: Path) -> None:
    seen = reader(case, tmp_path)
    if seen.outcome == NOT_TRIED:
        pytest.skip(seen.text)
    assert case.holds(seen), seen


@pytest.mark.vm
@pytest.mark.long
@pytest.mark.parametrize("case", attacks("fault"), ids=lambda case: case.name)
def test_part_that_fails_is_blamed_on_no_entry(case: Attack, state: Path, hypervisor: object, tmp_path: Path) -> None:
    let_pass(tmp_path)
    image = load_image(IMAGE, state)
    opened = open_hypervisor(state, image, "tcg")
    with Guests(opened, image, tmp_path) as guests:
        place = FaultPlace(state=state, scratch=tmp_path, guests=guests, hypervisor=opened, image=image)
        seen = inject(case, place)
    if seen.outcome == NOT_TRIED:
        pytest.skip(seen.text)
    assert case.holds(seen), seen

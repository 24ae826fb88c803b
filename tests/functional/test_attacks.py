"""Readers that were taken over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.readers import ATTACKS, Attack, assert_repelled, memory_is_bounded


@pytest.mark.parametrize(
    ("attack", "reader"),
    [
        pytest.param(attack, reader, id=f"{attack.name}-{reader}")
        for attack in ATTACKS
        for reader in attack.readers.split()
    ],
)
def test_host_believes_no_reader_that_was_taken_over(attack: Attack, reader: str, tmp_path: Path) -> None:
    if attack.name == "group" and not memory_is_bounded():
        pytest.skip("no control group with memory is delegated to this process (systemd-run --property=Delegate=yes)")
    assert_repelled(attack, reader, tmp_path)

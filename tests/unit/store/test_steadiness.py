"""Findings of `challenge check` on scorers, of several challenges at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from evaluate.store.steadiness import keep_steadiness, unsteady


def test_checks_of_other_challenges_at_once_lose_no_finding(tmp_path: Path) -> None:
    names = [f"c{n}" for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: keep_steadiness(tmp_path, name, f"differs in {name}"), names))
    assert all(f"found: differs in {name};" in unsteady(tmp_path, name) for name in names)
    keep_steadiness(tmp_path, "c3", "")
    assert unsteady(tmp_path, "c3") == "" and unsteady(tmp_path, "c4")

"""What killed processes left goes by itself; what may be somebody's stays."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from evaluate.operate.leftovers import sweep
from evaluate.sandbox.run_folders import RunFolders
from tests.support.queues import queue

WEEK = 7 * 86400.0
LEFT = (
    "receipt-log/receipts/.build-abc/receipt.json",
    "entries/00ff.pruned.1a2b.part/archive",
    "images/bookworm-1.pruned.1a2b.part/vmlinuz",
    "layers/k.squashfs.pruned.1a2b.part",
    "evidence/e1.pruned.1a2b.part/fault.json",
    "cache/wheels.pruned.1a2b.part/one",
)


@pytest.mark.parametrize("age", [WEEK, 0.0])
def test_unfinished_things_go_a_day_later(tmp_path: Path, age: float) -> None:
    stays = ("receipt-log/receipts/7/receipt.json", "images/bookworm-1/vmlinuz", "layers/k.squashfs")
    at = time.time() - age
    with queue(tmp_path) as store:
        for name in (*LEFT, *stays):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            for changed in (path, path.parent):
                os.utime(changed, (at, at))
        assert sweep(store, tmp_path, tmp_path) == (len(LEFT) if age else 0)
    assert {name for name in LEFT if (tmp_path / name).exists()} == (set() if age else set(LEFT))
    assert all((tmp_path / name).exists() for name in stays)


def test_folders_of_submissions_that_were_killed_go_at_once(tmp_path: Path) -> None:
    runs = RunFolders(tmp_path / "runs")
    for name in ("submission-dead", "recount-dead"):  # one may have a machine, which others end first
        (tmp_path / "runs" / name).mkdir()
        (tmp_path / "runs" / name / "owner.lock").touch()
    with queue(tmp_path) as store, runs.new("submission") as alive:
        assert sweep(store, tmp_path, tmp_path) == 1
        assert alive.is_dir()
        assert not (tmp_path / "runs" / "submission-dead").exists()
        assert (tmp_path / "runs" / "recount-dead").exists()

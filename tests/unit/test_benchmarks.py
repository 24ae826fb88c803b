"""The benchmark of the metrics at its smallest, so that it does not rot; its times are judged by people."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from metrics.adaptor2021 import match_points
from metrics.froc import Froc
from tests.benchmarks import _inputs as inputs
from tests.benchmarks.metrics import ITEMS, froc_as_published, greedy_as_published
from tests.conftest import CHECKOUT


def test_benchmark_measures_and_writes_what_it_found(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "tests.benchmarks.metrics", "--quick", "--only", "froc", "adaptor"]
    done = subprocess.run(
        [*argv, "--json", str(tmp_path / "found.json")], capture_output=True, text=True, check=False, cwd=CHECKOUT
    )
    assert done.stderr == ""
    found = json.loads((tmp_path / "found.json").read_text())
    assert set(found) == {"froc", "adaptor"}
    for numbers in found.values():
        assert numbers["best"] > 0
        assert numbers["ratio"] > 0
        assert numbers["bytes"] > 1e6


def test_there_is_an_item_for_every_promise() -> None:
    assert {"froc", "mask", "mlperf", "kits19", "kits23", "cpsc", "cinc", "adaptor"} <= {item.name for item in ITEMS}


def test_froc_as_published_is_ours() -> None:
    slides = inputs.slide_hits(6, 10)
    ours = Froc(slides, as_official=True).sensitivities(np.ones(6, np.int64))
    assert froc_as_published(slides) == pytest.approx(ours.tolist())


@pytest.mark.parametrize("n", [1, 20, 40])
def test_matching_as_published_is_ours(n: int) -> None:
    labels, points = inputs.crowded_frame(n)
    assert greedy_as_published(labels, points) == len(match_points(labels, points))

"""What programs of others import of `metrics`."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import metrics


@pytest.mark.parametrize("name", metrics.names())
def test_every_metric_has_a_module_of_its_name(name: str) -> None:
    module = importlib.import_module(f"metrics.{name}")
    assert module.METRIC is metrics.get(name)
    assert module.__doc__


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("metrics", ["AnswerError", "MetricError", "Note", "ReferenceDataError", "ScoreReport", "get", "names"]),
        ("metrics.scoring", ["as_json", "as_text", "board", "both", "table"]),
        ("metrics.uncertainty", ["FEWEST_CLUSTERS", "clusters_of", "compare", "intervals", "resampled", "tied_groups"]),
        ("metrics.ranking", ["Ranking", "rank"]),
        ("metrics.plots", ["af_timeline", "plots_of", "save_plot", "save_plots"]),
        ("metrics.mlperf_kits19", ["EVALUATION_CASES", "merge_shards", "score_shard"]),
    ],
)
def test_published_names_can_be_imported(module: str, names: list[str]) -> None:
    found = importlib.import_module(module)
    assert [name for name in names if not hasattr(found, name)] == []


def test_import_of_the_package_loads_no_numpy() -> None:
    code = "import sys, metrics; metrics.names(); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

"""What programs of others import of `metrics`."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import metrics
from metrics import ranking, scoring


@pytest.mark.parametrize("name", metrics.names())
def test_every_metric_has_a_module_of_its_name(name: str) -> None:
    module = importlib.import_module(f"metrics.{name}")
    assert module.METRIC is metrics.get(name)
    assert module.__doc__


def test_published_names_that_nothing_here_imports_are_there() -> None:
    assert all(map(callable, (scoring.score_all, scoring.table, ranking.Ranking)))


@pytest.mark.parametrize(
    "code",
    [
        "import metrics; metrics.names()",
        "import metrics.adapters, metrics.scoring",
        "from metrics.adapters import score_arrays as s; s({'measure': 'classification.auroc'}, [0, 1], [0.1, 0.2])",
        "from metrics.generic import make; make({'measure': 'classification.f1'}).score('r.csv', 'a.json')",
        "import metrics; metrics.get('cinc2017').score('r.csv', 'a.csv')",
    ],
)
def test_scores_of_arrays_and_tables_load_no_large_library(code: str, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("A1,N\nA2,A\n")
    (tmp_path / "a.csv").write_text("A1,N\nA2,A\n")
    (tmp_path / "a.json").write_text('{"A1": "N", "A2": "A"}')
    large = ("numpy",) * code.endswith("names()") + ("scipy", "pandas", "wfdb", "nibabel", "matplotlib", "sklearn")
    code += f"; import sys; print([name for name in {large} if name in sys.modules])"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert shown.stdout.strip() == "[]"

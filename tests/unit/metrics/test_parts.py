"""Every metric of a challenge is written in the same four parts, in the same order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from metrics import challenges

FILES = sorted(path for path in Path(challenges.__path__[0]).glob("*.py") if "METRIC = " in path.read_text())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_metric_says_its_convention_then_validates_measures_and_reports(file: Path) -> None:
    text = file.read_text()
    assert re.findall(r"^(Conventions|# Validate|# Measure|# Report)\b", text, re.MULTILINE) == [
        "Conventions",
        "# Validate",
        "# Measure",
        "# Report",
    ]
    assert text.rstrip().splitlines()[-1].startswith("METRIC = ")


def test_seven_metrics_are_looked_at() -> None:
    assert len(FILES) == 7

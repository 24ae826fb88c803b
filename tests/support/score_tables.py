"""Small tables of references and answers for tests of generic measures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from metrics.base import ScoreReport
from metrics.generic import make


def write(path: Path, text: str) -> Path:
    """Write lines without their indentation, folders included."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(line.strip() for line in text.strip().splitlines()) + "\n")
    return path


def column(name: str, values: Sequence[object], names: Sequence[str] | None = None) -> str:
    """A CSV text ``record,<name>``; records are r0, r1, … if not named."""
    records = names or [f"r{i}" for i in range(len(values))]
    return f"record,{name}\n" + "".join(f"{r},{v}\n" for r, v in zip(records, values, strict=True))


def scored(folder: Path, spec: Mapping[str, Any], references: str, answers: str, **options: Any) -> ScoreReport:
    """The report of two CSV texts; ``options`` are those of its scoring, such as ``records``."""
    paths = write(folder / "references.csv", references), write(folder / "answers.csv", answers)
    return make(spec).score(*paths, **options)


def check(report: ScoreReport, expected: Mapping[str, Any]) -> None:
    """Assert the score alone, or all values with the score first; rows of records by their names; and ``notes``."""
    values = {name: value for name, value in expected.items() if not isinstance(value, dict | tuple)}
    assert report.primary == next(iter(values))
    found = report.values if len(values) > 1 else {report.primary: report.values[report.primary]}
    assert found == pytest.approx(values, abs=1e-12, nan_ok=True)
    for name, row in expected.items():
        if isinstance(row, dict):
            assert report.per_record[name] == pytest.approx(row)
    assert report.notes == expected.get("notes", report.notes)

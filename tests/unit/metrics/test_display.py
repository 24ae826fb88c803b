"""Results as text."""

from __future__ import annotations

from pathlib import Path

import pytest

import metrics
from metrics.base import ScoreReport
from metrics.ranking import rank
from metrics.scoring import both
from metrics.uncertainty import compare


@pytest.fixture
def report(tmp_path: Path) -> ScoreReport:
    truth = [f"A{i},{'NAO~'[i % 4]}\n" for i in range(40)]
    (tmp_path / "REFERENCE.csv").write_text("".join(truth))
    (tmp_path / "answers.txt").write_text("".join(truth[:30]))
    return metrics.get("cinc2017").score(tmp_path / "REFERENCE.csv", tmp_path / "answers.txt")


def test_results_are_tables_when_they_are_printed(report: ScoreReport) -> None:
    lines = str(report).splitlines()
    assert lines[0].split() == ["cinc2017", "corrected"]
    assert lines[1].split() == ["F1", f"{report.values['F1']:.4f}"]
    assert "note: 10 of 40 records have no answer" in str(report)
    assert str(rank({"a": report, "b": report})).splitlines()[1].split()[:2] == ["1", "a"]
    assert str(compare(report, report)).startswith("F1: difference +0.0000, 95 % interval -0.063 to 0.063, p = 1.000")


def test_a_scoring_without_an_organisers_program_has_no_column_of_it(tmp_path: Path) -> None:
    for name in ("r", "a"):
        (tmp_path / name).write_text("record,label\n" + "".join(f"r{i},{'ab'[i % 2]}\n" for i in range(9)))
    pair = both('{"measure": "classification.f1"}', tmp_path / "r", tmp_path / "a")
    assert "official" not in str(pair)
    module = tmp_path / "own.py"
    module.write_text(
        "from metrics import ScoreReport\n"
        "class Own:\n"
        "    name = 'own'\n"
        "    def score(self, references, answers, *, records=None, rules='corrected'):\n"
        "        return ScoreReport(metric='own', rules=rules, primary='x', values={'x': 1.0})\n"
        "METRIC = Own()\n"
    )
    assert "official" not in str(both(str(module), tmp_path / "r", tmp_path / "a"))


def test_a_scoring_shows_intervals_and_official_numbers(report: ScoreReport, tmp_path: Path) -> None:
    pair = both("cinc2017", tmp_path / "REFERENCE.csv", tmp_path / "answers.txt")
    text = str(pair)
    low, high = pair.intervals.of["F1"]
    assert f"{low:.3f} to {high:.3f}" in text and "official" in text

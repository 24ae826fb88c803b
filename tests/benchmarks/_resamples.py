"""What 1,000 resamples of every generic measure cost beside one scoring from files."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from metrics.generic import make
from metrics.statistics.uncertainty import intervals
from tests.benchmarks import _inputs as inputs
from tests.support.volume_files import write_volume

MOST = 5.0
"""Scorings that 1,000 resamples may cost."""
_MASKED = 40
"""Records of masks, each of 48 x 48 x 24 voxels."""
ROUNDS = 9
Clock = Callable[[Callable[[], object]], float]
"""CPU seconds of one call."""


@dataclass(frozen=True, kw_only=True)
class Resampled:
    """CPU seconds of one scoring from files, and of its 1,000 resamples."""

    measure: str
    records: int
    scoring: float
    resamples: float

    @property
    def ratio(self) -> float:
        """How many scorings the resamples cost."""
        return self.resamples / self.scoring

    @property
    def kept(self) -> bool:
        """Whether they cost no more than promised."""
        return self.ratio <= MOST


def _table(path: Path, header: str, columns: list[NDArray[Any]]) -> None:
    rows = zip(*(column.tolist() for column in columns), strict=True)
    lines = "".join(f"r{i},{','.join(map(str, row))}\n" for i, row in enumerate(rows))
    path.write_text(f"record,{header}\n{lines}")


def _labels(folder: Path, n: int) -> None:
    r = inputs.random()
    truth = r.choice(list("ABC"), n)
    _table(folder / "references.csv", "label", [truth])
    _table(folder / "answers.csv", "label", [np.where(r.random(n) < 0.8, truth, r.choice(list("ABC"), n))])


def _scores(folder: Path, n: int) -> None:
    r = inputs.random()
    truth = r.integers(0, 2, n)
    _table(folder / "references.csv", "label", [truth])
    _table(folder / "answers.csv", "score", [(1 / (1 + np.exp(-truth - r.normal(size=n)))).round(4)])


def _hospitals(folder: Path, n: int) -> None:
    _scores(folder, n)
    r = inputs.random()
    _table(folder / "references.csv", "label,hospital", [r.integers(0, 2, n), r.choice(list("ABCDE"), n)])


def _ages(folder: Path, n: int) -> None:
    r = inputs.random()
    _table(folder / "references.csv", "label,age", [r.integers(0, 2, n), r.integers(40, 90, n)])
    _table(folder / "answers.csv", "label,score", [r.integers(0, 2, n), r.random(n).round(3)])


def _sets(folder: Path, n: int) -> None:
    r = inputs.random()
    truth = r.random((n, 4)) < 0.3
    for name, found in (("references", truth), ("answers", truth ^ (r.random((n, 4)) < 0.1))):
        cells = ["|".join(label for label, there in zip("ABCD", row, strict=True) if there) for row in found.tolist()]
        _table(folder / f"{name}.csv", "labels", [np.array(cells)])


def _set_scores(folder: Path, n: int) -> None:
    r = inputs.random()
    _sets(folder, n)
    _table(folder / "answers.csv", "p_A,p_B,p_C,p_D", list(r.random((4, n)).round(3)))


def _numbers(folder: Path, n: int) -> None:
    r = inputs.random()
    truth = r.normal(50, 10, n).round(2)
    _table(folder / "references.csv", "value", [truth])
    _table(folder / "answers.csv", "value", [(truth + r.normal(0, 5, n)).round(2)])


def _members(folder: Path, n: int) -> None:
    _numbers(folder, n)
    _table(folder / "answers.csv", ",".join(f"x_{k}" for k in range(10)), list(inputs.random().normal(50, 10, (10, n))))


def _survival(folder: Path, n: int) -> None:
    inputs.survival_tables(folder, n)


def _chances_to_live(folder: Path, n: int) -> None:
    _survival(folder, n)
    _table(folder / "answers.csv", "s_5,s_10", list(np.sort(inputs.random().random((2, n)), axis=0)[::-1]))


def _rows(path: Path, header: str, rows: list[list[str]]) -> None:
    lines = (f"r{i},{row}\n" for i, own in enumerate(rows) for row in own or ["," * header.count(",")])
    path.write_text(f"record,{header}\n" + "".join(lines))


def _points(folder: Path, n: int) -> None:
    r = inputs.random()
    objects = [r.integers(0, 500, (r.integers(0, 4), 2)) for _ in range(n)]
    found = [np.concatenate([own + r.integers(-6, 7, own.shape), r.integers(0, 500, (4, 2))]) for own in objects]
    _rows(folder / "references.csv", "x,y", [[f"{x},{y}" for x, y in own.tolist()] for own in objects])
    answers = [[f"{x},{y},{r.random():.4f}" for x, y in own.tolist()] for own in found]
    _rows(folder / "answers.csv", "x,y,score", answers)


def _events(folder: Path, n: int) -> None:
    r = inputs.random()
    onsets = [np.sort(r.integers(0, 3600, r.integers(0, 5))) for _ in range(n)]
    for name in ("references", "answers"):
        rows = [[f"{a + r.integers(0, 4)},{a + 10 + r.integers(0, 4)}" for a in own.tolist()] for own in onsets]
        _rows(folder / f"{name}.csv", "onset,offset", rows)


def _masks(folder: Path, n: int) -> None:
    r = inputs.random()
    grid = np.ogrid[:48, :48, :24]
    for name in ("references", "answers"):
        for i in range(max(8, round(n * _MASKED / 1000))):  # fewer give no interval
            centre = r.integers(10, 14, 3)
            ball = sum((axis - place) ** 2 for axis, place in zip(grid, centre, strict=True)) < 81
            write_volume(folder / name / f"r{i}.nii", np.asarray(ball, np.uint8))


Write = Callable[[Path, int], None]
SPECIFICATIONS: tuple[tuple[Write, Mapping[str, Any]], ...] = (
    (_labels, {"measure": "classification.accuracy"}),
    (_labels, {"measure": "classification.balanced_accuracy"}),
    (_labels, {"measure": "classification.f1"}),
    (_labels, {"measure": "classification.mcc"}),
    (_labels, {"measure": "classification.cost", "costs": {a: {b: 1 for b in "ABC" if b != a} for a in "ABC"}}),
    (_scores, {"measure": "classification.auroc"}),
    (_scores, {"measure": "classification.auprc"}),
    (_scores, {"measure": "classification.log_loss"}),
    (_scores, {"measure": "classification.brier"}),
    (_scores, {"measure": "classification.calibration_error"}),
    *(
        (_labels, {"measure": f"classification.{name}", "positive": "A"})
        for name in ("sensitivity", "specificity", "ppv", "npv", "youden")
    ),
    (_labels, {"measure": "classification.weighted_kappa"}),
    (_labels, {"measure": "classification.weighted_accuracy", "weights": {"A": 5, "B": 3, "C": 1}}),
    *(
        (_scores, {"measure": f"classification.{name}", "at": 0.8})
        for name in (
            "sensitivity_at_specificity",
            "specificity_at_sensitivity",
            "ppv_at_sensitivity",
            "npv_at_specificity",
            "sensitivity_at_ppv",
        )
    ),
    (_scores, {"measure": "classification.partial_auroc", "up_to": 0.2}),
    (_scores, {"measure": "classification.top_fraction"}),
    *((_sets, {"measure": f"multilabel.{name}"}) for name in ("f1", "exact_match", "hamming_loss", "jaccard")),
    *((_set_scores, {"measure": f"multilabel.{name}"}) for name in ("auroc", "auprc")),
    (_sets, {"measure": "multilabel.reward", "normal": "A", "rewards": {a: {a: 1} for a in "ABCD"}}),
    (_labels, {"measure": "physionet.cost2022", "positive": "A"}),
    (_hospitals, {"measure": "physionet.outcome2023"}),
    (_hospitals, {"measure": "physionet.prioritised2025"}),
    (_ages, {"measure": "physionet.reward2026"}),
    (_numbers, {"measure": "regression.mae"}),
    (_numbers, {"measure": "regression.rmse"}),
    (_numbers, {"measure": "regression.r2"}),
    (_numbers, {"measure": "regression.concordance"}),
    *((_numbers, {"measure": f"regression.{name}"}) for name in ("ccc", "pearson", "spearman", "mape")),
    (_numbers, {"measure": "regression.pinball", "quantile": 0.5}),
    (_survival, {"measure": "survival.c_index"}),
    (_points, {"measure": "detection.f1", "distance": 5}),
    (_points, {"measure": "detection.froc", "distance": 5}),
    (_points, {"measure": "detection.map", "distance": 5}),
    (_points, {"measure": "detection.average_recall", "distance": 5}),
    (_events, {"measure": "events.f1", "onset_tolerance_seconds": 2}),
    (_events, {"measure": "events.overlap"}),
    (_events, {"measure": "events.duration"}),
    (_events, {"measure": "events.beats"}),
    (_masks, {"measure": "segmentation.dice"}),
    (_masks, {"measure": "segmentation.iou"}),
    (_masks, {"measure": "segmentation.nsd"}),
    (_masks, {"measure": "segmentation.hd95"}),
    (_masks, {"measure": "segmentation.assd"}),
    *((_masks, {"measure": f"segmentation.{name}"}) for name in ("volume_error", "lesion_dice")),
)


def compare(write: Write, specification: Mapping[str, Any], n: int, clock: Clock, rounds: int = ROUNDS) -> Resampled:
    """Score n records of one measure (fewer of masks) and resample them, the best of some rounds each."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write(folder, n)
        tables = (folder / "references.csv").exists()
        references, answers = (folder / f"{name}{'.csv' if tables else ''}" for name in ("references", "answers"))
        metric = make(specification)
        report = metric.score(references, answers)
        assert report.resampler is not None

        def resample() -> None:
            assert report.primary in intervals(report, resamples=1000).of

        # in turn, so that other programs on the machine slow both alike
        seconds = [(clock(lambda: metric.score(references, answers)), clock(resample)) for _ in range(rounds)]
        scoring, resamples = (min(each) for each in zip(*seconds, strict=True))
        return Resampled(
            measure=str(specification["measure"]),
            records=len(report.resampler.records),
            scoring=scoring,
            resamples=resamples,
        )


def show(console: Console, clock: Clock, n: int = 1000, rounds: int = ROUNDS) -> bool:
    """Print the table of all measures; returns whether each keeps the promise."""
    table = Table("measure", title="1,000 resamples and one scoring from files", box=None, pad_edge=False)
    for title in ("records", "scoring", "resamples", "ratio"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column(f"≤ {MOST:g}x")
    kept = True
    for write, specification in SPECIFICATIONS:
        found = compare(write, specification, n, clock, rounds)
        kept &= found.kept
        table.add_row(
            found.measure,
            str(found.records),
            f"{1000 * found.scoring:.1f} ms",
            f"{1000 * found.resamples:.1f} ms",
            f"{found.ratio:.2f}x",
            "ok" if found.kept else "missed",
        )
    console.print(table)
    return kept

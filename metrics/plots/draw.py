"""Pictures as SVG and PNG files, by matplotlib: no window, no global state, the same numbers give the same bytes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import singledispatch
from pathlib import Path
from typing import Any

import numpy as np

from metrics.plots.data import AfTimeline, CaseDice, Confusion, FrocCurve, LandmarkErrors, Plot, RocCurve

try:
    import matplotlib as mpl
    from matplotlib.figure import Figure
except ImportError as e:
    raise ImportError("pictures need matplotlib: pip install 'sandbox-evaluate[plots]'") from e

# Okabe and Ito's colours, which people with any colour vision can tell apart
BLUE, ORANGE, GREEN, GREY, RED = "#0072B2", "#E69F00", "#009E73", "#8c8c8c", "#D55E00"
_SERIES = (BLUE, ORANGE, GREEN)
_SETTINGS: Any = {
    "svg.hashsalt": "metrics",
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "legend.frameon": False,
}
_MOST_NAMED_CASES = 50
_LONGEST_NAME = 24


def save(plot: Plot, folder: Path, *, formats: Sequence[str] = ("svg", "png")) -> list[Path]:
    """Draw one picture to ``<folder>/<metric>-<picture>.<format>``; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = plot.title.partition(",")[0].partition(":")[0].replace("/", "_").replace(" ", "_")
    files = []
    with mpl.rc_context(_SETTINGS):
        figure = draw(plot)
        for kind in formats:
            files.append(folder / f"{stem}-{plot.name}.{kind}")
            figure.savefig(files[-1], dpi=150, metadata={"Date": None} if kind == "svg" else {"Software": None})
    return files


@singledispatch
def draw(plot: Plot) -> Figure:
    """A matplotlib figure of a picture's numbers."""
    raise TypeError(f"no drawing of {type(plot).__name__}")


def _figure(plot: Plot, width: float = 6.0, height: float = 4.0, **options: Any) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(**options)
    (axes if not isinstance(axes, np.ndarray) else axes.flat[0]).set_title(plot.title)
    return figure, axes


@draw.register
def _(plot: Confusion) -> Figure:
    rows, columns = len(plot.references), len(plot.answers)
    figure, axes = _figure(plot, 1.9 + 0.95 * columns, 1.5 + 0.75 * rows)
    counts = np.array(plot.counts, float)
    totals = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for i in range(rows):
        for j in range(columns):
            text = f"{int(counts[i, j])}" + (f"\n{share[i, j]:.0%}" if totals[i, 0] else "")
            axes.text(j, i, text, ha="center", va="center", color="white" if share[i, j] > 0.55 else "black")
    axes.set_xticks(range(columns), plot.answers)
    axes.set_yticks(range(rows), plot.references)
    axes.set_xlabel("answer")
    axes.set_ylabel("reference (share of the row)")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


@draw.register
def _(plot: FrocCurve) -> Figure:
    figure, axes = _figure(plot)
    if plot.band:
        x, low, high = zip(*plot.band, strict=True)
        axes.fill_between(x, low, high, color=BLUE, alpha=0.18, linewidth=0, label="95 % over slides")
    if len(plot.false_positives) > 1 and np.isfinite(plot.sensitivity).all():
        rates = [rate for rate, _ in plot.points]
        grid = np.unique(np.concatenate([np.geomspace(rates[0] / 4, rates[-1] * 1.5, 400), plot.false_positives]))
        grid = grid[(grid >= rates[0] / 4) & (grid <= rates[-1] * 1.5)]
        axes.plot(grid, np.interp(grid, plot.false_positives, plot.sensitivity), color=BLUE)
    bounds = "" if math.isnan(plot.interval[0]) else f" [{plot.interval[0]:.3f}, {plot.interval[1]:.3f}]"
    label = "no lesion to find" if math.isnan(plot.score) else f"score {plot.score:.4f}{bounds}"
    axes.plot(*zip(*plot.points, strict=True), "o", color=RED, label=label, clip_on=False)
    axes.set_xscale("log", base=2)
    axes.set_xticks([rate for rate, _ in plot.points], [f"{rate:g}" for rate, _ in plot.points])
    axes.minorticks_off()
    axes.set_xlim(plot.points[0][0] / 2, plot.points[-1][0] * 1.3)
    axes.set_ylim(0, 1.02)
    axes.grid(alpha=0.3)
    axes.set_xlabel("false positives per slide (mean)")
    axes.set_ylabel("sensitivity for lesions")
    axes.legend(loc="upper left" if plot.points[0][1] < 0.5 else "lower right")
    return figure


@draw.register
def _(plot: RocCurve) -> Figure:
    figure, axes = _figure(plot, 4.6, 4.6)
    bounds = "" if math.isnan(plot.interval[0]) else f" [{plot.interval[0]:.3f}, {plot.interval[1]:.3f}]"
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
    axes.plot(plot.false_positive_rate, plot.true_positive_rate, color=BLUE, label=f"AUC {plot.auc:.4f}{bounds}")
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    axes.set_xlabel("false positive rate (slides)")
    axes.set_ylabel("true positive rate (slides)")
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    return figure


@draw.register
def _(plot: CaseDice) -> Figure:
    n = len(plot.cases)
    named = n <= _MOST_NAMED_CASES
    figure, axes = _figure(plot, min(12.0, max(6.0, 2.5 + 0.16 * n)) if named else 8.0, 4.4 if named else 4.0)
    for (name, values), colour in zip(plot.series.items(), _SERIES, strict=False):
        mean = float(np.nanmean(values)) if np.isfinite(values).any() else math.nan
        axes.plot(range(n), values, "o", color=colour, markersize=5 if named else 2.5, label=f"{name}, mean {mean:.4f}")
        axes.axhline(mean, color=colour, linewidth=0.8, alpha=0.6)
    if not math.isnan(plot.target):
        axes.axhline(plot.target, color=GREY, linestyle="--", linewidth=1, label=f"target of the mean {plot.target:g}")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlim(-0.7, n - 0.3)
    axes.set_ylabel("Dice")
    axes.grid(axis="y", alpha=0.3)
    if named:
        axes.set_xticks(range(n), [_short(case) for case in plot.cases], rotation=90, fontsize=8)
    else:
        axes.set_xlabel("cases, from the lowest to the highest Dice")
        axes.set_xticks([])
    figure.legend(loc="outside lower center", ncols=2)
    return figure


@draw.register
def _(plot: LandmarkErrors) -> Figure:
    figure, (left, right) = _figure(plot, 8.0, 3.8, ncols=2, width_ratios=(1, 1.1))
    bins = np.linspace(0, plot.radius_px, 25)
    left.hist(plot.distances_px, bins=bins, color=BLUE)
    if not plot.distances_px:
        left.text(plot.radius_px / 2, 0.5, "no landmark matched", ha="center", color=GREY)
        left.set_ylim(0, 1)
        left.set_yticks([])
    else:
        median = float(np.median(plot.distances_px))
        left.axvline(median, color=RED, linewidth=1.2, label=f"median {median:.2f} px")
        left.legend()
    left.set_xlim(0, plot.radius_px)
    left.set_xlabel(f"distance of matched landmarks (px, at most {plot.radius_px:g})")
    left.set_ylabel("landmarks")
    patients = list(plot.counts)
    start = np.zeros(len(patients))
    for i, (name, colour) in enumerate((("found (TP)", BLUE), ("false (FP)", ORANGE), ("missed (FN)", GREY))):
        widths = np.array([plot.counts[patient][i] for patient in patients], float)
        right.barh(range(len(patients)), widths, left=start, color=colour, label=name)
        start += widths
    if len(patients) <= _MOST_NAMED_CASES:
        right.set_yticks(range(len(patients)), [_short(patient) for patient in patients], fontsize=8)
    else:
        right.set_yticks([])
        right.set_ylabel("patients")
    right.set_ylim(max(2.0, len(patients)) - 0.4, -0.6)
    right.set_xlabel("landmarks")
    figure.legend(*right.get_legend_handles_labels(), loc="outside lower right", ncols=3)
    return figure


@draw.register
def _(plot: AfTimeline) -> Figure:
    figure, axes = _figure(plot, 8.0, 2.4)
    unit, label = (60.0, "minutes") if plot.seconds > 600 else (1.0, "seconds")
    for first, last, reward in plot.rewards:
        axes.axvspan(first / unit, last / unit, color=GREEN, alpha=0.28 * reward, linewidth=0)
    least = plot.seconds / 400  # so that a very short episode can be seen
    for row, (episodes, colour) in enumerate(((plot.reference, BLUE), (plot.answered, ORANGE))):
        spans = [(start / unit, max(least, end - start) / unit) for start, end in episodes]
        axes.broken_barh(spans, (row - 0.32, 0.64), color=colour)
        if not episodes:
            axes.text(plot.seconds / unit / 2, row, "no episode", ha="center", va="center", color=GREY)
    axes.set_yticks([0, 1], ["reference", "answer"])
    axes.set_ylim(1.6, -0.6)
    axes.set_xlim(0, plot.seconds / unit)
    axes.set_xlabel(f"{label}; green: where a start or an end is rewarded")
    axes.tick_params(axis="y", length=0)
    return figure


def _short(name: str) -> str:
    """The end of a long name, which is where names differ."""
    return name if len(name) <= _LONGEST_NAME else "…" + name[-_LONGEST_NAME + 1 :]

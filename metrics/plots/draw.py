"""Pictures as SVG and PNG files, by matplotlib: no window, no global state, the same numbers give the same bytes.

Every picture is at most 8 inches wide, so that it can be read when it is shown 600 pixels wide.
"""

from __future__ import annotations

import io
import math
import re
import textwrap
import threading
from collections.abc import Sequence
from functools import singledispatch
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

import numpy as np

from metrics.plots.data import (
    AfTimeline,
    Agreement,
    Bounds,
    CaseDice,
    Confusion,
    FrameLandmarks,
    FrocCurve,
    LandmarkErrors,
    Plot,
    PrecisionRecall,
    RecordValues,
    Reliability,
    RocCurve,
)

try:
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.patheffects import withStroke
    from matplotlib.ticker import MaxNLocator
except ImportError as e:
    raise ImportError("pictures need matplotlib: pip install 'sandbox-evaluate[plots]'") from e

# Okabe and Ito's colours, which people with any colour vision can tell apart; marks differ in shape too
BLUE, ORANGE, GREEN, RED, SKY, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#999999"
TEXT_GREY = "#595959"
_SERIES = ((BLUE, "o", BLUE), (ORANGE, "s", "none"), (GREEN, "^", "none"))
"""Colour, mark and filling: hollow ones let a mark below be seen."""
_CURVES = ((BLUE, "-"), (ORANGE, "--"), (GREEN, "-."), (RED, ":"), (SKY, "-"), (GREY, "--"))
"""Colour and line of curves of several classes."""
# the caller's own settings must not change these pictures
_SETTINGS: Any = {key: value for key, value in mpl.rcParamsDefault.items() if key != "backend"} | {
    "svg.hashsalt": "metrics",
    "svg.fonttype": "none",
    "text.parse_math": False,  # a dollar sign in a record's name is not the start of a formula
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "legend.frameon": False,
}
# on a page, text and axes get a colour that nothing else has, which is then replaced by that of the page
_INK = "#010203"
_ON_A_PAGE: Any = dict.fromkeys(
    ("text.color", "axes.edgecolor", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"), _INK
) | dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none")
_FOLLOWS_THE_PAGE = (
    "<style>:root { color: #1b1f24 } @media (prefers-color-scheme: dark) { :root { color: #e6e8eb } }</style>"
)
_UNDATED = {"svg": {"Date": None}, "png": {"Software": None}}
# matplotlib's settings belong to the process, so two threads would undo each other's
_ONE_AT_A_TIME = threading.Lock()
_LETTERS_PER_INCH = 10.8  # width of a title, which starts half an inch from the edge
_MOST_NAMED_CASES = 45
_LONGEST_NAME, _SHORT_NAME = 24, 8
_MOST_VECTORS = 2000  # more marks are drawn as pixels


def save(plot: Plot, folder: Path, *, formats: Sequence[str] = ("svg", "png")) -> list[Path]:
    """Draw one picture to ``<folder>/<subject>-<name>.<format>``; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{re.sub(r'[^A-Za-z0-9_.-]', '_', plot.subject)}-{plot.name}"
    files = [folder / f"{stem}.{kind}" for kind in formats]
    with _ONE_AT_A_TIME, mpl.rc_context(_SETTINGS):
        figure = draw(plot)
        for file, kind in zip(files, formats, strict=True):
            figure.savefig(file, format=kind, dpi=150, metadata=_UNDATED.get(kind))
    return files


def svg(plot: Plot) -> str:
    """One picture for a page, see `metrics.plots.svg`."""
    drawn = io.StringIO()
    with _ONE_AT_A_TIME, mpl.rc_context(_SETTINGS | _ON_A_PAGE):
        draw(plot).savefig(drawn, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = drawn.getvalue()
    for colour in (_INK, TEXT_GREY):
        text = text.replace(colour.lower(), "currentColor")
    head, bracket, rest = text.partition("<defs>")
    return f"{head}{_FOLLOWS_THE_PAGE}{bracket}{rest}"


@singledispatch
def draw(plot: Plot) -> Figure:
    """A matplotlib figure of a picture's numbers, in the settings of the caller."""
    raise TypeError(f"no drawing of {type(plot).__name__}")


@draw.register
def _(plot: Confusion) -> Figure:
    rows, columns = len(plot.references), len(plot.answers)
    figure, axes = _figure(plot, 6.0, 1.3 + 0.75 * rows)
    shares = np.nan_to_num(np.array(plot.shares))
    axes.pcolormesh(shares, cmap="Blues", vmin=0, vmax=1, edgecolors="white", linewidth=2)
    for i in range(rows):
        for j in range(columns):
            count, share = plot.counts[i][j], shares[i, j]
            text = f"{count:,}\n{share:.0%}" if count else "0"
            colour = "white" if share > 0.55 else "black" if count else "#565656"
            axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", color=colour)
    totals = [sum(row) for row in plot.counts]
    labels = [f"{label}\nn = {total:,}" for label, total in zip(plot.references, totals, strict=True)]
    axes.set_xticks(np.arange(columns) + 0.5, plot.answers)
    axes.set_yticks(np.arange(rows) + 0.5, labels)
    axes.invert_yaxis()
    axes.set(xlabel="answer (% and colour: share of the reference's class)", ylabel="reference")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


@draw.register
def _(plot: FrocCurve) -> Figure:
    figure, axes = _figure(plot, 6.0, 4.4)
    rates = [rate for rate, _ in plot.points]
    low, high = rates[0] / 2, rates[-1] * 1.3
    if plot.band:
        x, lower, upper = zip(*plot.band, strict=True)
        label = f"95 % at each rate, bootstrap over {plot.record}s"
        axes.fill_between(x, lower, upper, color=BLUE, alpha=0.18, linewidth=0, label=label)
    if math.isnan(plot.score):
        axes.text(math.sqrt(low * high), 0.5, f"no {plot.objects} to find", ha="center", color=TEXT_GREY)
    else:
        # a line that is straight in false positives is curved on a logarithmic axis
        grid = np.unique(np.concatenate([np.geomspace(low, high, 400), plot.false_positives]))
        grid = grid[(grid >= low) & (grid <= high)]
        axes.plot(grid, np.interp(grid, plot.false_positives, plot.sensitivity), color=BLUE)
        label = f"operating points, mean {_number(plot.score, plot.interval)}"
        axes.plot(*zip(*plot.points, strict=True), "o", color=RED, label=label, clip_on=False, zorder=3)
    axes.set_xscale("log", base=2)
    axes.set_xticks(rates, [f"{rate:g}" for rate in rates])
    axes.minorticks_off()
    axes.set(xlim=(low, high), ylim=(0, 1.02))
    axes.grid(alpha=0.3)
    axes.set(xlabel=f"mean false positives per {plot.record} (log scale)", ylabel=f"sensitivity for {plot.objects}")
    return _with_legend(figure, axes)


@draw.register
def _(plot: RocCurve) -> Figure:
    figure, axes = _figure(plot, 5.0, 5.2)
    axes.plot([0, 1], [0, 1], color=TEXT_GREY, linewidth=1, linestyle="--", label="chance")
    label = f"AUC {_number(plot.auc, plot.interval)}"
    axes.plot(plot.false_positive_rate, plot.true_positive_rate, color=BLUE, label=label, clip_on=False)
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="false positive rate", ylabel="true positive rate")
    axes.grid(alpha=0.3)
    return _with_legend(figure, axes, columns=2)


@draw.register
def _(plot: CaseDice) -> Figure:
    figure, axes = _series(plot)
    undefined = 1 + np.flatnonzero(np.isnan(list(plot.series.values())).any(axis=0))
    if undefined.size:
        axes.plot(undefined, np.zeros(undefined.size), "x", color=TEXT_GREY, label="undefined (0/0)", clip_on=False)
    if not math.isnan(plot.target):
        axes.axhline(plot.target, color=TEXT_GREY, linestyle="--", linewidth=1, label=f"target {plot.target:g}")
    axes.set(ylim=(0, 1), ylabel="Dice")
    _name_cases(axes, plot.cases, plot.record, "Dice")
    return _with_legend(figure, axes, columns=2)


@draw.register
def _(plot: RecordValues) -> Figure:
    figure, axes = _series(plot)
    _name_cases(axes, plot.cases, "record", next(iter(plot.series)))
    return _with_legend(figure, axes, columns=2)


def _series(plot: CaseDice | RecordValues) -> tuple[Figure, Any]:
    """A mark for each value of each record, and a line for each mean."""
    n = len(plot.cases)
    figure, axes = _figure(plot, min(8.0, max(6.0, 1.5 + 0.15 * n)), 4.4)
    places, size = np.arange(1, n + 1), 5 if n <= _MOST_NAMED_CASES else 3
    for (name, values), (colour, mark, filling) in zip(plot.series.items(), _SERIES, strict=False):
        mean = plot.means[name]
        label = f"{name}, mean {'undefined' if math.isnan(mean) else f'{mean:.4f}'}"
        style: dict[str, Any] = {"color": colour, "marker": mark, "markerfacecolor": filling, "linestyle": "none"}
        style["rasterized"] = n > _MOST_VECTORS
        axes.plot(places, values, markersize=size, label=label, clip_on=False, **style)
        axes.axhline(mean, color=colour, linewidth=0.9)
    axes.set_xlim(0.3, n + 0.7)
    axes.grid(axis="y", alpha=0.3)
    return figure, axes


@draw.register
def _(plot: PrecisionRecall) -> Figure:
    figure, axes = _figure(plot, 5.0, 5.2)
    shown = list(plot.curves.items())[: len(_CURVES)]  # the legend says the number of the others
    for (name, (recall, precision)), (colour, line) in zip(shown, _CURVES, strict=False):
        area = plot.areas[name]
        label = f"{_short(name)}, area {'undefined' if math.isnan(area) else f'{area:.4f}'}"
        if recall:
            points = (0.0, *recall), (precision[0], *precision)
            axes.plot(*points, drawstyle="steps-pre", color=colour, linestyle=line, label=label, clip_on=False)
        else:
            axes.plot([], [], color=colour, linestyle=line, label=f"{_short(name)}, nothing answered")
    if len(plot.curves) > len(shown):
        axes.plot([], [], linestyle="none", label=f"and {len(plot.curves) - len(shown)} more classes")
    axes.set(xlim=(0, 1), ylim=(0, 1.02), aspect="equal", xlabel="recall", ylabel="precision")
    axes.grid(alpha=0.3)
    longest = max(map(len, plot.curves), default=0)
    return _with_legend(figure, axes, columns=2 if longest <= _SHORT_NAME else 1)


@draw.register
def _(plot: Reliability) -> Figure:
    figure, axes = _figure(plot, 5.0, 5.2)
    axes.plot([0, 1], [0, 1], color=TEXT_GREY, linewidth=1, linestyle="--", label="as often right as it says")
    if plot.records:
        sizes = 12 + 160 * np.sqrt(np.array(plot.records) / max(plot.records))
        label = f"answers, {sum(plot.records):,} records (area: how many)"
        axes.scatter(plot.confidence, plot.right, s=sizes, color=BLUE, alpha=0.8, label=label, clip_on=False, zorder=3)
        axes.plot(plot.confidence, plot.right, color=BLUE, linewidth=0.9)
    axes.set(xlim=(0, 1), ylim=(0, 1.04), aspect="equal")
    axes.set(xlabel=f"probability of {plot.of}", ylabel="share that is right")
    axes.grid(alpha=0.3)
    return _with_legend(figure, axes)


@draw.register
def _(plot: Agreement) -> Figure:
    figure, axes = _figure(plot, 6.0, 4.4)
    size = 16 if len(plot.means) <= 500 else 5
    axes.scatter(plot.means, plot.differences, s=size, color=BLUE, alpha=0.6, linewidth=0, label="records")
    if plot.means:
        axes.axhline(plot.bias, color=RED, label=f"mean difference {plot.bias:.4g}")
    if not math.isnan(plot.limits[0]):
        label = f"limits of agreement {plot.limits[0]:.4g} and {plot.limits[1]:.4g}"
        axes.axhline(plot.limits[0], color=ORANGE, linestyle="--", label=label)
        axes.axhline(plot.limits[1], color=ORANGE, linestyle="--")
    axes.set(xlabel="mean of answer and reference", ylabel="answer minus reference")
    axes.grid(alpha=0.3)
    return _with_legend(figure, axes, columns=2)


def _name_cases(axes: Any, cases: Sequence[str], noun: str, by: str) -> None:
    """Names below an axis of cases; if there are too many, only their number."""
    if len(cases) > _MOST_NAMED_CASES:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, prune="lower"))
        axes.set_xlabel(f"place of the {noun}, sorted by {by}")
        return
    prefix = _common_prefix(cases)
    names = [_short(case.removeprefix(prefix)) for case in cases]
    axes.set_xticks(np.arange(1, len(cases) + 1), names, rotation=90, fontsize=8)
    axes.set_xlabel(f"{noun} ({_short(prefix)}…), sorted by {by}" if prefix else f"{noun}, sorted by {by}")


@draw.register
def _(plot: LandmarkErrors) -> Figure:
    figure, axes = _figure(plot, 6.0, 3.8)
    heights, _, _ = axes.hist(plot.distances_px, bins=np.linspace(0, plot.radius_px, 25), color=BLUE)
    axes.set(xlim=(0, plot.radius_px), xlabel=f"distance (px, at most {plot.radius_px:g})", ylabel="matched landmarks")
    if plot.distances_px:
        median = float(np.median(plot.distances_px))
        axes.axvline(median, ymax=0.85, color=RED, linewidth=1.5, label=f"median {median:.2f} px")
        axes.set_ylim(0, max(heights) / 0.85)  # room for the legend
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend(loc="upper right")
    else:
        axes.text(plot.radius_px / 2, 0.5, "none matched", ha="center", color=TEXT_GREY)
        axes.set_ylim(0, 1)
        axes.set_yticks([])
    return figure


@draw.register
def _(plot: FrameLandmarks) -> Figure:
    points = [*chain.from_iterable(plot.matched), *plot.missed, *plot.false]
    far = np.array(points).reshape(-1, 2).max(axis=0, initial=1.0)
    width, height = float(far[0]) * 1.1, float(far[1]) * 1.1
    figure, axes = _figure(plot, 8.0, min(8.0, max(3.0, 7.2 * height / width + 1.5)))
    shown = (
        ("labelled, found", [label for label, _ in plot.matched], "o", SKY),
        ("answered, found", [point for _, point in plot.matched], "x", SKY),
        ("missed", plot.missed, "o", ORANGE),
        ("false", plot.false, "x", RED),
    )
    for name, places, mark, colour in shown:
        if places:
            hollow = {"markerfacecolor": "none"} if mark == "o" else {}
            size = 9.0 if mark == "o" else 6.0
            (line,) = axes.plot(*zip(*places, strict=True), mark, color=colour, markersize=size, label=name, **hollow)
            line.set(markeredgewidth=1.5, path_effects=[withStroke(linewidth=3, foreground="black", alpha=0.6)])
    axes.set(xlim=(-0.5, width - 0.5), ylim=(height - 0.5, -0.5), aspect="equal", xlabel="x (px)", ylabel="y (px)")
    return _with_legend(figure, axes, columns=4)


@draw.register
def _(plot: AfTimeline) -> Figure:
    figure, axes = _figure(plot, 8.0, 3.2)
    scale, unit = (60.0, "minutes") if plot.seconds > 600 else (1.0, "seconds")
    for windows, colour in ((plot.start_windows, SKY), (plot.end_windows, RED)):
        for first, last, reward in windows:
            axes.axvspan(first / scale, last / scale, color=colour, alpha=0.4 * reward, linewidth=0)
    least = plot.seconds / 250  # so that a very short episode can be seen
    none = "no episode" if plot.has_answer else "no answer"
    rows = ((plot.reference, BLUE, "no episode"), (plot.answered, ORANGE, none))
    for row, (episodes, colour, empty) in enumerate(rows):
        spans = [(min(bounds) / scale, max(least, abs(bounds[1] - bounds[0])) / scale) for bounds in episodes]
        axes.broken_barh(spans, (row - 0.3, 0.6), facecolor=colour, edgecolor="white", linewidth=0.6)
        if not episodes:
            axes.text(plot.seconds / scale / 2, row, empty, ha="center", va="center", color=TEXT_GREY)
    for bounds, rewards in zip(plot.answered, plot.earned, strict=True):
        for time, reward, height in zip(bounds, rewards, (0.7, 1.3), strict=True):
            axes.plot(time / scale, height, linestyle="none", clip_on=False, **_mark(reward))
    axes.set_yticks([0, 1], ["reference", "answer"])
    axes.set(ylim=(1.6, -0.5), xlim=(0, plot.seconds / scale), xlabel=f"time ({unit})")
    axes.tick_params(axis="y", length=0)
    figure.legend(handles=_timeline_key(plot), loc="outside lower center", ncols=3)
    return figure


def _timeline_key(plot: AfTimeline) -> list[Any]:
    """The legend of bands and marks, two columns each; only what the picture has."""
    bands = [
        Patch(color=SKY, alpha=0.4, linewidth=0, label="a start here earns 1, paler ½"),
        Patch(color=RED, alpha=0.4, linewidth=0, label="an end here earns 1, paler ½"),
    ]
    marks = [
        Line2D([], [], linestyle="none", label=label, **_mark(reward))
        for reward, label in ((1.0, "earned 1 (start above, end below)"), (0.5, "earned ½"), (0.0, "earned nothing"))
    ]
    return (bands if plot.start_windows or plot.end_windows else []) + (marks if plot.answered else [])


def _mark(reward: float) -> dict[str, Any]:
    fill = "full" if reward >= 1 else "left" if reward > 0 else "none"
    style = {"color": mpl.rcParams["text.color"], "markeredgewidth": 0.8, "markersize": 6.0}
    return {"marker": "o", "fillstyle": fill, "markerfacecoloralt": "white", **style}


def _figure(plot: Plot, width: float, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.set_title(_lines(plot.title, width))
    return figure, axes


def _with_legend(figure: Figure, axes: Any, columns: int = 1) -> Figure:
    """The figure with a legend outside, where it cannot hide a curve; without one if nothing has a label."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=columns)
    return figure


def _number(value: float, bounds: Bounds) -> str:
    return f"{value:.4f}" + ("" if math.isnan(bounds[0]) else f" [{bounds[0]:.3f}, {bounds[1]:.3f}]")


def _common_prefix(names: Sequence[str]) -> str:
    """Common beginning of all names, up to a separator."""
    first, last = min(names), max(names)  # what the first and the last name share, all between them share
    shared = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return shared[: max(shared.rfind(separator) for separator in "_-/") + 1] if len(names) > 1 else ""


def _short(name: str) -> str:
    """The end of a long name, which is where names differ."""
    shown = _printable(name)
    return shown if len(shown) <= _LONGEST_NAME else "…" + shown[-_LONGEST_NAME + 1 :]


def _lines(title: str, width: float) -> str:
    return textwrap.fill(_printable(title), int(_LETTERS_PER_INCH * width))


def _printable(name: str) -> str:
    """The text, with characters that XML does not allow replaced."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in name)

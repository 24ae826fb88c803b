"""Pictures of a report: their numbers (`metrics.plots.data`), and SVG or PNG files of them (needs matplotlib).

Examples
--------
>>> from metrics.plots import af_timeline, plots_of, save_plot, save_plots
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from metrics.base import ScoreReport
from metrics.plots.data import FrameLandmarks, Plot
from metrics.plots.details import af_timeline, details_of, frame_landmarks
from metrics.plots.makers import plots_of

__all__ = [
    "FrameLandmarks",
    "Plot",
    "af_timeline",
    "details_of",
    "frame_landmarks",
    "plots_of",
    "save_plot",
    "save_plots",
    "svg",
]


def save_plots(report: ScoreReport, folder: Path, *, formats: Sequence[str] = ("svg", "png")) -> list[Path]:
    """Draw every picture of a report into a folder, see `save_plot`; the files."""
    return [file for plot in plots_of(report) for file in save_plot(plot, folder, formats=formats)]


def save_plot(plot: Plot, folder: Path, *, formats: Sequence[str] = ("svg", "png")) -> list[Path]:
    """Draw one picture to ``<folder>/<subject>-<name>.<format>``; the files.

    Raises
    ------
    ImportError
        matplotlib is not installed; the message says how to install it.
    """
    from metrics.plots.draw import save  # noqa: PLC0415  # matplotlib only where a picture is drawn

    return save(plot, folder, formats=formats)


def svg(plot: Plot) -> str:
    """A picture for a page: an SVG document whose text and axes are dark on a light page and light on a dark one.

    Raises
    ------
    ImportError
        As for `save_plot`.
    """
    from metrics.plots.draw import svg as drawn  # noqa: PLC0415

    return drawn(plot)

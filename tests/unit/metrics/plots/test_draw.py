"""The pictures as files: what they say, that nothing is cut off or depends on the machine."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="matplotlib is not installed")

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

import metrics.plots.draw as drawing
from metrics.__main__ import main
from metrics.plots import data, save_plot, svg
from tests.support import evaluations
from tests.unit.metrics.plots.test_data import cases, only, rhythm

pytestmark = pytest.mark.slow
KITS19 = ("composite", "tk_dice", "tu_dice")
NAN = float("nan")


def sample(kind: type[data.Plot], **changed: Any) -> data.Plot:
    """The picture of a kind that tests of pages show, with other numbers."""
    return replace(next(plot for plot in evaluations.plots() if isinstance(plot, kind)), **changed)


def random_cases(metric: str, keys: tuple[str, ...], n: int, name: str = "case_{:05d}") -> data.Plot:
    random = np.random.default_rng(5)
    return only(cases(metric, keys, {name.format(i): random.random(len(keys)).tolist() for i in range(n)}))


LONG = "hospital_of_a_very_long_name_indeed_{}"
GENERIC = {"subject": "family.measure", "title": "family.measure: value = 0.7000, 12 records"}
PICTURES: dict[str, tuple[Callable[[], data.Plot], tuple[str, ...]]] = {
    "confusion": (
        lambda: sample(data.Confusion, counts=((3600, 40, 0, 0), *((0,) * 4,) * 3)),
        ("3,600", "83%", "n = 3,640", "n = 0", "~", "reference"),
    ),
    "froc": (
        lambda: sample(data.FrocCurve),
        ("0.25", "8", "mean false positives per slide (log scale)", "95 % at each rate, bootstrap over slides"),
    ),
    "froc without lesions": (lambda: sample(data.FrocCurve, score=NAN, band=()), ("no lesions to find",)),
    "froc without detections": (
        lambda: sample(data.FrocCurve, false_positives=(0.0,), sensitivity=(0.0,), score=0.0, interval=(0.0, 0.2)),
        ("operating points, mean 0.0000 [0.000, ",),
    ),
    "roc": (lambda: sample(data.RocCurve), ("false positive rate", "AUC 0.", "chance")),
    "dice": (
        lambda: random_cases("mlperf_kits19", ("mean_dice", "l1_dice", "l2_dice"), 42),
        ("00041", "case (case_…), sorted by Dice", "kidney, mean 0.", "tumour, mean 0.", "target 0.908", "Dice"),
    ),
    "dice undefined": (
        lambda: only(cases("kits19", KITS19, {"case_1": (NAN, NAN, NAN)})),
        ("tumour, mean undefined", "undefined (0/0)"),
    ),
    "dice of many": (
        lambda: random_cases("kits23", ("dice", "dice_kidney_and_mass", "dice_mass", "dice_tumor"), 489),
        ("place of the case, sorted by Dice", "masses, mean"),
    ),
    "dice of long names": (lambda: random_cases("kits19", KITS19, 9, LONG + "x"), ("8x", "…_very_long_name_indeed_…")),
    "landmarks": (lambda: sample(data.LandmarkErrors), ("median 2.71 px", "distance (px, at most 6)")),
    "no landmark": (lambda: sample(data.LandmarkErrors, distances_px=()), ("none matched",)),
    "frame": (
        lambda: sample(data.FrameLandmarks),
        ("labelled, found", "answered, found", "missed", "false", "x (px)"),
    ),
    "frame of nothing": (lambda: sample(data.FrameLandmarks, matched=(), missed=(), false=()), ("y (px)",)),
    "episodes": (
        lambda: sample(data.AfTimeline, seconds=600.0),
        ("reference", "answer", "time (seconds)", "a start here earns 1, paler ½", "earned nothing"),
    ),
    "long record": (lambda: sample(data.AfTimeline), ("time (minutes)",)),
    "no episode": (
        lambda: sample(data.AfTimeline, reference=(), answered=(), earned=(), start_windows=(), end_windows=()),
        ("no episode",),
    ),
    "no answer": (
        lambda: sample(data.AfTimeline, answered=(), earned=(), has_answer=False),
        ("no answer", "an end here earns 1"),
    ),
    "agreement": (
        lambda: data.Agreement(
            **GENERIC, means=(1.0, 2.0, 4.0), differences=(1.0, 0.0, 2.0), bias=1.0, limits=(-0.96, 2.96)
        ),
        ("mean difference 1", "limits of agreement -0.96 and 2.96", "answer minus reference"),
    ),
    "agreement of nothing": (
        lambda: data.Agreement(**GENERIC, means=(), differences=(), bias=NAN, limits=(NAN, NAN)),
        ("mean of answer and reference",),
    ),
    "reliability": (
        lambda: data.Reliability(**GENERIC, confidence=(0.6, 0.95), right=(1.0, 0.5), records=(1, 1200)),
        ("answers, 1,201 records (area: how many)", "share that is right"),
    ),
    "precision by recall": (
        lambda: data.PrecisionRecall(
            **GENERIC,
            curves=dict.fromkeys(("A", "B", "C", "D", "E", LONG, "G", "H"), ((0.5, 1.0), (1.0, 0.7))) | {"B": ((), ())},
            areas=dict.fromkeys(("A", "B", "C", "D", "E", LONG, "G", "H"), 0.85) | {"C": NAN},
        ),
        ("A, area 0.8500", "B, nothing answered", "C, area undefined", "and 2 more classes", "recall"),
    ),
    "one class": (
        lambda: data.PrecisionRecall(**GENERIC, curves={"A": ((0.5,), (1.0,))}, areas={"A": 1.0}),
        ("A, area 1.0000",),
    ),
    "end before start": (
        lambda: sample(data.AfTimeline, answered=((30.0, 20.0),), earned=((1.0, 0.5),)),
        ("earned ½",),
    ),
}


def texts(svg: Path) -> str:
    return "\n".join(text for text in ET.parse(svg).getroot().itertext() if text.strip())


@pytest.fixture
def drawn() -> Iterator[Callable[[data.Plot], Figure]]:
    """Laid out as in a file, with a canvas that knows how large each text is."""

    def draw(plot: data.Plot) -> Figure:
        figure = drawing.draw(plot)
        FigureCanvasAgg(figure).draw()
        return figure

    with mpl.rc_context(drawing._SETTINGS):
        yield draw


@pytest.mark.parametrize("name", PICTURES)
def test_picture_says_what_it_shows_with_no_text_cut_off_or_upon_another(
    name: str, drawn: Callable[[data.Plot], Figure], tmp_path: Path
) -> None:
    make, expected = PICTURES[name]
    plot = make()
    (svg,), (again,) = (save_plot(plot, tmp_path / folder, formats=("svg",)) for folder in "ab")
    assert [text for text in (plot.title, *expected) if text not in texts(svg)] == []
    assert (again.name, again.read_bytes()) == (svg.name, svg.read_bytes())
    figure = drawn(plot)
    assert np.asarray(figure.canvas.buffer_rgba())[..., :3].min() < 128  # something dark is on it
    boxes = {
        text: text.get_window_extent()
        for text in figure.findobj(Text)
        if isinstance(text, Text) and text.get_visible() and text.get_text().strip()
    }
    # ticks beyond the limits of an axis exist, and are not drawn
    for axes in figure.axes:
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            for tick in axis.get_major_ticks():
                if not min(low, high) <= tick.get_loc() <= max(low, high):
                    boxes.pop(tick.label1, None)
    assert len(boxes) > 3
    for text, box in boxes.items():
        assert box.x0 >= -1 and box.y0 >= -1, text
        assert box.x1 <= figure.bbox.x1 + 1 and box.y1 <= figure.bbox.y1 + 1, text
    visible = list(boxes.items())
    for i, (text, box) in enumerate(visible):
        for other, other_box in visible[i + 1 :]:
            width = min(box.x1, other_box.x1) - max(box.x0, other_box.x0)
            height = min(box.y1, other_box.y1) - max(box.y0, other_box.y0)
            assert width <= 1 or height <= 1, (text, other)


def test_any_name_can_be_drawn(tmp_path: Path) -> None:
    name = "../a$b_$<&>\x00\n\ud800"
    plot = sample(data.AfTimeline, subject=name, title=f"cpsc2021, record {name}")
    (svg,) = save_plot(plot, tmp_path, formats=("svg",))
    assert svg == tmp_path / ".._a_b________-episodes.svg"
    assert "cpsc2021, record ../a$b_$<&>���" in texts(svg)


def test_long_title_goes_on_in_a_second_line(drawn: Callable[[data.Plot], Figure]) -> None:
    figure = drawn(sample(data.AfTimeline, title="cpsc2021, record " + "a_name_of_some_length_" * 6))
    box = figure.axes[0].get_tightbbox()
    assert box is not None and box.x1 <= figure.bbox.x1


def test_users_settings_neither_change_nor_show(tmp_path: Path) -> None:
    plain = [file.read_bytes() for file in save_plot(sample(data.AfTimeline), tmp_path / "plain")]
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "black", "svg.fonttype": "path", "savefig.dpi": 20}):
        before = dict(mpl.rcParams)
        files = save_plot(sample(data.AfTimeline), tmp_path / "mine")
        assert dict(mpl.rcParams) == before
    assert [file.read_bytes() for file in files] == plain


def test_missing_library_is_named_and_numbers_do_without_it(tmp_path: Path) -> None:
    rhythm(tmp_path)
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import metrics\n"
        "from pathlib import Path\n"
        "from metrics.plots import plots_of, save_plots\n"
        "report = metrics.get('cinc2017').score(Path('R.csv'), Path('A.txt'))\n"
        "print(*(plot.name for plot in plots_of(report)))\n"
        "save_plots(report, Path('plots'))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.split() == ["confusion"]
    assert (
        done.stderr.splitlines()[-1] == "ImportError: pictures need matplotlib: pip install 'sandbox-evaluate[plots]'"
    )


def test_command_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rhythm(tmp_path)
    files = ["--references", str(tmp_path / "R.csv"), "--answers", str(tmp_path / "A.txt")]
    assert main(["--metric", "cinc2017", *files, "--plots", str(tmp_path / "plots")]) == 0
    drawn = [tmp_path / "plots" / f"cinc2017-confusion.{kind}" for kind in ("svg", "png")]
    assert sorted((tmp_path / "plots").iterdir()) == sorted(drawn)
    assert capsys.readouterr().err.split() == [str(file) for file in drawn]


def test_picture_of_a_page_takes_its_colour_of_text_from_the_page() -> None:
    for plot in evaluations.plots():
        text = svg(plot)
        assert ET.fromstring(text).tag.endswith("svg")
        assert "prefers-color-scheme: dark" in text and "currentColor" in text
        assert "#010203" not in text


def test_ten_thousand_cases_are_a_small_picture() -> None:
    assert len(svg(random_cases("kits19", KITS19, 10_000))) < 500_000

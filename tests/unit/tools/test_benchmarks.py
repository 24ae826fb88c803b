"""The benchmark of the metrics at its smallest, so that it does not rot; its times are judged by people."""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from metrics.challenges import adaptor2021, cinc2017, cpsc2021, kits23, mlperf_kits19
from metrics.challenges.adaptor2021 import match_points
from metrics.generic import measures
from metrics.measures.froc import Froc
from metrics.measures.lesions import evaluation_mask
from metrics.readers.cases import Case
from metrics.readers.references import read_mask
from metrics.readers.volumes import joint_histogram
from tests import official
from tests.benchmarks import _inputs as inputs
from tests.benchmarks import _published as published
from tests.benchmarks import receipts, walls
from tests.benchmarks._items import ITEMS, Item, Works
from tests.benchmarks._resamples import SPECIFICATIONS
from tests.benchmarks._resamples import show as show_resamples
from tests.benchmarks._spent import Spent
from tests.benchmarks._turns import Cores, compared, interval_of_median
from tests.benchmarks.metrics import Found, Measured, measure, timed
from tests.conftest import CHECKOUT

pytestmark = pytest.mark.slow

SMALL = {item.name: item for item in ITEMS}


def found(item: Item, *, seconds: float, beside: float | None = None, held: int = 0) -> Found:
    measured = Measured(seconds=(seconds, 2 * seconds), beside_seconds=beside, bytes=held, imports_bytes=0)
    return Found(item=item, measured=measured, growth={n: seconds * n * n for n in (1, 2, 4, 8)})


@pytest.mark.slow
def test_benchmark_measures_and_writes_what_it_found(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "tests.benchmarks.metrics", "--quick", "--only", "froc", "adaptor"]
    done = subprocess.run(
        [*argv, "--json", str(tmp_path / "found.json")], capture_output=True, text=True, check=False, cwd=CHECKOUT
    )
    assert done.stderr == ""
    assert "FROC, 130 slides" in done.stdout
    written = json.loads((tmp_path / "found.json").read_text())
    assert set(written) == {"froc", "adaptor"}
    for numbers in written.values():
        assert numbers["seconds"][0] > 0
        assert numbers["ratio"] > 0
        assert numbers["beside"] > 0
        assert numbers["bytes"] > numbers["imports_bytes"] > 1e6


def test_there_is_an_item_for_every_promise() -> None:
    promised = {"froc", "mask", "mask-cached", "mlperf", "kits19", "kits23", "cpsc", "cinc", "adaptor"}
    promised |= {"froc-files", "adaptor-frames", "bootstrap-cinc", "bootstrap-slides"}
    for name in promised:
        item = SMALL[name]
        assert item.ratio or item.ratio_beside or item.seconds < math.inf


@pytest.mark.parametrize(
    "name",
    ["froc", "mask", "mask-cached", "mlperf", "cpsc", "cinc", "froc-files", "adaptor-frames"],
)
def test_every_item_runs_at_a_twentieth_of_its_size(name: str) -> None:
    measured = measure(SMALL[name], 0.05, 1, beside=False)
    assert len(measured.seconds) == 1
    assert measured.bytes > 1e6


def test_broken_promises_are_seen() -> None:
    def prepare(_folder: Path, _size: float) -> Works:
        return Works(ours=lambda: None)

    faster = Item(name="x", what="x", prepare=prepare, official_seconds=10, ratio=5, grows="x")
    assert found(faster, seconds=2).kept
    assert not found(faster, seconds=2.1).kept
    beside = Item(name="x", what="x", prepare=prepare, ratio_beside=1, grows="x")
    assert found(beside, seconds=2, beside=2.5).kept
    assert not found(beside, seconds=2, beside=1.9).kept
    bounded = Item(name="x", what="x", prepare=prepare, seconds=3, bytes=1000, grows="x")
    assert found(bounded, seconds=2, held=1000).kept
    assert not found(bounded, seconds=4, held=1000).kept
    assert not found(bounded, seconds=2, held=1001).kept
    assert found(bounded, seconds=2).exponent == pytest.approx(2)


def test_froc_as_published_is_ours() -> None:
    slides = inputs.slide_hits(6, 10)
    ours = Froc(slides, as_official=True).sensitivities(np.ones(6, np.int64))
    assert published.sensitivities(published.froc_curve(slides)) == pytest.approx(ours.tolist())


@pytest.mark.parametrize("n", [1, 20, 40])
def test_matching_as_published_is_ours(n: int) -> None:
    labels, points = inputs.crowded_frame(n)
    assert published.greedy_matches(labels, points) == len(match_points(labels, points))


def test_frames_as_published_are_ours(tmp_path: Path) -> None:
    references, answers = inputs.frames(tmp_path, 10)
    ours = adaptor2021.METRIC.score(references, answers).values["F1"]
    assert published.frames_f1(references, answers) == pytest.approx(ours)


def test_evaluation_mask_as_published_is_ours(tmp_path: Path) -> None:
    tumour = read_mask(inputs.lesion_mask(tmp_path, (600, 900), 10), record="tumor_001") > 0
    theirs = published.evaluation_mask(tumour)
    ours = evaluation_mask(tumour, shape=(600, 900)).image()
    assert theirs.max() == ours.max() > 1
    assert ((theirs > 0) == (ours > 0)).all()


def test_dice_as_published_is_ours(tmp_path: Path) -> None:
    references, answers = inputs.volume_files(tmp_path, (30, 40, 50))
    reference, answer = (folder / "case_00000.nii.gz" for folder in (references, answers))
    ours = kits23.score_case(Case(record="case_00000", reference=reference, answer=answer), rules="official").values
    for name, (dice, surface_dice) in published.kits23_scores(reference, answer).items():
        assert dice == pytest.approx(ours[f"dice_{name}"])
        assert surface_dice == pytest.approx(ours[f"surface_dice_{name}"])
    pair = inputs.volume_pair((30, 40, 50))
    of_arrays = mlperf_kits19._dice_values(joint_histogram([pair]), "official")
    assert published.one_hot_dice(*pair) == pytest.approx([of_arrays["l1_dice"], of_arrays["l2_dice"]])


def test_episodes_as_published_are_ours(tmp_path: Path) -> None:
    references, answers = inputs.episodes(tmp_path, 1, minutes=4, with_signals=1)
    endpoints = json.loads((answers / "data_0_1.json").read_text())["predict_endpoints"]
    ours = cpsc2021.METRIC.score(references, answers, rules="official").values["U"]
    assert published.paroxysmal_record(references / "data_0_1", endpoints) == pytest.approx(ours)


def test_rhythms_as_published_are_ours(tmp_path: Path) -> None:
    references, answers = inputs.rhythm_labels(tmp_path, 300)
    table = published.rhythm_table(references, answers)
    sizes = table.sum(axis=0) + table.sum(axis=1)
    ours = cinc2017.METRIC.score(references, answers, rules="official").values
    assert (2 * np.diag(table) / sizes)[:3].mean() == pytest.approx(ours["F1"])


def test_every_generic_measure_is_resampled() -> None:
    # those of folders or several rows resample as segmentation.dice or detection.map do
    alike = ("landmarks.", "physionet.snr2024", "events.szcore", "events.stage_kappa")
    tried = sorted(name for name in measures() if not name.startswith(alike))
    assert sorted(str(specification["measure"]) for _, specification in SPECIFICATIONS) == tried
    text = io.StringIO()
    show_resamples(Console(file=text, width=170), timed, 40, 1)
    assert all(f"{measure} " in text.getvalue() for measure in tried)


def test_benchmark_of_the_walls_prints_what_each_reader_costs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(walls, "RUNS", 1)
    walls.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line[:40].strip() for line in lines][-2:] == ["a reader", "a reader that writes and starts git"]


def test_benchmark_of_the_sandbox_explains_every_part_of_it() -> None:
    from tests.benchmarks import sandbox

    assert sandbox.__doc__ is not None
    for name in sandbox.PARTS:
        assert f"* ``{name}``: " in sandbox.__doc__


def test_receipts_of_the_benchmark_hold() -> None:
    assert set(receipts.measured(5)) == {"issue", "verify each", "verify the log"}


def test_official_programs_that_are_absent_are_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["official", str(tmp_path)])
    assert official.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(official.PROGRAMS)
    assert all("not compared" in line for line in lines)


def test_official_numbers_that_differ_are_shown_with_both_sides() -> None:
    pairs = {"a": (1.0, 1.0), "b": (math.nan, math.nan), "c": (1.0, 1.1), "d": (math.nan, 1.0)}
    assert official.differences(pairs) == ["c: ours 1.0, theirs 1.1", "d: ours nan, theirs 1.0"]


@pytest.mark.parametrize(("n", "lowest"), [(1, 0), (5, 0), (6, 0), (9, 1), (15, 3), (25, 7), (100, 39)])
def test_interval_of_a_median_is_that_of_the_tables_of_the_sign_test(n: int, lowest: int) -> None:
    values = [float(i) for i in reversed(range(n))]
    assert interval_of_median(values) == (lowest, n - 1 - lowest)


class LooksAtCores(Cores):
    """Finds the cores free or not as told."""

    def __init__(self, *found: bool) -> None:
        self._found = iter(found)

    def are_free(self) -> bool:
        return next(self._found)


def test_turns_in_which_others_worked_are_left_out() -> None:
    cores = LooksAtCores(False, True, False, True, True, False, True, True, True)  # waits, two of three are disturbed
    took = iter([9.0, 1.0, 9.0, 1.0, 3.0, 2.0])

    def side(_: int) -> Spent:
        return Spent(next(took), 0.0)

    found = compared(cores, side, side, 1)
    assert (found.ratio, found.turns, found.disturbed) == (1.5, 1, 2)
    assert "ratio 1.500 (1.500 to 1.500, 1 turns, 2 more were disturbed)" in str(found)


def test_machine_that_others_use_all_the_time_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.benchmarks._turns.time.sleep", lambda _: None)
    with pytest.raises(RuntimeError, match="0 of 7 turns were undisturbed"):
        compared(LooksAtCores(*[False] * 10_000), lambda _: Spent(1.0, 1.0), lambda _: Spent(1.0, 1.0), 7)

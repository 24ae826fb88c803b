"""The metrics' cost, as ratios measured in one run: ``python -m tests.benchmarks.metrics [NAME …]``.

Beside ours runs the published algorithm (`tests.benchmarks._published`), or what the row names.  Then the same work
at half, a quarter and an eighth of its size shows the growth.  CPU seconds, the best of some rounds.
"""

from __future__ import annotations

import argparse
import math
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from metrics.base import ScoreReport
from metrics.challenges import adaptor2021, cinc2017, cpsc2021, kits23, mlperf_kits19
from metrics.challenges.camelyon16 import Camelyon16
from metrics.generic import make
from metrics.measures.lesions import evaluation_mask
from metrics.readers.cases import Case
from metrics.readers.references import read_mask
from metrics.readers.volumes import joint_histogram
from metrics.statistics.uncertainty import intervals
from tests.benchmarks import _inputs as inputs
from tests.benchmarks import _published as published

ROUNDS = 5
GROWTH = (1, 0.5, 0.25, 0.125)


class Pair(NamedTuple):
    """Our work, and the work beside it."""

    ours: Callable[[], object]
    beside: Callable[[], object]
    share: float = 1.0
    """Share of our work that ``beside`` does, where all of it would take minutes."""


def froc(folder: Path, size: float) -> Pair:
    detections, every = round(200 * size), 100
    references, answers = inputs.slide_files(folder, 130, detections)
    (folder / "no").touch()  # no folder, so that every scoring is a first one
    slides = inputs.slide_hits(130, detections)
    score = partial(Camelyon16(cache=folder / "no" / "cache").score, references, answers, rules="official")
    return Pair(score, lambda: published.froc_curve(slides, every), 1 / every)


def mask(folder: Path, size: float) -> Pair:
    path = inputs.lesion_mask(folder, (3000, round(6000 * size)), round(40 * size))
    pixels = read_mask(path, record="tumor_001")
    ours = partial(evaluation_mask, pixels, shape=(pixels.shape[0], pixels.shape[1]))
    return Pair(ours, lambda: published.evaluation_mask(pixels > 0))


def mlperf(_folder: Path, size: float) -> Pair:
    reference, answer = inputs.volume_pair((round(300 * size), 512, 512))
    some = slice(len(reference) // 2, len(reference) // 2 + 15)
    return Pair(
        lambda: mlperf_kits19._dice_values(joint_histogram([(reference, answer)]), "official"),
        lambda: published.one_hot_dice(reference[some], answer[some]),
        15 / len(reference),
    )


def volumes(folder: Path, size: float) -> Pair:
    files = [path / "case_00000.nii.gz" for path in inputs.volume_files(folder, (round(300 * size), 512, 512))]
    case = Case(record="case_00000", reference=files[0], answer=files[1])
    return Pair(lambda: kits23.score_case(case, rules="corrected"), lambda: published.kits23_scores(*files))


def episodes(folder: Path, size: float) -> Pair:
    records, some = round(700 * size), 20
    references, answers = inputs.episodes(folder, records, with_signals=some)

    def beside() -> None:
        for signal in references.glob("*.dat"):
            published.paroxysmal_record(signal.with_suffix(""), [[1000, 30_000]] * 6)

    return Pair(lambda: cpsc2021.METRIC.score(references, answers), beside, some / records)


def labels(folder: Path, size: float) -> Pair:
    files = inputs.rhythm_labels(folder, round(3658 * size))
    return Pair(lambda: cinc2017.METRIC.score(*files), lambda: published.rhythm_table(*files))


def matching(_folder: Path, size: float) -> Pair:
    points = inputs.crowded_frame(round(200 * math.sqrt(size)))
    return Pair(lambda: adaptor2021.match_points(*points), lambda: published.greedy_matches(*points))


def frames(folder: Path, size: float) -> Pair:
    trees = inputs.frames(folder, round(500 * size))
    return Pair(lambda: adaptor2021.METRIC.score(*trees), lambda: published.frames_f1(*trees))


def _resamples(score: Callable[[], ScoreReport]) -> Pair:
    report = score()
    return Pair(lambda: intervals(report, resamples=1000), score)


def resampled_labels(folder: Path, size: float) -> Pair:
    return _resamples(partial(cinc2017.METRIC.score, *inputs.rhythm_labels(folder, round(3658 * size))))


def resampled_pairs(folder: Path, size: float) -> Pair:
    files = inputs.survival_tables(folder, round(1000 * size))
    return _resamples(partial(make({"measure": "survival.c_index"}).score, *files))


ITEMS = {
    "froc": ("130 slides from files, its loop over thresholds", froc),
    "mask": ("3000x6000 pixels, 40 lesions, whole-slide transform", mask),
    "mlperf": ("two arrays 300x512x512, one-hot channels", mlperf),
    "kits23": ("two .nii.gz 300x512x512, distance transforms", volumes),
    "cpsc": ("700 records of 20 minutes, maps of whole signals", episodes),
    "cinc": ("3658 records, a search for each record", labels),
    "adaptor": ("one crowded frame 200x200, rescan for each match", matching),
    "adaptor-frames": ("500 frames of 10 points, rescan for each match", frames),
    "resampled-cinc": ("1000 resamples of 3658 records, one scoring", resampled_labels),
    "resampled-pairs": ("1000 resamples of a C-index of 1000 records, one scoring", resampled_pairs),
}
"""Names, with the work and the other way of doing it."""


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """CPU seconds of this process and its children, the least of some rounds."""

    def spent() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    found = []
    for _ in range(rounds):
        begin = spent()
        work()
        found.append(spent() - begin)
    return min(found)


def main() -> None:
    """Print a line for each item."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ITEMS))
    for name in parser.parse_args().names or ITEMS:
        what, prepare = ITEMS[name]
        grown = []
        ratio = math.nan
        for size in GROWTH:
            with tempfile.TemporaryDirectory() as folder:
                pair = prepare(Path(folder), size)
                grown.append(seconds(pair.ours))
                if size == 1:
                    ratio = seconds(pair.beside, 1 if pair.share < 1 else ROUNDS) / pair.share / grown[0]
        growth = " ".join(f"{1000 * each:.1f}" for each in grown)
        print(f"{name} ({what}): {ratio:.2f} times as fast; ms at {GROWTH} of the work: {growth}", flush=True)
    most = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory, inputs and the other ways included: {most / 1e6:.0f} MB")


if __name__ == "__main__":
    main()

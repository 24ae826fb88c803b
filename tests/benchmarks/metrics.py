"""Growth of the metrics' cost with the work: ``python -m tests.benchmarks.metrics [NAME …]``.

CPU seconds of the same work at its whole size, a half, a quarter and an eighth, the best of some rounds; of resamples
also as a ratio to one scoring.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from metrics.base import ScoreReport
from metrics.challenges import adaptor2021, cinc2017, cpsc2021, kits23, mlperf_kits19
from metrics.challenges.camelyon16 import Camelyon16
from metrics.generic import make
from metrics.measures.lesions import evaluation_mask
from metrics.readers.references import read_mask
from metrics.statistics.uncertainty import intervals
from tests.benchmarks import _inputs as inputs

ROUNDS = 3
GROWTH = (1, 0.5, 0.25, 0.125)
Score = Callable[[], ScoreReport]


def froc(folder: Path, size: float) -> Score:
    references, answers = inputs.slide_files(folder, 130, round(200 * size))
    (folder / "no").touch()  # no folder, so that every scoring is a first one
    return partial(Camelyon16(cache=folder / "no" / "cache").score, references, answers, rules="official")


def mask(folder: Path, size: float) -> Callable[[], object]:
    path = inputs.lesion_mask(folder, (3000, round(6000 * size)), round(40 * size))
    return partial(evaluation_mask, read_mask(path, record="tumor_001"))


def mlperf(folder: Path, size: float) -> Score:
    return partial(mlperf_kits19.METRIC.score, *inputs.volume_files(folder, (round(300 * size), 512, 512)))


def volumes(folder: Path, size: float) -> Score:
    return partial(kits23.METRIC.score, *inputs.volume_files(folder, (round(300 * size), 512, 512)))


def episodes(folder: Path, size: float) -> Score:
    return partial(cpsc2021.METRIC.score, *inputs.episodes(folder, round(700 * size)))


def labels(folder: Path, size: float) -> Score:
    return partial(cinc2017.METRIC.score, *inputs.rhythm_labels(folder, round(3658 * size)))


def frames(folder: Path, size: float) -> Score:
    return partial(adaptor2021.METRIC.score, *inputs.frames(folder, round(500 * size)))


def pairs(folder: Path, size: float) -> Score:
    return partial(make({"measure": "survival.c_index"}).score, *inputs.survival_tables(folder, round(1000 * size)))


ITEMS: dict[str, tuple[str, Callable[[Path, float], Callable[[], object]]]] = {
    "froc": ("130 slides with 200 detections each, from files", froc),
    "mask": ("3000x6000 pixels, 40 lesions", mask),
    "mlperf": ("two .nii.gz 300x512x512, Dice", mlperf),
    "kits23": ("two .nii.gz 300x512x512, Dice and surface Dice", volumes),
    "cpsc": ("700 records of 20 minutes", episodes),
    "cinc": ("3658 records", labels),
    "adaptor": ("500 frames of 10 points", frames),
    "pairs": ("a C-index of 1000 records", pairs),
}
RESAMPLED = ("cinc", "pairs")


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process, the least of some rounds."""
    spent = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        spent.append(time.process_time() - begin)
    return min(spent)


def main() -> None:
    """Print a line for each item."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ITEMS))
    for name in parser.parse_args().names or ITEMS:
        what, prepare = ITEMS[name]
        grown, resampled = [], []
        for size in GROWTH:
            with tempfile.TemporaryDirectory() as folder:
                work = prepare(Path(folder), size)
                grown.append(seconds(work))
                if name in RESAMPLED:
                    report = work()
                    assert isinstance(report, ScoreReport)
                    resampled.append(seconds(partial(intervals, report, resamples=1000)) / grown[-1])
        growth = " ".join(f"{1000 * each:.1f}" for each in grown)
        print(f"{name} ({what}): ms at {GROWTH} of the work: {growth}", flush=True)
        if resampled:
            print(f"  1000 resamples as scorings: {' '.join(f'{each:.2f}' for each in resampled)}", flush=True)
    most = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory, inputs included: {most / 1e6:.0f} MB")


if __name__ == "__main__":
    main()

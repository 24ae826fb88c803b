"""Growth of the metrics' cost with the work: ``python -m tests.benchmarks.metrics [NAME …]``.

CPU seconds of the same work at its whole size, a half, a quarter and an eighth, the best of some rounds; of resamples
also as a ratio to one scoring.  The inputs are synthetic, and the same every time.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from metrics.base import Metric, ScoreReport
from metrics.challenges import adaptor2021, cinc2017, kits23
from metrics.challenges.camelyon16 import Camelyon16
from metrics.generic import make
from metrics.measures.lesions import evaluation_mask
from metrics.statistics.uncertainty import intervals
from tests.support.score_tables import column, write
from tests.support.volume_files import write_volume
from tests.unit.metrics.challenges.test_adaptor2021 import Bench
from tests.unit.metrics.challenges.test_camelyon16 import Challenge
from tests.unit.metrics.measures.test_lesions import discs

ROUNDS = 3
GROWTH = (1, 0.5, 0.25, 0.125)


def rhythm_labels(folder: Path, n: int) -> tuple[Path, Path]:
    """REFERENCE.csv and answers.txt of n records, four fifths of them right."""
    r = np.random.default_rng(0)
    labels = np.array(list("NAO~"))
    truth = r.choice(labels, n, p=[0.6, 0.1, 0.25, 0.05])
    answer = np.where(r.random(n) < 0.8, truth, r.choice(labels, n))
    for name, side in (("REFERENCE.csv", truth), ("answers.txt", answer)):
        lines = (f"A{i:06d},{label}\n" for i, label in enumerate(side))
        (folder / name).write_text("".join(lines))
    return folder / "REFERENCE.csv", folder / "answers.txt"


def survival_tables(folder: Path, n: int) -> tuple[Path, Path]:
    """Times, events and risks of n records."""
    r = np.random.default_rng(0)
    times, events = r.exponential(5, n).round(3), r.integers(0, 2, n)
    risks = (r.normal(size=n) - times / 5).round(4)
    rows = [f"{time},{event}" for time, event in zip(times.tolist(), events.tolist(), strict=True)]
    references = write(folder / "references.csv", column("time,event", rows))
    return references, write(folder / "answers.csv", column("risk", risks.tolist()))


def volume_files(folder: Path, slices: int) -> tuple[Path, Path]:
    """Folders of references and answers, each with ``case_00000.nii.gz``: a kidney with a tumour, and moved."""
    labels = np.zeros((slices, 512, 512), np.uint8)
    labels[slices // 4 : -(slices // 4), 150:300, 100:250] = 1
    labels[slices // 3 : -(slices // 3), 200:260, 180:250] = 2
    for side, moved in (("references", 0), ("answers", 3)):
        mask = np.roll(labels, moved, axis=1)
        write_volume(folder / side / "case_00000.nii.gz", mask, spacing_mm=(1.0, 0.8, 0.8))
    return folder / "references", folder / "answers"


def frames(folder: Path, n: int) -> tuple[Path, Path]:
    """Labels and answers of n frames of five patients, ten points each."""
    bench, r = Bench(folder), np.random.default_rng(3)
    for i in range(n):
        points = r.random((10, 2)) * (512, 288)
        for add, of_frame in ((bench.add_labels, points), (bench.add_answer, points + r.normal(0, 4, (10, 2)))):
            add(f"p{i * 5 // n}/v/{i:04d}", [*map(tuple, of_frame.tolist())])
    return bench.labels, bench.answers


def froc(folder: Path, size: float) -> Callable[[], object]:
    """Masks of every fifth slide, detections on each, and a score of each."""
    challenge, r = Challenge(folder), np.random.default_rng(2)
    names = [f"{'Normal' if i % 5 else 'Tumor'}_{i:03d}" for i in range(130)]
    for name in names:
        if name.startswith("Tumor"):
            challenge.mask(name)
        places = r.integers(0, 3520, (round(200 * size), 2)).tolist()
        challenge.sheet(name, *(f"{r.random():.6f},{x},{y}" for x, y in places))
    challenge.sheet("slides", *(f"{name},{r.random():.6f}" for name in names))
    (folder / "no").touch()  # no folder, so that every scoring is a first one
    metric = Camelyon16(cache=folder / "no" / "cache")
    return partial(metric.score, challenge.references, challenge.answers, rules="official")


def mask(_: Path, size: float) -> Callable[[], object]:
    """A level-5 mask with round lesions on a grid."""
    r = np.random.default_rng(0)
    places = ((600 * row + 300, 750 * column + 375) for row in range(5) for column in range(round(8 * size)))
    lesions = ((*place, int(r.integers(10, 60))) for place in places)
    return partial(evaluation_mask, discs((3000, round(6000 * size)), *lesions))


def scoring(
    metric: Metric, files: Callable[[Path, int], tuple[Path, Path]], count: int
) -> Callable[[Path, float], Callable[[], object]]:
    return lambda folder, size: partial(metric.score, *files(folder, round(count * size)))


ITEMS: dict[str, tuple[str, Callable[[Path, float], Callable[[], object]]]] = {
    "froc": ("130 slides with 200 detections each, from files", froc),
    "mask": ("3000x6000 pixels, 40 lesions", mask),
    "kits23": ("two .nii.gz 300x512x512, Dice and surface Dice", scoring(kits23.METRIC, volume_files, 300)),
    "cinc": ("3658 records", scoring(cinc2017.METRIC, rhythm_labels, 3658)),
    "adaptor": ("500 frames of 10 points", scoring(adaptor2021.METRIC, frames, 500)),
    "pairs": ("a C-index of 1000 records", scoring(make({"measure": "survival.c_index"}), survival_tables, 1000)),
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


if __name__ == "__main__":
    main()

"""Growth of the metrics' cost with the work: ``python -m tests.benchmarks.metrics [NAME …]``.

CPU seconds of the same work at its whole size, a half, a quarter and an eighth, the best of some rounds; of resamples
also as a ratio to one scoring.  The inputs are synthetic, and the same every time.
"""

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import wfdb
from numpy.typing import NDArray
from PIL import Image

from metrics.base import Metric, ScoreReport
from metrics.challenges import adaptor2021, cinc2017, cpsc2021, kits23
from metrics.challenges.camelyon16 import Camelyon16
from metrics.generic import make
from metrics.measures.lesions import evaluation_mask
from metrics.readers.references import read_mask
from metrics.statistics.uncertainty import intervals
from tests.support.challenge_files import Frames, Slides
from tests.support.volume_files import write_volume

ROUNDS = 3
GROWTH = (1, 0.5, 0.25, 0.125)
RATE_HZ = 200


def rhythm_labels(folder: Path, n: int) -> tuple[Path, Path]:
    """REFERENCE.csv and answers.txt of n records, four fifths of them right."""
    r = np.random.default_rng(0)
    labels = np.array(list("NAO~"))
    truth = r.choice(labels, n, p=[0.6, 0.1, 0.25, 0.05])
    answer = np.where(r.random(n) < 0.8, truth, r.choice(labels, n))
    for name, column in (("REFERENCE.csv", truth), ("answers.txt", answer)):
        lines = (f"A{i:06d},{label}\n" for i, label in enumerate(column))
        (folder / name).write_text("".join(lines))
    return folder / "REFERENCE.csv", folder / "answers.txt"


def survival_tables(folder: Path, n: int) -> tuple[Path, Path]:
    """Times, events and risks of n records."""
    r = np.random.default_rng(0)
    times, events = r.exponential(5, n).round(3), r.integers(0, 2, n)
    risks = (r.normal(size=n) - times / 5).round(4)
    references, answers = folder / "references.csv", folder / "answers.csv"
    rows = zip(times.tolist(), events.tolist(), strict=True)
    references.write_text("record,time,event\n" + "".join(f"r{i},{t},{e}\n" for i, (t, e) in enumerate(rows)))
    answers.write_text("record,risk\n" + "".join(f"r{i},{risk}\n" for i, risk in enumerate(risks.tolist())))
    return references, answers


def episodes(folder: Path, n: int, minutes: float = 20) -> tuple[Path, Path]:
    """n WFDB records with beats and six episodes, without signals, and an answer to each."""
    r = np.random.default_rng(0)
    references, answers = folder / "references", folder / "answers"
    references.mkdir()
    answers.mkdir()
    length = int(minutes * 60 * RATE_HZ)
    beats = np.cumsum(r.integers(120, 200, int(length / 160)))
    beats = beats[beats < length - 400]
    marks = np.linspace(1000, length - 2000, 12).astype(int)
    samples = np.concatenate([beats, marks])
    symbols = np.array(["N"] * beats.size + ["+"] * marks.size)
    notes = np.array([""] * beats.size + ["(AFIB", "(N"] * 6, dtype=object)
    order = np.argsort(samples, kind="stable")
    wfdb.wrann(
        "one", "atr", samples[order], symbols[order].tolist(), aux_note=notes[order].tolist(), write_dir=str(folder)
    )
    annotation = (folder / "one.atr").read_bytes()
    endpoints = (marks.reshape(-1, 2) + r.integers(-300, 300, (6, 2))).tolist()
    for i in range(n):
        name = f"data_{i // 7}_{i % 7 + 1}"
        signals = "".join(f"{name}.dat 16 200(0)/mV 16 0 0 0 0 {lead}\n" for lead in ("I", "II"))
        (references / f"{name}.hea").write_text(
            f"{name} 2 {RATE_HZ} {length}\n{signals}# paroxysmal atrial fibrillation\n"
        )
        (references / f"{name}.atr").write_bytes(annotation)
        (answers / f"{name}.json").write_text(json.dumps({"predict_endpoints": endpoints}))
    return references, answers


def volume_files(folder: Path, slices: int) -> tuple[Path, Path]:
    """Folders of references and answers, each with ``case_00000.nii.gz``: two kidneys with a tumour, and moved."""
    shape = (slices, 512, 512)
    grid = np.meshgrid(*(np.linspace(-1, 1, n, dtype=np.float32) for n in shape), indexing="ij", sparse=True)

    def ball(*centre: float, radius: float) -> NDArray[np.bool_]:
        return np.asarray(sum((g - c) ** 2 for g, c in zip(grid, centre, strict=True)) < radius**2)

    folders = folder / "references", folder / "answers"
    for root, shift in zip(folders, (0, 0.012), strict=True):
        labels = np.zeros(shape, np.uint8)
        for side in (-0.4, 0.4):
            labels[ball(shift, 0.1, side, radius=0.22)] = 1
        labels[ball(0.05 + shift, 0.2, 0.45, radius=0.08)] = 2
        write_volume(root / "case_00000.nii.gz", labels, spacing_mm=(1.0, 0.8, 0.8))
    return folders


def lesion_mask(folder: Path, shape: tuple[int, int], lesions: int) -> Path:
    """A level-5 mask with round lesions on a grid."""
    mask = np.zeros(shape, np.uint8)
    r = np.random.default_rng(0)
    columns = -(-lesions // 5)
    for i in range(lesions):
        y = int((i % 5 + 0.5) * shape[0] / 5)
        x = int((i // 5 + 0.5) * shape[1] / columns)
        radius = int(r.integers(10, 60))
        box = np.ogrid[-radius : radius + 1, -radius : radius + 1]
        disc = box[0] ** 2 + box[1] ** 2 <= radius**2
        part = mask[y - radius : y + radius + 1, x - radius : x + radius + 1]
        part[disc[: part.shape[0], : part.shape[1]]] = 255
    path = folder / "tumor_001_Mask.png"
    Image.fromarray(mask).save(path)
    return path


def slide_files(folder: Path, slides: int, detections: int) -> tuple[Path, Path]:
    """Masks of every fifth slide and a CSV of detections for each."""
    r, bench = np.random.default_rng(2), Slides(folder)
    rows = []
    for i in range(slides):
        name = f"{'Normal' if i % 5 else 'Tumor'}_{i:03d}"
        if not i % 5:
            bench.mask(name)
        places = r.integers(0, 3200, (detections, 2)).tolist()
        bench.sheet(name, *(f"{score:.6f},{x},{y}" for score, (x, y) in zip(r.random(detections), places, strict=True)))
        rows.append(f"{name},{r.random():.6f}")
    bench.sheet("slides", *rows)
    return bench.references, bench.answers


def frames(folder: Path, n: int) -> tuple[Path, Path]:
    """Labels and answers of n frames of five patients, ten points each."""
    r, bench = np.random.default_rng(3), Frames(folder)
    for i in range(n):
        labels = r.random((10, 2)) * (512, 288)
        for add, points in ((bench.add_labels, labels), (bench.add_answer, labels + r.normal(0, 4, (10, 2)))):
            add(f"p{i * 5 // n}/v/{i:04d}", [(x, y) for x, y in points.tolist()])
    return bench.references, bench.answers


def froc(folder: Path, size: float) -> Callable[[], object]:
    references, answers = slide_files(folder, 130, round(200 * size))
    (folder / "no").touch()  # no folder, so that every scoring is a first one
    return partial(Camelyon16(cache=folder / "no" / "cache").score, references, answers, rules="official")


def mask(folder: Path, size: float) -> Callable[[], object]:
    path = lesion_mask(folder, (3000, round(6000 * size)), round(40 * size))
    return partial(evaluation_mask, read_mask(path, record="tumor_001"))


def scoring(
    metric: Metric, files: Callable[[Path, int], tuple[Path, Path]], count: int
) -> Callable[[Path, float], Callable[[], object]]:
    return lambda folder, size: partial(metric.score, *files(folder, round(count * size)))


ITEMS: dict[str, tuple[str, Callable[[Path, float], Callable[[], object]]]] = {
    "froc": ("130 slides with 200 detections each, from files", froc),
    "mask": ("3000x6000 pixels, 40 lesions", mask),
    "kits23": ("two .nii.gz 300x512x512, Dice and surface Dice", scoring(kits23.METRIC, volume_files, 300)),
    "cpsc": ("700 records of 20 minutes", scoring(cpsc2021.METRIC, episodes, 700)),
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
    most = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"peak memory, inputs included: {most / 1e6:.0f} MB")


if __name__ == "__main__":
    main()

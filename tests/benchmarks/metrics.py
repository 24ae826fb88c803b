"""What the metrics cost, against what the organisers' programs cost; ``python -m tests.benchmarks.metrics``.

Each measurement runs in a process of its own, so that its peak memory is its own.  The figures of the organisers'
programs were measured once on two cores of a machine like CI's; where their algorithm is short it also runs here,
rewritten from its description, and the ratio within this very run stands beside the other.  Machines are noisy: the
best of several runs counts.  Exit code 1 if a promise is not kept.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from metrics import adaptor2021, cinc2017, cpsc2021, kits19, kits23, mlperf_kits19
from metrics.cases import Case
from metrics.froc import RATES, Froc, SlideHits
from metrics.references import load_lesions
from metrics.uncertainty import resampled
from tests.benchmarks import _inputs as inputs

VOLUME = (300, 512, 512)
Work = Callable[[], object]
Works = tuple[Work, Work | None, Work | None]
"""Ours, another way for the same, and ours on the smaller input of the other if that is too slow for the whole."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One promise."""

    name: str
    what: str
    prepare: Callable[[Path, int], Works]
    """From a folder and a scale."""
    official_seconds: float | None
    """Of the organisers' program; None where the other work of ``prepare`` is the baseline."""
    promised_ratio: float
    most_seconds: float = math.inf
    most_bytes: float = math.inf
    scales: tuple[int, ...] = (1, 2, 4, 8)
    rounds: int = 5


def froc_as_published(slides: Sequence[SlideHits]) -> list[float]:
    """The list-to-array conversion inside the loop over thresholds is what costs the organisers' program its time."""
    false = [list(slide.false_positives) for slide in slides]
    found = [list(slide.lesion_scores) for slide in slides]
    flat_false, flat_found = list(chain(*false)), list(chain(*found))
    counts = []
    for threshold in sorted(set(flat_false + flat_found))[1:]:
        counts.append(
            (
                int((np.asarray(flat_false) >= threshold).sum()) / len(slides),
                int((np.asarray(flat_found) >= threshold).sum()) / sum(slide.lesions for slide in slides),
            )
        )
    counts.append((0.0, 0.0))
    x, y = zip(*reversed(counts), strict=True)
    return [float(value) for value in np.interp(RATES, x, y)]


def greedy_as_published(labels: np.ndarray, points: np.ndarray) -> int:
    """All remaining pairs are looked through again for each match."""
    pairs = [
        (math.dist(point, label), i, j)
        for i, point in enumerate(points.tolist())
        for j, label in enumerate(labels.tolist())
    ]
    pairs = [pair for pair in pairs if pair[0] <= adaptor2021.RADIUS_PX]
    hits = 0
    while pairs:
        closest = min(pair[0] for pair in pairs)
        _, i, j = next(pair for pair in reversed(pairs) if pair[0] == closest)
        pairs = [pair for pair in pairs if pair[1] != i and pair[2] != j]
        hits += 1
    return hits


def froc(_folder: Path, scale: int) -> Works:
    slides = inputs.slide_hits(130, 200 * scale)
    weights = np.ones(130, np.int64)
    few = inputs.slide_hits(130, 20)
    return (
        lambda: Froc(slides, as_official=True).sensitivities(weights),
        lambda: froc_as_published(few),
        lambda: Froc(few, as_official=True).sensitivities(weights),
    )


def evaluation_mask(folder: Path, scale: int) -> Works:
    path = inputs.lesion_mask(folder, (3000, 6000 * scale), 40 * scale)
    return lambda: load_lesions(path, record="tumor_001", rules="corrected", cache=None), None, None


def cached_mask(folder: Path, scale: int) -> Works:
    path = inputs.lesion_mask(folder, (3000, 6000 * scale), 40 * scale)
    load_lesions(path, record="tumor_001", rules="corrected", cache=folder / "cache")
    return (
        lambda: load_lesions(path, record="tumor_001", rules="corrected", cache=folder / "cache"),
        lambda: load_lesions(path, record="tumor_001", rules="corrected", cache=None),
        None,
    )


def mlperf(_folder: Path, scale: int) -> Works:
    reference, answer = inputs.volume_pair((VOLUME[0] * scale, *VOLUME[1:]))
    return lambda: mlperf_kits19.dice_of_arrays(reference, answer, rules="official"), None, None


def kits19_files(folder: Path, scale: int) -> Works:
    references, answers = inputs.volume_files(folder, (VOLUME[0] * scale, *VOLUME[1:]))
    files = [next(path.glob("*.gz")) for path in (references, answers)]

    def decompress() -> None:
        for path in files:
            with gzip.open(path) as f:
                while f.read(1 << 20):
                    pass

    return lambda: kits19.METRIC.score(references, answers), decompress, None


def surface(folder: Path, scale: int) -> Works:
    references, answers = inputs.volume_files(folder, (VOLUME[0] * scale, *VOLUME[1:]))
    case = Case(record="case_00000", reference=references / "case_00000.nii.gz", answer=answers / "case_00000.nii.gz")
    return lambda: kits23.score_case(case, rules="corrected"), None, None


def cpsc(folder: Path, scale: int) -> Works:
    references, answers = inputs.episodes(folder, 700 * scale)
    return lambda: cpsc2021.METRIC.score(references, answers), None, None


def cinc(folder: Path, scale: int) -> Works:
    references, answers = inputs.rhythm_labels(folder, 3658 * scale)
    return lambda: cinc2017.METRIC.score(references, answers), None, None


def adaptor(_folder: Path, scale: int) -> Works:
    labels, points = inputs.crowded_frame(200 * scale)
    few = inputs.crowded_frame(100)
    return (
        lambda: adaptor2021.match_points(labels, points),
        lambda: greedy_as_published(*few),
        lambda: adaptor2021.match_points(*few),
    )


def resampled_labels(folder: Path, scale: int) -> Works:
    references, answers = inputs.rhythm_labels(folder, 3658 * scale)
    report = cinc2017.METRIC.score(references, answers)
    return lambda: resampled(report), None, None


def resampled_slides(_folder: Path, scale: int) -> Works:
    report = inputs.slide_report(130 * scale, 20)
    return lambda: resampled(report), None, None  # type: ignore[arg-type]


def shards(folder: Path, scale: int) -> Works:
    references, answers = inputs.volume_files(folder, VOLUME, cases=12 * scale)
    return (
        lambda: kits23.METRIC.score(references, answers, workers=2),
        lambda: kits23.METRIC.score(references, answers),
        None,
    )


ITEMS = (
    Item(
        name="froc",
        what="FROC, 130 slides x 200 false positives",
        prepare=froc,
        official_seconds=35.0,
        promised_ratio=1000,
    ),
    Item(
        name="mask",
        what="evaluation mask 3000x6000, 40 lesions",
        prepare=evaluation_mask,
        official_seconds=2.9,
        promised_ratio=20,
        scales=(1, 2, 3),
    ),
    Item(
        name="mask-cached",
        what="the same from the cache",
        prepare=cached_mask,
        official_seconds=2.9,
        promised_ratio=100,
        scales=(1, 2),
    ),
    Item(
        name="mlperf",
        what="MLPerf Dice of two arrays 300x512x512",
        prepare=mlperf,
        official_seconds=33.0,
        promised_ratio=60,
        most_bytes=1e9,
        scales=(1, 4),
    ),
    Item(
        name="kits19",
        what="KiTS19 from two .nii.gz 300x512x512; baseline: gunzip of both",
        prepare=kits19_files,
        official_seconds=None,
        promised_ratio=1,
        scales=(1, 2, 4),
    ),
    Item(
        name="kits23",
        what="KiTS23 with surface Dice from two .nii.gz 300x512x512",
        prepare=surface,
        official_seconds=2.4,
        promised_ratio=4,
        scales=(1, 2, 4),
    ),
    Item(
        name="cpsc",
        what="CPSC 2021, 700 records of 20 min",
        prepare=cpsc,
        official_seconds=10.7,
        promised_ratio=5,
        scales=(1, 2, 4),
    ),
    Item(
        name="cinc",
        what="CinC 2017, 3658 records",
        prepare=cinc,
        official_seconds=0.49,
        promised_ratio=0,
        most_seconds=0.010,
    ),
    Item(
        name="adaptor",
        what="AdaptOR, one crowded frame 200x200",
        prepare=adaptor,
        official_seconds=0.127,
        promised_ratio=20,
    ),
    Item(
        name="bootstrap-cinc",
        what="1000 resamples of 3658 records",
        prepare=resampled_labels,
        official_seconds=None,
        promised_ratio=0,
        most_seconds=1.5,
    ),
    Item(
        name="bootstrap-slides",
        what="1000 resamples of 130 slides",
        prepare=resampled_slides,
        official_seconds=None,
        promised_ratio=0,
        most_seconds=1.5,
    ),
    Item(
        name="workers",
        what="12 cases of KiTS23 in 2 processes; baseline: in one",
        prepare=shards,
        official_seconds=None,
        promised_ratio=0,
        scales=(1, 2, 4),
        rounds=1,
    ),
)


def measure(name: str, scale: int, rounds: int) -> dict[str, float | None]:
    """Best and median seconds, seconds of the other algorithm, and peak bytes beyond those of the inputs."""
    item = next(item for item in ITEMS if item.name == name)
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs, ours_smaller = item.prepare(Path(folder), scale)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seconds = [timed(ours) for _ in range(rounds)]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        other = min(timed(theirs) for _ in range(min(2, rounds))) if theirs is not None else None
        in_run = None
        if other is not None:
            in_run = other / (min(seconds) if ours_smaller is None else min(timed(ours_smaller) for _ in range(rounds)))
    seconds.sort()
    return {
        "best": seconds[0],
        "median": seconds[len(seconds) // 2],
        "other": other,
        "in_run": in_run,
        "bytes": 1024.0 * peak,
        "more_bytes": 1024.0 * (peak - before),
    }


def timed(work: Work) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def in_child(name: str, scale: int, rounds: int) -> dict[str, float | None]:
    argv = [sys.executable, "-m", __spec__.name if __spec__ else "tests.benchmarks.metrics", "--child", name]
    done = subprocess.run(
        [*argv, "--scale", str(scale), "--rounds", str(rounds)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{name}, scale {scale}: {done.stderr[-2000:]}")
    found: dict[str, float | None] = json.loads(done.stdout)
    return found


def verdict(item: Item, found: dict[str, float | None]) -> tuple[bool, float | None]:
    """Whether the promise is kept, and the ratio to the baseline."""
    best, other = found["best"] or 0.0, found["other"]
    baseline = item.official_seconds if item.official_seconds is not None else other
    ratio = None if baseline is None else baseline / best
    kept = best <= item.most_seconds and (found["bytes"] or 0) <= item.most_bytes
    return kept and (ratio is None or ratio >= item.promised_ratio), ratio


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=[item.name for item in ITEMS], metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="one round, no growth")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--scale", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=1, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        print(json.dumps(measure(asked.child, asked.scale, asked.rounds)))
        return 0
    print("best of several runs; machines are noisy, ratios within one run are surer than times")
    print(f"{'':75}{'best':>10}{'median':>10}{'ratio':>9}{'promise':>9}{'in run':>9}{'peak MB':>9}")
    results, broken = {}, []
    for item in ITEMS:
        if asked.only and item.name not in asked.only:
            continue
        found = in_child(item.name, 1, 1 if asked.quick else item.rounds)
        kept, ratio = verdict(item, found)
        broken += [] if kept else [item.name]
        growth = {1: found["best"]}
        for scale in () if asked.quick else item.scales[1:]:
            growth[scale] = in_child(item.name, scale, 2)["best"]
        print(line(item, found, kept, ratio, growth), flush=True)
        results[item.name] = {**found, "ratio": ratio, "kept": kept, "growth": growth}
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=1) + "\n")
    if broken:
        print(f"not kept: {', '.join(broken)}")
    return 1 if broken else 0


def line(
    item: Item, found: dict[str, float | None], kept: bool, ratio: float | None, growth: dict[int, float | None]
) -> str:
    best, median = found["best"] or 0.0, found["median"] or 0.0
    promise = f"{item.promised_ratio:g}x" if item.promised_ratio else "-"
    if item.most_seconds < math.inf:
        promise = f"{1000 * item.most_seconds:g} ms"
    shown = f"{ratio:.1f}x" if ratio is not None and ratio < 100 else "-" if ratio is None else f"{ratio:.0f}x"
    in_run = "-" if found["in_run"] is None else f"{found['in_run']:.1f}x"
    mark = "" if kept else "  NOT KEPT"
    text = (
        f"{item.name:<18}{item.what:<57}{1000 * best:>7.1f} ms{1000 * median:>7.1f} ms{shown:>9}{promise:>9}"
        f"{in_run:>9}{(found['bytes'] or 0) / 1e6:>9.0f}{mark}"
    )
    if len(growth) > 1:
        scales = np.array(list(growth), float)
        exponent = np.polyfit(np.log(scales), np.log([seconds or 1e-9 for seconds in growth.values()]), 1)[0]
        cost = ", ".join(f"{scale}x {1000 * (seconds or 0):.1f} ms" for scale, seconds in growth.items())
        text += f"\n{'':18}growth: {cost}; cost grows as work^{exponent:.2f}"
    return text


if __name__ == "__main__":
    sys.exit(main())

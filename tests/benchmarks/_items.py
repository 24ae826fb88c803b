"""What is promised of the metrics' speed, and the work that shows it.

``official_seconds`` were measured by running the organisers' programs once on two cores of a machine like CI's
(Python 3.11, numpy 1.26, scipy 1.17; Octave 7.3 for CinC 2017); each comment names the program.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
from isal import igzip

from metrics.base import ScoreReport
from metrics.challenges import adaptor2021, cinc2017, cpsc2021, kits19, kits23, mlperf_kits19
from metrics.challenges.camelyon16 import Camelyon16
from metrics.generic import make
from metrics.measures.froc import Froc
from metrics.measures.lesions import evaluation_mask as make_mask
from metrics.readers.cases import Case
from metrics.readers.references import load_lesions, read_mask
from metrics.readers.volumes import CHUNK_BYTES, joint_histogram
from metrics.statistics.uncertainty import intervals
from tests.benchmarks import _inputs as inputs
from tests.benchmarks import _published as published

Work = Callable[[], object]


@dataclass(frozen=True, kw_only=True)
class Works:
    """What is timed."""

    ours: Work
    beside: Work | None = None
    """What ``ours`` is compared with in the same run."""
    share: float = 1.0
    """Share of ``ours`` that ``beside`` does, where all of it would take minutes; its time is divided by this."""
    elapsed: bool = False
    """Whether elapsed time is measured instead of CPU time."""
    often: bool = False
    """Whether ``beside`` is as short as ``ours``, and so measured as often."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One promise, or one measurement without a promise."""

    name: str
    what: str
    prepare: Callable[[Path, float], Works]
    """Called with an empty folder and the size of the work; the promise is for size 1."""
    beside: str = ""
    """What is measured for the ratio within one run."""
    official_seconds: float | None = None
    ratio: float | None = None
    """At least this many times faster than the official program."""
    ratio_beside: float | None = None
    """At least this many times faster than ``beside``."""
    seconds: float = math.inf
    """At most so many seconds."""
    bytes: float = math.inf
    """At most so much memory of the process."""
    grows: str
    """What grows with the size of the work."""
    smallest: float = 1.0
    """The size at which the growth starts; it ends at eight times this."""
    rounds: int = 7


def froc(_folder: Path, size: float) -> Works:
    slides = inputs.slide_hits(130, round(200 * size))
    weights = np.ones(130, np.int64)
    every = 100
    return Works(
        ours=lambda: Froc(slides, as_official=True).sensitivities(weights),
        beside=lambda: published.froc_curve(slides, every),
        share=1 / every,
    )


def evaluation_mask(folder: Path, size: float) -> Works:
    path = inputs.lesion_mask(folder, (3000, round(6000 * size)), round(40 * size))
    return Works(
        ours=lambda: load_lesions(path, record="tumor_001", rules="corrected", cache=None),
        beside=lambda: published.evaluation_mask(read_mask(path, record="tumor_001") > 0),
    )


def mask_of_pixels(folder: Path, size: float) -> Works:
    pixels = read_mask(inputs.lesion_mask(folder, (3000, round(6000 * size)), round(40 * size)), record="tumor_001")
    return Works(
        ours=lambda: make_mask(pixels, shape=(pixels.shape[0], pixels.shape[1])),
        beside=lambda: published.evaluation_mask(pixels > 0),
    )


def cached_mask(folder: Path, size: float) -> Works:
    path = inputs.lesion_mask(folder, (3000, round(6000 * size)), round(40 * size))
    load = partial(load_lesions, path, record="tumor_001", rules="corrected")
    load(cache=folder / "cache")
    return Works(ours=lambda: load(cache=folder / "cache"), beside=lambda: load(cache=None))


def _shape(size: float) -> tuple[int, int, int]:
    return round(300 * size), 512, 512


def mlperf(_folder: Path, size: float) -> Works:
    reference, answer = inputs.volume_pair(_shape(size))
    slices = slice(len(reference) // 2, len(reference) // 2 + 30)
    return Works(
        ours=lambda: mlperf_kits19._dice_values(joint_histogram([(reference, answer)]), "official"),
        beside=lambda: published.one_hot_dice(reference[slices], answer[slices]),
        share=30 / len(reference),
    )


def kits19_files(folder: Path, size: float) -> Works:
    references, answers = inputs.volume_files(folder, _shape(size))
    files = [next(path.glob("*.gz")) for path in (references, answers)]

    def decompress() -> None:
        buffer = bytearray(CHUNK_BYTES)
        for path in files:
            with igzip.open(path) as f:
                while f.readinto(buffer):
                    pass

    return Works(ours=lambda: kits19.METRIC.score(references, answers), beside=decompress, often=True)


def kits23_files(folder: Path, size: float) -> Works:
    references, answers = inputs.volume_files(folder, _shape(size))
    reference, answer = (path / "case_00000.nii.gz" for path in (references, answers))
    case = Case(record="case_00000", reference=reference, answer=answer)
    return Works(
        ours=lambda: kits23.score_case(case, rules="corrected"),
        beside=lambda: published.kits23_scores(reference, answer),
    )


def cpsc(folder: Path, size: float) -> Works:
    n, some = round(700 * size), 20
    references, answers = inputs.episodes(folder, n, with_signals=some)
    endpoints = [[1000, 30_000]] * 6

    def as_published() -> None:
        for signal in references.glob("*.dat"):
            published.paroxysmal_record(signal.with_suffix(""), endpoints)

    return Works(ours=lambda: cpsc2021.METRIC.score(references, answers), beside=as_published, share=some / n)


def cinc(folder: Path, size: float) -> Works:
    references, answers = inputs.rhythm_labels(folder, round(3658 * size))
    return Works(
        ours=lambda: cinc2017.METRIC.score(references, answers),
        beside=lambda: published.rhythm_table(references, answers),
    )


def adaptor(_folder: Path, size: float) -> Works:
    # in the same space, twice the pairs are 1.4 times the landmarks
    labels, points = inputs.crowded_frame(round(200 * math.sqrt(size)))
    return Works(
        ours=lambda: adaptor2021.match_points(labels, points),
        beside=lambda: published.greedy_matches(labels, points),
    )


def resampled_labels(folder: Path, size: float) -> Works:
    files = inputs.rhythm_labels(folder, round(3658 * size))
    report = cinc2017.METRIC.score(*files)
    return Works(ours=partial(_thousand_resamples, report), beside=lambda: cinc2017.METRIC.score(*files), often=True)


def resampled_pairs(folder: Path, size: float) -> Works:
    references, answers = inputs.survival_tables(folder, round(1000 * size))
    metric = make({"measure": "survival.c_index"})
    report = metric.score(references, answers)
    score = partial(metric.score, references, answers)
    return Works(ours=partial(_thousand_resamples, report), beside=score, often=True)


def resampled_slides(folder: Path, size: float) -> Works:
    references, answers = inputs.slide_files(folder, round(130 * size), 200)
    score = partial(Camelyon16(cache=folder / "cache").score, references, answers)
    report = score()
    return Works(ours=partial(_thousand_resamples, report), beside=score, often=True)


def froc_files(folder: Path, size: float) -> Works:
    references, answers = inputs.slide_files(folder, 130, round(200 * size))
    metric = Camelyon16(cache=folder / "no" / "such" / "folder")
    slides = inputs.slide_hits(130, round(200 * size))
    every = 100
    (folder / "no").touch()  # so that nothing can be cached: every scoring is a first one
    return Works(
        ours=lambda: metric.score(references, answers, rules="official"),
        beside=lambda: published.froc_curve(slides, every),
        share=1 / every,
    )


def adaptor_frames(folder: Path, size: float) -> Works:
    references, answers = inputs.frames(folder, round(500 * size))
    return Works(
        ours=lambda: adaptor2021.METRIC.score(references, answers),
        beside=lambda: published.frames_f1(references, answers),
        often=True,
    )


def adaptor_floor(folder: Path, size: float) -> Works:
    """What no reader can do without: list the folders, open each file, and decode it."""
    trees = inputs.frames(folder, round(500 * size))
    decode = msgspec.json.Decoder(_Content).decode

    def read() -> None:
        for tree in trees:
            for place, _, names in os.walk(tree):
                for name in names:
                    handle = os.open(f"{place}/{name}", os.O_RDONLY)
                    decode(os.read(handle, os.fstat(handle).st_size + 1))
                    os.close(handle)

    return Works(ours=lambda: adaptor2021.METRIC.score(*trees), beside=read, often=True)


class _Point(msgspec.Struct, gc=False):
    x: float
    y: float


class _Content(msgspec.Struct, gc=False):
    points: list[_Point]


def _thousand_resamples(report: ScoreReport) -> None:
    if not intervals(report, resamples=1000).of:
        raise AssertionError("expected intervals, found none")


def threads(folder: Path, size: float) -> Works:
    references, answers = inputs.volume_files(folder, _shape(1), cases=round(42 * size))
    return Works(
        ours=lambda: kits23.METRIC.score(references, answers, workers=2),
        beside=lambda: kits23.METRIC.score(references, answers),
        elapsed=True,
    )


ITEMS = (
    Item(
        name="froc",
        what="FROC, 130 slides x 200 false positives",
        prepare=froc,
        official_seconds=35.0,  # computeFROC of Camelyon16's Evaluation_FROC.py
        ratio=1000,
        beside="its loop over thresholds",
        grows="false positives of a slide",
    ),
    Item(
        name="mask",
        what="evaluation mask 3000x6000, 40 lesions, from PNG",
        prepare=evaluation_mask,
        official_seconds=2.9,  # computeEvaluationMask of Camelyon16's Evaluation_FROC.py, reading not included
        ratio_beside=60,
        beside="whole-slide transform",
        grows="columns and lesions",
        smallest=0.25,
    ),
    Item(
        name="mask-pixels",
        what="the same from pixels, as the official time is measured",
        prepare=mask_of_pixels,
        official_seconds=2.9,
        ratio_beside=60,
        beside="whole-slide transform",
        grows="columns and lesions",
        smallest=0.25,
    ),
    Item(
        name="mask-cached",
        what="the same from the cache",
        prepare=cached_mask,
        official_seconds=2.9,
        ratio=20,
        beside="ours without cache",
        grows="columns and lesions",
        smallest=0.25,
    ),
    Item(
        name="mlperf",
        what="MLPerf Dice, two arrays 300x512x512",
        prepare=mlperf,
        official_seconds=33.0,  # DiceScore of mlcommons/training unet3d on the CPU; over 6 GB
        ratio=60,
        bytes=1e9,
        beside="one-hot channels",
        grows="slices",
        smallest=0.25,
    ),
    Item(
        name="kits19",
        what="KiTS19, two .nii.gz 300x512x512",
        prepare=kits19_files,
        official_seconds=0.79,  # neheller/kits19 starter_code/evaluation.py
        ratio_beside=0.5,
        beside="isal's decompression of both alone",
        grows="slices",
        smallest=0.25,
    ),
    Item(
        name="kits23",
        what="KiTS23 with surface Dice, two .nii.gz 300x512x512",
        prepare=kits23_files,
        official_seconds=2.4,  # neheller/kits23 with google-deepmind/surface-distance
        ratio_beside=25,
        beside="distance transforms",
        grows="slices",
        smallest=0.25,
    ),
    Item(
        name="cpsc",
        what="CPSC 2021, 700 records of 20 minutes",
        prepare=cpsc,
        official_seconds=10.7,  # score_2021.py of CPSC-Committee/cpsc2021-python-entry
        ratio_beside=80,
        beside="maps of whole signals",
        grows="records",
        smallest=0.25,
    ),
    Item(
        name="cinc",
        what="CinC 2017, 3658 records",
        prepare=cinc,
        official_seconds=0.49,  # score2017Challenge.m, 0.3 s of it the start of Octave
        seconds=0.010,
        beside="a search for each record",
        grows="records",
        rounds=15,
    ),
    Item(
        name="adaptor",
        what="AdaptOR, one crowded frame 200x200",
        prepare=adaptor,
        official_seconds=0.127,  # evaluation.py of Cardio-AI/adaptor_docker_example
        ratio=20,
        beside="rescan for each match",
        grows="pairs",
        rounds=15,
    ),
    Item(
        name="froc-files",
        what="FROC from files on first sight, 130 slides",
        prepare=froc_files,
        official_seconds=35.0,
        ratio_beside=400,
        beside="its loop over thresholds",
        grows="false positives of a slide",
    ),
    Item(
        name="adaptor-frames",
        what="AdaptOR, 500 frames of 10 points from files",
        prepare=adaptor_frames,
        official_seconds=0.28,
        ratio=20,
        beside="rescan for each match",
        grows="frames",
        rounds=25,
    ),
    Item(
        name="adaptor-floor",
        what="the same, and its files alone",
        prepare=adaptor_floor,
        ratio_beside=1 / 1.5,
        beside="list, open and decode the files",
        grows="frames",
        rounds=25,
    ),
    Item(
        name="bootstrap-cinc",
        what="intervals: 1000 resamples of 3658 records",
        prepare=resampled_labels,
        ratio_beside=0.2,
        beside="one scoring from files",
        grows="records",
    ),
    Item(
        name="bootstrap-slides",
        what="intervals: 1000 resamples of 130 slides",
        prepare=resampled_slides,
        ratio_beside=0.2,
        beside="one scoring from files",
        grows="slides",
    ),
    Item(
        name="bootstrap-pairs",
        what="intervals: 1000 resamples of a C-index of 1000 records",
        prepare=resampled_pairs,
        ratio_beside=0.2,
        beside="one scoring from files",
        grows="records",
    ),
    Item(
        name="threads",
        what="42 cases of KiTS23 in two threads",
        prepare=threads,
        beside="the same in one",
        grows="cases",
        smallest=0.125,
        rounds=1,
    ),
)

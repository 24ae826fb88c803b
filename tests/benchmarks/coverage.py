"""How often intervals contain the true value, in simulated challenges, where 95 % is claimed.

    python -m tests.benchmarks.coverage [--challenges 1000] [--only WORD]

Each line is a measure, a kind of entry and a number of records: the share of simulated challenges whose interval
contains the value that the same entry gets on ever more records, and the mean width of the interval.  The cost is the
number of challenges times that of an interval; 1,000 of each take half an hour.  A last part counts how often equal
entries are separated.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.base import MeanOfRecords, Resampler, ScoreReport
from metrics.generic import make
from metrics.generic.base import Drawn, Values, sums, wilson_interval
from metrics.generic.classification import average_precisions, roc_areas
from metrics.generic.tables import table_of
from metrics.measures.auc import delong_interval
from metrics.statistics.uncertainty import compare, intervals, tied_groups

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Random = np.random.Generator
_LARGE = 400_000
"""Records from which the true value is calculated."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A measure of an entry whose true value is known."""

    name: str
    draw: Callable[[Random, int], ScoreReport]
    """A challenge with so many records or patients."""
    truth: float


def _report(resampler: Resampler, closed: dict[str, tuple[float, float]] | None = None) -> ScoreReport:
    (key, value), *_ = resampler.values(np.ones((1, len(resampler.records)), np.int64)).items()
    values = {key: float(value[0])}
    return ScoreReport(
        metric="m", rules="corrected", primary=key, values=values, intervals=closed or {}, resampler=resampler
    )


def _names(n: int) -> tuple[str, ...]:
    return tuple(map(str, range(n)))


def _mean(scores: Floats, clusters: tuple[str, ...] = ()) -> ScoreReport:
    names = _names(scores.size)
    return _report(MeanOfRecords(records=names, clusters=clusters or names, columns={"mean": scores.tolist()}))


def _dice(random: Random, n: int, good: float) -> Floats:
    """Dice of cases: skewed, most of them better than their mean."""
    return random.beta(8 * good, 8 * (1 - good), n)


def _with_misses(random: Random, n: int, good: float) -> Floats:
    """The same, and some cases missed altogether: below 100 records often none, of which no method can know."""
    return np.where(random.random(n) < (1 - good) / 2, 0.0, _dice(random, n, good))


def _macro_f1(random: Random, n: int, right: float) -> ScoreReport:
    truth = random.choice(4, n, p=[0.6, 0.2, 0.15, 0.05])
    answers = np.where(random.random(n) < right, truth, random.choice(4, n))
    rows = np.zeros((n, 12))
    rows[np.arange(n), 3 * truth] += truth == answers
    rows[np.arange(n), 3 * truth + 1] += truth != answers
    rows[np.arange(n), 3 * answers + 2] += truth != answers

    def formula(found: Floats) -> Values:
        hits, missed, wrong = (found[:, k::3] for k in range(3))
        with np.errstate(invalid="ignore", divide="ignore"):
            return {"f1": np.nanmean(2 * hits / (2 * hits + missed + wrong), axis=1)}

    names = _names(n)
    return _report(Drawn(records=names, clusters=names, statistic=sums(rows, formula)))


def _scores(random: Random, n: int, apart: float, share: float) -> tuple[Floats, NDArray[np.bool_]]:
    positive = np.arange(n) < max(2, round(share * n))
    return random.normal(size=n) + apart * positive, positive


def _auroc(random: Random, n: int, apart: float) -> ScoreReport:
    scores, positive = _scores(random, n, apart, 0.4)
    area, names = roc_areas(scores, positive), _names(n)
    resampler = Drawn(records=names, clusters=names, statistic=lambda weights: {"auroc": area(weights)})
    return _report(resampler, {"auroc": delong_interval(scores, positive)})


def _ap(random: Random, n: int, apart: float) -> ScoreReport:
    positive = random.random(n) < 0.3
    scores = random.normal(size=n) + apart * positive
    area, names = average_precisions(scores, positive), _names(n)
    return _report(Drawn(records=names, clusters=names, statistic=lambda weights: {"ap": area(weights)}))


def _share(random: Random, n: int, right: float) -> ScoreReport:
    """An accuracy, sensitivity or another share of independent records."""
    hits = random.random(n) < right
    report = _mean(hits.astype(float))
    return _report(report.resampler, {"mean": wilson_interval(int(hits.sum()), n)})  # type: ignore[arg-type]


def _correlated(random: Random, n: int, noise: float) -> ScoreReport:
    """Lin's concordance correlation."""
    truth = random.normal(size=n)
    answers = truth + 0.2 + random.normal(size=n) * noise
    tables = [table_of(name, {}, {"value": each}) for name, each in (("r", truth), ("a", answers))]
    report = make({"measure": "regression.ccc"}).score_tables(*tables)  # type: ignore[attr-defined]
    return _report(report.resampler)


def _ranked(random: Random, n: int, noise: float) -> ScoreReport:
    """Harrell's index of which a third are censored."""
    death, end = random.exponential(1, n), random.exponential(2, n)
    risk = -np.log(death) + random.normal(size=n) * noise
    truth = {"time": np.minimum(death, end), "event": (death <= end).astype(np.float64)}
    tables = table_of("r", {}, truth), table_of("a", {}, {"risk": risk})
    return _report(make({"measure": "survival.c_index"}).score_tables(*tables).resampler)  # type: ignore[attr-defined]


def _patients(random: Random, n: int, good: float) -> ScoreReport:
    """Three records of each patient, which are alike."""
    level = np.repeat(random.normal(size=n), 3)
    scores = 1 / (1 + np.exp(-(np.log(good / (1 - good)) + level + random.normal(size=3 * n))))
    return _mean(scores, tuple(np.repeat(np.arange(n), 3).astype(str)))


def entries() -> Iterator[Entry]:
    """Every measure of a usual and of an excellent entry, with its true value from many records."""
    kinds: tuple[tuple[str, Callable[[Random, int, float], ScoreReport], tuple[float, float]], ...] = (
        ("mean Dice", lambda random, n, good: _mean(_dice(random, n, good)), (0.8, 0.95)),
        ("mean Dice, some missed", lambda random, n, good: _mean(_with_misses(random, n, good)), (0.8, 0.95)),
        ("mean Dice, 3 records a patient", _patients, (0.8, 0.95)),
        ("accuracy, sensitivity (Wilson)", _share, (0.8, 0.97)),
        ("macro F1, four classes", _macro_f1, (0.7, 0.95)),
        ("AUROC (DeLong)", _auroc, (1.2, 2.3)),
        ("average precision", _ap, (1.2, 2.5)),
        ("Lin's concordance", _correlated, (0.8, 0.2)),
        ("C-index", _ranked, (1.5, 0.4)),
    )
    for name, draw, levels in kinds:
        for level, what in zip(levels, ("usual", "excellent"), strict=True):
            random = np.random.default_rng(1)
            (truth,) = draw(random, _LARGE if draw is not _ranked else _LARGE // 8, level).values.values()
            yield Entry(
                name=f"{name}, {what}",
                draw=lambda r, n, d=draw, at=level: d(r, n, at),
                truth=truth,  # type: ignore[misc]
            )


def covered(entry: Entry, n: int, challenges: int) -> tuple[float, float]:
    """The share of challenges whose interval contains the true value, and its mean width."""
    random, hits, widths = np.random.default_rng(n), 0, []
    for _ in range(challenges):
        report = entry.draw(random, n)
        found = intervals(report).of.get(report.primary)
        if found is not None:
            hits += found[0] <= entry.truth <= found[1]
            widths.append(found[1] - found[0])
    return hits / max(1, len(widths)), float(np.mean(widths)) if widths else float("nan")


def separated(n: int, k: int, challenges: int) -> tuple[float, float]:
    """How often equal entries are separated: by a paired comparison of two, and among ``k`` on a board."""
    random, pairs, boards = np.random.default_rng(n), 0, 0
    for _ in range(challenges):
        level = random.normal(size=n)
        reports = [_mean(1 / (1 + np.exp(-(1.5 + level + random.normal(size=n))))) for _ in range(k)]
        found = compare(reports[0], reports[1])
        pairs += not found.low <= 0 <= found.high
        weights = random.multinomial(n, [1 / n] * n, 1000)
        rows = np.stack([next(iter(one.resampler.values(weights).values())) for one in reports if one.resampler])
        order = np.argsort(-rows.mean(axis=1))
        boards += len(tied_groups([str(i) for i in order], rows[order], clusters=n)) > 1
    return pairs / challenges, boards / challenges


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--challenges", type=int, default=1000)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    sizes = (10, 30, 100, 300, 1000)
    print("| coverage of 95 % intervals | " + " | ".join(f"{n} records" for n in sizes) + " |")
    print("|---|" + "---|" * len(sizes))
    for entry in entries():
        if given.only in entry.name:
            found = [covered(entry, n, given.challenges) for n in sizes]
            print(
                f"| {entry.name} | " + " | ".join(f"{share:.3f} (width {width:.3f})" for share, width in found) + " |"
            )
    for n in (30, 100):
        pairs, boards = separated(n, 8, given.challenges)
        print(f"equal entries, {n} records: {pairs:.1%} of pairs and {boards:.1%} of boards of eight are separated")


if __name__ == "__main__":
    main()

"""Share of intervals that contain the true value, in simulated challenges, where 95 % is claimed.

    python -m tests.benchmarks.coverage [--challenges 1000] [--only WORD] [--records 30 100 300] [--pairs]

Each line is a measure, a kind of entry and a number of records: the share of simulated challenges whose interval
contains the value that the same entry gets on ever more records, and the mean width of the interval.  The cost is the
number of challenges times that of an interval; 1,000 of each take half an hour.  ``--pairs`` makes the table of
comparisons of two entries instead, and counts how often equal entries are separated on boards.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import ScoreReport
from metrics.generic import make
from metrics.generic.tables import table_of
from metrics.statistics.uncertainty import compare, intervals, tied_groups
from tests.unit.metrics.statistics.test_bca import mean_of

Floats = NDArray[np.float64]
Random = np.random.Generator
_LARGE = 400_000
"""Records from which the true value is calculated."""


def _mean(scores: Floats, clusters: tuple[str, ...] = ()) -> ScoreReport:
    mean = {"mean": float(np.mean(scores))}
    return ScoreReport(metric="m", rules="corrected", primary="mean", values=mean, resampler=mean_of(scores, clusters))


def _dice(random: Random, n: int, good: float) -> Floats:
    """Dice of cases: skewed, most of them better than their mean."""
    return random.beta(8 * good, 8 * (1 - good), n)


def _with_misses(random: Random, n: int, good: float) -> Floats:
    """The same, and some cases missed altogether: below 100 records there is often none."""
    return np.where(random.random(n) < (1 - good) / 2, 0.0, _dice(random, n, good))


def _measured(spec: dict[str, Any], truth: dict[str, Any], answers: dict[str, Any], patients: int = 0) -> ScoreReport:
    """The report of columns of text, or of numbers, of so many patients with three records each."""
    tables = []
    if patients:
        truth["patient"] = np.repeat(np.arange(patients), 3).astype(str)
    for what, columns in (("references", truth), ("answers", answers)):
        text = {name: cells.tolist() for name, cells in columns.items() if cells.dtype.kind == "U"}
        tables.append(table_of(what, text | {name: cells for name, cells in columns.items() if name not in text}))
    return make(spec).score_tables(*tables)  # type: ignore[attr-defined, no-any-return]


def _ranked(measure: str, positive: NDArray[np.bool_], scores: Floats, patients: int = 0) -> ScoreReport:
    spec = {"measure": f"classification.{measure}", "labels": ["0", "1"]}
    return _measured(spec, {"label": positive.astype(int).astype(str)}, {"score": scores}, patients)


def _auroc(random: Random, n: int, apart: float) -> ScoreReport:
    positive = _two_fifths(n)
    return _ranked("auroc", positive, random.normal(size=n) + apart * positive)


def _ap(random: Random, n: int, apart: float) -> ScoreReport:
    positive = random.random(n) < 0.3
    return _ranked("auprc", positive, random.normal(size=n) + apart * positive)


def _two_fifths(n: int) -> NDArray[np.bool_]:
    return np.arange(n) < max(2, round(0.4 * n))


def _patients(random: Random, n: int, good: float) -> ScoreReport:
    """Three records of each patient, which are alike."""
    level = np.repeat(random.normal(size=n), 3)
    scores = 1 / (1 + np.exp(-(np.log(good / (1 - good)) + level + random.normal(size=3 * n))))
    return _mean(scores, tuple(np.repeat(np.arange(n), 3).astype(str)))


def _labelled(measure: str, shares: list[float], *, near: bool = False, patients: bool = False, **options: Any) -> Draw:
    """Labels of which a share is right; a wrong one is any other, or with ``near`` one beside it.

    With ``patients`` there are three records of each of n patients, who are easy or hard.
    """
    names = np.array([str(label) for label in range(len(shares))])
    spec = {"measure": f"classification.{measure}", "labels": names.tolist(), **options}

    def draw(random: Random, n: int, right: float) -> ScoreReport:
        times = 3 if patients else 1
        truth = random.choice(names.size, n * times, p=shares)
        ease = np.log(right / (1 - right)) + np.repeat(random.normal(size=n), times) * patients
        wrong = random.random(truth.size) >= 1 / (1 + np.exp(-ease))
        steps = random.choice([-1, 1], truth.size) if near else random.integers(1, max(2, names.size), truth.size)
        moved = np.clip(truth + steps, 0, names.size - 1) if near else (truth + steps) % names.size
        return _measured(spec, {"label": names[truth]}, {"label": names[np.where(wrong, moved, truth)]}, n * patients)

    return draw


def _scored(measure: str, share: float, *, tails: float = 0, patients: bool = False, rounded: bool = False) -> Draw:
    """Scores of two classes: with tails of Student's t of so many degrees, of patients, or with ties."""

    def draw(random: Random, n: int, apart: float) -> ScoreReport:
        times = 3 if patients else 1
        sick = np.repeat(random.random(n) < share, times)
        sick[[0, 1, -1, -2]] = [True, True, False, False]
        noise = random.standard_t(tails, sick.size) if tails else random.normal(size=sick.size)
        if patients:
            noise = (noise + np.repeat(random.normal(size=n), times)) / np.sqrt(2)
        scores = noise + apart * sick
        return _ranked(measure, sick, np.round(2 * scores) / 2 if rounded else scores, n * patients)

    return draw


def _probable(measure: str, classes: int) -> Draw:
    """Probabilities of classes, whose logits an entry exaggerates so many times; 1 is calibrated."""
    names = [str(label) for label in range(classes)]
    spec = {"measure": f"classification.{measure}", "labels": names}

    def draw(random: Random, n: int, times: float) -> ScoreReport:
        logits = 1.5 * random.normal(size=(n, classes)) - np.arange(classes) / 2
        truth = np.argmax(logits + random.gumbel(size=logits.shape), axis=1)
        given = np.exp(times * (logits - logits.max(axis=1, keepdims=True)))
        given = np.clip(given / given.sum(axis=1, keepdims=True), 1e-6, 1)
        given /= given.sum(axis=1, keepdims=True)
        columns = {f"p_{name}": given[:, k] for k, name in enumerate(names)} if classes > 2 else {"score": given[:, 1]}
        return _measured(spec, {"label": np.array(names)[truth]}, columns)

    return draw


def _numbered(measure: str, *, tails: float = 0, skewed: bool = False, bias: float = 0) -> Draw:
    """Numbers with a bias and an error, of Student's t, or whose size grows with the number."""

    def draw(random: Random, n: int, noise: float) -> ScoreReport:
        truth = random.lognormal(0, 0.7, n) if skewed else random.normal(size=n)
        error = random.standard_t(tails, n) if tails else random.normal(size=n)
        answers = truth + bias + noise * error * (truth if skewed else 1)
        return _measured({"measure": f"regression.{measure}"}, {"value": truth}, {"value": answers})

    return draw


def _censored(until: float) -> Draw:
    """Risks of patients, most of whom are not followed to the end."""

    def draw(random: Random, n: int, noise: float) -> ScoreReport:
        death, end = random.exponential(1, n), random.exponential(until, n)
        risk = -np.log(death) + random.normal(size=n) * noise
        truth = {"time": np.minimum(death, end), "event": (death <= end).astype(np.float64)}
        return _measured({"measure": "survival.c_index"}, truth, {"risk": risk})

    return draw


Draw = Callable[[Random, int, float], ScoreReport]
Kind = tuple[str, Draw, tuple[float, float]]
RARE = [20 / 21, 1 / 21]
SIX = [0.4, 0.25, 0.15, 0.1, 0.06, 0.04]
KINDS: tuple[Kind, ...] = (
    ("mean Dice", lambda random, n, good: _mean(_dice(random, n, good)), (0.8, 0.95)),
    ("mean Dice, some missed", lambda random, n, good: _mean(_with_misses(random, n, good)), (0.8, 0.95)),
    ("mean Dice, 3 records a patient", _patients, (0.8, 0.95)),
    ("accuracy, sensitivity (Wilson)", _labelled("accuracy", [0.5, 0.5]), (0.8, 0.97)),
    ("macro F1, four classes", _labelled("f1", [0.6, 0.2, 0.15, 0.05]), (0.775, 0.9625)),
    ("AUROC", _auroc, (1.2, 2.3)),
    ("average precision", _ap, (1.2, 2.5)),
    ("Lin's concordance", _numbered("ccc", bias=0.2), (0.8, 0.2)),
    ("C-index", _censored(2), (1.5, 0.4)),
    # kinds that intervals were not made for: other shares, tails, ties, patients
    ("accuracy, 3 records a patient", _labelled("accuracy", [0.6, 0.4], patients=True), (0.8, 0.95)),
    ("balanced accuracy, two classes", _labelled("balanced_accuracy", [0.7, 0.3]), (0.8, 0.97)),
    ("balanced accuracy, four classes", _labelled("balanced_accuracy", [0.4, 0.3, 0.2, 0.1]), (0.8, 0.95)),
    ("balanced accuracy, 1 of 20", _labelled("balanced_accuracy", RARE), (0.8, 0.97)),
    ("balanced accuracy, 3 records a patient", _labelled("balanced_accuracy", [0.7, 0.3], patients=True), (0.8, 0.95)),
    ("Youden's index", _labelled("youden", [0.6, 0.4]), (0.8, 0.95)),
    ("F1 of one class, 1 of 3", _labelled("f1", [0.67, 0.33], average="binary", positive="1"), (0.8, 0.95)),
    ("F1 of one class, 1 of 20", _labelled("f1", RARE, average="binary", positive="1"), (0.9, 0.98)),
    ("macro F1, three classes", _labelled("f1", [0.5, 0.3, 0.2], near=True), (0.7, 0.95)),
    ("macro F1, six classes", _labelled("f1", SIX), (0.7, 0.95)),
    ("macro F1, 3 records a patient", _labelled("f1", [0.5, 0.3, 0.2], patients=True), (0.7, 0.95)),
    ("Matthews' correlation", _labelled("mcc", [0.6, 0.4]), (0.8, 0.95)),
    ("Cohen's kappa, weighted", _labelled("weighted_kappa", [0.3, 0.3, 0.2, 0.2], near=True), (0.6, 0.9)),
    ("AUROC, 1 of 20", _scored("auroc", 1 / 20), (1.2, 2.3)),
    ("AUROC, heavy tails", _scored("auroc", 0.4, tails=2), (1.5, 4.0)),
    ("AUROC, ties", _scored("auroc", 0.4, rounded=True), (1.2, 2.3)),
    ("AUROC, 3 records a patient", _scored("auroc", 0.4, patients=True), (1.2, 2.3)),
    ("average precision, 1 of 20", _scored("auprc", 1 / 20), (1.2, 2.5)),
    ("average precision, heavy tails", _scored("auprc", 0.3, tails=2), (1.5, 4.0)),
    ("average precision, 3 records a patient", _scored("auprc", 0.3, patients=True), (1.2, 2.5)),
    ("Brier score", _probable("brier", 2), (1.0, 3.0)),
    ("log loss, four classes", _probable("log_loss", 4), (1.0, 2.0)),
    ("mean absolute error, heavy tails", _numbered("mae", tails=4), (0.5, 0.1)),
    ("root mean square error", _numbered("rmse"), (0.5, 0.1)),
    ("R²", _numbered("r2"), (0.5, 0.1)),
    ("Pearson, heavy tails", _numbered("pearson", tails=4), (0.8, 0.2)),
    ("Spearman, skewed", _numbered("spearman", skewed=True), (0.5, 0.1)),
    ("Lin's concordance, skewed", _numbered("ccc", skewed=True), (0.3, 0.1)),
    ("C-index, two thirds censored", _censored(0.5), (1.5, 0.4)),
)


def entries(only: str = "") -> Iterator[tuple[str, Draw, float, float]]:
    """Name, challenges, level and true value of measures whose name has a word, for a usual and an excellent entry.

    The true value is that of many records.
    """
    for name, draw, levels in KINDS:
        for level, what in zip(levels, ("usual", "excellent"), strict=True):
            if only not in f"{name}, {what}":
                continue
            random = np.random.default_rng(1)
            large = _LARGE // 8 if "C" in name.split(",")[0].split("'")[-1] or "C-" in name else _LARGE
            report = draw(random, large, level)
            yield f"{name}, {what}", draw, level, report.values[report.primary]


def covered(draw: Draw, level: float, truth: float, n: int, challenges: int) -> tuple[float, float]:
    """The share of challenges whose interval contains the true value, and its mean width."""
    random, hits, widths = np.random.default_rng(n), 0, []
    for _ in range(challenges):
        report = draw(random, n, level)
        interval = intervals(report).of.get(report.primary)
        if interval is not None:
            hits += interval[0] <= truth <= interval[1]
            widths.append(interval[1] - interval[0])
    return hits / max(1, len(widths)), float(np.mean(widths)) if widths else float("nan")


Pair = tuple[ScoreReport, ScoreReport]


def _two_dice(random: Random, n: int, by: float, missed: float = 0.0) -> Pair:
    """Mean Dice on cases that are easy or hard for both; either entry misses some altogether, the first one more."""
    ease = random.normal(size=n)
    both = (1 / (1 + np.exp(-(1.5 + ease + random.normal(size=n)))) for _ in range(2))
    shares = (missed + by, missed)
    first, second = (
        _mean(np.where(random.random(n) < share, 0.0, dice)) for share, dice in zip(shares, both, strict=True)
    )
    return first, second


def _two_labelled(random: Random, n: int, by: float, measure: str) -> Pair:
    """Labels of three classes, of which the first entry has fewer right."""
    truth = random.choice(list("NAO"), n, p=[0.5, 0.3, 0.2])
    given = [np.where(random.random(n) < share, truth, random.choice(list("NAO"), n)) for share in (0.8 - by, 0.8)]
    spec = {"measure": f"classification.{measure}", "labels": list("NAO")}
    first, second = (_measured(spec, {"label": truth}, {"label": each}) for each in given)
    return first, second


def _two_areas(random: Random, n: int, by: float) -> Pair:
    positive, ease = _two_fifths(n), random.normal(size=n)
    scores = [(ease + random.normal(size=n)) / np.sqrt(2) + apart * positive for apart in (1.5 - by, 1.5)]
    first, second = (_ranked("auroc", positive, each) for each in scores)
    return first, second


PAIRS: tuple[tuple[str, Callable[..., Pair], float], ...] = (
    ("mean Dice", _two_dice, 0.025),
    ("mean Dice, some missed", partial(_two_dice, missed=0.05), 0.05),
    ("accuracy", partial(_two_labelled, measure="accuracy"), 0.1),
    ("macro F1, three classes", partial(_two_labelled, measure="f1"), 0.1),
    ("AUROC (DeLong)", _two_areas, 0.5),
)
"""Two entries on the same records, and by how much the first is worse where they are not equal."""


def contained(draw: Callable[[Random, int], Pair], truth: float, n: int, challenges: int) -> float:
    """The share of challenges in which the interval of the difference contains the true one."""
    random, hits = np.random.default_rng(n), 0
    for _ in range(challenges):
        comparison = compare(*draw(random, n))
        hits += comparison.low <= truth <= comparison.high
    return hits / challenges


def separated(n: int, k: int, challenges: int) -> float:
    """Share of boards of ``k`` equal entries on which some are separated."""
    random, boards = np.random.default_rng(n), 0
    for _ in range(challenges):
        level = random.normal(size=n)
        reports = [_mean(1 / (1 + np.exp(-(1.5 + level + random.normal(size=n))))) for _ in range(k)]
        weights = random.multinomial(n, [1 / n] * n, 1000)
        rows = np.stack(
            [next(iter(report.resampler.values(weights).values())) for report in reports if report.resampler]
        )
        order = np.argsort(-rows.mean(axis=1))
        boards += len(tied_groups([str(i) for i in order], rows[order], clusters=n)) > 1
    return boards / challenges


def _print_pairs(sizes: list[int], challenges: int) -> None:
    """The table of comparisons."""
    print("| coverage of 95 % intervals of a difference | " + " | ".join(f"{n} records" for n in sizes) + " |")
    print("|---|" + "---|" * len(sizes))
    for name, draw, worse in PAIRS:
        for by, what in ((0.0, "equal"), (worse, "one worse")):
            draw_pair = partial(draw, by=by)
            first, second = draw_pair(np.random.default_rng(1), _LARGE)
            truth = first.values[first.primary] - second.values[first.primary] if by else 0.0
            cells = " | ".join(f"{contained(draw_pair, truth, n, challenges):.3f}" for n in sizes)
            print(f"| {name}, {what} | {cells} |", flush=True)
    for n in (30, 100):
        print(f"equal entries, {n} records: {separated(n, 8, challenges):.1%} of boards of eight are separated")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--challenges", type=int, default=1000)
    parser.add_argument("--only", default="")
    parser.add_argument("--records", type=int, nargs="+", default=[10, 30, 100, 300, 1000])
    parser.add_argument("--pairs", action="store_true")
    given = parser.parse_args()
    sizes = given.records
    if given.pairs:
        _print_pairs(sizes, given.challenges)
        return
    print("| coverage of 95 % intervals | " + " | ".join(f"{n} records" for n in sizes) + " |")
    print("|---|" + "---|" * len(sizes))
    for name, draw, level, truth in entries(given.only):
        coverages = [covered(draw, level, truth, n, given.challenges) for n in sizes]
        cells = " | ".join(f"{share:.3f} (width {width:.3f})" for share, width in coverages)
        print(f"| {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()

"""Bootstrap by levels: centres, in each its patients, in each their records.

Conventions
-----------
A level is a name for each record; levels come from the outermost in (centre, patient), and records are the last level
if ``records`` says so.  Units of a level are drawn with replacement within each drawn unit of the level above, as many
as there are, again each time that it was drawn.  So intervals say what other centres, with other patients, would
give; with few centres (below ten or so) they are too narrow, which no resampling of few units mends.

Intervals are percentiles: the bias and acceleration of BCa are defined for one level only.

Source: Davison and Hinkley, Bootstrap Methods and their Application (1997), section 3.8.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from metrics.base import Note, ScoreReport
from metrics.statistics.uncertainty import LEVEL, RESAMPLES, SEED, Intervals, Ints, percentiles

FEW_CENTRES = 10


def nested_draws(
    levels: Sequence[Sequence[str]], *, records: bool = False, resamples: int = RESAMPLES, seed: int = SEED
) -> Iterator[Ints]:
    """Weights of one resample after the other, shape (1, n_records); the same for the same seed.

    Parameters
    ----------
    levels : sequence of sequences of str
        For each level the unit of every record, the outermost level first.
    records : bool
        Whether records are drawn within the units of the last level, and not all of them together.

    Raises
    ------
    ValueError
        No level, levels of different lengths, or a unit that lies in two units of the level above.
    """
    known = [list(map(str, level)) for level in levels]
    if not known or len({len(level) for level in known}) > 1 or not known[0]:
        raise ValueError(
            f"expected levels with a unit for each record, found lengths {[len(level) for level in known]}"
        )
    for above, below in pairwise(known):
        places: dict[str, str] = {}
        for outer, inner in zip(above, below, strict=True):
            if places.setdefault(inner, outer) != outer:
                raise ValueError(f"expected every unit in one of the level above, found {inner!r} in two")
    tree = _tree(known, list(range(len(known[0]))), records)
    random = np.random.default_rng(seed)
    for _ in range(resamples):
        weights = np.zeros((1, len(known[0])), np.int64)
        _draw(tree, weights[0], random)
        yield weights


def _tree(levels: list[list[str]], rows: list[int], records: bool) -> list[object]:
    """Units of the first level, each with those of the next one; at the end lists of records."""
    if not levels:
        return [[row] for row in rows] if records else [rows]
    groups: dict[str, list[int]] = {}
    for row in rows:
        groups.setdefault(levels[0][row], []).append(row)
    return [_tree(levels[1:], own, records) for own in groups.values()]


def _draw(units: list[object], weights: Ints, random: np.random.Generator) -> None:
    for place in random.integers(0, len(units), len(units)).tolist():
        unit = units[place]
        assert isinstance(unit, list)
        if isinstance(unit[0], list):
            _draw(unit, weights, random)
        else:
            weights[unit] += 1


def nested_intervals(
    report: ScoreReport,
    levels: Sequence[Sequence[str]],
    *,
    records: bool = False,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Intervals:
    """Intervals of every value that can be resampled, by levels; see the module.

    Parameters
    ----------
    levels : sequence of sequences of str
        As for `nested_draws`, in the order of ``report.resampler.records``.

    Raises
    ------
    ValueError
        The report cannot be resampled, or as `nested_draws`.
    """
    resampler = report.resampler
    if resampler is None or any(len(each) != len(resampler.records) for each in levels):
        found = "none" if resampler is None else f"levels of {[len(each) for each in levels]}"
        raise ValueError(f"expected a unit for each record that can be resampled, found {found}")
    drawn = np.concatenate(list(nested_draws(levels, records=records, resamples=resamples, seed=seed)))
    with np.errstate(invalid="ignore", divide="ignore"):  # a resample may lack a class
        values = resampler.values(drawn)
    finite = {key: value[np.isfinite(value)] for key, value in values.items() if key in report.values}
    centres = len(set(levels[0]))
    few = f"only {centres} units of the outermost level: intervals by levels are too narrow"
    return Intervals(
        level=level,
        of={key: percentiles(value, level) for key, value in finite.items() if value.size},
        resamples=resamples,
        clusters=centres,
        notes=(Note(few),) if centres < FEW_CENTRES else (),
    )

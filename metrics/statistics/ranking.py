"""Uncertainty of a ranking of entries: ranks over resamples, agreement of rankings, groups that cannot be told apart.

Conventions: larger scores are better, ranks start at 1, equal scores share the smallest rank, and an entry (or a
resample) without a score comes last.  All entries are scored on the same resamples, see
`metrics.statistics.uncertainty`.

Sources: Maier-Hein et al., Nature Communications 9 (2018) 5217; Wiesenfarth et al., Methods and open-source toolkit
for analyzing and visualizing challenge results (challengeR), Scientific Reports 11 (2021) 2369; Kendall, The treatment
of ties in ranking problems, Biometrika 33 (1945) 239.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from metrics.base import Note, ScoreReport
from metrics.statistics.uncertainty import (
    FEWEST_CLUSTERS,
    LEVEL,
    RESAMPLES,
    SEED,
    Floats,
    Ints,
    aligned,
    clusters_of,
    few_clusters_notes,
    paired_values,
    percentiles,
    tied_groups,
)

DECIMALS = 12
"""Scores that agree to so many decimals are equal."""


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Behaviour of a ranking under resampling; everything in the order of ``entries``, best first."""

    entries: tuple[str, ...]
    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    mean_ranks: tuple[float, ...]
    """Mean ranks over the resamples."""
    rank_intervals: tuple[tuple[float, float], ...]
    """Intervals of the resampled ranks; from first to last where there are too few clusters."""
    frequencies: Floats
    """Shape (entries, entries): how often the entry of a row had rank 1, 2, … (column)."""
    kendall_tau: tuple[float, float, float]
    """Tau-b of the resampled rankings with this one: lower bound, median, upper bound; NaN for a single rank."""
    tied_groups: tuple[tuple[str, ...], ...]
    """Entries that cannot be told apart, from the top."""
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        return board_text(self)


def rank(
    reports: Mapping[str, ScoreReport],
    *,
    decimals: int = DECIMALS,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Ranking:
    """Rank entries by their primary value, and say how certain that is.

    Parameters
    ----------
    reports : mapping of entry to report
        Reports of the same metric, rules and records.
    decimals : int
        Scores that are equal to so many decimals share a rank.

    Raises
    ------
    NotComparableError
        The reports differ in metric, rules or records, or cannot be resampled.
    ValueError
        There are no entries.
    """
    if not reports:
        raise ValueError("a ranking needs at least one entry")
    scored = {name: report.values[report.primary] for name, report in reports.items()}
    entries = sorted(scored, key=lambda name: (math.inf if math.isnan(scored[name]) else -scored[name], name))
    ordered = [reports[name] for name in entries]
    key = ordered[0].primary
    values = paired_values(ordered, aligned(ordered, key), key, resamples, seed)
    scores = [report.values[key] for report in ordered]
    return ranking_of(entries, scores, values, clusters=clusters_of(ordered[0]), decimals=decimals, level=level)


def board_text(ranking: Ranking) -> str:
    """A ranking as a table for people."""
    width = max(5, *map(len, ranking.entries)) + 2
    lines = [f"rank  {'entry':<{width}}{'score':>8}{'mean rank':>12}{'95 % of ranks':>16}{'group':>8}"]
    for row in board_json(ranking):
        low, high = row["rank_interval"]
        score = math.nan if row["score"] is None else row["score"]
        lines.append(
            f"{row['rank']:<6}{row['entry']:<{width}}{score:>8.4f}{row['mean_rank']:>12.2f}"
            f"{f'{low:.0f} to {high:.0f}':>16}{row['group']:>8}"
        )
    lines.append(
        "entries of one group cannot be told apart from its first (paired bootstrap of all pairs at once, 5 %)"
    )
    low_tau, tau, high_tau = ranking.kendall_tau
    if not math.isnan(tau):
        lines.append(
            f"agreement of resampled rankings with this one: Kendall's tau {tau:.2f} ({low_tau:.2f} to {high_tau:.2f})"
        )
    lines.extend(f"note: {note}" for note in ranking.notes)
    return "\n".join(lines)


def board_json(ranking: Ranking) -> list[dict[str, Any]]:
    """A ranking as values of JSON, best entry first; ``rank_frequencies`` are those of ranks 1, 2, …"""
    group_of = {entry: number for number, group in enumerate(ranking.tied_groups, 1) for entry in group}
    return [
        {
            "rank": ranking.ranks[i],
            "entry": entry,
            "score": ranking.scores[i] if math.isfinite(ranking.scores[i]) else None,
            "mean_rank": ranking.mean_ranks[i],
            "rank_interval": list(ranking.rank_intervals[i]),
            "rank_frequencies": ranking.frequencies[i].tolist(),
            "group": group_of[entry],
        }
        for i, entry in enumerate(ranking.entries)
    ]


def ranking_of(
    entries: Sequence[str],
    scores: Sequence[float],
    values: Floats,
    *,
    clusters: int,
    decimals: int = DECIMALS,
    level: float = LEVEL,
) -> Ranking:
    """The ranking of scores that are known, with their values over resamples.

    Parameters
    ----------
    entries : sequence of str
        From the best to the worst.
    scores : sequence of float
        In the same order.
    values : shape (entries, resamples)
        The scores on resamples, the same resamples for all entries.
    clusters : int
        How many independent records or patients the resamples were drawn from.
    """
    ranks = ranks_of(np.array(scores, np.float64)[:, None], decimals)[:, 0]
    drawn = ranks_of(values, decimals)
    places = np.arange(1, len(entries) + 1)
    enough = clusters >= FEWEST_CLUSTERS
    taus = kendall_tau(ranks, drawn)
    taus = taus[~np.isnan(taus)]
    low, high = percentiles(taus, level) if taus.size else (math.nan, math.nan)
    return Ranking(
        entries=tuple(entries),
        scores=tuple(map(float, scores)),
        ranks=tuple(ranks.tolist()),
        mean_ranks=tuple(drawn.mean(axis=1).tolist()),
        rank_intervals=tuple(percentiles(row, level) if enough else (1.0, float(places[-1])) for row in drawn),
        frequencies=np.stack([(drawn == number).mean(axis=1) for number in places], axis=1),
        kendall_tau=(low, float(np.median(taus)) if taus.size else math.nan, high),
        tied_groups=tied_groups(entries, values, 1 - level, clusters=clusters) if enough else (tuple(entries),),
        notes=few_clusters_notes(clusters, True),
    )


def ranks_of(scores: Floats, decimals: int = DECIMALS) -> Ints:
    """Ranks from 1 within each column; shape (entries, b) in and out."""
    rounded = -np.round(np.where(np.isnan(scores), -np.inf, scores), decimals)
    order = np.argsort(rounded, axis=0, kind="stable")
    sorted_scores = np.take_along_axis(rounded, order, axis=0)
    places = np.broadcast_to(np.arange(1, len(scores) + 1)[:, None], scores.shape)
    first = np.concatenate([np.ones((1, scores.shape[1]), np.bool_), sorted_scores[1:] != sorted_scores[:-1]])
    ranks = np.empty(scores.shape, np.int64)
    np.put_along_axis(ranks, order, np.maximum.accumulate(np.where(first, places, 0), axis=0), axis=0)
    return ranks


def kendall_tau(ranks: Ints, drawn: Ints) -> Floats:
    """Tau-b of a ranking with each of many.

    Parameters
    ----------
    ranks : shape (entries,)
    drawn : shape (entries, b)

    Returns
    -------
    shape (b,)
        NaN where all entries share one rank on either side: there is no order to agree with.
    """
    agreement, ordered = np.zeros(drawn.shape[1]), np.zeros(drawn.shape[1])
    ordered_here = 0
    for i in range(ranks.size - 1):
        here, there = np.sign(ranks[i + 1 :] - ranks[i]), np.sign(drawn[i + 1 :] - drawn[i])
        agreement += here @ there
        ordered += np.count_nonzero(there, axis=0)
        ordered_here += int(np.count_nonzero(here))
    scale = np.sqrt(ordered_here * ordered)
    return np.divide(agreement, scale, out=np.full_like(scale, math.nan), where=scale > 0)

"""One ranking of entries over several tasks: mean of ranks, rank of means, consensus.

Conventions: larger scores are better; ranks start at 1 and equal ones share the smallest; an entry that is missing in a
task, or has no score there, is last in it.

* ``mean of ranks``: the mean over tasks of the entry's rank in each.
* ``rank of means``: the mean over tasks of its scores, which must have one unit; with a missing one the entry is last.
* ``consensus``: the order that disagrees with the tasks' rankings in the fewest pairs (Kemeny), a tie in a task
  disagreeing with neither order.  Exact for up to `EXACT` entries; of several such orders the first by mean of ranks
  and name.  For more entries, the order by mean of ranks, improved by exchanging neighbours.

Sources: Wiesenfarth et al., Scientific Reports 11 (2021) 2369; Kemeny, Daedalus 88 (1959) 577.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from metrics.base import ScoreReport
from metrics.statistics.ranking import DECIMALS, ranks_of
from metrics.statistics.uncertainty import Ints

EXACT = 12
RULES = ("mean of ranks", "rank of means", "consensus")


@dataclass(frozen=True, kw_only=True)
class TaskRanking:
    """Entries over tasks, best first."""

    rule: str
    entries: tuple[str, ...]
    ranks: tuple[int, ...]
    values: tuple[float, ...]
    """By which they are ranked: the mean rank, the mean score, or the place in the consensus."""
    by_task: Mapping[str, tuple[int, ...]]
    """Their ranks in each task."""

    def __str__(self) -> str:
        width = max(5, *map(len, self.entries)) + 2
        lines = [f"rank  {'entry':<{width}}{self.rule:>14}  ranks in {', '.join(self.by_task)}"]
        for place, entry in enumerate(self.entries):
            own = ", ".join(str(ranks[place]) for ranks in self.by_task.values())
            lines.append(f"{self.ranks[place]:<6}{entry:<{width}}{self.values[place]:>14.4f}  {own}")
        return "\n".join(lines)


def over_tasks(
    reports: Mapping[str, Mapping[str, ScoreReport]], rule: str = RULES[0], *, decimals: int = DECIMALS
) -> TaskRanking:
    """Rank entries over tasks.

    Parameters
    ----------
    reports : mapping of task to mapping of entry to report
        Each ranked by its primary value.

    Raises
    ------
    ValueError
        No task or entry, another rule, or reports of one task by different metrics.
    """
    for task, own in reports.items():
        if len({(report.metric, report.rules) for report in own.values()}) > 1:
            raise ValueError(f"expected reports of one metric in task {task}, found several")
    scores = {task: {name: each.values[each.primary] for name, each in own.items()} for task, own in reports.items()}
    return over_scores(scores, rule, decimals=decimals)


def over_scores(
    scores: Mapping[str, Mapping[str, float]], rule: str = RULES[0], *, decimals: int = DECIMALS
) -> TaskRanking:
    """`over_tasks` of scores: task -> entry -> score."""
    if rule not in RULES:
        raise ValueError(f"expected rule to be one of {', '.join(RULES)}, found {rule!r}")
    entries = sorted({name for own in scores.values() for name in own})
    if not entries:
        raise ValueError("expected at least one task with an entry, found none")
    table = np.array([[own.get(name, math.nan) for own in scores.values()] for name in entries])
    ranks = ranks_of(table, decimals)
    mean_ranks = ranks.mean(axis=1)
    if rule == RULES[0]:
        values, better = mean_ranks, -mean_ranks
    elif rule == RULES[1]:
        values = better = table.mean(axis=1)
    else:
        start = sorted(range(len(entries)), key=lambda i: (mean_ranks[i], entries[i]))
        order = consensus(ranks, start)
        values = np.empty(len(entries))
        values[order] = np.arange(1, len(entries) + 1)
        better = -values
    found = ranks_of(np.asarray(better, np.float64)[:, None], decimals)[:, 0]
    order_shown = sorted(range(len(entries)), key=lambda i: (found[i], entries[i]))
    return TaskRanking(
        rule=rule,
        entries=tuple(entries[i] for i in order_shown),
        ranks=tuple(int(found[i]) for i in order_shown),
        values=tuple(float(values[i]) for i in order_shown),
        by_task={task: tuple(int(ranks[i, k]) for i in order_shown) for k, task in enumerate(scores)},
    )


def consensus(ranks: Ints, start: list[int]) -> list[int]:
    """The order of entries that disagrees with the fewest pairs of the rankings, see the module.

    Parameters
    ----------
    ranks : shape (entries, tasks)
    start : list of int
        The order that goes first among equally good ones.
    """
    n = len(start)
    own = ranks[start]
    # how many tasks have the second entry of a pair before the first
    against = np.array([[int((own[j] < own[i]).sum()) for j in range(n)] for i in range(n)])
    if n > EXACT:
        return [start[i] for i in _improved(list(range(n)), against)]
    # least disagreement of each set of entries that come first, with the entry that ends it
    whole = (1 << n) - 1
    cost = np.full(whole + 1, np.iinfo(np.int64).max)
    last = np.zeros(whole + 1, np.int64)
    cost[0] = 0
    before = _sums_of_sets(against)
    for chosen in range(1, whole + 1):
        # an entry is at the end of a set: its pairs with all that come later are decided
        for i in range(n):
            if not chosen >> i & 1:
                continue
            rest = chosen & ~(1 << i)
            value = cost[rest] + before[i, whole & ~chosen]
            if value <= cost[chosen]:
                cost[chosen], last[chosen] = value, i
    order = []
    chosen = whole
    while chosen:
        order.append(int(last[chosen]))
        chosen &= ~(1 << order[-1])
    return [start[i] for i in reversed(order)]


def _sums_of_sets(table: Ints) -> Ints:
    """For each row the sum over every set of columns, shape (n, 2^n)."""
    n = len(table)
    found = np.zeros((n, 1 << n), np.int64)
    for j in range(n):
        found[:, 1 << j : 2 << j] = found[:, : 1 << j] + table[:, j : j + 1]
    return found


def _improved(order: list[int], against: Ints) -> list[int]:
    """Neighbours exchanged as long as fewer pairs disagree."""
    changed = True
    while changed:
        changed = False
        for place in range(len(order) - 1):
            first, second = order[place], order[place + 1]
            if against[first, second] > against[second, first]:
                order[place], order[place + 1] = second, first
                changed = True
    return order

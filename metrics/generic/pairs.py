"""Concordant pairs of weighted records, for any multiset of them.

A pair (i, j) is comparable if record i has the event and comes before j.  Counting all pairs costs n² for each
multiset.  Here the records are cut into blocks twice, by time and by risk.  Pairs that share a block are counted by a
product of matrices for many multisets at once, which processors do at a hundred times the speed of anything else;
pairs that share neither block are counted from the sums of each pair of blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.generic.base import Bools, Floats, Ints, ratio

_BLOCK = 128
"""Records of a block; larger ones mean more products, smaller ones more blocks."""
_CACHED = 1 << 15
"""Weights that are summed at a time, so that they stay in the processor's cache."""
_EXACT = 1 << 23
"""Sums of weights below this are exact in single precision, which costs half."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparable:
    """The comparable pairs of a set of records, and which of them the answers put in order."""

    order: Ints
    """Records that count, by time."""
    after: Ints
    """For each of them the first place after all records of the same time."""
    event: Bools
    answered: Ints
    """Records that have an answer, by time and then risk."""
    happened: Bools
    """Their events."""
    rank: Ints
    """Their places by risk; of equal risks the later record has the larger one."""
    equal: Ints
    """Answered records that share their risk with others, by risk and then time."""
    equal_bounds: tuple[Ints, Ints, Ints]
    """Places in `equal`: of records with the event, and from where to where the later ones of their risk are."""

    @classmethod
    def of(cls, times: Floats, event: Bools, risk: Floats, *, drop: bool, censored: Bools | None = None) -> Comparable:
        """Sort everything once.

        Parameters
        ----------
        times, event, risk : shape (n,)
            ``event`` says whether the record may be the earlier one of a pair.  Risk NaN is a missing answer: it is in
            order with no other record, and with ``drop`` in no pair at all.
        censored : shape (n,), optional
            Whether its time is one of censoring, which comes after an event of the same time; by default none is.
        """
        late = np.zeros(times.size, np.bool_) if censored is None else censored
        known = ~np.isnan(risk)
        kept = np.flatnonzero(known) if drop else np.arange(times.size)
        order = kept[np.lexsort((np.where(known, risk, np.inf)[kept], late[kept], times[kept]))]
        moment = np.zeros(order.size, np.int64)
        if order.size:
            changed = (np.diff(times[order]) != 0) | (np.diff(late[order].astype(np.int8)) != 0)
            moment[1:] = np.cumsum(changed)
        answered = order[known[order]]
        happened, when = event[answered], moment[known[order]]
        value = np.unique(risk[answered], return_inverse=True)[1]
        by_risk = np.argsort(value, kind="stable")
        rank = np.empty(answered.size, np.int64)
        rank[by_risk] = np.arange(answered.size)
        equal = by_risk[np.bincount(value)[value[by_risk]] > 1] if answered.size else by_risk
        own = np.flatnonzero(happened[equal])
        key = value[equal] * (moment.size + 1) + when[equal]
        return cls(
            order=order,
            after=np.searchsorted(moment, moment, side="right"),
            event=event[order],
            answered=answered,
            happened=happened,
            rank=rank,
            equal=answered[equal],
            equal_bounds=(
                own,
                np.searchsorted(key, key[own], side="right"),
                np.searchsorted(value[equal], value[equal][own], side="right"),
            ),
        )

    def concordance(self, weights: Ints) -> Floats:
        """Share of comparable pairs in order, ties of risk counting one half; NaN without a pair.

        Parameters
        ----------
        weights : shape (b, n)

        Returns
        -------
        shape (b,)
        """
        kind: Any = np.float32 if weights.sum(axis=1).max(initial=0) < _EXACT else np.float64
        numbers = weights.astype(kind)
        agreeing = self._in_order(numbers)
        own, first, stop = self.equal_bounds
        if (first < stop).any():  # ties of risk, none of which is in order so far
            agreeing += _before(numbers, self.equal, own, first, stop) / 2
        events = np.flatnonzero(self.event)
        return ratio(agreeing, _before(numbers, self.order, events, self.after[events]))

    def _in_order(self, weights: NDArray[Any]) -> Floats:
        """The weight of all pairs of a record with the event and a later one of smaller `rank`, shape (b,)."""
        count, kind = self.rank.size, weights.dtype
        time_of = np.argsort(self.rank)
        by_time = np.take(weights, self.answered, axis=1)
        by_risk = np.take(by_time, time_of, axis=1)
        agreeing = np.zeros(len(weights))
        blocks = np.arange(-(-count // _BLOCK))
        later = np.zeros((len(weights), blocks.size))  # weight of all later blocks, by block of risk
        for start in range((blocks.size - 1) * _BLOCK, -1, -_BLOCK):
            part = slice(start, start + _BLOCK)
            rank, event = self.rank[part], self.happened[part]
            own = by_time[:, part]
            pairs = np.triu(rank < rank[:, None], 1) & event[:, None]
            agreeing += _paired(own, own, pairs)
            # later ones of the same block of risk
            times, events = time_of[part], self.happened[time_of[part]]
            pairs = (times // _BLOCK > times[:, None] // _BLOCK) & np.tri(times.size, k=-1, dtype=np.bool_)
            agreeing += _paired(by_risk[:, part], by_risk[:, part], pairs & events[:, None])
            # later ones of a smaller block of risk
            member = rank[:, None] // _BLOCK == blocks
            below = np.cumsum(later, axis=1) - later
            agreeing += np.einsum("bi,bi->b", own @ (member & event[:, None]).astype(kind), below)
            later += own @ member.astype(kind)
        return agreeing


def _paired(first: NDArray[Any], second: NDArray[Any], pairs: Bools) -> Floats:
    """Sum over pairs of the products of their weights, shape (b,)."""
    return np.asarray((first @ pairs.astype(first.dtype) * second).sum(axis=1, dtype=np.float64))


def _before(weights: NDArray[Any], order: Ints, own: Ints, first: Ints, stop: Ints | None = None) -> Floats:
    """Sum over places ``own`` of their weight times the weight from ``first`` to ``stop`` (the end), shape (b,).

    Parameters
    ----------
    order : shape (m,)
        The records in the order that the places count.
    """
    found = np.empty(len(weights))
    rows = max(1, _CACHED // max(1, order.size))
    for start in range(0, len(weights), rows):
        part = np.take(weights[start : start + rows], order, axis=1).astype(np.float64)
        total = np.zeros((len(part), part.shape[1] + 1))
        np.cumsum(part, axis=1, out=total[:, 1:])
        reached = -np.take(total, first, axis=1)
        reached += total[:, -1:] if stop is None else np.take(total, stop, axis=1)
        found[start : start + rows] = np.einsum("bi,bi->b", np.take(part, own, axis=1), reached)
    return found

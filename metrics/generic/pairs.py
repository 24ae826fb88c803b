"""Concordant pairs of weighted records, for any multiset of them.

A pair (i, j) is comparable if record i has the event and comes before j.  Counting all pairs costs n² for each
multiset.  Here the records are cut into blocks twice, by time and by risk.  Pairs that share a block are counted by a
product of matrices for many multisets at once, which processors do at a hundred times the speed of anything else;
pairs that share neither block are counted from the sums of each pair of blocks.  With blocks of about √n records that
is n√n for each multiset.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metrics.generic.base import Bools, Floats, Ints, by_parts, ratio
from metrics.products import product

_SMALLEST, _LARGEST = 64, 256
"""Records of a block; larger ones mean larger products, smaller ones more blocks."""
_KEPT = 1 << 23
"""Numbers in matrices that are kept from one call to the next; more are made again each time."""
_EXACT = 1 << 24
"""Whole numbers up to this are exact in single precision, which costs half."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _TimeBlock:
    """Records that follow each other by time, and what their weights are multiplied with."""

    places: slice
    until: int
    """The place from which on all records are later than those of this block."""
    matrix: NDArray[np.float32]
    """Side by side: which pairs in the block are in order, and which are comparable, of shape (records, records);
    whether a record has the event and is in each block of risk, and whether it is in it, of shape (records, blocks of
    risk); whether it has the event; ones."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparable:
    """The comparable pairs of a set of records, and which of them the answers put in order."""

    order: Ints
    """Records that count, by time and then risk."""
    after: Ints
    """For each of them the first place after all records of the same time."""
    event: Bools
    answered: Ints
    """Places in `order` of the records that have an answer."""
    rank: Ints
    """Places by risk of those that have an answer; of equal risks the later record has the larger one."""
    equal: Ints
    """Answered records that share their risk with others, by risk and then time."""
    equal_bounds: tuple[Ints, Ints, Ints]
    """Places in `equal`: of records with the event, and from where to where the later ones of their risk are."""

    @classmethod
    def of(cls, times: Floats, event: Bools, risk: Floats, *, drop: bool, censored: Bools | None = None) -> Comparable:
        """Sort everything once.

        * ``times`` and ``event`` and ``risk`` (shape (n,)): ``event`` says whether the record may be the earlier one of
          a pair. Risk NaN is a missing answer: it is in order with no other record, and with ``drop`` in no pair at
          all.
        * ``censored`` (shape (n,)): whether its time is one of censoring, which comes after an event of the same time;
          by default none is.
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
            answered=np.flatnonzero(known[order]),
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
        # no sum of products below is larger than that of a block's weight and the whole weight
        most = int(weights.max(initial=0)) * self._size * int(weights.sum(axis=1).max(initial=0))
        by_time = np.take(weights.astype(np.float32 if most < _EXACT else np.float64), self.order, axis=1)
        agreeing, comparable = self._counted(by_time)
        own, first, stop = self.equal_bounds
        if (first < stop).any():  # ties of risk, none of which is in order so far
            agreeing += _before(weights, self.equal, own, first, stop) / 2
        return ratio(agreeing, comparable)

    def _counted(self, by_time: NDArray[Any]) -> tuple[Floats, Floats]:
        """The weight of the comparable pairs that are in order (ties are not), and of all; shape (b,)."""
        agreeing, comparable = np.zeros(len(by_time)), np.zeros(len(by_time))
        kinds = -(-self.rank.size // self._size)
        later = np.zeros((len(by_time), kinds), by_time.dtype)  # weight of all later blocks, by block of risk
        total = np.zeros(len(by_time), by_time.dtype)
        totals = {self.order.size: total}  # weight of all records from a place on
        for block in self._time_blocks:
            own = by_time[:, block.places]
            size = own.shape[1]
            found = product(own, block.matrix)
            of_kinds, both = 2 * size, 2 * size + kinds
            agreeing += _products(found[:, :size], own)
            comparable += _products(found[:, size:of_kinds], own)
            comparable += found[:, -2].astype(np.float64) * totals[block.until]
            # later ones of a smaller block of risk
            agreeing += _products(found[:, of_kinds:both], np.cumsum(later, axis=1) - later)
            later += found[:, both:-2]
            total = totals[block.places.start] = total + found[:, -1]
        by_risk = np.take(by_time, self.answered[np.argsort(self.rank)], axis=1)
        for start, matrix in self._risk_blocks:
            own = by_risk[:, start : start + len(matrix)]
            agreeing += _products(product(own, matrix), own)
        return agreeing, comparable

    @property
    def _size(self) -> int:
        """Records of a block, at most."""
        return max(_SMALLEST, min(_LARGEST, 1 << round(math.log2(max(1, self.order.size)) / 2)))

    @property
    def _slices(self) -> list[tuple[int, int, int]]:
        """Start, stop and `_TimeBlock.until` of each block of time: it holds all records of a time, or of one only."""
        found: list[tuple[int, int, int]] = []
        start, count, after = 0, self.order.size, self.after
        while start < count:
            stop = min(start + self._size, count)
            if found and found[-1][2] > start:  # a time that began in another block ends here at the latest
                stop = min(stop, found[-1][2])
            elif int(after[stop - 1]) > stop:  # the last time continues: it starts the next, unless it is this one
                whole = int(np.searchsorted(after, stop, side="right"))
                stop = whole if whole > start else stop
            found.append((start, stop, int(after[stop - 1])))
            start = stop
        return found

    @cached_property
    def _time_blocks(self) -> Iterable[_TimeBlock]:
        """From the last to the first."""
        kinds = -(-self.rank.size // self._size)
        cells = self.order.size * 2 * (self._size + kinds)
        return tuple(self._made_time_blocks()) if cells <= _KEPT else _Again(self._made_time_blocks)

    def _made_time_blocks(self) -> Iterator[_TimeBlock]:
        ranks = np.full(self.order.size, -1)
        ranks[self.answered] = self.rank
        kinds = np.arange(-(-self.rank.size // self._size))
        for start, stop, until in reversed(self._slices):
            places = slice(start, stop)
            rank, event = ranks[places], self.event[places, None]
            pairs = (np.arange(start, stop) >= self.after[places, None]) & event
            in_order = np.triu(rank < rank[:, None], 1) & (rank >= 0) & event
            of_kind = (rank[:, None] // self._size == kinds) & (rank[:, None] >= 0)
            parts = (in_order, pairs, of_kind & event, of_kind, event, np.ones_like(event))
            yield _TimeBlock(places=places, until=until, matrix=np.concatenate(parts, axis=1, dtype=np.float32))

    @cached_property
    def _risk_blocks(self) -> Iterable[tuple[int, NDArray[np.float32]]]:
        made = self._made_risk_blocks
        return tuple(made()) if self.rank.size * self._size <= _KEPT else _Again(made)

    def _made_risk_blocks(self) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Where each block of risk starts, and which pairs are in order that are of different blocks of time."""
        starts = np.array([start for start, _, _ in self._slices], np.int64)
        place = self.answered[np.argsort(self.rank)]
        block, event = np.searchsorted(starts, place, side="right"), self.event[place]
        for start in range(0, place.size, self._size):
            own = block[start : start + self._size]
            pairs = (own > own[:, None]) & np.tri(own.size, k=-1, dtype=np.bool_)
            yield start, (pairs & event[start : start + self._size, None]).astype(np.float32)


@dataclass(frozen=True)
class _Again:
    """Makes its members again for each iteration."""

    make: Any

    def __iter__(self) -> Iterator[Any]:
        found: Iterator[Any] = self.make()
        return found


def _products(first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """Sum of products of each row, shape (b,)."""
    return np.asarray(np.einsum("bi,bi->b", first, second), np.float64)


def _before(weights: Ints, order: Ints, own: Ints, first: Ints, stop: Ints) -> Floats:
    """Sum over places ``own`` of their weight times the weight from ``first`` to ``stop``, shape (b,).

    ``order``: the records in the order that the places count.
    """
    counts = stop - first
    if counts.sum() <= order.size:  # mostly two records at a time: the pairs themselves are fewer
        places = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        earlier, later = np.repeat(order[own], counts), order[places]
        return _products(np.take(weights, earlier, axis=1).astype(np.float64), np.take(weights, later, axis=1))

    def formula(part: NDArray[Any]) -> Floats:
        total = np.zeros((len(part), order.size + 1), part.dtype)
        np.cumsum(part, axis=1, out=total[:, 1:])
        reached = np.take(total, stop, axis=1) - np.take(total, first, axis=1)
        return np.asarray(np.einsum("bi,bi->b", np.take(part, own, axis=1).astype(np.float64), reached))

    return by_parts(formula, np.take(weights, order, axis=1))

"""Concordant pairs of weighted records, for any multiset of them.

A pair (i, j) is comparable if record i has the event and comes before j.  Counting all pairs costs n² for each
multiset; here records are merged by time as in merge sort, whose n log n comparisons do not depend on the weights and
are made once, so that a multiset costs a few cumulative sums for each of log n levels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from metrics.generic.base import Bools, Floats, Ints, ratio


@dataclass(frozen=True, kw_only=True, eq=False)
class _Level:
    """One level of the merging: blocks of records, each with an earlier and a later half."""

    later: Ints
    """Answered records of the later halves, sorted by block and then risk."""
    earlier: Ints
    """Answered records of the earlier halves that have the event."""
    start: Ints
    """For each of ``earlier`` where its block begins among ``later``, … """
    below: Ints
    """… where risks as large as its own begin, …"""
    up_to: Ints
    """… and where they end."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparable:
    """The comparable pairs of a set of records, and which of them the answers put in order."""

    order: Ints
    """Records that count, by time."""
    after: Ints
    """For each of them the first place after all records of the same time."""
    event: Bools
    levels: tuple[_Level, ...]
    tied: Ints
    """Answered records that have the event and share its time and risk with another: such pairs are not comparable."""
    tied_starts: Ints
    """Where each group begins among them."""

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
        after = np.searchsorted(moment, moment, side="right")
        answered = order[known[order]]
        place = np.arange(answered.size)
        # equal risks have one rank
        rank = np.unique(risk[answered], return_inverse=True)[1]
        happened = event[answered]
        levels = []
        size = 1
        while size < answered.size:
            block = place // (2 * size)
            key = block * (answered.size + 1) + rank
            second = (place // size) % 2 == 1
            later = np.flatnonzero(second)
            later = later[np.argsort(key[later], kind="stable")]
            earlier = np.flatnonzero(~second & happened)
            keys = key[later]
            levels.append(
                _Level(
                    later=answered[later],
                    earlier=answered[earlier],
                    start=np.searchsorted(keys, block[earlier] * (answered.size + 1)),
                    below=np.searchsorted(keys, key[earlier], side="left"),
                    up_to=np.searchsorted(keys, key[earlier], side="right"),
                )
            )
            size *= 2
        groups = moment[known[order]] * (answered.size + 1) + rank
        _, group, members = np.unique(groups, return_inverse=True, return_counts=True)
        tied = np.flatnonzero(happened & (members[group] > 1))
        tied = tied[np.argsort(group[tied], kind="stable")]
        return cls(
            order=order,
            after=after,
            event=event[order],
            levels=tuple(levels),
            tied=answered[tied],
            tied_starts=np.flatnonzero(np.diff(group[tied], prepend=-1)),
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
        weighted = weights.astype(np.float64)
        ordered = weighted[:, self.order]
        total = _cumulated(ordered)
        comparable = (ordered * self.event * (total[:, -1:] - total[:, self.after])).sum(axis=1)
        agreeing = np.zeros(len(weights))
        for level in self.levels:
            sums = _cumulated(weighted[:, level.later])
            found = sums[:, level.below]
            if (level.below != level.up_to).any():
                found = (found + sums[:, level.up_to]) / 2
            found -= sums[:, level.start]
            agreeing += np.einsum("bi,bi->b", weighted[:, level.earlier], found)
        if self.tied.size:
            # records of one time are sorted by risk, so the levels counted only those of equal risk, each as one half
            members = weighted[:, self.tied]
            sums = np.add.reduceat(members, self.tied_starts, axis=1)
            squares = np.add.reduceat(members**2, self.tied_starts, axis=1)
            agreeing -= (sums**2 - squares).sum(axis=1) / 4
        return ratio(agreeing, comparable)


def _cumulated(weights: Floats) -> Floats:
    return np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)

"""Concordant pairs of weighted records, for any multiset of them.

A pair (i, j) is comparable if record i has the event and comes before j.  All pairs are counted by products of
matrices, some records at a time: n² for each multiset.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.generic.base import Bools, Floats, Ints, ratio

_PAIRS = 1 << 18
"""Pairs that are looked at in one product."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparable:
    """The comparable pairs of a set of records, and which of them the answers put in order."""

    times: Floats
    late: Bools
    """Whether the time is one of censoring, which comes after an event of the same time."""
    event: Bools
    """Whether the record may be the earlier one of a pair."""
    risk: Floats
    """NaN is a missing answer: it is in order with no other record."""
    kept: Bools
    """Which records are in pairs."""

    @classmethod
    def of(cls, times: Floats, event: Bools, risk: Floats, *, drop: bool, censored: Bools | None = None) -> Comparable:
        """The pairs of records; with ``drop`` those without an answer are in none."""
        return cls(
            times=times,
            late=np.zeros(times.size, np.bool_) if censored is None else censored,
            event=event,
            risk=risk,
            kept=~np.isnan(risk) if drop else np.ones(risk.size, np.bool_),
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
        agreeing, comparable = np.zeros(len(weights)), np.zeros(len(weights))
        numbers = weights.astype(np.float64)
        earlier = np.flatnonzero(self.event & self.kept)
        rows = max(1, _PAIRS // max(1, self.times.size))
        for start in range(0, earlier.size, rows):
            part = earlier[start : start + rows]
            pairs, in_order = self._pairs(part)
            own = numbers[:, part]
            comparable += np.einsum("bi,bi->b", own, numbers @ pairs.T)
            agreeing += np.einsum("bi,bi->b", own, numbers @ in_order.T)
        return ratio(agreeing, comparable)

    def _pairs(self, part: Ints) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Which records come after each of a part, and whether with a lower risk, or ½ for an equal one."""
        times, late, risk = (each[part, None] for each in (self.times, self.late, self.risk))
        after = (self.times > times) | ((self.times == times) & (self.late > late))
        pairs = (after & self.kept).astype(np.float64)
        return pairs, pairs * ((self.risk < risk) + (self.risk == risk) / 2)

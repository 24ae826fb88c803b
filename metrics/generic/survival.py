"""Survival: one risk (or predicted time) for each record that is followed until an event or censored.

Conventions
-----------
References have a row ``record,time,event[,patient]``: the time of the event or of the last visit, from 0, and whether
the event happened (1) or the record was censored (0).  Answers have ``record,risk``, larger meaning an earlier event.

A pair is comparable if the record with the shorter time had the event; of equal times, one with the event comes before
one censored, and two events make no pair.  *Ties* of risks count one half, as in Harrell et al., JAMA 247 (1982) 2543,
scikit-survival and lifelines.  *Missing answers* (``missing``): ``worst`` loses every comparable pair of the record,
``exclude-with-note`` leaves the record out.  Without any comparable pair the value is NaN, with a note.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.generic.base import EXCLUDE, Bools, Floats, Ints, Measured, by_name, ratio
from metrics.generic.options import TEXT, number, one_of, option, or_none
from metrics.generic.tables import OfTables, Paired

_PAIRS = 1 << 18
"""Pairs that are looked at in one product."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparable:
    """The comparable pairs of a set of records, and which of them the answers put in order."""

    times: Floats
    late: Bools
    """True if the time is one of censoring, which comes after an event of the same time."""
    event: Bools
    """True if the record may be the earlier one of a pair."""
    risk: Floats
    """NaN is a missing answer: it is in order with no other record."""
    kept: Bools
    """True for the records in pairs."""

    def concordance(self, weights: Ints) -> Floats:
        """Share of comparable pairs in order, shape (b,), ties of risk counting one half; NaN without a pair.

        ``weights``: of shape (b, n).
        """
        agreeing, comparable = np.zeros(len(weights)), np.zeros(len(weights))
        numbers = weights.astype(np.float64)
        earlier = np.flatnonzero(self.event & self.kept)
        rows = max(1, _PAIRS // max(1, self.times.size))
        for start in range(0, earlier.size, rows):
            part = earlier[start : start + rows]
            pairs, in_order = self._pairs(part)
            drawn = numbers[:, part]
            comparable += np.einsum("bi,bi->b", drawn, numbers @ pairs.T)
            agreeing += np.einsum("bi,bi->b", drawn, numbers @ in_order.T)
        return ratio(agreeing, comparable)

    def _pairs(self, part: Ints) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """1 for each record after those of a part; and 1 for those of a lower risk among them, ½ for an equal one."""
        times, late, risk = (each[part, None] for each in (self.times, self.late, self.risk))
        after = (self.times > times) | ((self.times == times) & (self.late > late))
        pairs = (after & self.kept).astype(np.float64)
        return pairs, pairs * ((self.risk < risk) + (self.risk == risk) / 2)


@dataclass(frozen=True, kw_only=True)
class CIndex(OfTables):
    """Harrell's concordance index: the share of comparable pairs in which the earlier event had the larger risk.

    ``until`` counts events before that time only (truncation, as in Uno's C without its weights).
    """

    measure = "survival.c_index"
    time_column: str = option("time", TEXT, "name of the column of times")
    event_column: str = option("event", TEXT, "name of the column of events, 1 or 0")
    answer_column: str = option("risk", TEXT, "name of the column of answers")
    predicts: str = option("risk", one_of("risk", "time"), "whether larger answers mean earlier or later events")
    until: float | None = option(None, or_none(number(0, above=True)), "events from this time on make no pair")
    _missing_counts = "counted as in the wrong order"

    @property
    def _reference_columns(self) -> tuple[str, ...]:
        return self.time_column, self.event_column

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        return (self.answer_column,)

    def measured_of(self, of: Paired) -> Measured:
        times = of.of_references(of.truth.numbers(self.time_column, low=0))
        event = of.of_references(of.truth.flags(self.event_column))
        risk = of.of_answers(of.given.numbers(self.answer_column) * (1 if self.predicts == "risk" else -1))
        counted = event if self.until is None else event & (times < self.until)
        kept = ~np.isnan(risk) if self.missing == EXCLUDE else np.ones(risk.size, np.bool_)
        pairs = Comparable(times=times, late=~event, event=counted, risk=risk, kept=kept)
        columns = of.records.names, times.tolist(), event.tolist(), risk.tolist()
        return Measured(
            records=of.records,
            statistic=lambda weights: {"c_index": pairs.concordance(weights)},
            per_record={
                name: {"time": time, "event": float(happened)} | ({} if math.isnan(value) else {"risk": value})
                for name, time, happened, value in zip(*columns, strict=True)
            },
            notes=of.notes,
        )


MEASURES = by_name(CIndex)

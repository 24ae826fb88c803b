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
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from metrics.base import AnswerError, ReferenceDataError
from metrics.generic.base import EXCLUDE, Bools, Floats, Measured, Statistic
from metrics.generic.options import TEXT, number, one_of, option, or_none
from metrics.generic.pairs import Comparable
from metrics.generic.tables import OfTables, Paired, Source, Table, pair, read_table


@dataclass(frozen=True, kw_only=True, eq=False)
class Followed:
    """Records that are followed, and the table of answers."""

    paired: Paired
    given: Table
    times: Floats
    event: Bools
    """Shape (n,)."""


@dataclass(frozen=True, kw_only=True)
class OfTimes(OfTables):
    """Options of every measure of survival."""

    record_column: str = option("record", TEXT, "name of the column of records")
    time_column: str = option("time", TEXT, "name of the column of times")
    event_column: str = option("event", TEXT, "name of the column of events, 1 or 0")
    cluster: str | None = option(None, or_none(TEXT), "column of the references that the bootstrap draws by")
    missing: str = option("worst", one_of("worst", EXCLUDE), "what a record without an answer counts")

    def _followed(
        self, references: Source, answers: Source, records: Sequence[str] | None, order: Sequence[str], worst: str
    ) -> Followed:
        """Read both tables; ``order`` has the columns of answers, ``worst`` says what a missing answer counts."""
        truth = read_table(
            references,
            ReferenceDataError,
            order=(self.time_column, self.event_column, self.cluster or "patient"),
            record=self.record_column,
        )
        given = read_table(answers, AnswerError, order=order, record=self.record_column)
        what = "left out" if self.missing == EXCLUDE else worst
        paired = pair(truth, given, records, cluster=self.cluster, missing=what)
        times = truth.numbers(self.time_column, low=0)[paired.references]
        events = truth.numbers(self.event_column, low=0, high=1)
        odd = np.flatnonzero((events != 0) & (events != 1))
        if odd.size:
            raise truth.fail(f"expected 0 or 1 as {self.event_column}, found {events[odd[0]]:g}", int(odd[0]))
        return Followed(paired=paired, given=given, times=times, event=events[paired.references] == 1)


@dataclass(frozen=True, kw_only=True)
class OfRisks(OfTimes):
    """A measure of one risk for each record."""

    answer_column: str = option("risk", TEXT, "name of the column of answers")
    predicts: str = option("risk", one_of("risk", "time"), "whether larger answers mean earlier or later events")

    def measured_of(self, references: Source, answers: Source, records: Sequence[str] | None) -> Measured:
        """See `OfTables.measured_of`."""
        of = self._followed(references, answers, records, (self.answer_column,), "counted as in the wrong order")
        numbers, rows = of.given.numbers(self.answer_column), of.paired.answers
        risk = np.full(of.times.size, math.nan)
        risk[rows >= 0] = numbers[rows[rows >= 0]] * (1 if self.predicts == "risk" else -1)
        return Measured(
            records=of.paired.records,
            statistic=self._statistic(of.times, of.event, risk),
            per_record={
                name: {"time": time, "event": float(happened)} | ({} if math.isnan(value) else {"risk": value})
                for name, time, happened, value in zip(
                    of.paired.records.names, of.times.tolist(), of.event.tolist(), risk.tolist(), strict=True
                )
            },
            notes=of.paired.notes,
        )

    @abstractmethod
    def _statistic(self, times: Floats, event: Bools, risk: Floats) -> Statistic:
        """The statistic of risks of shape (n,), NaN for missing answers."""


@dataclass(frozen=True, kw_only=True)
class CIndex(OfRisks):
    """Harrell's concordance index: the share of comparable pairs in which the earlier event had the larger risk.

    ``until`` counts events before that time only (truncation, as in Uno's C without its weights).
    """

    measure = "survival.c_index"
    until: float | None = option(None, or_none(number(0, above=True)), "events from this time on make no pair")

    def _statistic(self, times: Floats, event: Bools, risk: Floats) -> Statistic:
        counted = event if self.until is None else event & (times < self.until)
        pairs = Comparable.of(times, counted, risk, drop=self.missing == EXCLUDE, censored=~event)
        return lambda weights: {"c_index": pairs.concordance(weights)}


MEASURES = {"c_index": CIndex}

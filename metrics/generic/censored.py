"""Survival by weights against censoring: Uno's C, areas under time-dependent ROC curves, Brier scores.

Conventions
-----------
References and missing answers are those of `metrics.generic.survival`.  An event counts 1 / G(t), where G is the
Kaplan-Meier estimate, from the references themselves, of being still uncensored at that time; who is censored at the
time of an event was at risk of it.  In a resample G is estimated anew.

* *Ties* of risks count one half.
* *Undefined* (NaN): no comparable pair, no case or no control at one of the times.  A record whose G is 0 has no
  weight.
* *Missing answers*: ``worst`` is in the wrong order with every record it is compared with; of probabilities, certain
  and wrong.

Sources: Uno et al., Statistics in Medicine 30 (2011) 1105; Uno et al., JASA 102 (2007) 527, and Hung and Chiang,
Canadian Journal of Statistics 38 (2010) 8, for the areas; Graf et al., Statistics in Medicine 18 (1999) 2529.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from metrics.base import UnusableAnswers
from metrics.generic.base import (
    EXCLUDE,
    Bools,
    Floats,
    Ints,
    Lazily,
    Measured,
    Statistic,
    Values,
    by_name,
    by_parts,
    loss,
    ratio,
)
from metrics.generic.options import TEXT, SpecError, number, option, or_none, several
from metrics.generic.survival import OfRisks, OfTimes
from metrics.generic.tables import Paired

_ROWS = 1 << 21
"""Pairs that are compared at a time."""
_TIMES = several(number(0, above=True), "times, rising")


def kaplan_meier(times: Floats, ends: Bools, at: Floats, *, last: bool) -> Callable[[Any], Floats]:
    """What gives, for many multisets, the chance that it has not ended by some times, shape (b, len(at)).

    * ``times`` and ``ends`` (shape (n,)): when each record was seen last, and whether because of what the chance is
      about.
    * ``last``: whether of equal times these ends come last, as censoring does after events.
    """
    moments, place = np.unique(times, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(place[order]) != 0))[: moments.size]
    reached = np.searchsorted(moments, at, side="right")

    def chances(weights: Any) -> Floats:
        own = np.take(weights, order, axis=1).astype(np.float64)
        of_all = np.add.reduceat(own, starts, axis=1)
        ended = np.add.reduceat(own * ends[order], starts, axis=1)
        at_risk = np.cumsum(of_all[:, ::-1], axis=1)[:, ::-1] - ((of_all - ended) if last else 0)
        kept = 1 - np.nan_to_num(ratio(ended, at_risk))
        curve = np.concatenate([np.ones((len(own), 1)), np.cumprod(kept, axis=1)], axis=1)
        return np.take(curve, reached, axis=1)

    return chances


def uncensored(times: Floats, event: Bools, at: Floats) -> Callable[[Any], Floats]:
    """`kaplan_meier` of censoring."""
    return kaplan_meier(times, ~event, at, last=True)


def _inverse(chances: Floats) -> Floats:
    return np.nan_to_num(ratio(np.ones_like(chances), chances))


@dataclass(frozen=True, kw_only=True)
class UnosC(OfRisks):
    """Uno's C: Harrell's index whose pairs count 1 / G² at the earlier event, so that censoring has no influence.

    Events from ``until`` on make no pair; where the follow-up ends it should be set, since the weights become large.
    """

    measure = "survival.unos_c"
    until: float | None = option(None, or_none(number(0, above=True)), "events from this time on make no pair")

    def _statistic(self, times: Floats, event: Bools, risk: Floats) -> Statistic:
        counted = event if self.until is None else event & (times < self.until)
        if self.missing == EXCLUDE:
            counted = counted & ~np.isnan(risk)
        first = np.flatnonzero(counted)
        chance = uncensored(times, event, times[first])
        known = np.ones(times.size, np.bool_) if self.missing != EXCLUDE else ~np.isnan(risk)
        rows = max(1, _ROWS // max(1, times.size))

        def statistic(weights: Ints) -> Values:
            floats = weights.astype(np.float64)
            own = floats[:, first] * _inverse(chance(weights)) ** 2
            agreeing, comparable = np.zeros(len(weights)), np.zeros(len(weights))
            for start in range(0, first.size, rows):
                part = first[start : start + rows]
                later = (times > times[part][:, None]) | ((times == times[part][:, None]) & ~event)
                later &= known
                with np.errstate(invalid="ignore"):
                    right = later * ((risk < risk[part][:, None]) + (risk == risk[part][:, None]) / 2)
                mine = own[:, start : start + rows]
                agreeing += np.einsum("bi,bi->b", mine @ right, floats)
                comparable += np.einsum("bi,bi->b", mine @ later.astype(np.float64), floats)
            return {"unos_c": ratio(agreeing, comparable)}

        return statistic


@dataclass(frozen=True, kw_only=True)
class TimeAuc(OfRisks):
    """Area under the ROC curve at each of ``times``, of who had the event by then against who was followed longer.

    The primary value is their mean, weighted by the fall of the Kaplan-Meier curve up to each time; of one its area.
    """

    measure = "survival.auc"
    times: tuple[float, ...] = option(MISSING, _TIMES, "when the areas are taken")

    def __post_init__(self) -> None:
        _check_rising(self.measure, self.times)

    def _statistic(self, times: Floats, event: Bools, risk: Floats) -> Statistic:
        used = np.flatnonzero(~np.isnan(risk) | (self.missing != EXCLUDE))
        chance = uncensored(times, event, times)
        survival = kaplan_meier(times, event, np.array(self.times), last=False)
        areas = [_area_at(moment, times, event, risk, used) for moment in self.times]

        def statistic(weights: Ints) -> Values:
            own = weights * _inverse(chance(weights))
            found = np.stack([area(own, weights) for area in areas], axis=1)
            curve = np.concatenate([np.ones((len(weights), 1)), survival(weights)], axis=1)
            fall = -np.diff(curve, axis=1)
            mean = ratio((found * fall).sum(axis=1), fall.sum(axis=1)) if len(self.times) > 1 else found[:, 0]
            return {"auc": mean} | {f"auc[{moment:g}]": found[:, k] for k, moment in enumerate(self.times)}

        return statistic


def _area_at(moment: float, times: Floats, event: Bools, risk: Floats, used: Ints) -> Callable[[Floats, Ints], Floats]:
    """The area at one time, from weights of cases and of controls of shape (b, n)."""
    cases = used[(times[used] <= moment) & event[used]]
    controls = used[times[used] > moment]
    of_cases = np.where(np.isnan(risk[cases]), -math.inf, risk[cases])
    of_controls = np.where(np.isnan(risk[controls]), math.inf, risk[controls])
    order = np.argsort(of_controls, kind="stable")
    below, up_to = (np.searchsorted(of_controls[order], of_cases, side=side) for side in ("left", "right"))

    def area(own: Floats, weights: Ints) -> Floats:
        mine, theirs = own[:, cases], np.take(weights, controls[order], axis=1)
        total = np.pad(np.cumsum(theirs, axis=1), ((0, 0), (1, 0))).astype(np.float64)
        won = (np.take(total, below, axis=1) + np.take(total, up_to, axis=1)) / 2
        return ratio((mine * won).sum(axis=1), mine.sum(axis=1) * total[:, -1])

    return area


def _check_rising(measure: str, times: Sequence[float]) -> None:
    if any(late <= early for early, late in pairwise(times)):
        raise SpecError(f"{measure}: times", "times, rising", list(times))


@dataclass(frozen=True, kw_only=True)
class IntegratedBrier(OfTimes):
    """Brier score of answered chances of survival, integrated over ``times`` by trapezoids and divided by their span.

    Answers have ``record,s_<time>,…``: the chance to be without an event at each time, from 0 to 1.  Of one time it is
    the Brier score at that time.
    """

    measure = "survival.brier"
    times: tuple[float, ...] = option(MISSING, _TIMES, "of the columns of answers")
    survival_prefix: str = option("s_", TEXT, "in front of the time in the columns of answers")

    def __post_init__(self) -> None:
        _check_rising(self.measure, self.times)

    _missing_counts = "counted as certain and wrong"

    @property
    def _answer_columns(self) -> tuple[str, ...]:
        return tuple(f"{self.survival_prefix}{moment:g}" for moment in self.times)

    def measured_of(self, of: Paired) -> Measured:
        """See `OfTables.measured_of`."""
        (times, event), moments, names = self._followed(of), np.array(self.times), of.records.names
        happened = (times[:, None] <= moments) & event[:, None]
        followed = times[:, None] > moments
        given = np.column_stack([of.given.numbers(name, low=0, high=1) for name in self._answer_columns])
        found = of.of_answers(given)
        self._refuse_rising(found[of.answered], names, np.flatnonzero(of.answered))
        found = np.where(of.answered[:, None], found, happened)  # certain and wrong
        used = self._used(of)
        at_event, at_moment = (uncensored(times, event, at) for at in (times, moments))
        dead, alive = found**2 * happened * used[:, None], (1 - found) ** 2 * followed * used[:, None]

        def statistic(weights: Ints) -> Values:
            parts = [
                by_parts(lambda part, k=k: _brier(part, at_event, at_moment, k, dead, alive, used), weights)  # type: ignore[misc]
                for k in range(moments.size)
            ]
            score = np.stack(parts, axis=1)
            width = np.diff(moments)
            whole = score[:, 0] if not width.size else ((score[:, 1:] + score[:, :-1]) / 2) @ width / width.sum()
            return loss("ibs", whole) | {f"brier[{moment:g}]": score[:, k] for k, moment in enumerate(self.times)}

        def shown() -> dict[str, dict[str, float | str]]:
            columns = names, times.tolist(), event.tolist(), found, of.answered
            return {
                name: {"time": time, "event": float(ended)} | ({"risk": 1 - float(own[-1])} if answered else {})
                for name, time, ended, own, answered in zip(*columns, strict=True)
            }

        return Measured(records=of.records, statistic=statistic, per_record=Lazily(shown), notes=of.notes)

    def _refuse_rising(self, found: Floats, names: Sequence[str], rows: Ints) -> None:
        """A survival curve never rises."""
        wrong = np.flatnonzero((np.diff(found, axis=1) > 1e-9).any(axis=1))
        if wrong.size:
            wish = "expected chances to be without an event that never rise with time, found"
            raise UnusableAnswers({names[int(rows[row])]: f"{wish} {found[row].tolist()}" for row in wrong.tolist()})


def _brier(weights: Any, at_event: Any, at_moment: Any, k: int, dead: Floats, alive: Floats, used: Bools) -> Floats:
    floats = weights.astype(np.float64)
    by_event, by_moment = _inverse(at_event(weights)), _inverse(at_moment(weights)[:, k])
    total = (floats * by_event) @ dead[:, k] + by_moment * (floats @ alive[:, k])
    return ratio(total, floats @ used.astype(np.float64))


MEASURES = by_name(UnosC, TimeAuc, IntegratedBrier)

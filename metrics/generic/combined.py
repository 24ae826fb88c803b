"""Several measures in one: a weighted sum, or ranks among given results.

``combine: weighted`` is the sum of weight times primary value, as written: weights are not normalised to sum to 1, and
the primary value of a loss is its negative (``neg_mae``), so every weight is positive.  ``combine: ranks`` is the mean
over the parts of the share of the part's results ``against`` that this entry beats, ties counting one half: the mean
rank among known results, on a scale from 0 (last in all) to 1 (first in all), which does not depend on the parts'
units.

Ranks among the entries of a board need all entries: `mean_ranks`.

Each part is a specification with ``weight`` (1 if not given) or ``against``, and optionally ``name``, ``value``
(another of its values than the primary one), and ``references`` and ``answers``, the place of its files below those of
the challenge. Each part treats missing answers in its own way.  All parts must have the same records.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from metrics.base import Given, Note, ReferenceDataError, ScoreReport
from metrics.generic.base import Floats, GenericMeasure, Ints, Measured, Values
from metrics.generic.options import TEXT, Reader, SpecError, nearest, number, one_of, or_none, several
from metrics.statistics.ranking import DECIMALS, ranks_of


def _below(value: Any) -> str:
    path = PurePosixPath(TEXT.read(value))
    if path.is_absolute() or ".." in path.parts:
        raise ValueError
    return str(path)


_FOLDER = or_none(Reader("a path below the challenge's own", _below))
_PART_OPTIONS = {
    "weight": number(0, above=True),
    "against": several(number(), "numbers"),
    "name": TEXT,
    "value": or_none(TEXT),
    "references": _FOLDER,
    "answers": _FOLDER,
}


@dataclass(frozen=True, kw_only=True)
class Part:
    """One measure of several."""

    metric: GenericMeasure
    name: str
    weight: float = 1.0
    against: tuple[float, ...] = ()
    value: str | None = None
    references: str | None = None
    answers: str | None = None


@dataclass(frozen=True, kw_only=True)
class Combined(GenericMeasure):
    """See the module; made by `combine`."""

    measure = "combined"
    how: str
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """Name that says how parts are combined, and which."""
        shown = [
            (f"{part.weight:g} " if self.how == "weighted" else "") + (f"{part.metric.name}") for part in self.parts
        ]
        return f"{self.how}({' + '.join(shown)})"

    def measured(self, given: Given) -> Measured:
        """See `GenericMeasure.measured`."""
        found = [
            part.metric.measured(
                replace(
                    given,
                    references=given.references / (part.references or ""),
                    answers=given.answers / (part.answers or ""),
                )
            )
            for part in self.parts
        ]
        names = found[0].records.names
        orders = [self._order(names, part, each) for part, each in zip(self.parts, found, strict=True)]

        def statistic(weights: Ints) -> Values:
            values: Values = {}
            total = np.zeros(len(weights))
            for part, each, order in zip(self.parts, found, orders, strict=True):
                own = each.statistic(weights[:, order])
                total += self._worth(part, own[self._key(part, own)])
                values |= {f"{part.name}: {key}": value for key, value in own.items()}
            if self.how == "ranks":
                total /= len(self.parts)
            return {self.how: total} | values

        per_record = {
            name: {
                f"{part.name}: {key}": value
                for part, each in zip(self.parts, found, strict=True)
                for key, value in each.per_record.get(name, {}).items()
            }
            for name in names
        }
        # the patients, of the first part that knows them
        records_of = next((each.records for each in found if each.records.clusters != each.records.names), None)
        known = found[0].records
        if records_of is not None:
            patient = dict(zip(records_of.names, records_of.clusters, strict=True))
            known = type(known)(names=names, clusters=tuple(patient[name] for name in names))
        return Measured(
            records=known,
            statistic=statistic,
            per_record=per_record,
            notes=tuple(
                Note(f"{part.name}: {text}", text.record)
                for part, each in zip(self.parts, found, strict=True)
                for text in each.notes
            ),
        )

    def _order(self, names: Sequence[str], part: Part, found: Measured) -> Ints:
        """The columns of the first part's records in the order of this one's."""
        place = {name: i for i, name in enumerate(names)}
        if place.keys() != set(found.records.names):
            raise ReferenceDataError(
                f"expected the same {len(names)} records in every part, found others in {part.name}: give a record list"
            )
        return np.array([place[name] for name in found.records.names], np.int64)

    def _key(self, part: Part, values: Values) -> str:
        key = part.value or next(iter(values))
        if key not in values:
            # which values a measure has may depend on its classes, so only the data tell
            close = nearest(key, values)
            hint = f" (did you mean {close!r}?)" if close else ""
            raise ReferenceDataError(
                f"{part.name}: expected the option value to be one of {', '.join(values)}, found {key!r}{hint}"
            )
        return key

    def _worth(self, part: Part, value: Floats) -> Floats:
        if self.how == "weighted":
            return part.weight * value
        others = np.array(part.against)
        beaten = (value[:, None] > others).mean(axis=1) + (value[:, None] == others).mean(axis=1) / 2
        return np.where(np.isnan(value), math.nan, beaten)


def combine(spec: Mapping[str, Any]) -> Combined:
    """The metric of a specification with ``combine`` and ``of``. Raises SpecError as `metrics.generic.make` does."""
    how_reader = one_of("weighted", "ranks")
    try:
        how = how_reader.read(spec["combine"])
    except ValueError:
        close = nearest(spec["combine"], how_reader.words)
        raise SpecError("combine", how_reader.wish, spec["combine"], nearest=close) from None
    for key in spec:
        if key not in ("combine", "of"):
            raise SpecError("combine: option", "combine or of", key, nearest=nearest(key, ("combine", "of")))
    parts = spec.get("of")
    if not isinstance(parts, list | tuple) or not parts:
        raise SpecError("of", "a list of specifications", parts)
    made = [_part(each, f"of[{place}]", how) for place, each in enumerate(parts)]
    names = [part.name for part in made]
    for name in names:
        if names.count(name) > 1:
            raise SpecError("of: name", "a different name for each part (option name)", name)
    return Combined(how=how, parts=tuple(made))


def _part(spec: Any, place: str, how: str) -> Part:
    from metrics.generic import make  # noqa: PLC0415  # which makes combinations by this module

    if not isinstance(spec, Mapping):
        raise SpecError(place, "a mapping with measure", spec)
    own: dict[str, Any] = {}
    for key, reader in _PART_OPTIONS.items():
        if key not in spec:
            continue
        try:
            own[key] = reader.read(spec[key])
        except (ValueError, TypeError):
            raise SpecError(f"{place}: {key}", reader.wish, spec[key]) from None
    needed, useless = ("against", "weight") if how == "ranks" else ("", "against")
    if needed and needed not in own:
        raise SpecError(f"{place}: {needed}", f"{_PART_OPTIONS[needed].wish}, as combine is {how}", None)
    if useless in own:
        raise SpecError(f"{place}: {useless}", f"nothing, as combine is {how}", spec[useless])
    metric = make({key: value for key, value in spec.items() if key not in _PART_OPTIONS})
    if not isinstance(metric, GenericMeasure):
        raise SpecError(place, "a generic measure", spec)
    return Part(metric=metric, name=own.pop("name", metric.measure), **own)


def mean_ranks(
    reports: Mapping[str, ScoreReport], keys: Sequence[str], *, decimals: int = DECIMALS
) -> dict[str, float]:
    """Rank every entry by each value, then take the mean: rank-then-aggregate of a board.

    Raises KeyError if a report lacks a value.

    * ``reports`` (mapping of entry to report): each with all of ``keys``; larger values must be better.
    * ``decimals``: values that agree to so many decimals are equal and share the smaller rank.

    Returns
    -------
    dict
        Entry to mean rank from 1, best first.
    """
    values = np.array([[[report.values[key] for report in reports.values()]] for key in keys])
    ranks = np.array([ranks_of(row.T, decimals)[:, 0] for row in values]).mean(axis=0)
    return dict(sorted(zip(reports, ranks.tolist(), strict=True), key=lambda pair: pair[1]))

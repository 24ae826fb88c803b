"""Generic measures: a metric made of options instead of code, as ``challenge.yaml`` names it.

>>> from metrics import generic
>>> generic.make({"measure": "classification.f1", "average": "micro"}).name
'classification.f1(average=micro)'

A specification is a mapping with ``measure: family.measure`` and options of that measure, and possibly with
``subgroups`` (`metrics.generic.subgroups`). `measures` lists them all, `options_of` the options of one.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import metrics
from metrics.base import Metric
from metrics.generic.options import SpecError, nearest, read_options

__all__ = ["FAMILIES", "SpecError", "make", "make_from_text", "measures", "options_of"]

_MODULES: Mapping[str, tuple[str, ...]] = {
    "classification": ("classification", "diagnostic"),
    "multilabel": ("multilabel",),
    "physionet": ("physionet", "physionet_signals"),
    "regression": ("regression",),
    "survival": ("survival",),
    "segmentation": ("segmentation",),
    "detection": ("detection",),
    "landmarks": ("landmarks",),
    "events": ("events",),
}
FAMILIES = tuple(_MODULES)
_SUBGROUPS = "subgroups"


def make(spec: Mapping[str, Any]) -> Metric:
    """The metric of a specification.

    Parameters
    ----------
    spec : mapping
        As written in ``challenge.yaml``, see the module.

    Raises
    ------
    SpecError
        A measure or option is unknown, missing, or has a value outside what it accepts.
    """
    if not isinstance(spec, Mapping):
        raise SpecError("metric", "a mapping with measure", spec)
    options = dict(spec)
    if _SUBGROUPS in options:
        from metrics.generic.subgroups import by_subgroup  # noqa: PLC0415  # which imports this module

        columns = options.pop(_SUBGROUPS)
        name = options.get("measure") if len(options) == 1 else None
        whole = metrics.get(name) if name in metrics.names() else make(options)
        split: Metric = by_subgroup(whole, columns)
        return split
    if "measure" not in options:
        raise SpecError("metric", "measure: family.measure", sorted(map(str, options)))
    measure = options.pop("measure")
    metric: Metric = read_options(_kind(measure), options, str(measure))
    return metric


def make_from_text(text: str) -> Metric:
    """The same for a JSON text ``{"measure": …}``, so that a specification can be given where a name is expected.

    Raises
    ------
    SpecError
        Not JSON, or as `make`.
    """
    try:
        spec = json.loads(text)
    except (ValueError, RecursionError) as reason:
        raise SpecError("metric", "a JSON object with measure", f"{text[:60]} ({reason})") from None
    return make(spec)


def measures() -> tuple[str, ...]:
    """The names of all measures."""
    return tuple(f"{family}.{name}" for family in FAMILIES for name in _family(family))


def options_of(measure: str) -> dict[str, tuple[str, Any, str]]:
    """The wish, the default (``dataclasses.MISSING`` if it has none) and the meaning of each option.

    Raises SpecError if no measure has this name.
    """
    return {
        each.name: (each.metadata["reader"].wish, each.default, each.metadata["meaning"])
        for each in fields(_kind(measure))
        if "reader" in each.metadata
    }


def _kind(name: object) -> Any:
    family, _, measure = str(name).partition(".")
    if family in FAMILIES and measure in _family(family):
        return _family(family)[measure]
    names = measures()
    # a measure without its family is the first of that name
    guess = next((each for each in names if each.partition(".")[2] == name), "") or nearest(name, names)
    raise SpecError("measure", f"one of {', '.join(names)}", name, nearest=guess)


def _family(family: str) -> Mapping[str, Any]:
    # the modules of a family are imported when needed: scoring labels must not load an image reader
    kinds: dict[str, Any] = {}
    for module in _MODULES[family]:
        kinds |= importlib.import_module(f"metrics.generic.{module}").MEASURES
    return kinds

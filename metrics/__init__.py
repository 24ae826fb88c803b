"""Metrics of biomedical challenges, usable alone.

Examples
--------
>>> import metrics
>>> metrics.names()
('adaptor2021', 'camelyon16', 'cinc2017', 'cpsc2021', 'kits19', 'kits23', 'mlperf_kits19')
"""

from __future__ import annotations

import importlib
import importlib.util
from pathlib import Path

from metrics.base import AnswerError, Metric, MetricError, Note, ReferenceDataError, Resampler, ScoreReport

__all__ = [
    "AnswerError",
    "Metric",
    "MetricError",
    "Note",
    "ReferenceDataError",
    "Resampler",
    "ScoreReport",
    "get",
    "names",
    "plugins",
]

_OWN = ("adaptor2021", "camelyon16", "cinc2017", "cpsc2021", "kits19", "kits23", "mlperf_kits19")
_GROUP = "evaluate.metrics"


def names() -> tuple[str, ...]:
    """The metrics of this package; `get` also finds those of other distributions."""
    return _OWN


def plugins() -> tuple[str, ...]:
    """The metrics of other distributions; none of their code is loaded."""
    from importlib.metadata import entry_points  # noqa: PLC0415  # longer than the rest, which programs need for a reader

    return tuple(sorted(point.name for point in entry_points(group=_GROUP)))


def get(name: str) -> Metric:
    """The metric of that name, or of a measure (``classification.f1``) or a specification of its options as a JSON
    object (`metrics.generic`).

    A metric of another distribution is found by its entry point in the group ``evaluate.metrics``; a path that ends
    in ``.py`` is a file of the organiser's own with an object ``METRIC``.

    Raises
    ------
    KeyError
        No metric has this name; the message lists those that exist.  Or the file has no ``METRIC``, or that is not a
        metric, or the specification is at fault (`metrics.generic.SpecError`).
    """
    if name in _OWN:
        # one module per metric, imported when needed: scoring labels must not load an image reader
        metric: Metric = importlib.import_module(f"metrics.challenges.{name}").METRIC
        return metric
    if name.lstrip().startswith("{"):
        from metrics.generic import make_from_text  # noqa: PLC0415  # as all metrics, imported when asked for

        return make_from_text(name)
    if name.endswith(".py"):
        return _from_file(Path(name))
    if "." in name:
        from metrics.generic import FAMILIES, make  # noqa: PLC0415  # the same

        if name.partition(".")[0] in FAMILIES:
            return make({"measure": name})
    from importlib.metadata import entry_points  # noqa: PLC0415

    plugins_by_name = {point.name: point for point in entry_points(group=_GROUP)}
    if name in plugins_by_name:
        plugin: Metric = plugins_by_name[name].load()
        return plugin
    raise KeyError(f"no metric is called {name!r}; there are {', '.join((*_OWN, *plugins()))}")


def _from_file(path: Path) -> Metric:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise KeyError(f"no metric at {path}: no such file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "METRIC"):
        raise KeyError(f"{path} defines no METRIC")
    metric: Metric = module.METRIC
    if not callable(getattr(metric, "score", None)):
        raise KeyError(f"{path}: METRIC: expected an object with a method score, found {metric!r}")
    return metric

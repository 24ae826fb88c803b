"""Metrics of one's own: whose code an error came from, and where it stopped."""

from __future__ import annotations

import traceback
from pathlib import Path


def is_ours(metric: object) -> bool:
    """True if a metric is part of this distribution, so that an unforeseen error in it is ours."""
    return type(metric).__module__.partition(".")[0] == "metrics"


def own_lines(metric: str, error: BaseException) -> list[int | None]:
    """The lines of the file ``metric`` that an error passed through, the innermost last."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.lineno for frame in frames if Path(frame.filename).name == Path(metric).name]


def where_it_stopped(metric: str, error: BaseException) -> str:
    """ "own.py, line 6: KeyError: 'hearts'" """
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(own_lines(metric, error)), None)
    where = f"{metric}, line {line}" if line else metric
    return f"{where}: {''.join(traceback.format_exception_only(error)).strip().splitlines()[-1]}"


def why_not_found(metric: str, error: BaseException) -> str:
    """Why `metrics.get` gave nothing: there is no such metric, or its code failed when it was imported."""
    unknown = isinstance(error, KeyError) and not own_lines(metric, error)
    return str(error.args[0]) if unknown else where_it_stopped(metric, error)

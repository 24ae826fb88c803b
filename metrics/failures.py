"""Errors in a metric of one's own: its position in that file, and a sentence for its author."""

from __future__ import annotations

import traceback
from pathlib import Path


def is_builtin(metric: object) -> bool:
    """True if a metric is part of this distribution, so that an unforeseen error in it is ours."""
    return type(metric).__module__.partition(".")[0] == "metrics"


def _lines_in(metric: str, error: BaseException) -> list[int | None]:
    """The lines of the file ``metric`` that an error passed through, the innermost last."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.lineno for frame in frames if Path(frame.filename).name == Path(metric).name]


def failure_of(metric: str, error: BaseException) -> str:
    """The position and the error, such as ``mine.py, line 6: KeyError: 'hearts'``."""
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(_lines_in(metric, error)), None)
    where = f"{metric}, line {line}" if line else metric
    return f"{where}: {''.join(traceback.format_exception_only(error)).strip().splitlines()[-1]}"


def lookup_failure(metric: str, error: BaseException) -> str:
    """The reason why `metrics.get` gave nothing: there is no such metric, or its code failed when it was imported."""
    unknown = isinstance(error, KeyError) and not _lines_in(metric, error)
    return str(error.args[0]) if unknown else failure_of(metric, error)

"""Results as pandas data frames, for those who have pandas: this package neither needs nor installs it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from metrics.base import ScoreReport
from metrics.statistics.ranking import Ranking
from metrics.statistics.uncertainty import intervals


def values(report: ScoreReport) -> Any:
    """A row for each value: score and its 95 % interval, low and high (NaN where there is none).

    Raises
    ------
    ImportError
        pandas is not installed; also of the other functions.
    """
    bounds = intervals(report).of
    none = (math.nan, math.nan)
    rows = {key: (value, *bounds.get(key, none)) for key, value in report.values.items()}
    return _pandas().DataFrame.from_dict(rows, orient="index", columns=["score", "low", "high"])


def records(report: ScoreReport) -> Any:
    """A row for each record, a column for each number that the metric gives of records."""
    return _pandas().DataFrame.from_dict({name: dict(row) for name, row in report.per_record.items()}, orient="index")


def board(ranking: Ranking) -> Any:
    """A row for each entry, best first."""
    columns: Mapping[str, Any] = {
        "rank": ranking.ranks,
        "score": ranking.scores,
        "mean_rank": ranking.mean_ranks,
        "rank_low": [low for low, _ in ranking.rank_intervals],
        "rank_high": [high for _, high in ranking.rank_intervals],
    }
    return _pandas().DataFrame(columns, index=list(ranking.entries))


def _pandas() -> Any:
    try:
        import pandas  # noqa: PLC0415  # optional
    except ImportError:
        raise ImportError("data frames need pandas: pip install pandas") from None
    return pandas

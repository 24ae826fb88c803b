"""Uncertainty of a ranking of entries; see `metrics.statistics.ranking`."""

from metrics.statistics.ranking import *  # noqa: F403
from metrics.statistics.ranking import Ranking, kendall_tau, rank, ranking_of, ranks_of

__all__ = ["Ranking", "kendall_tau", "rank", "ranking_of", "ranks_of"]

"""How certain a ranking of entries is; see `metrics.statistics.ranking` and `metrics.statistics.schemes`."""

from metrics.statistics.ranking import *  # noqa: F403
from metrics.statistics.ranking import Ranking, kendall_tau, rank, ranking_of, ranks_of
from metrics.statistics.schemes import SCHEMES, Cases, cases_of, rankings

__all__ = ["SCHEMES", "Cases", "Ranking", "cases_of", "kendall_tau", "rank", "ranking_of", "rankings", "ranks_of"]

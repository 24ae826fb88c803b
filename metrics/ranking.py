"""The published name of `metrics.statistics.ranking`."""

from metrics.statistics.ranking import *  # noqa: F403

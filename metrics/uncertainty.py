"""The published name of `metrics.statistics.uncertainty`."""

from metrics.statistics.uncertainty import *  # noqa: F403

"""The published names of `metrics.statistics.uncertainty`."""

from metrics.statistics.uncertainty import *  # noqa: F403

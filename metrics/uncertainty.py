"""The published names of `metrics.statistics.uncertainty` and `metrics.statistics.hypotheses`."""

from metrics.statistics.hypotheses import *  # noqa: F403
from metrics.statistics.uncertainty import *  # noqa: F403

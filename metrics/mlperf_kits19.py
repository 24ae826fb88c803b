"""The published name of `metrics.challenges.mlperf_kits19`."""

from metrics.challenges.mlperf_kits19 import *  # noqa: F403

"""The published name of `metrics.challenges.kits19`."""

from metrics.challenges.kits19 import *  # noqa: F403

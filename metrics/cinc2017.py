"""The published name of `metrics.challenges.cinc2017`."""

from metrics.challenges.cinc2017 import *  # noqa: F403

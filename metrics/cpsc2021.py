"""The published name of `metrics.challenges.cpsc2021`."""

from metrics.challenges.cpsc2021 import *  # noqa: F403

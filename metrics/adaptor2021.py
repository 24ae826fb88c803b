"""The published name of `metrics.challenges.adaptor2021`."""

from metrics.challenges.adaptor2021 import *  # noqa: F403

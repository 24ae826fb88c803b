"""The published name of `metrics.challenges.kits23`."""

from metrics.challenges.kits23 import *  # noqa: F403

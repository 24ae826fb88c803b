"""The published name of `metrics.challenges.camelyon16`."""

from metrics.challenges.camelyon16 import *  # noqa: F403

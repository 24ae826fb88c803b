"""Recalibration of probabilities of two classes: what a logistic regression of the truth on their logits finds.

The *slope* is that of logit P(positive) = a + slope · logit(p): below 1 the probabilities are too extreme, above 1 too
moderate.  The *intercept* (calibration in the large) is a with the slope held at 1: above 0 they are all too low.
Both are of maximum likelihood, by Newton's method for many multisets at once.  The slope is not defined (NaN) where one
class is absent or some threshold separates the classes, the intercept where one class is absent.

Sources: Cox, Biometrika 45 (1958) 562; Van Calster et al., Calibration: the Achilles heel of predictive analytics, BMC
Medicine 17 (2019) 230.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_MOST_STEPS = 60
_CLOSE = 1e-10


def slope(logits: Floats, positive: NDArray[np.bool_], weights: Floats) -> Floats:
    """The slope of many multisets, shape (b,).

    Parameters
    ----------
    logits, positive : shape (n,)
    weights : shape (b, n)
    """
    present = weights > 0

    def ends(of: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        kept = present & of
        return np.where(kept, logits, np.inf).min(axis=1), np.where(kept, logits, -np.inf).max(axis=1)

    (lowest, highest), (low, high) = ends(positive), ends(~positive)
    known = ~((lowest >= high) | (highest <= low))
    found = np.full(len(weights), math.nan)
    found[known] = _newton(logits, positive, weights[known].astype(np.float64))
    return found


def _newton(logits: Floats, positive: NDArray[np.bool_], weights: Floats) -> Floats:
    middle, width = logits.mean(), logits.std() or 1.0
    x = (logits - middle) / width
    share = (weights @ positive) / weights.sum(axis=1)
    level, steep = np.log(share / (1 - share)), np.zeros(len(weights))
    for _ in range(_MOST_STEPS):
        chance = _chance(level[:, None] + steep[:, None] * x)
        off, spread = weights * (positive - chance), weights * chance * (1 - chance)
        first, second = off.sum(axis=1), off @ x
        a, b, c = spread.sum(axis=1), spread @ x, spread @ (x * x)
        determinant = np.maximum(a * c - b * b, np.finfo(np.float64).tiny)
        steps = (c * first - b * second) / determinant, (a * second - b * first) / determinant
        level, steep = (old + np.clip(step, -5, 5) for old, step in zip((level, steep), steps, strict=True))
        if max(map(float, (np.abs(step).max(initial=0) for step in steps))) < _CLOSE:
            break
    return steep / width


def intercept(logits: Floats, positive: NDArray[np.bool_], weights: Floats) -> Floats:
    """The intercept of many multisets, shapes as of `slope`."""
    weights = weights.astype(np.float64)
    total, wanted = weights.sum(axis=1), weights @ positive
    known = (wanted > 0) & (wanted < total)
    level = np.zeros(len(weights))
    for _ in range(_MOST_STEPS):
        chance = _chance(level[:, None] + logits)
        spread = (weights * chance * (1 - chance)).sum(axis=1)
        step = np.where(known, (wanted - (weights * chance).sum(axis=1)) / np.maximum(spread, 1e-12), 0.0)
        level += np.clip(step, -2, 2)
        if np.abs(step).max(initial=0) < _CLOSE:
            break
    return np.where(known, level, math.nan)


def _chance(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -700, 700))))

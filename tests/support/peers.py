"""Numbers of the field's libraries: computed where the library is installed, else those that were stored from it."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


def of_peer(library: str, compute: Callable[[], Any], stored: Any, *, close: float = 1e-9) -> Any:
    """Result of a library for the test's own input, in the shape of ``stored``.

    ``library``: name of the module; the group ``peers`` of pyproject.toml installs them.  ``stored``: the result of
    ``compute`` when the test was written, which it must still be.
    """
    if importlib.util.find_spec(library) is None:
        return stored
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library's own
        result = compute()
    np.testing.assert_allclose(np.asarray(result, float), np.asarray(stored, float), rtol=0, atol=close)
    return result

from __future__ import annotations

import numpy as np
import pytest

from metrics import products
from metrics.products import product


@pytest.mark.parametrize("alone", [1, 3, 7, 1 << 18])
def test_products_in_parts_are_products(alone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few multiplications are made at a time; whole numbers are exact."""
    r = np.random.default_rng(1)
    weights, rows = r.integers(0, 9, (5, 11)), r.integers(0, 9, (11, 3)).astype(np.float64)
    monkeypatch.setattr(products, "_ALONE", alone)
    assert (product(weights, rows) == weights @ rows).all()
    assert product(weights[:, :0], rows[:0]).tolist() == np.zeros((5, 3)).tolist()

"""What the generic measures share: sums over many multisets at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.generic.base import sums_of_first


@given(
    st.integers(0, 40).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.lists(st.integers(0, n), max_size=9))),
    st.integers(1, 4),
    st.integers(0, 2**32),
)
def test_sums_of_the_first_records_are_those_of_cumsum(orders: tuple[list[int], list[int]], b: int, seed: int) -> None:
    order, counts = (np.array(each, np.int64) for each in orders)
    weights = np.random.default_rng(seed).integers(0, 5, (order.size, b)).astype(np.int32)
    expected = np.concatenate([np.zeros((1, b), np.int32), np.cumsum(weights[order], axis=0, dtype=np.int32)])[counts]
    found = sums_of_first(order, counts)(weights)
    assert found.dtype == np.int32
    assert (found == expected).all()


@pytest.mark.parametrize("order", [[], [2], [3, 0]])
def test_not_all_records_need_be_counted(order: list[int]) -> None:
    weights = np.array([[1], [2], [4], [8]])
    sums = sums_of_first(np.array(order, np.int64), np.arange(len(order) + 1))(weights)
    assert sums.ravel().tolist() == np.cumsum([0, *weights[order].ravel()]).tolist()

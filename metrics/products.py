"""Products of matrices by one thread.

BLAS starts a thread for each processor even where a product takes a tenth of a millisecond.  They wait for each other
by counting, so where other processes need the processors, a scoring that works for 20 ms used a second of their time.
Nor does a sum depend on how many processors there are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_ALONE = 1 << 18
"""Multiplications up to which OpenBLAS, that numpy's wheels contain, uses one thread."""


def product(first: NDArray[Any], second: NDArray[Any]) -> NDArray[Any]:
    """``first @ second`` of shapes (b, n) and (n, k), some rows at a time.

    ``first``: whole numbers are converted to the kind of ``second``.
    """
    kind = second.dtype if first.dtype.kind in "iu" else first.dtype
    rows = max(1, _ALONE // max(1, second.size))
    factor = second.astype(kind, copy=False)
    result = np.empty((len(first), second.shape[1]), kind)
    at_once = max(1, _ALONE // max(1, second.shape[1]))
    for start in range(0, len(first), rows):
        part, out = first[start : start + rows].astype(kind, copy=False), result[start : start + rows]
        np.matmul(part[:, :at_once], factor[:at_once], out=out)
        for column in range(at_once, second.shape[0], at_once):  # one row alone is too much
            out += part[:, column : column + at_once] @ factor[column : column + at_once]
    return result

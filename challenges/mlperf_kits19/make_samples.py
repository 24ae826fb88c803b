"""Makes sample_data/, sample_entry/ and a bad entry: tiny volumes for all 42 cases.  The same bytes every time."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np

from metrics.mlperf_kits19 import EVALUATION_CASES

HERE = Path(__file__).parent
KITS19 = runpy.run_path(str(HERE.parent / "kits19" / "make_samples.py"))
SETS = {"validation": ("case_90000",), "test": EVALUATION_CASES}


def picture(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and volume of a case, smaller than those of kits19."""
    truth = KITS19["labels"](seed, (6, 16, 16), (4, 11), (3.4, 1.9), (12, 13))
    return truth, KITS19["ct"](truth, seed, 19)


def guess(values: np.ndarray) -> np.ndarray:
    """What the sample entry answers: thresholds on the Hounsfield units."""
    return np.where(values > 105, 1, np.where(values > 10, 2, 0)).astype(np.uint8)


def main() -> None:
    KITS19["draw"](HERE, SETS, picture, guess)
    case = EVALUATION_CASES[0]
    tumour = guess(picture(int(case[-5:]))[1]) == 2
    bad = HERE / "bad_entries" / "probabilities" / f"{case}.nii.gz"
    KITS19["write"](bad, np.where(tumour, 0.875, 0.125).astype(np.float32))


if __name__ == "__main__":
    main()

"""Makes sample_data/, sample_entry/ and a bad entry: tiny volumes for all 42 cases.  The same bytes every time."""

from __future__ import annotations

import gzip
from pathlib import Path

import nibabel
import numpy as np

from metrics.mlperf_kits19 import EVALUATION_CASES

HERE = Path(__file__).parent
SHAPE = (6, 16, 16)
SETS = {"validation": ("case_90000",), "test": EVALUATION_CASES}


def labels(seed: int) -> np.ndarray:
    """0 background, 1 kidney, 2 tumour; axes as in KiTS19: axial first."""
    random = np.random.default_rng(seed)
    grid = np.indices(SHAPE).astype(float)

    def ball(centre: tuple[float, float, float], radius: float) -> np.ndarray:
        (z, y, x), (at_z, at_y, at_x) = grid, centre
        return np.asarray(4 * (z - at_z) ** 2 + (y - at_y) ** 2 + (x - at_x) ** 2 < radius**2)

    found = np.zeros(SHAPE, np.uint8)
    for side in (4, 11):
        found[ball((3, 8 + random.uniform(-1, 1), side), 3.4)] = 1
    found[ball((3, 8, 12 + random.uniform(0, 1)), 1.9)] = 2
    return found


def ct(segmentation: np.ndarray, seed: int) -> np.ndarray:
    """Hounsfield units: fat, kidney, tumour, with noise."""
    values = np.array([-90, 150, 60])[segmentation]
    return (values + np.random.default_rng(seed).normal(0, 19, SHAPE)).astype(np.int16)


def write(path: Path, values: np.ndarray) -> None:
    """A compressed NIfTI file without a time stamp."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = nibabel.Nifti1Image(values, np.diag([0.8, 0.8, 3.0, 1.0])[[2, 1, 0, 3]])
    path.write_bytes(gzip.compress(image.to_bytes(), 9, mtime=0))


def guess(values: np.ndarray) -> np.ndarray:
    """What the sample entry answers: thresholds on the Hounsfield units."""
    return np.where(values > 105, 1, np.where(values > 10, 2, 0)).astype(np.uint8)


def main() -> None:
    for part, cases in SETS.items():
        for case in cases:
            seed = int(case[-5:])
            truth = labels(seed)
            image = ct(truth, seed)
            write(HERE / "sample_data" / part / case / "imaging.nii.gz", image)
            write(HERE / "sample_data" / f"{part}_segmentations" / f"{case}.nii.gz", truth)
            write(HERE / "sample_entry" / f"{case}.nii.gz", guess(image))
        (HERE / "sample_data" / part / "RECORDS").write_text("".join(f"{case}\n" for case in cases))
    case = EVALUATION_CASES[0]
    tumour = guess(ct(labels(int(case[-5:])), int(case[-5:]))) == 2
    write(HERE / "bad_entries" / "probabilities" / f"{case}.nii.gz", np.where(tumour, 0.875, 0.125).astype(np.float32))


if __name__ == "__main__":
    main()

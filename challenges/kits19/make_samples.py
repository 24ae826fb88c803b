"""Makes sample_data/, sample_entry/ and two bad entries: tiny volumes with two kidneys and a tumour.

The same bytes every time.
"""

from __future__ import annotations

import gzip
from pathlib import Path

import nibabel
import numpy as np

HERE = Path(__file__).parent
SHAPE = (8, 24, 24)
SETS = {"validation": ["case_90000", "case_90001"], "test": ["case_90002", "case_90003", "case_90004"]}


def labels(seed: int) -> np.ndarray:
    """0 background, 1 kidney, 2 tumour; axes as in KiTS19: axial first."""
    random = np.random.default_rng(seed)
    grid = np.indices(SHAPE).astype(float)

    def ball(centre: tuple[float, float, float], radius: float) -> np.ndarray:
        (z, y, x), (at_z, at_y, at_x) = grid, centre
        return np.asarray(4 * (z - at_z) ** 2 + (y - at_y) ** 2 + (x - at_x) ** 2 < radius**2)

    found = np.zeros(SHAPE, np.uint8)
    for side in (7, 17):
        found[ball((4, 12 + random.uniform(-1, 1), side), 4.2)] = 1
    found[ball((4, 12, 18 + random.uniform(0, 2)), 2.3)] = 2
    return found


def ct(segmentation: np.ndarray, seed: int) -> np.ndarray:
    """Hounsfield units: fat, kidney, tumour, with noise."""
    values = np.array([-90, 150, 60])[segmentation]
    return (values + np.random.default_rng(seed).normal(0, 25, SHAPE)).astype(np.int16)


def write(path: Path, values: np.ndarray) -> None:
    """A compressed NIfTI file without a time stamp."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = nibabel.Nifti1Image(values, np.diag([0.8, 0.8, 3.0, 1.0])[[2, 1, 0, 3]])
    path.write_bytes(gzip.compress(image.to_bytes(), 9, mtime=0))


def guess(values: np.ndarray) -> np.ndarray:
    """What the sample entry answers: thresholds on a volume that was smoothed along one axis."""
    smooth = (values + np.roll(values, 1, 2) + np.roll(values, -1, 2)) / 3
    return np.where(smooth > 105, 1, np.where(smooth > 10, 2, 0)).astype(np.uint8)


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
    good = HERE / "sample_entry" / "case_90002.nii.gz"
    bad = HERE / "bad_entries"
    (bad / "truncated_volume").mkdir(parents=True, exist_ok=True)
    (bad / "truncated_volume" / good.name).write_bytes(good.read_bytes()[:200])
    write(bad / "transposed" / good.name, guess(ct(labels(90002), 90002)).transpose(2, 1, 0))


if __name__ == "__main__":
    main()

"""Makes sample_data/, sample_entry/ and two bad entries: tiny volumes with two kidneys and a tumour.

The same bytes every time.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import nibabel
import numpy as np

HERE = Path(__file__).parent
SHAPE = (8, 24, 24)
SETS = {"validation": ["case_90000", "case_90001"], "test": ["case_90002", "case_90003", "case_90004"]}


def labels(
    seed: int,
    shape: tuple[int, int, int] = SHAPE,
    sides: tuple[int, int] = (7, 17),
    radii: tuple[float, float] = (4.2, 2.3),
    tumour: tuple[int, int] = (18, 20),
) -> np.ndarray:
    """0 background, 1 kidney, 2 tumour; axes as in KiTS19: axial first.

    ``sides`` are the columns of the kidneys, ``tumour`` those between which the tumour is, ``radii`` of both in voxels.
    """
    random = np.random.default_rng(seed)
    grid = np.indices(shape).astype(float)
    slice_, row = shape[0] // 2, shape[1] // 2

    def ball(centre: tuple[float, float, float], radius: float) -> np.ndarray:
        (z, y, x), (at_z, at_y, at_x) = grid, centre
        return np.asarray(4 * (z - at_z) ** 2 + (y - at_y) ** 2 + (x - at_x) ** 2 < radius**2)

    found = np.zeros(shape, np.uint8)
    for side in sides:
        found[ball((slice_, row + random.uniform(-1, 1), side), radii[0])] = 1
    found[ball((slice_, row, random.uniform(*tumour)), radii[1])] = 2
    return found


def ct(segmentation: np.ndarray, seed: int, noise: float = 25) -> np.ndarray:
    """Hounsfield units: fat, kidney, tumour, with noise."""
    values = np.array([-90, 150, 60])[segmentation]
    return (values + np.random.default_rng(seed).normal(0, noise, segmentation.shape)).astype(np.int16)


def write(path: Path, values: np.ndarray) -> None:
    """A compressed NIfTI file without a time stamp."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = nibabel.Nifti1Image(values, np.diag([0.8, 0.8, 3.0, 1.0])[[2, 1, 0, 3]])
    path.write_bytes(gzip.compress(image.to_bytes(), 9, mtime=0))


def guess(values: np.ndarray) -> np.ndarray:
    """What the sample entry answers: thresholds on a volume that was smoothed along one axis."""
    smooth = (values + np.roll(values, 1, 2) + np.roll(values, -1, 2)) / 3
    return np.where(smooth > 105, 1, np.where(smooth > 10, 2, 0)).astype(np.uint8)


def draw(
    folder: Path,
    sets: Mapping[str, Sequence[str]],
    picture: Callable[[int], tuple[np.ndarray, np.ndarray]],
    answer: Callable[[np.ndarray], np.ndarray],
) -> None:
    """Write sample data and sample entry of a challenge; ``picture`` gives labels and volume of a seed."""
    for part, cases in sets.items():
        for case in cases:
            truth, image = picture(int(case[-5:]))
            write(folder / "sample_data" / part / case / "imaging.nii.gz", image)
            write(folder / "sample_data" / f"{part}_segmentations" / f"{case}.nii.gz", truth)
            write(folder / "sample_entry" / f"{case}.nii.gz", answer(image))
        (folder / "sample_data" / part / "RECORDS").write_text("".join(f"{case}\n" for case in cases))


def picture(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and volume of a case."""
    truth = labels(seed)
    return truth, ct(truth, seed)


def main() -> None:
    draw(HERE, SETS, picture, guess)
    good = HERE / "sample_entry" / "case_90002.nii.gz"
    bad = HERE / "bad_entries"
    (bad / "truncated_volume").mkdir(parents=True, exist_ok=True)
    (bad / "truncated_volume" / good.name).write_bytes(good.read_bytes()[:200])
    write(bad / "transposed" / good.name, guess(picture(90002)[1]).transpose(2, 1, 0))


if __name__ == "__main__":
    main()

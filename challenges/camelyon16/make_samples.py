"""Makes sample_data/ and sample_entry/: small slides, masks at level 5, detections.  The same bytes every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).parent
SHAPE = (160, 240)
DOWNSAMPLING = 32
"""Width of a mask pixel (level 5) in pixels of the slide (level 0)."""
# lesions as row, column, radius at level 5; those below 18 are isolated cells; names in all published spellings
SETS = {
    "validation": {"Tumor_001": [(50, 60, 20)], "tumor_002": [(90, 150, 21)], "Normal_001": []},
    "test": {
        "test_001": [(40, 50, 20), (110, 170, 22)],
        "test_002": [(80, 120, 24)],
        "test_003": [],
        "test_004": [(45, 60, 20), (50, 180, 22), (130, 120, 8)],
        "test_005": [],
        "test_006": [],
    },
}
# what the sample entry found: lesion number -> confidence; false positives (confidence, row, column); probability
FOUND = {
    "Tumor_001": ({0: 0.9}, [], 0.95),
    "tumor_002": ({0: 0.75}, [(0.3, 30, 200)], 0.8),
    "Normal_001": ({}, [(0.2, 100, 200)], 0.15),
    "test_001": ({0: 0.95, 1: 0.5}, [(0.3, 10, 10)], 0.9),
    "test_002": ({0: 0.8}, [(0.6, 150, 20), (0.4, 20, 220)], 0.7),
    "test_003": ({}, [(0.7, 80, 80)], 0.4),
    "test_004": ({1: 0.55, 2: 0.9}, [(0.35, 20, 120)], 0.35),
    "test_005": ({}, [(0.25, 80, 200)], 0.2),
    "test_006": ({}, [(0.65, 30, 30), (0.1, 140, 40)], 0.3),
}


def disc(lesions: list[tuple[int, int, int]]) -> np.ndarray:
    y, x = np.mgrid[0 : SHAPE[0], 0 : SHAPE[1]]
    tumour = np.zeros(SHAPE, bool)
    for row, column, radius in lesions:
        tumour |= (y - row) ** 2 + (x - column) ** 2 <= radius**2
    return tumour


def main() -> None:
    entry = HERE / "sample_entry"
    entry.mkdir(exist_ok=True)
    probabilities = []
    for part, slides in SETS.items():
        for folder in (HERE / "sample_data" / part, HERE / "sample_data" / f"{part}_masks"):
            folder.mkdir(parents=True, exist_ok=True)
        listed = []
        for name, lesions in slides.items():
            tumour = disc(lesions)
            seed = sum(map(ord, name))
            grey = np.where(tumour, 90, 170) + np.random.default_rng(seed).integers(-8, 8, SHAPE)
            Image.fromarray(grey.astype(np.uint8)).save(HERE / "sample_data" / part / f"{name}.png")
            if lesions:
                mask = Image.fromarray(tumour.astype(np.uint8) * 255)
                mask.save(HERE / "sample_data" / f"{part}_masks" / f"{name}_Mask.png")
            listed.append(f"{name},{'Tumor' if lesions else 'Normal'}\n")
            hits, false, probability = FOUND[name]
            rows = [(confidence, *lesions[number][:2]) for number, confidence in hits.items()] + false
            lines = (f"{c},{column * DOWNSAMPLING},{row * DOWNSAMPLING}\n" for c, row, column in rows)
            (entry / f"{name}.csv").write_text("".join(lines))
            probabilities.append(f"{name},{probability}\n")
        (HERE / "sample_data" / f"{part}_masks" / "reference.csv").write_text("".join(listed))
        (HERE / "sample_data" / part / "RECORDS").write_text("".join(f"{name}\n" for name in slides))
    (entry / "slides.csv").write_text("".join(probabilities))


if __name__ == "__main__":
    main()

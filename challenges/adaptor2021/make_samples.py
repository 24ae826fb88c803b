"""Makes sample_data/: frames with bright spots on a soft background.  The same bytes every time."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
WIDTH, HEIGHT = 512, 288
SETS = {"dummy": [("patient_0", 2)], "test": [("patient_1", 3), ("patient_2", 3)]}


def frame(random: np.random.Generator) -> tuple[np.ndarray, list[dict[str, float]]]:
    """Grey values, shape (height, width), and the landmarks; one in five is too faint to be seen easily."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    grey = 60 + 30 * np.sin(x / 70 + random.uniform(0, 6)) * np.cos(y / 50)
    points: list[dict[str, float]] = []
    while len(points) < 6:
        at = random.uniform(20, WIDTH - 20), random.uniform(20, HEIGHT - 20)
        if all((at[0] - p["x"]) ** 2 + (at[1] - p["y"]) ** 2 > 900 for p in points):
            height = 150 if len(points) % 5 else 35
            grey += height * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / 18)
            points.append({"x": round(at[0], 1), "y": round(at[1], 1)})
    return np.clip(grey, 0, 255).astype(np.uint8), points


def png(grey: np.ndarray) -> bytes:
    """A PNG file with one channel of 8 bits, rows unfiltered but for the difference to the left neighbour."""
    left = np.diff(grey.astype(np.int16), axis=1, prepend=0).astype(np.uint8)
    rows = b"".join(b"\x01" + row.tobytes() for row in left)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def main() -> None:
    for part, folders in SETS.items():
        records = []
        for folder, n in folders:
            for i in range(n):
                record = f"{folder}/frames/{i:04d}"
                grey, points = frame(np.random.default_rng(sum(map(ord, part + record)) * 31 + i))
                path = HERE / "sample_data" / part / f"{record}.png"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(png(grey))
                label = HERE / "sample_data" / f"{part}_labels" / folder / "frames" / "point_labels" / f"{i:04d}.json"
                label.parent.mkdir(parents=True, exist_ok=True)
                names = {"folderName": folder, "subfolderName": "frames", "imageFileName": f"{i:04d}.png"}
                label.write_text(json.dumps({**names, "points": points}) + "\n")
                records.append(record)
        (HERE / "sample_data" / part / "RECORDS").write_text("".join(f"{record}\n" for record in records))


if __name__ == "__main__":
    main()

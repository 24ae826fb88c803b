#!/usr/bin/env python3
"""Finds bright spots in every frame below /input; needs nothing but Python's standard library.

Called with the argument landmark_detection it writes /output/<folder>/<subfolder>/<name>.json for each PNG file;
with domain_transformation it writes the frames' negatives instead, to show that a second task may be there.
"""

import json
import struct
import sys
import zlib
from pathlib import Path

SPOT = 40
REACH = 12


def read_png(path):
    """Rows of grey values of a PNG file with one channel of 8 bits."""
    data = path.read_bytes()
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            if (depth, colour) != (8, 0):
                raise SystemExit(f"{path}: expected one channel of 8 bits")
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    plain, rows, above = zlib.decompress(packed), [], bytes(width)
    for y in range(height):
        line = plain[y * (width + 1) : (y + 1) * (width + 1)]
        above = unfiltered(line[0], line[1:], above)
        rows.append(above)
    return rows


def unfiltered(kind, line, above):
    """Undo a PNG row filter: none, left, up or average."""
    row = bytearray(line)
    for x in range(len(row)):
        left = row[x - 1] if x else 0
        row[x] = (row[x] + (0, left, above[x], (left + above[x]) // 2)[kind]) & 255
    return bytes(row)


def spots(rows):
    """Centres of what is brighter than its surroundings."""
    found = []
    height, width = len(rows), len(rows[0])
    for y in range(REACH, height - REACH):
        row, before, after = rows[y], rows[y - 1], rows[y + 1]
        for x in range(REACH, width - REACH):
            grey = row[x]
            if grey < 90 or grey < row[x + 1] or grey < row[x - 1] or grey < before[x] or grey < after[x]:
                continue
            around = row[x - REACH] + row[x + REACH] + rows[y - REACH][x] + rows[y + REACH][x]
            if grey - around / 4 < SPOT or any(abs(x - a) + abs(y - b) < REACH for a, b in found):
                continue
            found.append((x, y))
    return found


def main(task):
    for path in sorted(Path("/input").glob("*/*/*.png")):
        folder, subfolder = path.parts[-3:-1]
        target = Path("/output", folder, subfolder)
        target.mkdir(parents=True, exist_ok=True)
        if task == "domain_transformation":
            negative = b"".join(bytes(255 - grey for grey in row) for row in read_png(path))
            (target / f"{path.stem}.pgm").write_bytes(b"P5 512 288 255\n" + negative)
            continue
        points = [{"x": x, "y": y} for x, y in spots(read_png(path))]
        names = {"folderName": folder, "subfolderName": subfolder, "imageFileName": path.name}
        (target / f"{path.stem}.json").write_text(json.dumps({**names, "points": points}))


if __name__ == "__main__":
    main(sys.argv[1])

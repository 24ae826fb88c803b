#!/usr/bin/env python3
"""Finds bright spots in every frame below /input; needs nothing but Python's standard library.

Called with the argument landmark_detection it writes /output/<folder>/<subfolder>/<name>.json for each PNG file.
"""

import json
import struct
import zlib
from pathlib import Path

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}
"""Of the PNG colour types: grey, RGB, grey with alpha, RGB with alpha."""
DARKEST = 90
SPOT = 40
REACH = 12


def read_png(path):
    """Rows of brightness, 0 to 255, of a PNG file with 8 bits a channel; alpha is left out."""
    data = path.read_bytes()
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    if depth != 8 or colour not in CHANNELS or interlaced:
        raise SystemExit(f"{path}: expected 8 bits a channel, no palette and no interlacing")
    packed, at = b"", 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += size + 12
    plain = zlib.decompress(packed)
    step = CHANNELS[colour]
    length = width * step
    rows, above = [], bytes(length)
    for start in range(0, height * (length + 1), length + 1):
        above = unfiltered(plain[start], plain[start + 1 : start + 1 + length], above, step)
        rows.append(brightness(above, step))
    return rows


def unfiltered(kind, line, above, step):
    """Undo a PNG row filter; ``step`` is the bytes of a pixel."""
    if kind == 0:
        return line
    predict = (None, lambda a, b, c: a, lambda a, b, c: b, lambda a, b, c: (a + b) // 2, paeth)[kind]
    row = bytearray(line)
    for i in range(len(row)):
        left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
        row[i] = (row[i] + predict(left, above[i], corner)) & 255
    return bytes(row)


def paeth(left, up, corner):
    """That of the three neighbours which is nearest to left + up - corner."""
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


def brightness(row, step):
    """The mean of red, green and blue, or the grey value."""
    if step < 3:
        return row[::step]
    return bytes(sum(colour) // 3 for colour in zip(row[::step], row[1::step], row[2::step], strict=True))


def spots(rows):
    """Centres of what is brighter than its surroundings."""
    found = []
    height, width = len(rows), len(rows[0])
    for y in range(REACH, height - REACH):
        row, before, after = rows[y], rows[y - 1], rows[y + 1]
        for x in range(REACH, width - REACH):
            grey = row[x]
            if grey < DARKEST or grey < row[x + 1] or grey < row[x - 1] or grey < before[x] or grey < after[x]:
                continue
            around = row[x - REACH] + row[x + REACH] + rows[y - REACH][x] + rows[y + REACH][x]
            if grey - around / 4 < SPOT or any(abs(x - a) + abs(y - b) < REACH for a, b in found):
                continue
            found.append((x, y))
    return found


def main(frames=Path("/input"), answers=Path("/output")):
    """One file for each frame."""
    for path in sorted(frames.glob("*/*/*.png")):
        folder, subfolder = path.parts[-3:-1]
        target = answers / folder / subfolder
        target.mkdir(parents=True, exist_ok=True)
        rows = read_png(path)
        names = {"folderName": folder, "subfolderName": subfolder, "imageFileName": path.name}
        points = [{"x": x, "y": y} for x, y in spots(rows)]
        (target / f"{path.stem}.json").write_text(json.dumps({**names, "points": points}))


if __name__ == "__main__":
    main()

"""Makes the synthetic sample data: ``python make_samples.py`` writes ``sample_data`` next to this file.

Single-lead ECG in the format of the 2017 challenge: a WFDB header and a MATLAB (v4) file, 300 Hz, 16 bit,
1000 units per mV.  No recording of a person is used.  The output is always the same: the random numbers are Python's
Mersenne twister, seeded by the record's name, and every sample is rounded to whole units.
"""

from __future__ import annotations

import math
import random
import struct
from pathlib import Path

FS_HZ = 300
SECONDS = 12
UNITS_PER_MV = 1000

Beat = tuple[float, bool, bool]
"""Time of the R peak in s, whether a P wave precedes it, whether it starts in the ventricle."""

# amplitude in mV, delay after the R peak in s, width (standard deviation) in s
P_WAVE = (0.14, -0.17, 0.022)
NARROW = ((-0.10, -0.025, 0.008), (1.05, 0.0, 0.010), (-0.22, 0.026, 0.009), (0.28, 0.26, 0.045))
WIDE = ((1.35, 0.01, 0.030), (-0.45, 0.09, 0.035), (-0.35, 0.32, 0.060))


def sinus(rng: random.Random, rate: float, breathing: float) -> list[Beat]:
    """Regular beats whose interval follows the breath."""
    beats, t = [], 0.4
    while t < SECONDS:
        beats.append((t, True, False))
        interval = 60 / rate * (1 + breathing * math.sin(2 * math.pi * 0.25 * t))
        t += interval * (1 + rng.gauss(0, 0.008))
    return beats


def fibrillation(rng: random.Random) -> list[Beat]:
    """Beats without P waves at irregular intervals."""
    beats, t = [], 0.4
    while t < SECONDS:
        beats.append((t, False, False))
        t += rng.uniform(0.42, 1.05)
    return beats


def extrasystoles(rng: random.Random, every: int) -> list[Beat]:
    """Sinus rhythm in which every nth beat starts early in the ventricle, followed by a pause."""
    beats, t, n = [], 0.4, 0
    interval = 60 / rng.uniform(66, 76)
    while t < SECONDS:
        n += 1
        early = n % every == 0
        beats.append((t - 0.36 * interval if early else t, not early, early))
        t += interval * (1 + rng.gauss(0, 0.008))
    return beats


def waves(beats: list[Beat]) -> list[float]:
    """The sum of all waves of all beats, mV."""
    signal = [0.0] * (FS_HZ * SECONDS)
    for time, with_p, ventricular in beats:
        shape = (*((P_WAVE,) if with_p else ()), *(WIDE if ventricular else NARROW))
        for amplitude, delay, width in shape:
            middle = (time + delay) * FS_HZ
            reach = 4 * width * FS_HZ
            for i in range(max(0, math.ceil(middle - reach)), min(len(signal), math.floor(middle + reach) + 1)):
                signal[i] += amplitude * math.exp(-(((i - middle) / (width * FS_HZ)) ** 2) / 2)
    return signal


def recording(label: str, rng: random.Random) -> list[int]:
    """A recording of that label, in units."""
    noise_mv = rng.uniform(0.008, 0.02)
    flutter_mv = 0.0
    if label == "N":
        beats = sinus(rng, rng.uniform(58, 88), rng.uniform(0.01, 0.04))
    elif label == "A":
        beats, flutter_mv = fibrillation(rng), rng.uniform(0.03, 0.06)
    elif label == "O":
        beats = rng.choice(
            (
                lambda: extrasystoles(rng, rng.choice((3, 4))),
                lambda: sinus(rng, rng.uniform(38, 44), 0.02),
                lambda: sinus(rng, rng.uniform(118, 135), 0.01),
            )
        )()
    else:
        beats, noise_mv = sinus(rng, 75, 0.02), rng.uniform(0.7, 1.1)
    signal = waves(beats)
    phase = rng.uniform(0, 6)
    drift = 0.0
    units = []
    for i, value in enumerate(signal):
        t = i / FS_HZ
        drift = 0.995 * drift + rng.gauss(0, 0.002)  # electrode and skin
        flutter = flutter_mv * math.sin(2 * math.pi * 6.3 * t + phase + math.sin(2 * t))
        units.append(round(UNITS_PER_MV * (value + drift + flutter + rng.gauss(0, noise_mv))))
    return units


def write_record(folder: Path, name: str, units: list[int], *, crlf: bool) -> None:
    """``name.hea`` and ``name.mat``."""
    end = "\r\n" if crlf else "\n"
    header = (
        f"{name} 1 {FS_HZ} {len(units)}",
        f"{name}.mat 16+24 {UNITS_PER_MV}/mV 16 0 {units[0]} 0 0 ECG",
    )
    (folder / f"{name}.hea").write_bytes("".join(line + end for line in header).encode())
    # type 30: little endian, 16-bit integers, full matrix; one row; real; a name of four bytes
    matrix = struct.pack("<5i4s", 30, 1, len(units), 0, 4, b"val\0")
    (folder / f"{name}.mat").write_bytes(matrix + struct.pack(f"<{len(units)}h", *units))


def write_set(folder: Path, letter: str, labels: str) -> None:
    """A folder of records with RECORDS and REFERENCE.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{letter}{i:05d}" for i in range(1, len(labels) + 1)]
    for i, (name, label) in enumerate(zip(names, labels, strict=True)):
        units = recording(label, random.Random(name))
        write_record(folder, name, units, crlf=i % 2 == 0)  # the real headers end in CRLF
    (folder / "RECORDS").write_text("".join(f"{name}\n" for name in names))
    references = (f"{name},{label}\n" for name, label in zip(names, labels, strict=True))
    (folder / "REFERENCE.csv").write_text("".join(references))


def main(target: Path) -> None:
    """Both sets."""
    write_set(target / "validation", "S", "NNAAOON~")
    write_set(target / "test", "T", "NANOANO~NAON")


if __name__ == "__main__":
    main(Path(__file__).parent / "sample_data")

"""Finds episodes of atrial fibrillation by the irregularity of the heart beat.

    python entry_2021.py DATA RESULT

reads DATA/RECORDS and the WFDB records it names, and writes RESULT/<record>.json with
{"predict_endpoints": [[first sample, last sample], ...]}.
"""

import json
import sys
from pathlib import Path

import numpy as np

WINDOW = 9
IRREGULAR = 0.10


def read(header: Path) -> tuple[np.ndarray, float]:
    """The first lead of a record in format 16, and its sampling rate."""
    first = header.read_text().splitlines()[0].split()
    leads, rate = int(first[1]), float(first[2].split("/")[0])
    samples = np.fromfile(header.with_suffix(".dat"), "<i2").reshape(-1, leads)
    return samples[:, 0].astype(float), rate


def r_peaks(lead: np.ndarray, rate: float) -> np.ndarray:
    """Samples where the slope energy of a QRS complex is largest."""
    slope = np.convolve(np.diff(lead, prepend=lead[0]) ** 2, np.ones(int(0.06 * rate)), "same")
    high = slope > 0.25 * np.percentile(slope, 99)
    starts = np.flatnonzero(np.diff(high.astype(int), prepend=0) == 1)
    ends = np.flatnonzero(np.diff(high.astype(int), append=0) == -1)
    peaks = []
    for start, end in zip(starts, ends, strict=True):
        peak = start + int(np.argmax(lead[start : end + 1]))
        if not peaks or peak - peaks[-1] > 0.25 * rate:
            peaks.append(peak)
    return np.array(peaks, int)


def episodes(peaks: np.ndarray, length: int) -> list[list[int]]:
    """Runs of beats in whose neighbourhood the intervals differ from one to the next."""
    intervals = np.diff(peaks)
    if intervals.size < WINDOW:
        return []
    change = np.abs(np.diff(intervals, append=intervals[-1])) / intervals.mean()
    half = WINDOW // 2
    padded = np.pad(change, half, mode="edge")
    irregular = np.array([np.median(padded[i : i + WINDOW]) > IRREGULAR for i in range(change.size)])
    if irregular.mean() > 0.9:
        return [[0, length - 1]]
    found = []
    edges = np.flatnonzero(np.diff(irregular.astype(int), prepend=0, append=0))
    for start, end in edges.reshape(-1, 2):
        if end - start >= 5:
            found.append([int(peaks[start]), int(peaks[end])])
    return found


def main(data: Path, result: Path) -> None:
    for record in (data / "RECORDS").read_text().split():
        lead, rate = read(data / f"{record}.hea")
        answer = {"predict_endpoints": episodes(r_peaks(lead, rate), lead.size)}
        (result / f"{record}.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

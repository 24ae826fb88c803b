"""Makes sample_data/: synthetic two-lead ECG at 200 Hz with annotated episodes.  The same bytes every time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import wfdb

HERE = Path(__file__).parent
RATE_HZ = 200
SECONDS = 60
CLASSES = {
    "N": "non atrial fibrillation",
    "f": "persistent atrial fibrillation",
    "p": "paroxysmal atrial fibrillation",
}
# patient and number as in the published names, class, episodes in seconds
SETS = {
    "validation": [("data_1_1", "N", []), ("data_2_1", "f", [(0, 60)]), ("data_3_1", "p", [(20, 42)])],
    "test": [
        ("data_4_1", "N", []),
        ("data_5_1", "f", [(0, 60)]),
        ("data_6_1", "p", [(10, 28)]),
        ("data_6_2", "p", [(6, 18), (34, 50)]),
        ("data_7_1", "N", []),
    ],
}


def beats(episodes: list[tuple[int, int]], random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Samples of the R peaks, and whether each is in an episode, where the rhythm is irregular."""
    times, inside, now = [], [], 0.4
    while now < SECONDS - 0.6:
        fibrillates = any(start <= now < end for start, end in episodes)
        times.append(now)
        inside.append(fibrillates)
        now += float(random.uniform(0.38, 0.95)) if fibrillates else float(random.normal(0.8, 0.015))
    return np.round(np.array(times) * RATE_HZ).astype(int), np.array(inside)


def signal(peaks: np.ndarray, inside: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Two leads in millivolts; P waves only outside episodes, fibrillation waves inside."""
    t = np.arange(SECONDS * RATE_HZ) / RATE_HZ
    lead = 0.05 * np.sin(2 * np.pi * 0.25 * t) + random.normal(0, 0.012, t.size)
    for peak, fibrillates in zip(peaks / RATE_HZ, inside, strict=True):
        waves = [(0.0, 0.011, 1.1), (0.032, 0.012, -0.22), (0.24, 0.045, 0.24)]
        if not fibrillates:
            waves.append((-0.16, 0.022, 0.13))
        for shift, width, height in waves:
            lead += height * np.exp(-0.5 * ((t - peak - shift) / width) ** 2)
        if fibrillates:
            lead += 0.04 * np.sin(2 * np.pi * 6.3 * t) * (np.abs(t - peak) < 0.4)
    return np.stack([lead, 0.7 * lead + random.normal(0, 0.012, t.size)], axis=1)


def rhythm_marks(kind: str, peaks: np.ndarray, inside: np.ndarray) -> list[tuple[int, str]]:
    """As published: between beats, or at the first and the last sample of a record with fibrillation throughout."""
    if kind == "f":
        return [(0, "(AFIB"), (SECONDS * RATE_HZ - 1, "(N")]
    marks = []
    for i in range(1, len(peaks)):
        if inside[i] != inside[i - 1]:
            marks.append((int(peaks[i - 1] + peaks[i]) // 2, "(AFIB" if inside[i] else "(N"))
    return marks


def write(folder: Path, name: str, kind: str, episodes: list[tuple[int, int]]) -> None:
    random = np.random.default_rng(sum(map(ord, name)))
    peaks, inside = beats(episodes, random)
    wfdb.wrsamp(
        name,
        fs=RATE_HZ,
        units=["mV", "mV"],
        sig_name=["I", "II"],
        p_signal=signal(peaks, inside, random),
        fmt=["16", "16"],
        adc_gain=[1000.0, 1000.0],
        baseline=[0, 0],
        comments=[CLASSES[kind]],
        write_dir=str(folder),
    )
    notes = [(int(peak), "N", "") for peak in peaks] + [
        (at, "+", text) for at, text in rhythm_marks(kind, peaks, inside)
    ]
    notes.sort(key=lambda note: note[0])
    samples, symbols, texts = zip(*notes, strict=True)
    wfdb.wrann(name, "atr", np.array(samples), list(symbols), aux_note=list(texts), write_dir=str(folder))


def main() -> None:
    for part, records in SETS.items():
        folder = HERE / "sample_data" / part
        folder.mkdir(parents=True, exist_ok=True)
        for name, kind, episodes in records:
            write(folder, name, kind, episodes)
        (folder / "RECORDS").write_text("".join(f"{name}\n" for name, _, _ in records))


if __name__ == "__main__":
    main()

"""Synthetic inputs of the metrics' benchmark, made in a temporary folder, the same every time."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import wfdb
from numpy.typing import NDArray
from PIL import Image

from tests.support.volume_files import write_volume

RATE_HZ = 200


def random(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def rhythm_labels(folder: Path, n: int) -> tuple[Path, Path]:
    """REFERENCE.csv and answers.txt of n records, four fifths of them right."""
    r = random()
    labels = np.array(list("NAO~"))
    truth = r.choice(labels, n, p=[0.6, 0.1, 0.25, 0.05])
    answer = np.where(r.random(n) < 0.8, truth, r.choice(labels, n))
    for name, column in (("REFERENCE.csv", truth), ("answers.txt", answer)):
        lines = (f"A{i:06d},{label}\n" for i, label in enumerate(column))
        (folder / name).write_text("".join(lines))
    return folder / "REFERENCE.csv", folder / "answers.txt"


def survival_tables(folder: Path, n: int) -> tuple[Path, Path]:
    """Times, events and risks of n records."""
    r = random()
    times, events = r.exponential(5, n).round(3), r.integers(0, 2, n)
    risks = (r.normal(size=n) - times / 5).round(4)
    references, answers = folder / "references.csv", folder / "answers.csv"
    rows = zip(times.tolist(), events.tolist(), strict=True)
    references.write_text("record,time,event\n" + "".join(f"r{i},{t},{e}\n" for i, (t, e) in enumerate(rows)))
    answers.write_text("record,risk\n" + "".join(f"r{i},{risk}\n" for i, risk in enumerate(risks.tolist())))
    return references, answers


def episodes(folder: Path, n: int, minutes: float = 20) -> tuple[Path, Path]:
    """n WFDB records with beats and six episodes, without signals, and an answer to each."""
    r = random()
    references, answers = folder / "references", folder / "answers"
    references.mkdir()
    answers.mkdir()
    length = int(minutes * 60 * RATE_HZ)
    beats = np.cumsum(r.integers(120, 200, int(length / 160)))
    beats = beats[beats < length - 400]
    marks = np.linspace(1000, length - 2000, 12).astype(int)
    samples = np.concatenate([beats, marks])
    symbols = np.array(["N"] * beats.size + ["+"] * marks.size)
    notes = np.array([""] * beats.size + ["(AFIB", "(N"] * 6, dtype=object)
    order = np.argsort(samples, kind="stable")
    wfdb.wrann(
        "one", "atr", samples[order], symbols[order].tolist(), aux_note=notes[order].tolist(), write_dir=str(folder)
    )
    annotation = (folder / "one.atr").read_bytes()
    endpoints = (marks.reshape(-1, 2) + r.integers(-300, 300, (6, 2))).tolist()
    for i in range(n):
        name = f"data_{i // 7}_{i % 7 + 1}"
        signals = "".join(f"{name}.dat 16 200(0)/mV 16 0 0 0 0 {lead}\n" for lead in ("I", "II"))
        (references / f"{name}.hea").write_text(
            f"{name} 2 {RATE_HZ} {length}\n{signals}# paroxysmal atrial fibrillation\n"
        )
        (references / f"{name}.atr").write_bytes(annotation)
        (answers / f"{name}.json").write_text(json.dumps({"predict_endpoints": endpoints}))
    return references, answers


def volume_pair(shape: tuple[int, int, int]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Two kidneys with a tumour, and the same a little displaced."""
    grid = np.meshgrid(*(np.linspace(-1, 1, n, dtype=np.float32) for n in shape), indexing="ij", sparse=True)

    def ball(centre: tuple[float, float, float], radius: float) -> NDArray[np.bool_]:
        return sum((g - c) ** 2 for g, c in zip(grid, centre, strict=True)) < radius**2  # type: ignore[no-any-return]

    def kidneys(shift: float) -> NDArray[np.uint8]:
        labels = np.zeros(shape, np.uint8)
        for side in (-0.4, 0.4):
            labels[ball((0 + shift, 0.1, side), 0.22)] = 1
        labels[ball((0.05 + shift, 0.2, 0.45), 0.08)] = 2
        return labels

    return kidneys(0.0), kidneys(0.012)


def volume_files(folder: Path, shape: tuple[int, int, int]) -> tuple[Path, Path]:
    """Folders of references and answers, each with ``case_00000.nii.gz``."""
    folders = folder / "references", folder / "answers"
    for root, labels in zip(folders, volume_pair(shape), strict=True):
        write_volume(root / "case_00000.nii.gz", labels, spacing_mm=(1.0, 0.8, 0.8))
    return folders


def lesion_mask(folder: Path, shape: tuple[int, int] = (3000, 6000), lesions: int = 40) -> Path:
    """A level-5 mask with round lesions on a grid."""
    mask = np.zeros(shape, np.uint8)
    r = random()
    columns = -(-lesions // 5)
    for i in range(lesions):
        y = int((i % 5 + 0.5) * shape[0] / 5)
        x = int((i // 5 + 0.5) * shape[1] / columns)
        radius = int(r.integers(10, 60))
        box = np.ogrid[-radius : radius + 1, -radius : radius + 1]
        disc = box[0] ** 2 + box[1] ** 2 <= radius**2
        part = mask[y - radius : y + radius + 1, x - radius : x + radius + 1]
        part[disc[: part.shape[0], : part.shape[1]]] = 255
    path = folder / "tumor_001_Mask.png"
    Image.fromarray(mask).save(path)
    return path


def slide_files(folder: Path, slides: int, detections: int) -> tuple[Path, Path]:
    """Masks of every fifth slide, of 300 x 300 pixels, and a CSV of detections for each."""
    r = random(2)
    references, answers = folder / "masks", folder / "detections"
    references.mkdir()
    answers.mkdir()
    mask = np.zeros((300, 300), np.uint8)
    mask[100:160, 100:170] = 255
    rows = []
    for i in range(slides):
        name = f"{'Normal' if i % 5 else 'Tumor'}_{i:03d}"
        if not i % 5:
            Image.fromarray(mask).save(references / f"{name}_Mask.png")
        rows_of_slide = zip(r.random(detections), r.integers(0, 9600, (detections, 2)).tolist(), strict=True)
        (answers / f"{name}.csv").write_text("".join(f"{score:.6f},{x},{y}\n" for score, (x, y) in rows_of_slide))
        rows.append(f"{name},{r.random():.6f}\n")
    (answers / "slides.csv").write_text("".join(rows))
    return references, answers


def frames(folder: Path, n: int) -> tuple[Path, Path]:
    """Labels and answers of n frames of five patients, ten points each."""
    r = random(3)
    references, answers = folder / "labels", folder / "points"
    for i in range(n):
        labels = r.random((10, 2)) * (512, 288)
        for root, points in ((references, labels), (answers, labels + r.normal(0, 4, (10, 2)))):
            path = root / f"p{i * 5 // n}" / "v" / "point_labels" / f"{i:04d}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"points": [{"x": x, "y": y} for x, y in points.tolist()]}))
    return references, answers

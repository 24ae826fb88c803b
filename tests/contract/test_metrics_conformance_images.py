"""The image metrics against vectors made by the organisers' programs, and against real published data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metrics
from metrics.base import AnswerError, MetricError
from metrics.challenges import mlperf_kits19
from metrics.challenges.camelyon16 import KEYS, Camelyon16
from metrics.challenges.kits23 import CLASSES
from metrics.readers.detections import official_hits, parse_detections
from metrics.readers.references import load_lesions, parse_polygon_json, rasterise
from metrics.readers.volumes import count_codes, open_volume, whole_labels
from tests.conftest import SHARED
from tests.support.volume_files import label_image

KITS = SHARED / "conformance" / "kits19"
SLIDES = SHARED / "conformance" / "camelyon16"
needs_vectors = pytest.mark.skipif(
    not (KITS.is_dir() and SLIDES.is_dir()), reason=f"no conformance vectors at {SHARED} (set EVALUATE_SHARED)"
)


def folders(root: Path) -> list[str]:
    return sorted(path.name for path in root.iterdir() if path.is_dir()) if root.is_dir() else []


def expected_of(folder: Path) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text())
    return expected


def is_close(value: float, wished: float | None, tolerance: float) -> bool:
    return math.isnan(value) if wished is None else abs(value - wished) <= tolerance


def score_volume(metric: str, folder: Path, rules: str = "official") -> metrics.ScoreReport:
    return metrics.get(metric).score(folder / "reference.nii.gz", folder / "prediction.nii.gz", rules=rules)


@needs_vectors
@pytest.mark.parametrize("case", folders(KITS))
@pytest.mark.parametrize(
    ("metric", "section", "keys", "tolerance"),
    [
        ("kits19", "kits19", {"composite": "composite_mean", "tk_dice": "tk_dice", "tu_dice": "tu_dice"}, 1e-9),
        ("mlperf_kits19", "mlperf", {key: key for key in mlperf_kits19.KEYS}, 1e-6),
    ],
)
def test_official_dice_of_a_vector(
    case: str, metric: str, section: str, keys: Mapping[str, str], tolerance: float
) -> None:
    expected = expected_of(KITS / case)[section]
    if "error" in expected or "not_applicable" in expected:
        with pytest.raises(MetricError):
            score_volume(metric, KITS / case)
        return
    report = score_volume(metric, KITS / case)
    for ours, theirs in keys.items():
        assert is_close(report.values[ours], expected[theirs], tolerance), ours
    assert not any(map(math.isnan, report.values.values())) or report.notes


@needs_vectors
@pytest.mark.parametrize("case", folders(KITS))
def test_official_kits23_of_a_vector(case: str) -> None:
    expected = expected_of(KITS / case)["kits23"]
    if "error" in expected:
        with pytest.raises(AnswerError):
            score_volume("kits23", KITS / case)
        return
    values = score_volume("kits23", KITS / case).values
    for name in CLASSES:
        for measure in ("dice", "surface_dice"):
            assert is_close(values[f"{measure}_{name}"], expected[name][measure], 1e-9), (name, measure)
    for measure in ("dice", "surface_dice"):
        assert values[measure] == pytest.approx(np.mean([expected[name][measure] for name in CLASSES]), abs=1e-9)


@needs_vectors
@pytest.mark.parametrize("case", folders(SLIDES))
def test_official_froc_of_a_vector(case: str, tmp_path: Path) -> None:
    folder, expected = SLIDES / case, expected_of(SLIDES / case)
    metric = Camelyon16(cache=tmp_path)
    if "error" in expected:
        with pytest.raises(AnswerError):
            metric.score(folder / "masks", folder / "results", rules="official")
        return
    report = metric.score(folder / "masks", folder / "results", rules="official")
    wished = (expected["froc_score_interp"], *expected["sens_at_rates_interp"])
    assert all(is_close(report.values[key], value, 1e-9) for key, value in zip(KEYS, wished, strict=True))
    for name, curve in report.curves.items():
        assert len(curve) == len(expected[name])
        assert all(is_close(ours, theirs, 1e-9) for ours, theirs in zip(curve, expected[name], strict=True))
    assert not math.isnan(report.values["froc"]) or report.notes


@needs_vectors
@pytest.mark.parametrize("case", folders(SLIDES))
def test_lesions_and_hits_of_every_tumour_slide_of_a_vector(case: str, tmp_path: Path) -> None:
    folder, expected = SLIDES / case, expected_of(SLIDES / case)
    stored = folder / "evaluation_masks.npz"
    images = np.load(stored) if stored.exists() else {}
    for slide, wished in expected["slides"].items():
        if not wished.get("is_tumor"):
            continue
        (mask,) = (folder / "masks").glob(f"{slide}_Mask.*")
        for _ in ("made", "from the cache"):
            lesions = load_lesions(mask, record=slide, rules="official", cache=tmp_path)
            assert np.array_equal(label_image(lesions), images[slide])
        assert [n for n, lesion in enumerate(lesions.lesions, start=1) if lesion.itc] == wished["itc"]
        sheet = folder / "results" / f"{slide}.csv"
        detections = parse_detections(sheet.read_text(), file=sheet, record=slide, finite=False)
        hits = official_hits(detections, lesions, file=sheet, record=slide)
        assert hits.lesions == wished["n_tumors"]
        np.testing.assert_allclose(hits.lesion_scores, wished["tp_probs"], atol=1e-7)
        probs = [math.nan if value is None else value for value in wished["fp_probs"]]
        np.testing.assert_array_equal(hits.false_positives, probs)


@needs_vectors
def test_official_slide_auc_of_all_vectors(tmp_path: Path) -> None:
    for vector in json.loads((SLIDES / "slide_auc.json").read_text()):
        answers = tmp_path / vector["id"]
        answers.mkdir()
        rows = [f"{slide},{'nan' if score is None else repr(score)}\n" for slide, score in vector["rows"]]
        (answers / "slides.csv").write_text("".join(rows))
        (answers / "Normal_999.csv").touch()  # the program needs one; of a normal slide it needs no mask
        if vector["error"] == "ValueError":
            with pytest.raises(AnswerError):
                metrics.get("camelyon16").score(tmp_path, answers, rules="official")
            continue
        report = metrics.get("camelyon16").score(tmp_path, answers, rules="official")
        assert is_close(report.values["auc"], vector["auc"], 1e-9), vector["id"]
        assert vector["auc"] is not None or any("auc" in note for note in report.notes)


@pytest.mark.parametrize(
    ("case", "voxels"),
    [
        ("case_00015", (19377949, 271289, 11562)),
        ("case_00061", (7453957, 124943, 23276)),
        ("case_00148", (9299676, 131373, 6135)),
    ],
)
def test_real_kits19_segmentation_has_its_published_voxel_counts(case: str, voxels: tuple[int, ...]) -> None:
    file = SHARED / "data" / "kits19" / case / "segmentation.nii.gz"
    if not file.exists():
        pytest.skip(f"no real segmentation at {file} (set EVALUATE_SHARED)")
    counts = count_codes(open_volume(file, AnswerError, record=case), whole_labels(2, strict=True))
    assert tuple(counts[:3]) == voxels


@pytest.mark.parametrize(
    ("slide", "lesions", "itc"),
    # five outlines of Tumor_098 touch or lie within the margin; its smallest is a group of isolated cells
    [
        ("Tumor_030", 1, 0),
        ("Tumor_081", 1, 0),
        ("Tumor_086", 2, 0),
        ("Tumor_098", 2, 1),
        ("Tumor_107", 2, 0),
    ],
)
def test_real_annotation_covers_the_area_of_its_outlines(slide: str, lesions: int, itc: int, tmp_path: Path) -> None:
    file = SHARED / "data" / "camelyon16" / "annotations" / f"{slide}.json"
    if not file.exists():
        pytest.skip(f"no real annotation at {file} (set EVALUATE_SHARED)")
    annotation = parse_polygon_json(file.read_text(), file=file, record=slide)
    tumour, _ = rasterise(annotation, file=file, record=slide)

    def area(outline: Any) -> float:  # shoelace formula, in level-5 pixels
        x, y = outline.T / 32
        return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)

    drawn = sum(map(area, annotation.positive))
    cut = sum(map(area, annotation.negative))
    # outlines may overlap and cuts may reach beyond what they are cut from
    assert drawn - cut - 30 <= tumour.sum() <= drawn + 30
    loaded = load_lesions(file, record=slide, rules="corrected", cache=tmp_path)
    assert (len(loaded.lesions), sum(lesion.itc for lesion in loaded.lesions)) == (lesions, itc)

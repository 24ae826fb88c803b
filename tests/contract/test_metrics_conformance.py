"""The metrics against vectors made by the organisers' programs, and against real published data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metrics
from metrics.base import AnswerError, MetricError, ReferenceDataError, ScoreReport
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


TOLERANCE = 1e-9


def _score(name: str, references: Path, answers: Path, rules: str = "official") -> ScoreReport | MetricError:
    try:
        return metrics.get(name).score(references, answers, rules=rules)
    except (AnswerError, ReferenceDataError) as error:
        return error


def _differences(values: Mapping[str, Any], expected: Mapping[str, float | None], case: str) -> list[str]:
    """One line for each value that is another; None stands for NaN."""
    lines = []
    for key, wish in expected.items():
        value = values[key]
        same = math.isnan(value) if wish is None else math.isclose(value, wish, rel_tol=0, abs_tol=TOLERANCE)
        if not same:
            lines.append(f"{case}: {key} is {value}, the official program gives {wish}")
    return lines


def _disagreement(case: str, report: ScoreReport | MetricError, stops: bool) -> list[str]:
    if stops and isinstance(report, ScoreReport):
        return [f"{case}: the official program stops, here is {report.values}"]
    if not stops and isinstance(report, MetricError):
        return [f"{case}: the official program gives a number, here is {report!r}"]
    return []


def _cases(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}")
    cases = [(file.parent, json.loads(file.read_text())) for file in sorted(folder.glob("*/expected.json"))]
    assert cases, f"no case in {folder}"
    return cases


def test_cinc2017_agrees_with_the_official_program(shared: Path) -> None:
    wrong = []
    for folder, expected in _cases(shared / "conformance" / "cinc2017"):
        report = _score("cinc2017", folder / "validation" / "REFERENCE.csv", folder / "answers.txt")
        wrong += _disagreement(folder.name, report, "error" in expected)
        if isinstance(report, ScoreReport) and "error" not in expected:
            keys = ("F1", "F1n", "F1a", "F1o", "F1p", "F1_phase1_mean_of_four")
            wrong += _differences(report.values, {key: expected[key] for key in keys}, folder.name)
            if list(report.curves["confusion"]) != [n for row in expected["confusion"] for n in row]:
                wrong.append(f"{folder.name}: another confusion matrix")
            if any(map(math.isnan, report.values.values())) and not report.notes:
                wrong.append(f"{folder.name}: NaN without a note")
    assert wrong == []


@pytest.mark.parametrize(("cases", "records"), [("cases", "records"), ("real_cases", "real_records")])
def test_cpsc2021_agrees_with_the_official_program(shared: Path, cases: str, records: str) -> None:
    root = shared / "conformance" / "cpsc2021"
    wrong = []
    for folder, expected in _cases(root / cases):
        report = _score("cpsc2021", root / records, folder / "answers")
        wrong += _disagreement(folder.name, report, "error" in expected)
        if "error" in expected:
            blamed = ReferenceDataError if expected["kind"] == "bad_references" else AnswerError
            assert isinstance(report, blamed), folder.name
        if isinstance(report, ScoreReport) and "error" not in expected:
            wrong += _differences(report.values, {"U": expected["score"]}, folder.name)
            twice = len({name.split(".")[0] for name in expected["records"]}) < len(expected["records"])
            for name, row in expected["records"].items():
                key = name if twice else name.split(".")[0]
                wrong += _differences(report.per_record[key], row, f"{folder.name}/{name}")
    assert wrong == []


def _grow_tree(root: Path, frames: list[dict[str, Any]], side: str) -> Path:
    for frame in frames:
        if frame[side] is not None:
            file = root / side / frame["path"]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"points": frame[side]}))
    (root / side).mkdir(parents=True, exist_ok=True)
    return root / side


def test_adaptor2021_agrees_with_the_official_program(shared: Path, tmp_path: Path) -> None:
    files = sorted((shared / "conformance" / "adaptor2021").glob("*.json"))
    assert files
    wrong = []
    for file in files:
        case = json.loads(file.read_text())
        labels, answers = (_grow_tree(tmp_path / file.stem, case["frames"], side) for side in ("labels", "predictions"))
        report = _score("adaptor2021", labels, answers)
        # in the documented order the program has the roles exchanged
        printed = case["expected"]["cli_documented_order"]
        wrong += _disagreement(file.stem, report, "error" in printed)
        if isinstance(report, MetricError) or "error" in printed:
            continue
        expected = {
            "F1": printed["f1"], "precision": printed["sensitivity"], "recall": printed["precision"],
            "TP": printed["true_positive"], "FP": printed["false_negative"], "FN": printed["false_positive"],
        }  # fmt: skip
        wrong += _differences(report.values, expected, file.stem)
        for frame, counts in zip(case["frames"], case["expected"]["frames"], strict=True):
            name = frame["path"].replace("point_labels/", "").removesuffix(".json")
            if (name in report.per_record) != (counts is not None):
                wrong.append(f"{file.stem}: {name} counts or not")
            elif counts is not None and list(report.per_record[name].values()) != counts:
                wrong.append(f"{file.stem}: {name} has {report.per_record[name]}, not {counts}")
    assert wrong == []


# ------------------------------------------------------------------------------------- published real data


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize(
    ("team", "revision", "f1", "f1n", "f1a", "f1o", "f1p"),
    [
        ("sample2017", "v0", "0.4402", "0.6972", "0.6234", "0.0000", "0.0000"),
        ("sample2017", "v3", "0.4323", "0.6916", "0.6053", "0.0000", "0.0000"),
        ("blackswan", "v3", "0.9728", "0.9783", "0.9787", "0.9615", "0.9744"),
        ("encase", "v3", "0.9866", "1.0000", "0.9787", "0.9811", "1.0000"),
        ("rubin", "v3", "0.8399", "0.8989", "0.8936", "0.7273", "0.8205"),
        ("schwab", "v3", "0.8502", "0.9032", "0.8837", "0.7636", "0.8718"),
    ],
)
def test_cinc2017_known_scores_of_real_entries(
    shared: Path, rules: str, team: str, revision: str, f1: str, f1n: str, f1a: str, f1o: str, f1p: str
) -> None:
    data = shared / "data" / "cinc2017"
    report = _score("cinc2017", data / f"REFERENCE-{revision}.csv", data / f"answers-{team}.txt", rules)
    assert isinstance(report, ScoreReport)
    printed = {key: f"{report.values[key]:.4f}" for key in ("F1", "F1n", "F1a", "F1o", "F1p")}
    assert printed == {"F1": f1, "F1n": f1n, "F1a": f1a, "F1o": f1o, "F1p": f1p}


@pytest.mark.parametrize("rules", ["official", "corrected"])
@pytest.mark.parametrize(("entry", "paroxysmal"), [("baseline", 2.5), ("labroskokkalas", 6.5), ("hhhh59", 4.5)])
def test_cpsc2021_known_scores_of_real_entries(shared: Path, rules: str, entry: str, paroxysmal: float) -> None:
    data = shared / "data" / "cpsc2021"
    report = _score("cpsc2021", data, data / f"answers-{entry}", rules)
    assert isinstance(report, ScoreReport)
    assert {record: row["u"] for record, row in report.per_record.items()} == {
        "data_0_2": 1.0,
        "data_25_24": paroxysmal,
    }
    assert report.resampler is not None
    assert report.resampler.clusters == ("patient 0", "patient 25")

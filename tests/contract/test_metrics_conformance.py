"""The metrics against vectors made by the organisers' programs, and against real published data."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import metrics
from metrics.base import AnswerError, MetricError, ReferenceDataError, ScoreReport
from metrics.challenges.camelyon16 import KEYS, Camelyon16
from metrics.challenges.kits23 import CLASSES
from metrics.readers.references import load_lesions
from metrics.readers.volumes import count_codes, open_volume, whole_labels
from tests.conftest import SHARED
from tests.support.score_tables import write

pytestmark = pytest.mark.usefixtures("shared")
VECTORS = SHARED / "conformance"


def cases(*folders: str) -> list[str]:
    """Folders of vectors, from that of all vectors; none where these are absent."""
    files = (file for folder in folders for file in (VECTORS / folder).glob("*/expected.json"))
    return sorted(str(file.parent.relative_to(VECTORS)) for file in files)


def expected_of(case: str) -> dict[str, Any]:
    expected: dict[str, Any] = json.loads((VECTORS / case / "expected.json").read_text())
    return expected


def official(
    metric: metrics.Metric, references: Path, answers: Path, *, stops: type[MetricError] | None
) -> ScoreReport | None:
    """The report by the official rules, or None after the error that stands for a stop of the official program."""
    if stops is not None:
        with pytest.raises(stops):
            metric.score(references, answers, rules="official")
        return None
    report = metric.score(references, answers, rules="official")
    assert report.notes or not any(map(math.isnan, report.values.values())), "NaN without a note"
    return report


def differences(
    values: Mapping[Any, Any], expected: Mapping[Any, float | None], tolerance: float = 1e-9
) -> dict[Any, tuple[Any, float | None]]:
    """Our value and the official one where they differ; None stands for NaN."""
    return {
        key: (values[key], wish)
        for key, wish in expected.items()
        if not (math.isnan(values[key]) if wish is None else abs(values[key] - wish) <= tolerance)
    }


@pytest.mark.parametrize("case", cases("kits19"))
@pytest.mark.parametrize(("metric", "section"), [("kits19", "kits19"), ("mlperf_kits19", "mlperf"), ("kits23",) * 2])
def test_official_dice_of_a_vector(case: str, metric: str, section: str) -> None:
    expected = expected_of(case)[section]
    files = VECTORS / case / "reference.nii.gz", VECTORS / case / "prediction.nii.gz"
    stops = MetricError if metric == "mlperf_kits19" else AnswerError
    report = official(metrics.get(metric), *files, stops=stops if {"error", "not_applicable"} & {*expected} else None)
    if report is None:
        return
    if metric == "kits19":
        expected["composite"] = expected.pop("composite_mean")
    if metric == "kits23":
        for kind in ("dice", "surface_dice"):
            expected |= {f"{kind}_{name}": expected[name][kind] for name in CLASSES}
            expected[kind] = np.mean([expected[name][kind] for name in CLASSES])
        expected = {key: value for key, value in expected.items() if key not in CLASSES}
    assert differences(report.values, expected, 1e-6 if metric == "mlperf_kits19" else 1e-9) == {}


@pytest.mark.parametrize("case", cases("camelyon16"))
def test_official_froc_of_a_vector(case: str, tmp_path: Path) -> None:
    folder, expected = VECTORS / case, expected_of(case)
    stops = AnswerError if "error" in expected else None
    report = official(Camelyon16(cache=tmp_path), folder / "masks", folder / "results", stops=stops)
    if report is None:
        return
    sensitivities = expected["froc_score_interp"], *expected["sens_at_rates_interp"]
    assert differences(report.values, dict(zip(KEYS, sensitivities, strict=True))) == {}
    for name, curve in report.curves.items():
        assert len(curve) == len(expected[name])
        assert differences(curve, dict(enumerate(expected[name]))) == {}
    for slide, hits in expected["slides"].items():
        counts = {"lesions": hits["n_tumors"], "itc": len(hits["itc"]), "false_positives": len(hits["fp_probs"])}
        assert counts.items() <= report.per_record[slide].items()


def test_official_slide_auc_of_all_vectors(tmp_path: Path) -> None:
    for vector in json.loads((VECTORS / "camelyon16" / "slide_auc.json").read_text()):
        answers = tmp_path / vector["id"]
        rows = [f"{slide},{'nan' if score is None else repr(score)}" for slide, score in vector["rows"]]
        write(answers / "slides.csv", "\n".join(rows))
        (answers / "Normal_999.csv").touch()  # the program needs one; of a normal slide it needs no mask
        stops = AnswerError if vector["error"] == "ValueError" else None
        report = official(metrics.get("camelyon16"), tmp_path, answers, stops=stops)
        if report is not None:
            assert differences(report.values, {"auc": vector["auc"]}) == {}, vector["id"]
            assert vector["auc"] is not None or any("auc" in note for note in report.notes)


@pytest.mark.parametrize("case", cases("cinc2017"))
def test_cinc2017_agrees_with_the_official_program(case: str) -> None:
    folder, expected = VECTORS / case, expected_of(case)
    files = folder / "validation" / "REFERENCE.csv", folder / "answers.txt"
    report = official(metrics.get("cinc2017"), *files, stops=MetricError if "error" in expected else None)
    if report is not None:
        assert differences(report.values, {key: expected[key] for key in report.values}) == {}
        assert list(report.curves["confusion"]) == [n for row in expected["confusion"] for n in row]


@pytest.mark.parametrize("case", cases("cpsc2021/cases", "cpsc2021/real_cases"))
def test_cpsc2021_agrees_with_the_official_program(case: str) -> None:
    folder, expected = VECTORS / case, expected_of(case)
    records = folder.parent.with_name(folder.parent.name.replace("cases", "records"))
    blamed = ReferenceDataError if expected["kind"] == "bad_references" else AnswerError
    stops = blamed if "error" in expected else None
    report = official(metrics.get("cpsc2021"), records, folder / "answers", stops=stops)
    if report is None:
        return
    assert differences(report.values, {"U": expected["score"]}) == {}
    twice = len({name.split(".")[0] for name in expected["records"]}) < len(expected["records"])
    for name, row in expected["records"].items():
        assert differences(report.per_record[name if twice else name.split(".")[0]], row) == {}, name


@pytest.mark.parametrize("case", sorted(file.stem for file in (VECTORS / "adaptor2021").glob("*.json")))
def test_adaptor2021_agrees_with_the_official_program(case: str, tmp_path: Path) -> None:
    vector = json.loads((VECTORS / "adaptor2021" / f"{case}.json").read_text())
    for side in ("labels", "predictions"):
        (tmp_path / side).mkdir()
        for frame in vector["frames"]:
            if frame[side] is not None:
                write(tmp_path / side / frame["path"], json.dumps({"points": frame[side]}))
    # in the documented order the program has the roles exchanged
    printed = vector["expected"]["cli_documented_order"]
    stops = MetricError if "error" in printed else None
    report = official(metrics.get("adaptor2021"), tmp_path / "labels", tmp_path / "predictions", stops=stops)
    if report is None:
        return
    expected = {
        "F1": printed["f1"], "precision": printed["sensitivity"], "recall": printed["precision"],
        "TP": printed["true_positive"], "FP": printed["false_negative"], "FN": printed["false_positive"],
    }  # fmt: skip
    assert differences(report.values, expected) == {}
    names = [frame["path"].replace("point_labels/", "").removesuffix(".json") for frame in vector["frames"]]
    counts = dict(zip(names, vector["expected"]["frames"], strict=True))
    rows = {name: list(report.per_record[name].values()) if name in report.per_record else None for name in names}
    assert rows == counts


# ------------------------------------------------------------------------------------- published real data


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
    counts = count_codes(open_volume(file, AnswerError, record=case), whole_labels(2, strict=True))
    assert tuple(counts[:3]) == voxels


@pytest.mark.parametrize(
    ("slide", "lesions", "itc"),
    # five outlines of Tumor_098 touch or lie within the margin; its smallest is a group of isolated cells
    [("Tumor_030", 1, 0), ("Tumor_081", 1, 0), ("Tumor_086", 2, 0), ("Tumor_098", 2, 1), ("Tumor_107", 2, 0)],
)
def test_real_annotation_has_its_lesions(slide: str, lesions: int, itc: int, tmp_path: Path) -> None:
    file = SHARED / "data" / "camelyon16" / "annotations" / f"{slide}.json"
    loaded = load_lesions(file, record=slide, rules="corrected", cache=tmp_path)
    assert (len(loaded.lesions), sum(lesion.itc for lesion in loaded.lesions)) == (lesions, itc)

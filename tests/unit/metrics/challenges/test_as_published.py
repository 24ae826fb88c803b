"""Our numbers beside the organisers' algorithms, written again as published, on synthetic inputs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from metrics.challenges import adaptor2021, cinc2017, cpsc2021, kits23, mlperf_kits19
from metrics.challenges.adaptor2021 import match_points
from metrics.measures.froc import Froc
from metrics.measures.lesions import evaluation_mask
from metrics.readers.cases import Case
from metrics.readers.references import read_mask
from metrics.readers.volumes import joint_histogram
from tests.benchmarks import _inputs as inputs
from tests.benchmarks import _published as published
from tests.support.volume_files import label_image


def test_froc_as_published_is_ours() -> None:
    slides = inputs.slide_hits(6, 10)
    ours = Froc(slides, as_official=True).sensitivities(np.ones(6, np.int64))
    assert published.sensitivities(published.froc_curve(slides)) == pytest.approx(ours.tolist())


@pytest.mark.parametrize("n", [1, 20, 40])
def test_matching_as_published_is_ours(n: int) -> None:
    labels, points = inputs.crowded_frame(n)
    assert published.greedy_matches(labels, points) == len(match_points(labels, points))


def test_frames_as_published_are_ours(tmp_path: Path) -> None:
    references, answers = inputs.frames(tmp_path, 10)
    ours = adaptor2021.METRIC.score(references, answers).values["F1"]
    assert published.frames_f1(references, answers) == pytest.approx(ours)


def test_evaluation_mask_as_published_is_ours(tmp_path: Path) -> None:
    tumour = read_mask(inputs.lesion_mask(tmp_path, (600, 900), 10), record="tumor_001") > 0
    theirs = published.evaluation_mask(tumour)
    ours = label_image(evaluation_mask(tumour, shape=(600, 900)))
    assert theirs.max() == ours.max() > 1
    assert ((theirs > 0) == (ours > 0)).all()


def test_dice_as_published_is_ours(tmp_path: Path) -> None:
    references, answers = inputs.volume_files(tmp_path, (30, 40, 50))
    reference, answer = (folder / "case_00000.nii.gz" for folder in (references, answers))
    ours = kits23.score_case(Case(record="case_00000", reference=reference, answer=answer), rules="official").values
    for name, (dice, surface_dice) in published.kits23_scores(reference, answer).items():
        assert dice == pytest.approx(ours[f"dice_{name}"])
        assert surface_dice == pytest.approx(ours[f"surface_dice_{name}"])
    pair = inputs.volume_pair((30, 40, 50))
    of_arrays = mlperf_kits19._dice_values(joint_histogram([pair]), "official")
    assert published.one_hot_dice(*pair) == pytest.approx([of_arrays["l1_dice"], of_arrays["l2_dice"]])


def test_episodes_as_published_are_ours(tmp_path: Path) -> None:
    references, answers = inputs.episodes(tmp_path, 1, minutes=4, with_signals=1)
    endpoints = json.loads((answers / "data_0_1.json").read_text())["predict_endpoints"]
    ours = cpsc2021.METRIC.score(references, answers, rules="official").values["U"]
    assert published.paroxysmal_record(references / "data_0_1", endpoints) == pytest.approx(ours)


def test_rhythms_as_published_are_ours(tmp_path: Path) -> None:
    references, answers = inputs.rhythm_labels(tmp_path, 300)
    table = published.rhythm_table(references, answers)
    sizes = table.sum(axis=0) + table.sum(axis=1)
    ours = cinc2017.METRIC.score(references, answers, rules="official").values
    assert (2 * np.diag(table) / sizes)[:3].mean() == pytest.approx(ours["F1"])

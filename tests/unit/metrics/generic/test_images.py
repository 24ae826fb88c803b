from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrics.base import AnswerError, ReferenceDataError
from metrics.generic import make
from metrics.plots import plots_of
from metrics.statistics.uncertainty import intervals
from tests.support.peers import of_peer
from tests.support.volume_files import write_volume

RANDOM = np.random.default_rng(5)
REFERENCE = np.cumsum(np.cumsum(RANDOM.normal(size=(192, 180)), 0), 1)
ANSWER = REFERENCE + RANDOM.normal(0, 50, REFERENCE.shape)
SPAN = float(REFERENCE.max() - REFERENCE.min())
NAMES = ("psnr", "ssim", "ms_ssim", "nmse")


def of(name: str, reference: Any, answer: Any, **options: Any) -> float:
    measure: Any = make({"measure": f"images.{name}", **options})
    value: float = measure.value_of_arrays(np.asarray(reference, float), np.asarray(answer, float))
    return value


def test_errors_are_those_of_scikit_image() -> None:
    def theirs() -> Any:
        from skimage import metrics as peer

        return [
            peer.peak_signal_noise_ratio(REFERENCE, ANSWER, data_range=SPAN),
            peer.normalized_root_mse(REFERENCE, ANSWER) ** 2,
        ]

    found = [of(name, REFERENCE, ANSWER) for name in ("psnr", "nmse")]
    assert found == pytest.approx(of_peer("skimage", theirs, [18.52451543486526, 0.08667634011356122]), abs=1e-9)


@pytest.mark.parametrize(
    ("window", "shape", "stored"),
    [
        ("gaussian", (192, 180), 0.15859335737027988),
        ("uniform", (192, 180), 0.18277824784004806),
        ("gaussian", (20, 36, 48), 0.8807296317520146),
    ],
)
def test_similarity_is_that_of_scikit_image(window: str, shape: tuple[int, ...], stored: float) -> None:
    one, other = REFERENCE.reshape(shape), ANSWER.reshape(shape)

    def theirs() -> Any:
        from skimage.metrics import structural_similarity

        as_published = {"gaussian_weights": True, "sigma": 1.5, "use_sample_covariance": False}
        return structural_similarity(one, other, data_range=SPAN, **(as_published if window == "gaussian" else {}))

    assert of("ssim", one, other, window=window) == pytest.approx(of_peer("skimage", theirs, stored), abs=1e-9)


def test_similarity_of_several_scales_is_that_of_pytorch_msssim() -> None:
    def theirs() -> Any:
        import torch
        from pytorch_msssim import ms_ssim

        both = [torch.tensor(image[:, :176].copy())[None, None] for image in (ANSWER, REFERENCE)]
        return float(ms_ssim(*both, data_range=SPAN))

    # the library's weights are of single precision; of sides that stay even, since it pads odd ones with zeros
    theirs_value = of_peer("pytorch_msssim", theirs, 0.7211010491091308, close=1e-6)
    assert of("ms_ssim", REFERENCE[:, :176], ANSWER[:, :176], data_range=SPAN) == pytest.approx(theirs_value, abs=2e-5)


def test_channels_and_slices_are_averaged() -> None:
    channels = np.stack([REFERENCE, REFERENCE + 3], axis=2), np.stack([ANSWER, REFERENCE + 3], axis=2)
    alone = of("ssim", REFERENCE, ANSWER, data_range=9)
    assert of("ssim", *channels, data_range=9) == pytest.approx((alone + 1) / 2)
    assert of("psnr", *channels, data_range=9) == pytest.approx(of("psnr", REFERENCE, ANSWER, data_range=9) + 3.0103)
    volumes = np.moveaxis(channels[0], 2, 0).repeat(3, axis=0), np.moveaxis(channels[1], 2, 0).repeat(3, axis=0)
    assert of("ssim", *volumes, by_slice="first", data_range=9) == pytest.approx((alone + 1) / 2)


def test_equal_blank_and_constant_images() -> None:
    assert [of(name, REFERENCE, REFERENCE) for name in NAMES] == [100, 1, 1, 0]
    assert of("nmse", REFERENCE, 0 * REFERENCE) == 1
    assert of("psnr", REFERENCE, REFERENCE + 1e-9) == 100
    assert of("ms_ssim", REFERENCE, REFERENCE.max() - REFERENCE) == 0
    for name in ("psnr", "ssim", "ms_ssim"):
        with pytest.raises(ValueError, match="expected different values, or the option data_range, found only 0"):
            of(name, np.zeros((192, 180)), REFERENCE)
    with pytest.raises(ValueError, match="other than 0"):
        of("nmse", np.zeros((192, 180)), REFERENCE)
    with pytest.raises(ValueError, match="at least 11 pixels"):
        of("ssim", REFERENCE[:10, :30], REFERENCE[:10, :30])
    with pytest.raises(ValueError, match="at least 161 pixels"):
        of("ms_ssim", REFERENCE[:160], REFERENCE[:160])


@pytest.mark.parametrize("name", NAMES)
def test_files_score_as_arrays_and_a_missing_one_as_zeros(name: str, tmp_path: Path) -> None:
    for i in range(6):
        write_volume(tmp_path / "references" / f"r{i}.nii.gz", (REFERENCE.T + i).astype(np.float64))
        if i:
            write_volume(tmp_path / "answers" / f"r{i}.nii.gz", (ANSWER.T + i).astype(np.float64))
    report = make({"measure": f"images.{name}"}).score(tmp_path / "references", tmp_path / "answers")
    values = [of(name, REFERENCE + i, ANSWER + i if i else 0 * ANSWER) for i in range(6)]
    assert report.values[name] == pytest.approx(np.mean(values))
    assert [row[name] for row in report.per_record.values()] == pytest.approx(values)
    assert name in intervals(report).of
    assert len(plots_of(report)) == 1
    found = report.resampler.values(np.array([[0, 2, 1, 0, 0, 0]]))  # type: ignore[union-attr]
    assert found[name][0] == pytest.approx((2 * values[1] + values[2]) / 3)
    left = make({"measure": f"images.{name}", "missing": "exclude-with-note"})
    assert left.score(tmp_path / "references", tmp_path / "answers").values[name] == pytest.approx(np.mean(values[1:]))


def test_pictures_of_several_channels_and_what_is_no_image(tmp_path: Path) -> None:
    pictures = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    (tmp_path / "references").mkdir()
    (tmp_path / "answers").mkdir()
    pixels = RANDOM.integers(0, 256, (20, 30, 3)).astype(np.uint8)
    pictures.fromarray(pixels).save(tmp_path / "references" / "a.png")
    pictures.fromarray(pixels // 2).save(tmp_path / "answers" / "a.png")
    metric = make({"measure": "images.psnr", "data_range": 255})
    error = np.mean((pixels - (pixels // 2).astype(float)) ** 2)
    found = metric.score(tmp_path / "references", tmp_path / "answers").values["psnr"]
    assert found == pytest.approx(10 * math.log10(255**2 / error))
    for wrong in (pixels[..., 0], pixels[:10]):
        pictures.fromarray(np.ascontiguousarray(wrong)).save(tmp_path / "answers" / "a.png")
        with pytest.raises(AnswerError, match="as the reference has"):
            metric.score(tmp_path / "references", tmp_path / "answers")
    volume = np.full((12, 12, 12), math.nan)
    for side, error_kind in (("answers", AnswerError), ("references", ReferenceDataError)):
        write_volume(tmp_path / "v" / "references" / "a.nii", np.arange(1728.0).reshape(12, 12, 12))
        write_volume(tmp_path / "v" / "answers" / "a.nii", np.zeros((12, 12, 12)))
        write_volume(tmp_path / "v" / side / "a.nii", volume)
        with pytest.raises(error_kind, match="expected numbers"):
            metric.score(tmp_path / "v" / "references", tmp_path / "v" / "answers")

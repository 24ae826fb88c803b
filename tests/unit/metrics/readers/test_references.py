"""Masks, pyramids and outlines as references of CAMELYON16, and the cache of evaluation masks."""

from __future__ import annotations

import builtins
import json
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from metrics.base import ReferenceDataError
from metrics.measures.lesions import EvaluationMask
from metrics.readers import references
from metrics.readers.references import default_cache, find_references, load_lesions, read_mask

RASTER = np.zeros((60, 90), np.uint8)
RASTER[20:40, 30:60] = 255


def write_png(path: Path, pixels: NDArray[np.uint8] = RASTER, mode: str = "L") -> Path:
    Image.fromarray(pixels).convert(mode).save(path)
    return path


def write_pyramid(path: Path, raster: NDArray[np.uint8] = RASTER, levels: int = 6, **options: Any) -> Path:
    """A pyramid whose last level is the raster."""
    pages = [Image.fromarray(raster.repeat(1 << n, axis=0).repeat(1 << n, axis=1)) for n in range(levels)]
    pages[-1].save(path, save_all=True, append_images=pages[-2::-1], **options)
    return path


def loaded(path: Path, *, rules: str = "corrected", cache: Path | None = None) -> EvaluationMask:
    return load_lesions(path, record="Tumor_001", rules=rules, cache=cache)


@pytest.mark.parametrize("mode", ["L", "1", "RGB", "RGBA", "P", "LA"])
def test_first_channel_of_any_kind_of_png_is_the_mask(tmp_path: Path, mode: str) -> None:
    file = write_png(tmp_path / "Tumor_001_Mask.png", mode=mode)
    assert np.array_equal(read_mask(file, record="r"), RASTER)


@pytest.mark.parametrize(
    "options", [{}, {"compression": "tiff_lzw"}, {"compression": "tiff_deflate"}, {"big_tiff": True}]
)
def test_level_5_of_a_pyramid_is_read(tmp_path: Path, options: dict[str, Any]) -> None:
    file = write_pyramid(tmp_path / "Tumor_001_Mask.tif", **options)
    assert np.array_equal(read_mask(file, record="r"), RASTER)


def test_pyramid_with_more_levels_gives_the_one_32_times_smaller(tmp_path: Path) -> None:
    smaller = RASTER[::2, ::2]
    file = write_pyramid(tmp_path / "Tumor_001_Mask.tif", raster=smaller, levels=7)
    assert read_mask(file, record="r").shape == (60, 90)


@pytest.mark.parametrize("levels", [1, 3])
def test_pyramid_without_level_5_names_the_sizes_found(tmp_path: Path, levels: int) -> None:
    file = write_pyramid(tmp_path / "Tumor_001_Mask.tif", levels=levels)
    with pytest.raises(ReferenceDataError, match=r"level 32 times smaller.*90"):
        read_mask(file, record="Tumor_001")


def test_16_bit_and_oversized_masks_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.fromarray(RASTER.astype(np.uint16)).save(tmp_path / "deep_Mask.png")
    with pytest.raises(ReferenceDataError, match="8 bits"):
        read_mask(tmp_path / "deep_Mask.png", record="deep")
    monkeypatch.setattr(references, "_MAX_PIXELS", RASTER.size - 1)
    with pytest.raises(ReferenceDataError, match=r"90 x 60"):
        read_mask(write_png(tmp_path / "a_Mask.png"), record="a")


def test_without_pillow_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_png(tmp_path / "a_Mask.png", mode="RGB")
    really_import = builtins.__import__

    def without_pillow(name: str, *rest: Any, **named: Any) -> Any:
        if name.startswith("PIL"):
            raise ImportError(name)
        return really_import(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without_pillow)
    with pytest.raises(ReferenceDataError, match=r"sandbox-evaluate\[images\]"):
        read_mask(file, record="a")


@pytest.mark.parametrize(("inside", "official", "corrected"), [(255, 1, 1), (1, 1, 1), (254, 1, 1), (0, 1, 0)])
def test_only_255_is_tumour_officially_and_all_above_half_when_corrected(
    tmp_path: Path, inside: int, official: int, corrected: int
) -> None:
    raster = RASTER.copy()
    raster[RASTER > 0] = inside
    file = write_png(tmp_path / "a_Mask.png", raster)
    assert len(loaded(file, rules="official").lesions) == official
    assert len(loaded(file).lesions) == corrected
    # where official finds no 255, its one lesion is the phantom
    assert loaded(file, rules="official").lesions[0].mask.sum() == (17 if inside < 255 else 28 * 38 - 4 * 3)


def test_traces_of_compression_around_the_tumour_are_not_tumour_when_corrected(tmp_path: Path) -> None:
    raster = RASTER.copy()
    raster[RASTER == 0] = 3
    assert len(loaded(write_png(tmp_path / "a_Mask.png", raster)).lesions) == 1


def test_references_are_found_by_their_names(tmp_path: Path) -> None:
    for name in ("Tumor_001_Mask.png", "tumor_002_mask.TIF", "test_003.xml", "Tumor_004.json", "reference.csv"):
        (tmp_path / name).touch()
    assert {slide: path.name for slide, path in find_references(tmp_path).items()} == {
        "Tumor_001": "Tumor_001_Mask.png",
        "tumor_002": "tumor_002_mask.TIF",
        "test_003": "test_003.xml",
        "Tumor_004": "Tumor_004.json",
    }
    (tmp_path / "Tumor_004_Mask.png").touch()
    with pytest.raises(ReferenceDataError, match=r"Tumor_004\.json and Tumor_004_Mask\.png|Tumor_004_Mask"):
        find_references(tmp_path)


def same(one: EvaluationMask, other: EvaluationMask) -> bool:
    return one.shape == other.shape and all(
        (a.row, a.column, a.itc) == (b.row, b.column, b.itc) and np.array_equal(a.mask, b.mask)
        for a, b in zip(one.lesions, other.lesions, strict=True)
    )


def test_cache_gives_the_same_mask_and_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raster = RASTER.copy()
    raster[5, 5] = 255
    file, cache = write_png(tmp_path / "a_Mask.png", raster), tmp_path / "cache"
    made = loaded(file, cache=cache)
    assert len(made.lesions) == 2
    monkeypatch.setattr(references, "_make_lesions", lambda *_: pytest.fail("made again"))
    assert same(loaded(file, cache=cache), made)


def test_cache_keeps_a_mask_without_lesions_and_one_of_unknown_size(tmp_path: Path) -> None:
    empty = write_png(tmp_path / "a_Mask.png", RASTER * 0)
    outlines = tmp_path / "b.json"
    outlines.write_text(json.dumps({"positive": [{"vertices": [[320, 640], [640, 640], [640, 960]]}]}))
    for file in (empty, outlines):
        made = loaded(file, cache=tmp_path / "cache")
        assert same(loaded(file, cache=tmp_path / "cache"), made)


def test_changed_mask_and_other_rules_are_not_taken_from_the_cache(tmp_path: Path) -> None:
    file, cache = write_png(tmp_path / "a_Mask.png"), tmp_path / "cache"
    before = loaded(file, cache=cache)
    write_png(file, np.roll(RASTER, 7, axis=0))
    assert loaded(file, cache=cache).lesions[0].row == before.lesions[0].row + 7
    write_png(file, RASTER // 255)
    assert len(loaded(file, cache=cache, rules="corrected").lesions) == 1
    assert loaded(file, cache=cache, rules="official").lesions[0].mask.sum() == 17


@pytest.mark.parametrize("damage", [b"", b"x", "cut", "flip"])
def test_damaged_cache_file_is_made_again(tmp_path: Path, damage: bytes | str) -> None:
    file, cache = write_png(tmp_path / "a_Mask.png"), tmp_path / "cache"
    made = loaded(file, cache=cache)
    (kept,) = cache.iterdir()
    whole = kept.read_bytes()
    flipped = whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]
    kept.write_bytes({"cut": whole[:-9], "flip": flipped}[damage] if isinstance(damage, str) else damage)
    assert same(loaded(file, cache=cache), made)
    assert kept.read_bytes()[:32] == whole[:32]


def test_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    file = write_png(tmp_path / "a_Mask.png")
    (tmp_path / "cache").touch()  # a file where the folder should be
    assert len(loaded(file, cache=tmp_path / "cache").lesions) == 1
    assert len(loaded(file, cache=None).lesions) == 1


def test_many_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    file, cache = write_png(tmp_path / "a_Mask.png"), tmp_path / "cache"
    made = loaded(file)
    found: list[EvaluationMask] = []
    threads = [threading.Thread(target=lambda: found.append(loaded(file, cache=cache))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert all(same(made, each) for each in found)
    assert [path.suffix for path in cache.iterdir()] == [".mask"]


def test_cache_folder_follows_the_xdg_rule(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = default_cache()
    assert found is not None
    assert found.is_relative_to(tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    found = default_cache()
    assert found is not None
    assert found.is_relative_to(tmp_path / "home" / ".cache")

    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", homeless)
    assert default_cache() is None

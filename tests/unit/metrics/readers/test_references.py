"""Masks, pyramids and outlines as references of CAMELYON16, and the cache of evaluation masks."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from metrics.base import ReferenceDataError
from metrics.measures.lesions import EvaluationMask, Lesion
from metrics.readers import references

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
    return references.load_lesions(path, record="Tumor_001", rules=rules, cache=cache)


@pytest.mark.parametrize(
    ("write", "name", "options"),
    [
        *((write_png, "Tumor_001_Mask.png", {"mode": mode}) for mode in ("L", "1", "RGB", "RGBA", "P", "LA")),
        *(
            (write_pyramid, "Tumor_001_Mask.tif", options)
            for options in ({}, {"compression": "tiff_lzw"}, {"compression": "tiff_deflate"}, {"big_tiff": True})
        ),
        (write_pyramid, "Tumor_001_Mask.tif", {"raster": RASTER[::2, ::2], "levels": 7}),
    ],
)
def test_first_channel_of_level_5_is_the_mask(tmp_path: Path, write: Any, name: str, options: dict[str, Any]) -> None:
    assert np.array_equal(references.read_mask(write(tmp_path / name, **options), record="r"), RASTER)


def test_masks_of_other_sizes_and_depths_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Image.fromarray(RASTER.astype(np.uint16)).save(tmp_path / "deep_Mask.png")
    for file, message in (
        (write_pyramid(tmp_path / "a_Mask.tif", levels=1), r"level 32 times smaller.*90"),
        (write_pyramid(tmp_path / "b_Mask.tif", levels=3), r"level 32 times smaller.*90"),
        (tmp_path / "deep_Mask.png", "8 bits"),
    ):
        with pytest.raises(ReferenceDataError, match=message):
            references.read_mask(file, record="r")
    monkeypatch.setattr(references, "_MAX_PIXELS", RASTER.size - 1)
    with pytest.raises(ReferenceDataError, match=r"90 x 60"):
        references.read_mask(write_png(tmp_path / "a_Mask.png"), record="a")


def test_without_pillow_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_png(tmp_path / "a_Mask.png", mode="RGB")
    monkeypatch.setitem(sys.modules, "PIL.PngImagePlugin", None)
    with pytest.raises(ReferenceDataError, match=r"sandbox-evaluate\[images\]"):
        references.read_mask(file, record="a")


@pytest.mark.parametrize(("inside", "official", "corrected"), [(255, 1, 1), (1, 1, 1), (254, 1, 1), (0, 1, 0)])
def test_only_255_is_tumour_officially_and_all_above_half_when_corrected(
    tmp_path: Path, inside: int, official: int, corrected: int
) -> None:
    raster = RASTER.copy()
    raster[RASTER > 0] = inside
    file = write_png(tmp_path / "a_Mask.png", raster)
    assert len(loaded(file, rules="official").lesions) == official
    assert len(loaded(file).lesions) == corrected
    raster[RASTER == 0] = inside // 80  # as compression leaves around the tumour
    assert len(loaded(write_png(tmp_path / "b_Mask.png", raster)).lesions) == corrected
    # where official finds no 255, its one lesion is the phantom
    assert loaded(file, rules="official").lesions[0].mask.sum() == (17 if inside < 255 else 28 * 38 - 4 * 3)


def test_references_are_found_by_their_names(tmp_path: Path) -> None:
    for name in ("Tumor_001_Mask.png", "tumor_002_mask.TIF", "test_003.xml", "Tumor_004.json", "reference.csv"):
        (tmp_path / name).touch()
    assert {slide: path.name for slide, path in references.find_references(tmp_path).items()} == {
        "Tumor_001": "Tumor_001_Mask.png",
        "tumor_002": "tumor_002_mask.TIF",
        "test_003": "test_003.xml",
        "Tumor_004": "Tumor_004.json",
    }
    (tmp_path / "Tumor_004_Mask.png").touch()
    with pytest.raises(ReferenceDataError, match=r"Tumor_004\.json and Tumor_004_Mask\.png|Tumor_004_Mask"):
        references.find_references(tmp_path)


def same(mask: EvaluationMask, other: EvaluationMask) -> bool:
    return mask.shape == other.shape and all(
        (a.row, a.column, a.itc) == (b.row, b.column, b.itc) and np.array_equal(a.mask, b.mask)
        for a, b in zip(mask.lesions, other.lesions, strict=True)
    )


def test_cache_gives_the_same_mask_and_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raster = RASTER.copy()
    raster[5, 5] = 255
    outlines = tmp_path / "b.json"
    outlines.write_text(json.dumps({"positive": [{"vertices": [[320, 640], [640, 640], [640, 960]]}]}))
    files = write_png(tmp_path / "a_Mask.png", raster), write_png(tmp_path / "c_Mask.png", RASTER * 0), outlines
    made = [loaded(file, cache=tmp_path / "cache") for file in files]
    assert [len(each.lesions) for each in made] == [2, 0, 1]
    assert len(loaded(files[0], cache=outlines).lesions) == 2, "where no cache can be written"
    monkeypatch.setattr(references, "_make_lesions", lambda *_: pytest.fail("made again"))
    assert all(same(loaded(file, cache=tmp_path / "cache"), each) for file, each in zip(files, made, strict=True))


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


def test_many_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    file, cache = write_png(tmp_path / "a_Mask.png"), tmp_path / "cache"
    made = loaded(file)
    with ThreadPoolExecutor(12) as threads:
        assert all(same(made, mask) for mask in threads.map(lambda _: loaded(file, cache=cache), range(12)))
    assert [path.suffix for path in cache.iterdir()] == [".mask"]


def test_cache_folder_follows_the_xdg_rule(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    for given, folder in ((str(tmp_path / "x"), tmp_path / "x"), ("", tmp_path / "home" / ".cache")):
        monkeypatch.setenv("XDG_CACHE_HOME", given)
        assert (references.default_cache() or Path()).is_relative_to(folder)

    def homeless() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert references.default_cache() is None


FILE = Path("Tumor_001")
SQUARE: list[list[float]] = [[320, 640], [640, 640], [640, 960], [320, 960]]


def xml(*outlines: tuple[str, list[list[float]]]) -> str:
    drawn = "".join(
        f'<Annotation Name="a" Type="Polygon" PartOfGroup="{group}" Color="#fff"><Coordinates>'
        + "".join(f'<Coordinate Order="{n}" X="{x}" Y="{y}"/>' for n, (x, y) in enumerate(vertices))
        + "</Coordinates></Annotation>"
        for group, vertices in outlines
    )
    return f'<?xml version="1.0"?><ASAP_Annotations><Annotations>{drawn}</Annotations></ASAP_Annotations>'


def pixels(annotation: references.Annotation) -> set[tuple[int, int]]:
    tumour, (row, column) = references.rasterise(annotation, file=FILE, record="Tumor_001")
    rows, columns = np.nonzero(tumour)
    return {(int(r) + row, int(c) + column) for r, c in zip(rows, columns, strict=True)}


def test_pixel_is_tumour_if_its_upper_left_corner_is_inside() -> None:
    # corners on the left and upper edge are in, on the right and lower edge out
    wished = {(row, column) for row in range(20, 30) for column in range(10, 20)}
    assert pixels(references.Annotation(positive=(np.array(SQUARE, float),))) == wished
    moved = references.Annotation(positive=(np.array(SQUARE, float) + 1,))
    assert pixels(moved) == {(row + 1, column + 1) for row, column in wished}


def test_negative_outline_is_cut_out_also_where_it_reaches_beyond() -> None:
    hole = np.array([[480, 800], [5000, 800], [5000, 5000], [480, 5000]], float)
    cut = pixels(references.Annotation(positive=(np.array(SQUARE, float),), negative=(hole,)))
    assert len(cut) == 75
    assert (24, 15) in cut
    assert (25, 15) not in cut


@pytest.mark.parametrize("seed", range(10))
def test_raster_is_that_of_winding_numbers_point_by_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    outline = rng.uniform(-300, 900, (int(rng.integers(3, 12)), 2))
    inside = pixels(references.Annotation(positive=(outline,)))

    def winds(x: float, y: float) -> bool:
        angles = np.unwrap(np.arctan2(*(np.vstack([outline, outline[:1]]) - (x, y)).T[::-1]))
        return bool(abs(angles[-1] - angles[0]) > 1)

    for row in range(-12, 32):
        for column in range(-12, 32):
            assert ((row, column) in inside) == winds(32.0 * column, 32.0 * row)


def test_outline_has_the_margin_around_it_and_one_of_two_corners_encloses_nothing() -> None:
    def lesions(*outlines: Any) -> tuple[Lesion, ...]:
        annotation = references.Annotation(positive=tuple(np.array(outline, float) for outline in outlines))
        return references.mask_of_annotation(annotation, file=FILE, record="r").lesions

    for far in (0, 5000):  # where rasters are as exact
        (lesion,) = lesions(np.array(SQUARE) + far * 32)
        assert (lesion.row - far, lesion.column - far, lesion.mask.shape) == (16, 6, (18, 18))
    assert lesions([[320, 640]], [[0, 0], [5000, 5000]]) == lesions() == ()


@pytest.mark.parametrize("groups", [("Tumor", "_2"), ("_0", "Exclusion"), ("_1", "_2"), ("metastases", "normal")])
def test_groups_of_both_camelyon_challenges_are_positive_or_negative_as_in_json(groups: tuple[str, str]) -> None:
    outlines = {"positive": [{"name": "t", "vertices": SQUARE}], "negative": [{"vertices": SQUARE[:3]}]}
    drawn = xml((groups[0], SQUARE), (groups[1], SQUARE[:3]))
    for parse, text in ((references.parse_asap_xml, drawn), (references.parse_polygon_json, json.dumps(outlines))):
        annotation = parse(text, file=FILE, record="Tumor_001")
        assert [outline.tolist() for outline in annotation.positive] == [SQUARE]
        assert [outline.tolist() for outline in annotation.negative] == [SQUARE[:3]]

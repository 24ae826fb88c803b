"""Outlines from ASAP XML and polygon JSON, and their raster."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.base import ReferenceDataError
from metrics.readers.references import (
    Annotation,
    mask_of_annotation,
    parse_asap_xml,
    parse_polygon_json,
    rasterise,
)

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


def parsed_xml(text: str) -> Annotation:
    return parse_asap_xml(text, file=FILE, record="Tumor_001")


def parsed_json(text: str) -> Annotation:
    return parse_polygon_json(text, file=FILE, record="Tumor_001")


def pixels(annotation: Annotation) -> set[tuple[int, int]]:
    tumour, (row, column) = rasterise(annotation, file=FILE, record="Tumor_001")
    rows, columns = np.nonzero(tumour)
    return {(int(r) + row, int(c) + column) for r, c in zip(rows, columns, strict=True)}


def test_pixel_is_tumour_if_its_upper_left_corner_is_inside() -> None:
    # corners on the left and upper edge are in, on the right and lower edge out
    wished = {(row, column) for row in range(20, 30) for column in range(10, 20)}
    assert pixels(Annotation(positive=(np.array(SQUARE, float),))) == wished
    moved = Annotation(positive=(np.array(SQUARE, float) + 1,))
    assert pixels(moved) == {(row + 1, column + 1) for row, column in wished}


def test_negative_outline_is_cut_out_also_where_it_reaches_beyond() -> None:
    hole = np.array([[480, 800], [5000, 800], [5000, 5000], [480, 5000]], float)
    cut = pixels(Annotation(positive=(np.array(SQUARE, float),), negative=(hole,)))
    assert len(cut) == 75
    assert (24, 15) in cut
    assert (25, 15) not in cut


@pytest.mark.parametrize("seed", range(10))
def test_raster_is_that_of_winding_numbers_point_by_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    outline = rng.uniform(-300, 900, (int(rng.integers(3, 12)), 2))
    found = pixels(Annotation(positive=(outline,)))

    def winds(x: float, y: float) -> bool:
        angles = np.unwrap(np.arctan2(*(np.vstack([outline, outline[:1]]) - (x, y)).T[::-1]))
        return bool(abs(angles[-1] - angles[0]) > 1)

    for row in range(-12, 32):
        for column in range(-12, 32):
            assert ((row, column) in found) == winds(32.0 * column, 32.0 * row)


def test_outlines_with_fewer_than_three_corners_enclose_nothing() -> None:
    annotation = Annotation(positive=(np.array([[320.0, 640]]), np.array([[0.0, 0], [5000, 5000]])))
    assert pixels(annotation) == set()
    assert mask_of_annotation(annotation, file=FILE, record="r").lesions == ()
    assert mask_of_annotation(Annotation(positive=()), file=FILE, record="r").lesions == ()


def test_lesion_of_an_outline_has_the_margin_around_it() -> None:
    (lesion,) = mask_of_annotation(Annotation(positive=(np.array(SQUARE, float),)), file=FILE, record="r").lesions
    assert (lesion.row, lesion.column, lesion.mask.shape) == (16, 6, (18, 18))


@pytest.mark.parametrize("groups", [("Tumor", "_2"), ("_0", "Exclusion"), ("_1", "_2"), ("metastases", "normal")])
def test_xml_groups_of_both_camelyon_challenges(groups: tuple[str, str]) -> None:
    found = parsed_xml(xml((groups[0], SQUARE), (groups[1], SQUARE[:3])))
    assert [outline.tolist() for outline in found.positive] == [SQUARE]
    assert [outline.tolist() for outline in found.negative] == [SQUARE[:3]]


def test_json_and_xml_of_the_same_outlines_are_the_same() -> None:
    text = json.dumps({"positive": [{"name": "t", "vertices": SQUARE}], "negative": []})
    assert pixels(parsed_json(text)) == pixels(parsed_xml(xml(("Tumor", SQUARE))))


@pytest.mark.parametrize(
    ("parse", "text", "message"),
    [
        (parsed_xml, "<a", "ASAP XML"),
        (parsed_xml, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "document type"),
        (parsed_xml, xml(("Lymph", SQUARE)), "found 'Lymph'"),
        (parsed_xml, xml(("None", SQUARE)), "without a group: give 'a' a group, or delete it"),
        (parsed_xml, xml(("Tumor", [["1,5", 2]])), "vertices of two numbers"),  # type: ignore[list-item]
        (parsed_xml, xml(("Tumor", [[1e9, 2]])), "coordinates up to"),
        (parsed_xml, xml(("Tumor", [[float("nan"), 2]])), "coordinates up to"),
        (parsed_xml, xml(("Tumor", [])), "list of vertices"),
        (parsed_xml, xml(("Tumor", SQUARE)).replace(' X="320"', ""), "coordinates up to"),
        (parsed_json, "[]", '"positive"'),
        (parsed_json, '{"positive": 3}', "list under 'positive'"),
        (parsed_json, '{"positive": [3]}', "polygons with a list"),
        (parsed_json, '{"positive": [{"vertices": [1, 2]}]}', "two numbers"),
        (parsed_json, '{"positive": [{"vertices": [[1, 2], [3]]}]}', "two numbers"),
        (parsed_json, '{"positive": [{"vertices": [[1, [2]]]}]}', "two numbers"),
        (parsed_json, '{"positive": [], "negative": {}}', "list under 'negative'"),
        (parsed_json, "[" * 100_000, "levels of JSON"),
        (parsed_json, '{"positive": [{"vertices": [[0, 0], [1e7, 0], [1e7, 1e7]]}]}', "spread over"),
    ],
)
def test_mistakes_are_the_organisers_and_say_what_was_wished(
    parse: Callable[[str], Annotation], text: str, message: str
) -> None:
    with pytest.raises(ReferenceDataError, match=message) as caught:
        pixels(parse(text))
    assert caught.value.record == "Tumor_001"


def test_rasters_far_from_the_origin_are_as_exact() -> None:
    def shifted(by: int) -> NDArray[np.bool_]:
        outline = np.array(SQUARE, float) + by * 32
        return rasterise(Annotation(positive=(outline,)), file=FILE, record="r")[0]

    assert np.array_equal(shifted(0), shifted(5000))

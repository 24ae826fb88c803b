"""Outlines of metastases as pathologists drew them, and their raster at level 5.

Conventions
-----------
Vertices are (x, y) in pixels of level 0.  Tumour is what is inside a positive outline and inside no negative one;
inside means a winding number other than 0.  A pixel of level 5 is tumour if its upper left corner, the point
(32 column, 32 row), is: a pyramid mask that ASAP makes from the same outlines contains the same (it tests the
corners of level-0 pixels and keeps every second one at each level).

Formats: ASAP XML, where groups Tumor, _0, _1, metastases are positive and _2, Exclusion, normal negative; and the JSON
of baidu-research/NCRF, ``{"positive": [{"name": ..., "vertices": [[x, y], ...]}], "negative": [...]}``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from metrics.base import ReferenceDataError
from metrics.measures.lesions import DOWNSAMPLING, MARGIN, EvaluationMask, Mask, evaluation_mask
from metrics.readers.files import parse_json

Outline = NDArray[np.float64]
"""Shape (vertices, 2), the last vertex joined to the first."""

_POSITIVE = frozenset({"Tumor", "_0", "_1", "metastases"})
_NEGATIVE = frozenset({"_2", "Exclusion", "normal"})
_FARTHEST = 1e7
"""Level-0 pixels; slides have up to 250 000 a side."""
_MAX_PIXELS = 1 << 27
"""Maximum number of pixels of the raster around all outlines: twice a whole slide at level 5."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Annotation:
    """The outlines of one slide."""

    positive: tuple[Outline, ...]
    negative: tuple[Outline, ...] = ()


def parse_asap_xml(text: str, *, file: Path, record: str) -> Annotation:
    """The outlines of an ASAP file.

    Raises
    ------
    ReferenceDataError
        Not XML, a document type declaration, an unknown group, or a coordinate that is not a number.
    """

    def fail(reason: str) -> ReferenceDataError:
        return ReferenceDataError(reason, file=file, record=record)

    if "<!DOCTYPE" in text:  # the only way to entities, which can grow without bound
        raise fail("expected XML without a document type, found <!DOCTYPE")
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as reason:
        raise fail(f"expected ASAP XML, found {reason}") from None
    outlines: dict[bool, list[Outline]] = {True: [], False: []}
    for drawn in root.iterfind("./Annotations/Annotation"):
        group = drawn.get("PartOfGroup", "")
        if group not in _POSITIVE | _NEGATIVE:
            expected = ", ".join(sorted(_POSITIVE | _NEGATIVE))
            default = (
                f", in which ASAP puts an outline without a group: give {drawn.get('Name', '')!r} a group, or delete it"
                if group == "None"
                else ""
            )
            raise fail(f"expected PartOfGroup to be one of {expected}, found {group!r}{default}")
        vertices = [(point.get("X"), point.get("Y")) for point in drawn.iterfind("./Coordinates/Coordinate")]
        outlines[group in _POSITIVE].append(_outline(vertices, fail))
    return Annotation(positive=tuple(outlines[True]), negative=tuple(outlines[False]))


def parse_polygon_json(text: str, *, file: Path, record: str) -> Annotation:
    """The outlines of a JSON file with ``positive`` and ``negative`` polygons.

    Raises
    ------
    ReferenceDataError
        Not such a JSON file, or a coordinate that is not a number.
    """

    def fail(reason: str) -> ReferenceDataError:
        return ReferenceDataError(reason, file=file, record=record)

    def outlines(polygons: object, key: str) -> tuple[Outline, ...]:
        if not isinstance(polygons, list):
            raise fail(f"expected a list under {key!r}, found {type(polygons).__name__}")
        found: list[Outline] = []
        for polygon in polygons:
            match polygon:
                case {"vertices": list(vertices)}:
                    found.append(_outline(vertices, fail))
                case _:
                    raise fail(f"expected polygons with a list of vertices under {key!r}, found another value")
        return tuple(found)

    content = parse_json(text, ReferenceDataError, file=file, record=record)
    if not isinstance(content, dict) or "positive" not in content:
        raise fail('expected a JSON object with "positive" polygons, found another value')
    return Annotation(
        positive=outlines(content["positive"], "positive"), negative=outlines(content.get("negative", []), "negative")
    )


def mask_of_annotation(annotation: Annotation, *, file: Path, record: str) -> EvaluationMask:
    """The lesions of a slide for which only the outlines are known.

    Raises ReferenceDataError if the outlines are too far apart to be of one slide.
    """
    tumour, origin = rasterise(annotation, file=file, record=record)
    if not tumour.any():
        return EvaluationMask(shape=None)
    return evaluation_mask(tumour, origin=origin)


def rasterise(annotation: Annotation, *, file: Path, record: str) -> tuple[Mask, tuple[int, int]]:
    """The tumour of level 5 in a window around the outlines, and (row, column) of the window's corner.

    The window holds the margin of `metrics.measures.lesions`.
    """
    if not annotation.positive:
        return np.zeros((0, 0), np.bool_), (0, 0)
    corners = np.concatenate(annotation.positive)
    margin = math.ceil(MARGIN) + 1
    lowest = np.floor(corners.min(axis=0) / DOWNSAMPLING).astype(int) - margin
    extent = np.ceil(corners.max(axis=0) / DOWNSAMPLING).astype(int) + margin - lowest
    if int(extent[0]) * int(extent[1]) > _MAX_PIXELS:
        raise ReferenceDataError(
            f"expected outlines of one slide, found them spread over {extent[0]} x {extent[1]} level-5 pixels",
            file=file,
            record=record,
        )
    window = (int(extent[1]), int(extent[0]))
    origin = (int(lowest[1]), int(lowest[0]))
    tumour = _inside_any(annotation.positive, window, origin)
    return tumour & ~_inside_any(annotation.negative, window, origin), origin


def _inside_any(outlines: Sequence[Outline], window: tuple[int, int], origin: tuple[int, int]) -> Mask:
    covered = np.zeros(window, np.bool_)
    for outline in outlines:
        # in pixels of the window, so that the tested corners have whole coordinates
        vertices = outline / DOWNSAMPLING - origin[::-1]
        lowest = np.clip(np.floor(vertices.min(axis=0)), 0, window[::-1]).astype(int)
        highest = np.clip(np.ceil(vertices.max(axis=0)), 0, window[::-1]).astype(int)
        box = (slice(lowest[1], highest[1]), slice(lowest[0], highest[0]))
        covered[box] |= _inside(vertices - lowest, covered[box].shape)
    return covered


def _inside(vertices: Outline, shape: tuple[int, ...]) -> Mask:
    """The points (row, column) of a grid around which the outline winds, for vertices (column, row)."""
    following = np.roll(vertices, -1, axis=0)
    downward = vertices[:, 1] < following[:, 1]
    # always from the upper end, so that an edge and the same edge reversed cross at the same place
    upper, lower = np.where(downward[:, None], (vertices, following), (following, vertices))
    # an edge crosses the rows upper <= row < lower; a horizontal one crosses none
    first, end = (np.clip(np.ceil(ends[:, 1]), 0, shape[0]).astype(int) for ends in (upper, lower))
    crossed = end - first
    edge = np.repeat(np.arange(len(vertices)), crossed)
    row = first[edge] + np.arange(edge.size) - np.repeat(crossed.cumsum() - crossed, crossed)
    (x, y), (lower_x, lower_y) = upper[edge].T, lower[edge].T
    at = x + (row - y) / (lower_y - y) * (lower_x - x)
    column = np.clip(np.ceil(at), 0, shape[1]).astype(int)
    turns = np.zeros((shape[0], shape[1] + 1), np.int32)
    np.add.at(turns, (row, column), np.where(downward[edge], 1, -1))
    # the crossings to the right of a point give its winding number; those of a row cancel, so the left ones give it too
    return np.asarray(turns.cumsum(axis=1)[:, :-1] != 0)


def _outline(vertices: Sequence[object], fail: Callable[[str], ReferenceDataError]) -> Outline:
    try:
        outline = np.array(vertices, np.float64)
    except (TypeError, ValueError, OverflowError) as reason:
        raise fail(f"expected vertices of two numbers, found {reason}") from None
    if outline.ndim != 2 or outline.shape[1] != 2:
        raise fail(f"expected a list of vertices of two numbers, found an array of shape {outline.shape}")
    if not (np.abs(outline) <= _FARTHEST).all():  # also refuses NaN
        raise fail(f"expected coordinates up to {_FARTHEST:.0e}, found one beyond or NaN")
    return outline

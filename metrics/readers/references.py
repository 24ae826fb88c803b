"""Lesions of a slide from the organiser's files (mask image, pyramid or outlines), and their cache.

A mask is a raster of level 5 (``<slide>_Mask.png``) or a pyramid, from which that level is read
(``<slide>_Mask.tif``).  What is tumour in a mask depends on the rules: by the official ones exactly 255 in the first
channel, by the corrected ones all above half of the largest value, so that masks of 0 and 1 work too.

Outlines are as pathologists drew them, in ASAP XML (``<slide>.xml``), where groups Tumor, _0, _1, metastases are
positive and _2, Exclusion, normal negative; or in the JSON of baidu-research/NCRF (``<slide>.json``),
``{"positive": [{"name": ..., "vertices": [[x, y], ...]}], "negative": [...]}``.  Vertices are (x, y) in pixels of level
0.  Tumour is what is inside a positive outline and inside no negative one; inside means a winding number other than 0.
A pixel of level 5 is tumour if its upper left corner, the point (32 column, 32 row), is: a pyramid mask that ASAP makes
from the same outlines contains the same (it tests the corners of level-0 pixels and keeps every second one at each
level).

Evaluation masks are kept in a cache folder under a key of the file's content: a changed mask is never mistaken for the
old one, a file that two processes write at once is complete, and a damaged one is made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from metrics.base import ReferenceDataError
from metrics.measures.lesions import DOWNSAMPLING, MARGIN, EvaluationMask, Lesion, Mask, evaluation_mask, phantom_mask
from metrics.readers.files import list_files, parse_json, raise_if_the_machines, read_text, require_no_pointer
from metrics.readers.foreign import plain_number

Outline = NDArray[np.float64]
"""Shape (vertices, 2), the last vertex joined to the first."""

_POSITIVE = frozenset({"Tumor", "_0", "_1", "metastases"})
_NEGATIVE = frozenset({"_2", "Exclusion", "normal"})
_FARTHEST = 1e7
"""Level-0 pixels; slides have up to 250 000 a side."""
_MAX_RASTER = 1 << 27
"""Maximum number of pixels of the raster around all outlines: twice a whole slide at level 5."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Annotation:
    """The outlines of one slide."""

    positive: tuple[Outline, ...]
    negative: tuple[Outline, ...] = ()


def parse_asap_xml(text: str, *, file: Path, record: str) -> Annotation:
    """The outlines of an ASAP file.

    Raises ReferenceDataError for other content than XML, a document type declaration, an unknown group, or a coordinate
    that is not a number.
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
        points = drawn.iterfind("./Coordinates/Coordinate")
        vertices = ([plain_number(point.get(name, "nan")) for name in ("X", "Y")] for point in points)
        outlines[group in _POSITIVE].append(_outline(vertices, fail))
    return Annotation(positive=tuple(outlines[True]), negative=tuple(outlines[False]))


def parse_polygon_json(text: str, *, file: Path, record: str) -> Annotation:
    """The outlines of a JSON file with ``positive`` and ``negative`` polygons.

    Raises ReferenceDataError for another JSON file, or a coordinate that is not a number.
    """

    def fail(reason: str) -> ReferenceDataError:
        return ReferenceDataError(reason, file=file, record=record)

    def outlines(polygons: object, key: str) -> tuple[Outline, ...]:
        if not isinstance(polygons, list):
            raise fail(f"expected a list under {key!r}, found {type(polygons).__name__}")
        parsed: list[Outline] = []
        for polygon in polygons:
            match polygon:
                case {"vertices": list(vertices)}:
                    parsed.append(_outline(vertices, fail))
                case _:
                    raise fail(f"expected polygons with a list of vertices under {key!r}, found another value")
        return tuple(parsed)

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
    if int(extent[0]) * int(extent[1]) > _MAX_RASTER:
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


def _outline(vertices: Iterable[object], fail: Callable[[str], ReferenceDataError]) -> Outline:
    try:
        outline = np.array(list(vertices), np.float64)
    except (TypeError, ValueError, OverflowError) as reason:
        raise fail(f"expected vertices of two numbers, found {reason}") from None
    if outline.ndim != 2 or outline.shape[1] != 2:
        raise fail(f"expected a list of vertices of two numbers, found an array of shape {outline.shape}")
    if not (np.abs(outline) <= _FARTHEST).all():  # also refuses NaN
        raise fail(f"expected coordinates up to {_FARTHEST:.0e}, found one beyond or NaN")
    return outline


_MASK_NAME = re.compile(r"(?P<slide>.+)_mask\.(png|tiff?)", re.IGNORECASE)
_OUTLINES_NAME = re.compile(r"(?P<slide>.+)\.(xml|json)", re.IGNORECASE)
_OUTLINES: dict[str, Callable[..., Annotation]] = {".xml": parse_asap_xml, ".json": parse_polygon_json}
_MAX_PIXELS = 1 << 26
"""Maximum number of pixels at level 5; the largest slides have a quarter of this."""
_OFFICIAL_TUMOUR = 255
_CACHE_FORMAT = "evaluation mask 2"


def default_cache() -> Path | None:
    """The folder of evaluation masks in the user's cache; None for a user without a home."""
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        caches = Path(home) if home else Path.home() / ".cache"
    except RuntimeError:
        return None
    return caches / "sandbox-evaluate" / "evaluation-masks"


def find_references(folder: Path) -> dict[str, Path]:
    """From slide name, as spelled there, to its mask or outlines.

    Raises ReferenceDataError if the folder does not exist, or has two files for one slide.
    """
    file_of: dict[str, Path] = {}
    for path in list_files(folder, ReferenceDataError):
        named = _MASK_NAME.fullmatch(path.name) or _OUTLINES_NAME.fullmatch(path.name)
        if named is None:
            continue
        slide = named["slide"]
        if slide in file_of:
            raise ReferenceDataError(
                f"expected one reference for this slide, found {file_of[slide].name} and {path.name}",
                file=folder,
                record=slide,
            )
        file_of[slide] = path
    return file_of


def load_lesions(path: Path, *, record: str, rules: str, cache: Path | None) -> EvaluationMask:
    """The evaluation mask of one slide, from the folder ``cache`` if its reference has not changed.

    Raises ReferenceDataError if the reference cannot be read, or an extra package is needed for it.
    """
    require_no_pointer(path, ReferenceDataError, record=record)
    if cache is None:
        return _make_lesions(path, record, rules)
    file = cache / _cache_key(path, rules, record)
    lesions = _from_cache(file)
    if lesions is None:
        lesions = _make_lesions(path, record, rules)
        _to_cache(file, lesions)
    return lesions


def read_mask(path: Path, *, record: str) -> NDArray[np.uint8]:
    """The first channel of level 5 of a mask, shape (rows, columns).

    Raises ReferenceDataError for other files than 8-bit images of at most 2^26 pixels at level 5, and if Pillow is not
    installed.
    """

    def fail(reason: str) -> ReferenceDataError:
        return ReferenceDataError(reason, file=path, record=record)

    try:
        from PIL.PngImagePlugin import PngImageFile  # noqa: PLC0415  an extra, and outlines do without it
        from PIL.TiffImagePlugin import TiffImageFile  # noqa: PLC0415
    except ImportError:
        raise fail("mask images need Pillow: pip install 'sandbox-evaluate[images]'") from None
    try:
        with path.open("rb") as stream:
            # the classes themselves: Image.open refuses the size of level 0, which is never decoded
            image: Any = PngImageFile(stream) if path.suffix.lower() == ".png" else TiffImageFile(stream)
            if isinstance(image, TiffImageFile):
                _seek_level(image, fail)
            if image.width * image.height > _MAX_PIXELS:
                raise fail(f"expected at most {_MAX_PIXELS:,} pixels, found {image.width} x {image.height}")
            if image.mode in ("1", "P"):
                image = image.convert("L" if image.mode == "1" else "RGB")
            pixels = np.asarray(image)
    except ReferenceDataError:
        raise
    except Exception as reason:  # a decoder may raise anything over a damaged file
        raise_if_the_machines(reason)
        raise fail(f"expected a mask image, cannot read it: {reason or type(reason).__name__}") from None
    if pixels.dtype != np.uint8:
        raise fail(f"expected 8 bits a channel, found an image of mode {image.mode}")
    return np.ascontiguousarray(pixels if pixels.ndim == 2 else pixels[..., 0])


def _seek_level(image: Any, fail: Callable[[str], ReferenceDataError]) -> None:
    sizes: list[tuple[int, int]] = []
    for page in range(image.n_frames):
        image.seek(page)
        sizes.append(image.size)
        # writers round the size of a level down or up
        if page and all(abs(size - base / DOWNSAMPLING) < 1 for size, base in zip(image.size, sizes[0], strict=True)):
            return
    raise fail(f"expected a pyramid with a level {DOWNSAMPLING} times smaller than the first, found {sizes[:12]}")


def _make_lesions(path: Path, record: str, rules: str) -> EvaluationMask:
    parse = _OUTLINES.get(path.suffix.lower())
    if parse is not None:
        text = read_text(path, ReferenceDataError, record=record)
        return mask_of_annotation(parse(text, file=path, record=record), file=path, record=record)
    pixels = read_mask(path, record=record)
    shape = (pixels.shape[0], pixels.shape[1])
    if rules == "official":
        lesions = evaluation_mask(pixels, above=_OFFICIAL_TUMOUR - 1, shape=shape)
        return lesions if lesions.lesions else phantom_mask(shape)
    return evaluation_mask(pixels, above=None, shape=shape)


def _cache_key(path: Path, rules: str, record: str) -> str:
    digest = hashlib.sha256(f"{_CACHE_FORMAT} {rules} {path.suffix.lower()} ".encode())
    try:
        with path.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    except OSError as reason:
        raise_if_the_machines(reason)
        raise ReferenceDataError(f"cannot be read: {reason.strerror}", file=path, record=record) from None
    return digest.hexdigest() + ".mask"


def _from_cache(file: Path) -> EvaluationMask | None:
    try:
        content = file.read_bytes()
    except OSError:
        return None
    digest, payload = content[:32], content[32:]
    if hashlib.sha256(payload).digest() != digest:
        return None
    head, _, bits = payload.partition(b"\n")
    head_values = json.loads(head)
    pixels = np.unpackbits(np.frombuffer(bits, np.uint8)).view(np.bool_)
    shape = head_values["shape"]
    lesions: list[Lesion] = []
    start = 0
    for row, column, height, width, itc in head_values["lesions"]:
        mask = pixels[start : start + height * width].reshape(height, width)
        lesions.append(Lesion(row=row, column=column, mask=mask, itc=itc))
        start += height * width
    return EvaluationMask(shape=(shape[0], shape[1]) if shape else None, lesions=tuple(lesions))


def _to_cache(file: Path, mask: EvaluationMask) -> None:
    rows = [(each.row, each.column, *each.mask.shape, bool(each.itc)) for each in mask.lesions]
    head = json.dumps({"shape": mask.shape, "lesions": rows}).encode()
    pixels = np.concatenate([np.zeros(0, np.bool_), *(each.mask.ravel() for each in mask.lesions)])
    content = head + b"\n" + np.packbits(pixels).tobytes()
    # a cache that cannot be written only costs time
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(file, hashlib.sha256(content).digest() + content)


def _write_whole(file: Path, content: bytes) -> None:
    """Write so that a reader sees all of it or nothing, even if other processes write the same file."""
    stream: IO[bytes]
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as stream:
        try:
            stream.write(content)
            stream.flush()
            Path(stream.name).replace(file)
        except OSError:
            Path(stream.name).unlink(missing_ok=True)
            raise

"""Lesions of a slide from the organiser's files (mask image, pyramid or outlines), and their cache.

A mask is a raster of level 5 (``<slide>_Mask.png``) or a pyramid, from which that level is read
(``<slide>_Mask.tif``); outlines (``<slide>.xml``, ``<slide>.json``) are described in `metrics.readers.annotations`.
What is tumour in a mask depends on the rules: by the official ones exactly 255 in the first channel, by the corrected
ones all above half of the largest value, so that masks of 0 and 1 work too.

Evaluation masks are kept in a cache folder under a key of the file's content: a changed mask is never mistaken for the
old one, a file that two processes write at once is complete, and a damaged one is made again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from metrics.base import ReferenceDataError
from metrics.measures.lesions import DOWNSAMPLING, EvaluationMask, Lesion, evaluation_mask, phantom_mask
from metrics.readers.annotations import Annotation, mask_of_annotation, parse_asap_xml, parse_polygon_json
from metrics.readers.files import list_files, raise_if_the_machines, read_text, require_no_pointer

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
    found: dict[str, Path] = {}
    for path in list_files(folder, ReferenceDataError):
        named = _MASK_NAME.fullmatch(path.name) or _OUTLINES_NAME.fullmatch(path.name)
        if named is None:
            continue
        slide = named["slide"]
        if slide in found:
            raise ReferenceDataError(
                f"expected one reference for this slide, found {found[slide].name} and {path.name}",
                file=folder,
                record=slide,
            )
        found[slide] = path
    return found


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

    Raises
    ------
    ReferenceDataError
        Not an 8-bit image of at most 2^26 pixels at level 5, or of a kind that needs Pillow, which is not installed.
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
        found = evaluation_mask(pixels, above=_OFFICIAL_TUMOUR - 1, shape=shape)
        return found if found.lesions else phantom_mask(shape)
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
    known = json.loads(head)
    pixels = np.unpackbits(np.frombuffer(bits, np.uint8)).view(np.bool_)
    shape = known["shape"]
    lesions: list[Lesion] = []
    start = 0
    for row, column, height, width, itc in known["lesions"]:
        mask = pixels[start : start + height * width].reshape(height, width)
        lesions.append(Lesion(row=row, column=column, mask=mask, itc=itc))
        start += height * width
    return EvaluationMask(shape=(shape[0], shape[1]) if shape else None, lesions=tuple(lesions))


def _to_cache(file: Path, known: EvaluationMask) -> None:
    rows = [(each.row, each.column, *each.mask.shape, bool(each.itc)) for each in known.lesions]
    head = json.dumps({"shape": known.shape, "lesions": rows}).encode()
    pixels = np.concatenate([np.zeros(0, np.bool_), *(each.mask.ravel() for each in known.lesions)])
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

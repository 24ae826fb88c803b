"""The metric's pictures as images that a page contains.

What a metric says behind walls are numbers and texts (`evaluate.core.model.Picture`), and an attacker who took it over
chooses them.  So they are read and drawn behind walls too, and shown as images, in which no script runs.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.scratch import Scratch
from evaluate.confine.walls import Openings
from evaluate.core.errors import EvaluateError
from evaluate.core.model import Picture
from evaluate.core.sanitize import in_one_line

NO_MATPLOTLIB = "Pictures need matplotlib: pip install 'sandbox-evaluate[plots]'"
_SVG = "data:image/svg+xml;base64,"
_SECONDS, _SECONDS_EACH = 30.0, 2.0
_MEMORY_BYTES, _REPLY_BYTES, _REMEMBERED = 2 << 30, 8 << 20, 16
_KEPT_BYTES = 16 << 20
"""What matplotlib writes for itself."""


@dataclass(frozen=True, kw_only=True)
class EmbeddedPicture:
    """A drawn picture."""

    title: str
    data: str
    """`_SVG` and its text."""


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What became of the pictures of a score."""

    images: tuple[EmbeddedPicture, ...] = ()
    problem: str = ""
    """Why some are missing, in a sentence."""


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """A picture that could be drawn."""

    title: str
    svg: str


def drawn(pictures: Sequence[Picture]) -> Drawn:
    """Draw the pictures; one that cannot be drawn is left out."""
    if not pictures:
        return Drawn()
    if importlib.util.find_spec("matplotlib") is None:
        return Drawn(problem=NO_MATPLOTLIB)
    try:
        found = _drawings(tuple(picture.numbers for picture in pictures))
    except EvaluateError as e:
        return Drawn(problem=f"The pictures cannot be drawn: {e}")
    if len(found) != len(pictures):
        return Drawn(problem=f"The pictures cannot be drawn: expected {len(pictures)}, found {len(found)}")
    failed = [picture.name for picture, one in zip(pictures, found, strict=True) if one is None]
    images = tuple(_embedded(one) for one in found if one is not None)
    problem = f"Cannot be drawn: {', '.join(failed)}" if failed else ""
    return Drawn(images=images, problem=problem)


def _embedded(one: Drawing) -> EmbeddedPicture:
    data = base64.b64encode(one.svg.encode(errors="replace")).decode()
    return EmbeddedPicture(title=in_one_line(one.title), data=_SVG + data)


@lru_cache(_REMEMBERED)
def _drawings(numbers: tuple[str, ...]) -> tuple[Drawing | None, ...]:
    """Remembered, since matplotlib takes a second, and a page is looked at more than once."""
    bounds = Bounds(
        doing="drawing the pictures of a score",
        seconds=_SECONDS + _SECONDS_EACH * len(numbers),
        memory_bytes=_MEMORY_BYTES,
        file_bytes=_KEPT_BYTES,
        reply_bytes=_REPLY_BYTES,
        openings=Openings(scratch=Scratch(folder=Path(tempfile.gettempdir()), most_bytes=_KEPT_BYTES)),
    )
    return isolated(bounds, draw, numbers)


def draw(pictures: tuple[str, ...]) -> tuple[Drawing | None, ...]:
    """Behind walls: a drawing of each picture's numbers (JSON), or None."""
    from metrics.plots import Plot, svg  # noqa: PLC0415  # matplotlib, which the host itself does not need

    def one(numbers: str) -> Drawing | None:
        try:
            plot = Plot.from_json(json.loads(numbers))
            return Drawing(title=plot.title, svg=svg(plot))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError):
            return None

    return tuple(map(one, pictures))

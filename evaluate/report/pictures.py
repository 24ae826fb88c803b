"""The metric's pictures as images that a page contains.

What a metric says behind walls are numbers (`evaluate.core.model.Picture`).  They are drawn here, and shown as images,
in which no script runs: text in them is text of strangers.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass

from evaluate.core.model import Picture

NO_MATPLOTLIB = "Pictures need matplotlib: pip install 'sandbox-evaluate[plots]'"


@dataclass(frozen=True, kw_only=True)
class EmbeddedPicture:
    """A drawn picture."""

    title: str
    data: str
    """``data:image/svg+xml;base64,…``"""


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What became of the pictures of a score."""

    images: tuple[EmbeddedPicture, ...] = ()
    problem: str = ""
    """Why some are missing, in a sentence."""


def drawn(pictures: Sequence[Picture]) -> Drawn:
    """Draw the pictures; one that cannot be drawn is left out."""
    if not pictures:
        return Drawn()
    from metrics.plots import Plot, svg  # noqa: PLC0415  # most pages have no picture

    images, failed = [], []
    for picture in pictures:
        try:
            plot = Plot.from_json(json.loads(picture.numbers))
            content = base64.b64encode(svg(plot).encode()).decode()
        except ImportError:
            return Drawn(problem=NO_MATPLOTLIB)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError):
            failed.append(picture.name)
            continue
        images.append(EmbeddedPicture(title=plot.title, data=f"data:image/svg+xml;base64,{content}"))
    return Drawn(images=tuple(images), problem=f"Cannot be drawn: {', '.join(failed)}" if failed else "")

"""Pictures that were drawn behind walls, perhaps by whoever took that process over, as parts of a page."""

from __future__ import annotations

import base64

from evaluate.core.model import Picture
from evaluate.report import html
from evaluate.report.html import Drawing, drawn
from tests.fuzz.replies import answered, of


def test_drawing_that_is_no_text_can_be_written_all_the_same() -> None:
    html._drawings.cache_clear()
    with answered([of([Drawing(title="\ud800\n\x1b[2J", svg="<svg>\udfff</svg>")])]):
        image = drawn([Picture(name="Roc", numbers="{}")]).images[0]
    html._drawings.cache_clear()
    assert image.title == "\N{REPLACEMENT CHARACTER} \N{REPLACEMENT CHARACTER}[2J"
    assert base64.b64decode(image.data.partition(",")[2]) == b"<svg>?</svg>"

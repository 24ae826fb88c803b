"""The pages as a browser shows them: readable at every width and in both schemes, alone, and quick."""

from pathlib import Path
from typing import Any

import pytest

from evaluate.report.audience import for_organiser
from evaluate.report.html import to_html
from evaluate.views import board_page
from tests.conftest import CHECKOUT
from tests.support.evaluations import BESIDE, LIMITS, failed, passed
from tests.support.html import problems_of_page
from tests.unit.views.test_board_page import by_hand

pytestmark = pytest.mark.slow
browser_of = pytest.importorskip("tests.support.browser", reason="playwright is not installed")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    texts = {
        "passed": to_html(for_organiser(passed(24), LIMITS), BESIDE),
        "failed": to_html(for_organiser(failed(), LIMITS)),
        "board": board_page.to_html("hearts", [by_hand()], released=True),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text)
    return {name: folder / f"{name}.html" for name in texts}


@pytest.mark.parametrize("name", ["passed", "failed", "board"])
def test_page_is_accessible_fits_a_phone_and_prints_dark_on_light_in_both_schemes(
    name: str, pages: dict[str, Path], browser: Any
) -> None:
    assert problems_of_page(pages[name].read_text()) == []
    for scheme in browser_of.SCHEMES:
        with browser_of.shown(browser, pages[name], width=browser_of.PHONE, scheme=scheme) as page:
            assert browser_of.violations(page, colours_only=scheme == "dark") == []
            assert browser_of.overflow(page) <= 0
            page.emulate_media(media="print")
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize(("name", "picture", "height"), [("passed", "report.png", 900), ("board", "board.png", 640)])
def test_picture_of_the_documentation_is_made_here(
    name: str, picture: str, height: int, pages: dict[str, Path], browser: Any, request: pytest.FixtureRequest
) -> None:
    kept = CHECKOUT / "docs" / picture
    with browser_of.shown(browser, pages[name]) as page:
        assert page.evaluate("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
        if request.config.getoption("--regenerate"):
            page.screenshot(path=kept, clip={"x": 0, "y": 0, "width": browser_of.DESKTOP, "height": height})
    assert kept.read_bytes().startswith(b"\x89PNG")


def test_page_of_ten_thousand_records_folds_its_table_and_stays_small(tmp_path: Path, browser: Any) -> None:
    text = to_html(for_organiser(passed(10_000, 30), LIMITS))
    assert len(text) < 3_000_000
    (tmp_path / "many.html").write_text(text)
    with browser_of.shown(browser, tmp_path / "many.html", width=browser_of.PHONE) as page:
        assert page.locator("tbody tr").count() > 10_000
        assert page.evaluate("document.documentElement.scrollHeight") < 10_000
        assert "A09970 (INSTRUCTION_LIMIT)" in page.content()

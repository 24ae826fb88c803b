"""A real browser that looks at pages: Debian's Chromium, driven by Playwright, with axe-core to judge them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = Path("/usr/bin/chromium")
SCHEMES = ("light", "dark")
MOST_MS = 180_000
"""Milliseconds for anything that is waited for: a busy machine is no failure."""
WIDE, DESKTOP, PHONE = 1280, 1100, 390
"""Widths in CSS pixels."""


@contextmanager
def chromium() -> Iterator[Browser]:
    """One browser without a window, for all tests of a session."""
    flags = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]  # a container's is small
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags, timeout=MOST_MS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def shown(browser: Browser, file: Path, *, width: int = DESKTOP, scheme: Any = "light") -> Iterator[Page]:
    """A page of a file; whatever it asks the network for is an error."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    context.set_default_timeout(MOST_MS)
    try:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        yield page
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    finally:
        context.close()


def violations(page: Page, *, colours_only: bool = False) -> list[str]:
    """Violations that axe-core finds on a page, each with the first element concerned."""
    page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    options = {"resultTypes": ["violations"], **({"runOnly": ["color-contrast"]} if colours_only else {})}
    rows = page.evaluate("options => axe.run(options)", options)["violations"]
    return [f"{row['id']}: {row['help']}: {row['nodes'][0]['html'][:200]}" for row in rows]


def overflow(page: Page) -> int:
    """Pixels by which a page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))

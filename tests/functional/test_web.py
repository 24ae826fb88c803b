"""A first scored upload through the browser, as docs/web.md has it: the site, a daemon and a real machine."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.store.files.stage_folders import RESULT
from tests.chaos.audit import wait_until
from tests.support.loopback import free_port
from tests.support.packing import pack_folder

pytest.importorskip("tests.support.browser", reason="playwright is not installed")
pytestmark = [pytest.mark.vm, pytest.mark.slow]
MOST_MS = 600_000
OVER = re.compile("^Ended |waited for the organiser|cancelled")
"""Status of an entry to which nothing more happens by itself."""
REFUSED = re.compile(r"^(?!starting|\d+ %|the connection dropped).")
"""Message of the form if an upload does not go on."""


@contextmanager
def running(state: Path, *words: str) -> Iterator[None]:
    """An `evaluate` command that runs until SIGTERM."""
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", str(state), *words]
    with (state / f"{words[0]}.log").open("wb") as log:
        process = subprocess.Popen(argv, stdout=log, stderr=log)
    try:
        yield
        assert process.poll() is None, (state / f"{words[0]}.log").read_text()
    finally:
        process.terminate()
        process.wait()


def shown(page: Any, wanted: Any, opposite: Any) -> None:
    """Wait until a page shows something, or that it never will."""
    wanted.or_(opposite).first.wait_for()
    assert wanted.first.is_visible(), f"{page.url}: {opposite.first.inner_text()}"


def test_team_registers_uploads_watches_a_real_machine_and_sees_report_and_board(
    own_state: Path, browser: Any, tmp_path: Path
) -> None:
    (own_state / "evaluate.yaml").write_text(
        "web: {admins: [you@example.org]}\nchallenges: {cinc2017: {attempts: 5}}\n"
    )
    archive = pack_folder(load_challenge("cinc2017").folder / "sample_entry", tmp_path / "sample_entry.tar.gz")
    port = free_port()
    argv = [sys.executable, "-m", "evaluate", "--state", str(own_state), "serve", "--port", str(port)]
    link = subprocess.run([*argv, "--login", "you@example.org"], check=True, capture_output=True, text=True).stdout
    with running(own_state, "serve", "--port", str(port)), running(own_state, "daemon", "--accelerator", "tcg"):
        assert wait_until(lambda: "the site is at" in (own_state / "serve.log").read_text(), 120)
        context = browser.new_context()
        context.set_default_timeout(MOST_MS)
        page = context.new_page()
        page.goto(link.strip())
        page.get_by_role("button", name="Log in").click()
        page.goto(f"http://127.0.0.1:{port}/teams/new")
        page.get_by_label("Name").fill("heart")
        page.get_by_role("button", name="Create team").click()
        page.goto(f"http://127.0.0.1:{port}/")
        page.get_by_role("navigation", name="site").get_by_role("link", name="Organise").wait_for()
        page.get_by_role("link", name="Submit").first.click()
        page.locator("input[type=file]").set_input_files(archive)
        page.get_by_role("button", name="Upload").click()
        refused = page.locator(".wrong").or_(page.locator("[data-status]").filter(has_text=REFUSED))
        shown(page, page.locator("#live"), refused)
        assert "/entries/" in page.url
        over = page.get_by_role("status").filter(has_text=OVER)
        page.evaluate("window.loaded = 'once'")
        seen = []
        for heading in ("prep", "quiz", "exam", "score"):
            shown(page, page.get_by_role("heading", name=re.compile(f"^{heading} ")), over)
            seen.append(page.get_by_role("status").inner_text())
        shown(page, page.get_by_text("0.8857"), over)
        assert page.evaluate("window.loaded") == "once", "the page changed by itself"
        assert len(set(seen)) > 1, seen
        identity = page.url.rpartition("/")[2]
        assert len(list((own_state / "work").rglob(RESULT))) >= 3
        page.get_by_role("link", name="Full report").click()
        page.get_by_text("12 records, 12 answered").first.wait_for()
        page.goto(f"http://127.0.0.1:{port}/challenges/cinc2017/board")
        row = page.get_by_role("row").nth(1).inner_text()
        assert "heart" in row and "0.8857" in row and identity in row
        page.goto(f"http://127.0.0.1:{port}/entries/{identity}")
        assert page.get_by_role("link", name="Receipt", exact=True).is_visible()
        context.close()

"""What a team reads: no place on the server, no marks of documents, no word of operators."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import COMMANDS, main
from evaluate.store.db.rows import State
from tests.support.crawler import walked
from tests.support.queues import at_fault, upload
from tests.support.sites import ANN, HIDDEN, Site_

OF_OPERATORS = re.compile(r"\b(lease|daemon|fencing|slot|shard|requeue|traceback|sqlite|postgres\w*)\b", re.IGNORECASE)
OF_PARTICIPANTS = ("new", "try", "demo", "doctor", "score", "verify", "remote")


@pytest.mark.slow
def test_pages_of_a_team_show_no_place_no_mark_and_no_word_of_operators(site: Site_) -> None:
    site.scored("red")
    ((parked, _),) = site.store.submit([upload("red", 1)])
    site.store.move(parked, State.PREP)
    fault = f"no connection to libvirt at {site.state}/x; `evaluate doctor --fix` starts it"
    site.store.move(parked, State.PARKED, at_fault(fault, "prep"))
    ((running, _),) = site.store.submit([upload("red", 2)])
    site.store.submit([upload("red", 3)])
    site.store.move(running, State.QUIZ)
    pages = 0
    for address in (ANN, ""):
        with site.client(address, raise_server_exceptions=False) as client:
            for page in walked(site.store, client, HIDDEN):
                if "html" not in page.headers.get("content-type", ""):
                    continue
                pages += 1
                seen = re.sub(r"<(script|style)\b.*?</\1>", "", page.text, flags=re.DOTALL)
                text = html.unescape(re.sub(r"<[^>]+>", " ", seen))
                assert "`" not in text, (str(page.url), re.findall(r".{60}`.{60}", text)[:2])
                assert str(site.state) not in page.text and "/var/lib" not in page.text, str(page.url)
                assert not OF_OPERATORS.findall(text), (str(page.url), OF_OPERATORS.findall(text))
    assert pages > 20


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_has_no_marks_of_documents(name: str) -> None:
    shown = CliRunner().invoke(main, [name, "--help"]).output
    assert "Usage:" in shown and "`" not in shown
    if name in OF_PARTICIPANTS:
        assert not OF_OPERATORS.findall(shown)


def test_errors_have_no_marks_of_documents(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["--state", str(tmp_path), "status", "no-such-entry"])
    assert (done.exit_code, "'evaluate status' lists the newest" in done.stderr) == (2, True), done.stderr

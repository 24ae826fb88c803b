from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.config.types import LogFormat
from evaluate.store.logs import LOG, about, log_to


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    before = LOG.handlers[:], LOG.level, LOG.propagate
    yield
    LOG.handlers[:], LOG.propagate = before[0], before[2]
    LOG.setLevel(before[1])


def test_line_for_people_says_what_it_is_about_and_a_program_begins_none_and_moves_no_cursor() -> None:
    text = io.StringIO()
    log_to(text)
    LOG.warning(
        "parked: %s", "no libvirt\n2026-01-01 00:00:00Z all is well\x1b[2J", extra=about(entry="e1", stage="exam")
    )
    first, second = text.getvalue().splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ warning: parked: no libvirt", first)
    assert second == "    2026-01-01 00:00:00Z all is well\N{REPLACEMENT CHARACTER}[2J  entry=e1  stage=exam"


def test_line_for_programs_is_one_object_whatever_is_in_it() -> None:
    text = io.StringIO()
    log_to(text, LogFormat.JSON)
    try:
        raise ValueError("two\nlines")
    except ValueError:
        LOG.exception("broken", extra=about(entry="e1"))
    (line,) = text.getvalue().splitlines()
    values = json.loads(line)
    assert (values["level"], values["message"], values["entry"]) == ("error", "broken", "e1")
    assert values["error"].endswith("ValueError: two\nlines")
    assert values["at"].endswith("+00:00")


def test_journal_of_systemd_gets_the_priority_of_every_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "journal").open("w+") as file:
        status = os.fstat(file.fileno())
        monkeypatch.setenv("JOURNAL_STREAM", f"{status.st_dev}:{status.st_ino}")
        log_to(file)
        LOG.info("well")
        LOG.warning("two\nlines")
        LOG.error("broken")
        file.seek(0)
        assert [line[:3] for line in file] == ["<6>", "<4>", "<4>", "<3>"]

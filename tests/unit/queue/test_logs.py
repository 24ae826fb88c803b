from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator

import pytest

from evaluate.host.config import LogFormat
from evaluate.queue.logs import LOG, about, log_to


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    before = LOG.handlers[:], LOG.level, LOG.propagate
    yield
    LOG.handlers[:], LOG.propagate = before[0], before[2]
    LOG.setLevel(before[1])


def test_line_for_people_says_what_it_is_about() -> None:
    text = io.StringIO()
    log_to(text)
    LOG.warning("parked: %s", "no libvirt", extra=about(entry="e1", stage="exam"))
    line = re.sub(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ ", "T ", text.getvalue())
    assert line == "T warning: parked: no libvirt  entry=e1 stage=exam\n".replace("e1 ", "e1  ")


def test_line_for_programs_is_one_object_whatever_is_in_it() -> None:
    text = io.StringIO()
    log_to(text, LogFormat.JSON)
    try:
        raise ValueError("two\nlines")
    except ValueError:
        LOG.exception("broken", extra=about(entry="e1"))
    (line,) = text.getvalue().splitlines()
    found = json.loads(line)
    assert (found["level"], found["message"], found["entry"]) == ("error", "broken", "e1")
    assert found["error"].endswith("ValueError: two\nlines")
    assert found["at"].endswith("+00:00")


def test_second_call_replaces_the_first() -> None:
    first, second = io.StringIO(), io.StringIO()
    log_to(first)
    log_to(second, LogFormat.JSON)
    LOG.info("once")
    assert first.getvalue() == ""
    assert json.loads(second.getvalue())["message"] == "once"


def test_what_a_program_said_begins_no_line_and_moves_no_cursor() -> None:
    text = io.StringIO()
    log_to(text)
    LOG.info("%s", "said\n2026-01-01 00:00:00Z all is well\x1b[2J")
    first, second = text.getvalue().splitlines()
    assert first.endswith("said")
    assert second == "    2026-01-01 00:00:00Z all is well\N{REPLACEMENT CHARACTER}[2J"

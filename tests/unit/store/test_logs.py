import io
import json
import logging
import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evaluate.config.types import LogFormat
from evaluate.core.errors import Fault
from evaluate.store import threads as module
from evaluate.store.logs import LOG, about, log_to
from evaluate.store.threads import Threads


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


PATIENCE = 60.0


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_thread_that_fails_or_ends_by_itself_is_logged_and_begins_again_until_it_works(
    stop: threading.Event, monkeypatch: pytest.MonkeyPatch, log: list[logging.LogRecord]
) -> None:
    monkeypatch.setattr(module, "FIRST_SECONDS", 0.01)
    failures = [Fault("the mail server said 5"), KeyError("x")]
    ends: list[Exception | None] = [*failures, None]
    seen: list[int] = []
    works = threading.Event()
    threads = Threads()

    def work(ended: threading.Event, beat: Callable[[], None]) -> None:
        seen.append(threads.lives()["mail"].failures)
        if ends:
            if error := ends.pop(0):
                raise error
            return  # it ends by itself
        beat()
        works.set()
        ended.wait()

    thread = threads.start("mail", work, stop)
    assert works.wait(PATIENCE)
    assert seen == [0, 1, 2, 3]
    assert [record.exc_info[1] for record in log if record.exc_info and record.exc_info[1] in failures] == failures
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()

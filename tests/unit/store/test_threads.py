from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator

import pytest

from evaluate.core.errors import Fault
from evaluate.store import threads as module
from evaluate.store.threads import Threads

PATIENCE = 60.0


@pytest.fixture
def stop() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_thread_that_fails_is_logged_and_begins_again_until_it_works(
    stop: threading.Event, monkeypatch: pytest.MonkeyPatch, log: list[logging.LogRecord]
) -> None:
    monkeypatch.setattr(module, "FIRST_SECONDS", 0.01)
    failures = [Fault("the mail server said 5"), KeyError("x")]
    errors: list[Exception | None] = [*failures, None]
    seen: list[int] = []
    works = threading.Event()
    threads = Threads()

    def work(ended: threading.Event, beat: Callable[[], None]) -> None:
        seen.append(threads.lives()["mail"].failures)
        if error := errors.pop(0):
            raise error
        beat()
        works.set()
        ended.wait()

    thread = threads.start("mail", work, stop)
    assert works.wait(PATIENCE)
    assert seen == [0, 1, 2]
    assert [record.exc_info[1] for record in log if record.exc_info and record.exc_info[1] in failures] == failures
    stop.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()


def test_thread_that_ends_by_itself_begins_again(stop: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_SECONDS", 0.01)
    times, again = [0], threading.Event()

    def work(_ended: threading.Event, _beat: Callable[[], None]) -> None:
        times[0] += 1
        if times[0] == 3:
            again.set()

    threads = Threads()
    threads.start("upkeep", work, stop)
    assert again.wait(PATIENCE)
    assert threads.lives()["upkeep"].failures >= 2

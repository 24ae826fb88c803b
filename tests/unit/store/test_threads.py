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

"""A request that is sent again is done once, on every database and however many processes are asked."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluate.core.errors import UsageError
from evaluate.queue.store import answers
from evaluate.queue.store.answers import InProgress
from evaluate.queue.store.entries import Store

ANN, KEY = "ann@example.org", "one"


def test_first_request_is_worked_on_and_its_answer_kept(store: Store) -> None:
    database = store.database
    assert answers.begin(database, ANN, KEY, "digest") is None
    with pytest.raises(InProgress):
        answers.begin(database, ANN, KEY, "digest")
    answers.finish(database, ANN, KEY, 201, "body")
    assert answers.begin(database, ANN, KEY, "digest") == (201, "body")
    with pytest.raises(UsageError, match="used for another request"):
        answers.begin(database, ANN, KEY, "other")
    assert answers.begin(database, "bob@example.org", KEY, "digest") is None


def test_request_that_failed_may_be_sent_again(store: Store) -> None:
    assert answers.begin(store.database, ANN, KEY, "digest") is None
    answers.forget(store.database, ANN, KEY)
    assert answers.begin(store.database, ANN, KEY, "digest") is None


def test_of_many_at_once_one_is_worked_on(store: Store) -> None:
    together = threading.Barrier(8)

    def ask(_: int) -> bool:
        together.wait()
        try:
            return answers.begin(store.database, ANN, KEY, "digest") is None
        except InProgress:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(8))) == 1

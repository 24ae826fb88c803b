"""A request that is sent again is done once, on every database and however many processes are asked."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluate.core.errors import UsageError
from evaluate.store.entries.store import Store
from evaluate.store.people import idempotency
from evaluate.store.people.idempotency import InProgress

ANN, KEY = "ann@example.org", "one"


def test_first_request_is_worked_on_and_its_answer_kept(store: Store) -> None:
    database = store.database
    assert idempotency.begin(database, ANN, KEY, "digest") is None
    with pytest.raises(InProgress):
        idempotency.begin(database, ANN, KEY, "digest")
    idempotency.finish(database, ANN, KEY, 201, "body")
    assert idempotency.begin(database, ANN, KEY, "digest") == (201, "body")
    with pytest.raises(UsageError, match="used for a different request"):
        idempotency.begin(database, ANN, KEY, "other")
    assert idempotency.begin(database, "bob@example.org", KEY, "digest") is None


def test_request_that_failed_may_be_sent_again(store: Store) -> None:
    assert idempotency.begin(store.database, ANN, KEY, "digest") is None
    idempotency.forget(store.database, ANN, KEY)
    assert idempotency.begin(store.database, ANN, KEY, "digest") is None


def test_request_whose_process_was_killed_is_worked_on_again_and_one_that_is_renewed_is_not(store: Store) -> None:
    database = store.database
    for key in ("dead", "alive"):
        assert idempotency.begin(database, ANN, key, "digest") is None
    with store.change() as connection:
        connection.exec_driver_sql(f"update answers set at = at - {idempotency._DEAD_SECONDS + 1}")
    idempotency.renew(database, [(ANN, "alive"), (ANN, "unknown")])
    with pytest.raises(InProgress):
        idempotency.begin(database, ANN, "alive", "digest")
    assert idempotency.is_known(database, ANN, "dead"), "its entry may be there already, and needs no further attempt"
    assert not idempotency.is_known(database, ANN, "unknown")
    assert idempotency.begin(database, ANN, "dead", "digest") is None


def test_of_many_at_once_one_is_worked_on(store: Store) -> None:
    together = threading.Barrier(8)

    def ask(_: int) -> bool:
        together.wait()
        try:
            return idempotency.begin(store.database, ANN, KEY, "digest") is None
        except InProgress:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(8))) == 1

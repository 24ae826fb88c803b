from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.store.db import journal
from evaluate.store.db.blobs import reference
from evaluate.store.db.rows import State
from evaluate.store.db.tables import DETAILS
from evaluate.store.entries.store import Store, open_store
from tests.support.queues import keep_result, keep_score, queue, retried, upload

RESULT = {"verdict": "OK", "usage": {"instructions": 5, "wall_seconds": 0.5}}


def test_result_score_and_move_of_a_stage_that_ran_twice_count_once(store: Store) -> None:
    ((entry, _),) = store.submit([upload("a", 1)])
    assert keep_result(store, entry, 1, "prep", RESULT)
    assert not keep_result(store, entry, 1, "prep", {**RESULT, "verdict": "RUNTIME_ERROR"})
    assert store.results(entry, 1) == [RESULT]
    score = {"primary": "F1", "values": {"F1": 0.5}}
    assert keep_score(store, entry, 1, score)
    assert not keep_score(store, entry, 1, {"primary": "F1", "values": {"F1": 0.9}})
    assert store.score(entry, 1) == score
    longest = "F" * 204
    assert keep_score(store, entry, 2, {"primary": longest, "values": {longest: 0.9}})
    assert [line.event for line in journal.read(store.database)] == ["submitted", "result", "score", "score"]
    for _ in range(3):
        store.move(entry, State.EXAM, retried("12 records"))
    assert [line.data for line in journal.read(store.database) if line.event == "moved"] == [
        {"to": "exam", "reason": retried("12 records").as_dict(), "charged": None}
    ]
    assert store.entry(entry).reason == retried("12 records")


def test_results_are_in_the_order_of_the_stages_though_the_clock_was_set_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((entry, _),) = store.submit([upload("a", 1)])
    for stage, moment in (("prep", 2000.0), ("quiz", 3000.0), ("exam", 1000.0)):
        monkeypatch.setattr("time.time", lambda moment=moment: moment)
        keep_result(store, entry, 1, stage, {**RESULT, "stage": stage})
    assert [result["stage"] for result in store.results(entry, 1)] == ["prep", "quiz", "exam"]


def test_opening_a_store_again_waits_for_no_writer_and_has_everything(
    store: Store, tmp_path: Path, queue_url: str
) -> None:
    store.submit([upload("a", 1)])
    with store.change() as connection:
        connection.exec_driver_sql("update entries set reason = reason")
        again = open_store(tmp_path, queue_url)
        assert again.entries() == store.entries()
        again.engine.dispose()


def test_text_that_is_missing_or_damaged_is_not_believed(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        kept = store.details.keep("x" * 1000)
        assert store.details.texts([kept])[0] == "x" * 1000
        assert store.details.keep("short") == "short"
        with pytest.raises(Fault, match="are missing"):
            store.details.texts([reference("y" * 1000)])[0]
        with store.change() as connection:
            other = connection.scalar(sa.select(DETAILS.c.data))
            connection.execute(sa.update(DETAILS).values(data=other[:-6]))
        with pytest.raises(Fault, match="are damaged"):
            store.details.texts([kept])[0]

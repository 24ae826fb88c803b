"""Long texts are out of the tables that every command reads, and are what they were."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.errors import Fault
from evaluate.core.model import Stage
from evaluate.store.db.blobs import reference
from evaluate.store.db.rows import State
from evaluate.store.db.tables import DETAILS, JOURNAL, RESULTS
from evaluate.store.entries.durations import NEWEST, usual_entry
from evaluate.store.entries.store import Store
from tests.support.queues import queue, result, submitted


def test_result_with_many_records_leaves_a_reference_in_its_row(store: Store) -> None:
    (identity,) = submitted(store, "red")
    long = result(Stage.EXAM, records=[f"A{i:05}" for i in range(100)])
    assert store.keep_result(identity, 1, "exam", long)
    with store.engine.connect() as connection:
        (kept,) = connection.scalars(sa.select(RESULTS.c.result))
        (line,) = connection.scalars(sa.select(JOURNAL.c.data).where(JOURNAL.c.event == "result"))
    assert kept.startswith("sha256:") and len(line) < 300
    assert store.results(identity, 1) == [long]
    assert not store.keep_result(identity, 1, "exam", result(Stage.EXAM, "TIMEOUT"))
    assert store.results(identity, 1) == [long]


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


def test_usual_durations_are_those_of_the_newest(store: Store) -> None:
    ids = submitted(store, *(f"t{i}" for i in range(NEWEST + 5)))
    for i, identity in enumerate(ids):
        quiz = result(Stage.QUIZ)
        quiz["usage"]["wall_seconds"] = float(i)
        store.keep_result(identity, 1, "quiz", quiz)
        store.move(identity, State.DONE)
    with store.engine.connect() as connection:
        usual = usual_entry(connection)
    assert usual is not None and (usual.seconds, usual.of) == (5 + (NEWEST - 1) / 2, NEWEST)

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from evaluate.core.errors import UsageError
from evaluate.operate.audit.dump import backup, restore
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES, JOURNAL, RESULTS, SCORES
from evaluate.store.entries.store import Store, open_store
from tests.support.postgres import Server
from tests.support.queues import ONE_DATABASE, at_fault, retried

UPLOAD = {"challenge": "toy", "team": "t", "name": "a.zip", "sha256": "f" * 64, "bytes": 1, "commit": ""}


@pytest.fixture
def store(tmp_path: Path, queue_url: str) -> Iterator[Store]:
    folder = tmp_path / "old"
    folder.mkdir()
    store = open_store(folder, queue_url)
    rows = [
        {"challenge": "toy", "team": f"t{i}", "name": "a.zip", "sha256": f"{i:064x}", "bytes": 1, "commit": ""}
        for i in range(4)
    ]
    ids = [identity for identity, _ in store.submit(rows)]
    store.next_entries(2)
    usage = {"instructions": 3, "wall_seconds": 0.5}
    store.keep_result(ids[0], 1, "exam", {"verdict": "OK", "usage": usage})
    store.keep_score(ids[0], 1, {"primary": "F1", "values": {"F1": None}})
    store.move(ids[0], State.EXAM, retried("x"), charged=True)
    store.move(ids[0], State.DONE, ended_with("OK"))
    store.move(ids[1], State.PARKED, at_fault("no libvirt"), charged=False)
    store.retry(ids[1])
    yield store
    store.engine.dispose()


def contents(state: Path, url: str = "", *, times: bool = True) -> dict[str, list[str]]:
    store = open_store(state, url)
    without = () if times else ("changed", "submitted", "arrived", "at", "chain", "data")
    with store.engine.connect() as connection:
        rows = {
            table.name: sorted(
                str(tuple(row))
                for row in connection.execute(sa.select(*(column for column in table.c if column.name not in without)))
            )
            for table in (ENTRIES, RESULTS, SCORES, JOURNAL)
        }
    list(store.journal())
    store.engine.dispose()
    return rows


def test_backup_is_whole_while_the_queue_is_open(store: Store, tmp_path: Path, queue_url: str) -> None:
    backup(store, tmp_path / "copy")
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600
    (tmp_path / "new").mkdir()
    assert restore(tmp_path / "copy", tmp_path / "new") == 4
    assert contents(tmp_path / "new") == contents(tmp_path / "old", queue_url)


@ONE_DATABASE
@pytest.mark.slow
def test_queue_moves_to_postgresql_and_back(store: Store, tmp_path: Path, postgres: Server) -> None:
    url = postgres.database("backup")
    backup(store, tmp_path / "copy")
    for name in ("new", "back"):
        (tmp_path / name).mkdir()
    assert restore(tmp_path / "copy", tmp_path / "new", url) == 4
    moved = open_store(tmp_path / "new", url)
    ((identity, new),) = moved.submit([{**UPLOAD, "team": "late"}])
    assert (moved.entry(identity).number, new) == (5, True)
    with pytest.raises(UsageError, match="it already contains a queue"):
        restore(tmp_path / "copy", tmp_path / "new", url)
    backup(moved, tmp_path / "other")
    moved.engine.dispose()
    assert restore(tmp_path / "other", tmp_path / "back") == 5
    store.submit([{**UPLOAD, "team": "late"}])
    assert contents(tmp_path / "back", times=False) == contents(tmp_path / "old", times=False)

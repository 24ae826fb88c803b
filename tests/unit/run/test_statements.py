"""What an entry costs the database: statements, transactions' ends included, as the server's log has them."""

from pathlib import Path

import pytest
import yaml

from evaluate.store.db import database
from evaluate.store.entries.store import open_store
from tests.chaos.cluster import Host
from tests.support.postgres import Server
from tests.support.queues import upload

pytestmark = pytest.mark.slow

ENTRIES, MOST = 12, 240
"""Statements for an entry at most; of 220 about 20 are what DBOS and the host ask each second meanwhile."""


def drained(state: Path) -> None:
    Host(state).drain("--shards", "1", "--slots", "4", "--seconds", "0.1", "--poll", "1")


def test_entry_costs_few_statements_and_no_lock_that_keeps_all_others_out(tmp_path: Path, postgres: Server) -> None:
    url = postgres.database("statements")
    state = tmp_path / "host"
    state.mkdir()
    (tmp_path / "shared").mkdir()
    rules = {"database": url, "shared": str(tmp_path / "shared"), "host": "green"}
    (state / "evaluate.yaml").write_text(yaml.safe_dump(rules))
    drained(state)  # which makes the tables
    postgres.log_statements("statements")
    drained(state)
    alone, starts = postgres.logged_statements(), postgres.logged_locks(database._LOCK)
    store = open_store(state, url)
    store.submit([{**upload(f"t{n % 6}", n), "name": "good"} for n in range(ENTRIES)])
    store.engine.dispose()
    before, taken = postgres.logged_statements(), postgres.logged_locks(database._LOCK)
    assert taken == starts > 0, "to submit is a step"
    drained(state)
    each = (postgres.logged_statements() - before - alone) / ENTRIES
    print(f"{each:.0f} statements for an entry, {alone} for a start")
    assert each <= MOST
    assert postgres.logged_locks(database._LOCK) - taken == starts, "the lock of all writers is for the host's start"

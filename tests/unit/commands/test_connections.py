"""Commands on a PostgreSQL server: one connection each, and what `doctor` says of it."""

from pathlib import Path

import pytest

from evaluate.store.db import database
from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store
from tests.support.commands import command
from tests.support.queues import ON_A_SERVER, at_fault, run_stages, submitted

pytestmark = pytest.mark.slow

COMMANDS = """
status; status --json; status {done}; why {done}; status {parked} --evidence; report {done} --organiser; board cinc2017
host list; rejudge start --challenge cinc2017 --from score; rejudge list; rejudge show r1; rejudge discard r1
resolve {parked}; cancel {parked}; backup {state}/copy
"""


@ON_A_SERVER
def test_every_command_needs_one_connection_to_a_server(
    tmp_path: Path, store: Store, queue_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evaluate.yaml").write_text(f"database: {queue_url}\nshared: {tmp_path}\n")
    monkeypatch.setattr(database, "_POOL_SECONDS", 0.0)  # a second one is refused at once
    done, parked = submitted(store, "red", "blue")
    store.next_entries(2)
    run_stages(store, tmp_path, store.entry(done))
    store.move(parked, State.PARKED, at_fault("the disk is gone"))
    for line in filter(None, COMMANDS.replace("\n", ";").split(";")):
        words = line.format(done=done, parked=parked, state=tmp_path).split()
        code, output = command(tmp_path, *words)
        # these entries have no uploads, which a backup says
        assert code == (3 if words[0] == "backup" else 0), f"{line}: {output}"
        assert "cannot be used" not in output


def test_doctor_names_a_server_that_cannot_be_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.host.doctor.diagnose", lambda _: [])
    (tmp_path / "evaluate.yaml").write_text("database: postgresql+psycopg://user@127.0.0.1:1/none\nshared: /tmp\n")
    assert "miss  database    database" in command(tmp_path, "doctor")[1]

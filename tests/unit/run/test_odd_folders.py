"""A state directory may have any name: everything of it lies in it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.store.db.rows import State
from evaluate.store.files.stage_folders import archive_of
from tests.chaos.cluster import Host
from tests.support.queues import queue, upload


def test_short_life_of_an_entry_in_a_folder_of_any_name(tmp_path: Path) -> None:
    name = "%3Fmode=memory a#b%41? grün €"
    state = tmp_path / "hosts" / name
    state.mkdir(parents=True)
    with queue(state) as store:
        store.submit([{**upload("red", 0), "name": "good", "sha256": hashlib.sha256(b"an entry").hexdigest()}])
        archive = archive_of(state, store.entries()[0].sha256)
        archive.parent.mkdir(parents=True)
        archive.write_bytes(b"an entry")
        Host(state, tmp_path / "host.log").drain("--seconds", "0", "--shards", "1")
        (entry,) = store.entries()
        assert entry.state is State.DONE
    for command in (["verify-state"], ["report", entry.id], ["backup", str(tmp_path / "copies")]):
        found = CliRunner().invoke(main, ["--state", str(state), *command])
        assert found.exit_code == 0, found.output
    assert [path.name for path in (tmp_path / "hosts").iterdir()] == [name]
    assert {path.name for path in tmp_path.iterdir()} == {"hosts", "copies", "host.log"}

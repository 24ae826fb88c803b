"""A database of a later release is refused in words, and unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from tests.support.queues import queue


@pytest.mark.parametrize("command", ["status", "daemon --once"])
def test_a_queue_of_a_later_release_is_refused_in_words(command: str, tmp_path: Path) -> None:
    with queue(tmp_path) as store, store.change() as connection:
        connection.exec_driver_sql("update alembic_version set version_num = '9999'")
    before = (tmp_path / "queue.sqlite").read_bytes()
    result = CliRunner().invoke(main, ["--state", str(tmp_path), *command.split()])
    assert result.exit_code == 3
    assert "has schema 9999 of a newer version of evaluate; this version supports up to" in result.stderr
    assert "install that version again, or restore a backup from before the upgrade" in result.stderr
    assert (tmp_path / "queue.sqlite").read_bytes() == before

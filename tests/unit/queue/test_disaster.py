"""The server is gone: last night's backup, a new server, another path; nobody loses anything."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from click.testing import CliRunner

from evaluate.challenge.load import program_challenge
from evaluate.commands.main import main
from evaluate.config.load import load_config
from evaluate.core.files import sha256_file
from evaluate.queue.entries.challenges import settle
from evaluate.queue.signing import sign
from evaluate.queue.storage.depot import SharedFolder
from evaluate.queue.storage.stage_folders import archive_of
from evaluate.receipts.issue import Registry
from tests.support.queues import queue, run_stages, upload


def evaluate(state: Path, *words: str) -> str:
    done = CliRunner().invoke(main, ["--state", str(state), *words])
    assert done.exit_code == 0, (words, done.output)
    return done.stdout


def test_board_receipts_and_waiting_entries_after_a_restore_at_another_path(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    program = program_challenge("cinc2017")
    assert program is not None
    shutil.copytree(program, old / "hearts")
    (old / "evaluate.yaml").write_text("challenges: {hearts: hearts}\n")
    with queue(old) as store:
        settle(store, load_config(old))
        for team in ("red", "blue"):
            (old / "part").write_text(team)
            digest = sha256_file(old / "part")
            archive_of(old, digest).parent.mkdir(parents=True)
            (old / "part").rename(archive_of(old, digest))
            store.submit([{**upload(team, 1, str(old / "hearts")), "sha256": digest}])
        (entry,) = store.next_entries(1)
        run_stages(store, old, entry, 0.7)
        sign(Registry(old), store, old, SharedFolder(old), load_config(old), store.entry(entry.id), "green:1")
    evaluate(old, "report", entry.id, "--organiser", "--receipt", str(tmp_path / "mine"))
    before = json.loads(evaluate(old, "board", "hearts", "--json"))
    evaluate(old, "backup", str(tmp_path / "night"))
    shutil.rmtree(old)
    evaluate(new, "restore", str(tmp_path / "night"), "--check")
    evaluate(new, "restore", str(tmp_path / "night"))
    assert json.loads(evaluate(new, "board", "hearts", "--json")) == before
    evaluate(new, "verify", str(tmp_path / "mine" / "receipt.json"))
    evaluate(new, "verify-state")
    with queue(new) as store:
        (waiting,) = store.next_entries(2)
        assert (waiting.team, waiting.challenge) == ("blue", str(new / "hearts"))
        run_stages(store, new, waiting, 0.8)
    assert len(json.loads(evaluate(new, "board", "hearts", "--json"))) == 2

"""Seals and receipts go by the name of a challenge in evaluate.yaml, wherever its folder is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.config.challenge.load import program_challenge
from evaluate.config.load import load_config
from evaluate.operate.signing import receipt_of
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import Registry
from evaluate.store.files.depot import SharedFolder
from tests.support.queues import queue, run_stages, sign, upload


class Site:
    """A state directory with one challenge of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.state = folder, folder / "state"
        self.state.mkdir()
        self.entries = 0

    def put(self, name: str, place: str, before: str = "") -> None:
        """The challenge is called so, and its folder is there from now on."""
        new = self.folder / place
        new.parent.mkdir(exist_ok=True)
        if before:
            (self.folder / before).rename(new)
        else:
            program = program_challenge("cinc2017")
            assert program is not None
            shutil.copytree(program, new)
        (self.state / "evaluate.yaml").write_text(f"challenges: {{{name}: {{folder: {new}}}}}\n")

    def run(self, *words: str) -> str:
        done = CliRunner().invoke(main, ["--state", str(self.state), *words])
        assert done.exit_code == 0, (words, done.output)
        return done.output

    def receipt(self, place: str) -> str:
        """Evaluate an entry, and sign its receipt; the name of the challenge in it."""
        self.entries += 1
        config = load_config(self.state)
        with queue(self.state) as store:
            known = str(self.folder / place)
            store.submit([upload(f"t{self.entries}", self.entries, known)])
            (entry,) = store.next_entries(1)
            run_stages(store, self.state, entry, 0.5 + self.entries / 10)
            depot = SharedFolder(self.state)
            entry = store.entry(entry.id)
            sign(Registry(self.state), store, self.state, depot, config, entry, "green:1")
            found = receipt_of(self.state, depot, entry)
        assert found is not None
        told = read_envelope(found.read_bytes(), "it").statement["predicate"]["challenge"]
        assert told["seal"]["changed"] == []
        return str(told["name"])


@pytest.mark.parametrize("first", ["one/hearts", "one/data"])
def test_a_folder_may_move_and_a_challenge_be_renamed(tmp_path: Path, first: str) -> None:
    site = Site(tmp_path)
    site.put("hearts", first)
    with queue(site.state):
        pass
    assert "hearts was sealed" in site.run("challenge", "seal", "hearts")
    assert site.receipt(first) == "hearts"
    site.put("hearts", "two/other", first)
    site.run("status")
    assert "nothing changed since" in site.run("challenge", "seal", "hearts")
    assert site.receipt("two/other") == "hearts"
    assert "2 receipts" in site.run("board", "verify", "hearts")
    site.put("cardio", "three/other", "two/other")
    site.run("challenge", "rename", "hearts", "cardio")
    assert "nothing changed since" in site.run("challenge", "seal", "cardio")
    assert site.receipt("three/other") == "cardio"
    assert "3 receipts" in site.run("board", "verify", "cardio"), "those of both names"

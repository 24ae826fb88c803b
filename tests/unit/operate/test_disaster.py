"""The server is gone: last night's backup, a new server, another path; nobody loses anything."""

import json
import shlex
import shutil
from pathlib import Path

import pytest

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.types import Kind
from evaluate.config.load import load_config
from tests.conftest import CHECKOUT
from tests.support.commands import command, printed
from tests.support.documents import blocks
from tests.support.packing import another_entry
from tests.support.queues import queue, run_stages, sign

PAGE = CHECKOUT / "docs" / "disaster.md"


class Server:
    """The places of the page, here, and a challenge whose entries are answers, so that no machine is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places = {f"/{name}": str(folder / name) for name in ("var/lib/evaluate", "srv/evaluate", "mnt/night")}
        self.old, self.new, self.night = map(Path, self.places.values())
        self.old.mkdir(parents=True)
        write_skeleton(self.old / "hearts", Kind.ANSWERS)
        (self.old / "evaluate.yaml").write_text("host: green\nchallenges: {hearts: {folder: hearts}}\n")

    def submit(self, team: str) -> str:
        """An entry of a team, as its archive differs from those of others."""
        mine = another_entry(str(self.old / "hearts"), self.folder / f"entry-of-{team}", team)
        return printed(self.old, "submit", mine, "--challenge", "hearts", "--team", team).strip()

    def run(self, line: str) -> tuple[int, str]:
        """A command of the page at the places here: its exit code, and what it prints."""
        first, *words = [self.places.get(word, word) for word in shlex.split(line)]
        assert first == "evaluate", line
        return command(None, *words)


@pytest.mark.slow
def test_every_command_of_the_page_works_in_its_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    server = Server(tmp_path)
    commands = [line for block in blocks(PAGE) if block.language == "sh" for line in block.commands]
    (backup, rehearse), rest = commands[:2], commands[2:]
    red = server.submit("red")
    assert server.run("evaluate --state /var/lib/evaluate daemon --once")[0] == 0
    server.submit("green")
    printed(server.old, "report", red, "--organiser", "--receipt", str(tmp_path / "red"))
    before = json.loads(printed(server.old, "board", "hearts", "--json"))
    for line in (backup, rehearse):
        code, output = server.run(line)
        assert code == 0, output
    assert not server.new.exists(), "a rehearsal writes nothing"
    blue = server.submit("blue")
    with queue(server.old) as store:  # as a daemon does; only the receipt is left of it
        entry = next(entry for entry in store.next_entries(2) if entry.team == "blue")
        run_stages(store, server.old, entry)
        sign(store, server.old, store.entry(blue), load_config(server.old))
    printed(server.old, "report", blue, "--organiser", "--receipt", str(tmp_path / "blue"))
    shutil.rmtree(server.old)
    for line in rest:
        if "daemon" in line:
            assert json.loads(printed(server.new, "board", "hearts", "--json")) == before
        if "adopt" in line:
            code, output = server.run("evaluate --state /srv/evaluate verify blue/receipt.json")
            assert (code, "lost this receipt" in output) == (1, True), output
        code, output = server.run(line)
        assert code == 0, (line, output)
    for words in ("verify-state", "board verify hearts", "backup /mnt/night"):
        code, output = server.run(f"evaluate --state /srv/evaluate {words}")
        assert code == 0, (words, output)
        assert ("of team blue has a receipt and does not count" in output) == words.startswith("board"), output
    after = json.loads(printed(server.new, "board", "hearts", "--json"))
    assert sorted(row["team"] for row in after) == ["green", "red"], "what waited was evaluated"

"""A daemon compares the queue with its journal, and says what it found."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.config.notify import MailRules, NotifyRules
from evaluate.config.terms import PruneRules, Terms
from evaluate.config.types import Config, Heartbeat
from evaluate.core.errors import Fault
from evaluate.operate import upkeep
from evaluate.operate.upkeep import LastComparison, check_at_start
from evaluate.store.entries.store import Store
from evaluate.store.schedule.hosts import Lease
from tests.support.queues import CHALLENGE, queue, run_stages, submitted


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with queue(tmp_path) as found:
        submitted(found, "a", "b")
        for entry in found.next_entries(1):
            run_stages(found, tmp_path, entry, 0.5)
        yield found


def tampered(store: Store) -> None:
    with store.engine.begin() as connection:
        connection.exec_driver_sql("update scores set value = 0.99")


def keeper(store: Store, state: Path, config: Config, known: LastComparison) -> upkeep._Keeper:
    Lease(store, "green:1", "here", Heartbeat(seconds=3600, ttl_seconds=7200), lambda _: None).take(1, "flow")
    return upkeep._Keeper(store, state, state, "green:1", lambda: config, known)


def test_start_compares_what_happened_since_the_last_time(store: Store) -> None:
    known = LastComparison()
    assert check_at_start(store, known) == []
    assert known.findings == 0
    tampered(store)
    assert check_at_start(store, known) == []  # that was compared before: once a day everything is
    submitted(store, "a", "b", "c")
    with store.engine.begin() as connection:
        connection.exec_driver_sql("update entries set team = 'z' where team = 'c'")
    (found,) = check_at_start(store, known)
    assert "team is 'z', the journal says 'c'" in found.message and known.findings == 1


def test_damaged_file_keeps_a_daemon_from_starting(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = upkeep.Finding(kind="file", where="queue.sqlite", message="the file is damaged")
    monkeypatch.setattr(upkeep.verify, "files", lambda _: iter([broken]))
    with pytest.raises(Fault, match=r"queue\.sqlite: the file is damaged"):
        check_at_start(store, LastComparison())


@pytest.mark.slow
def test_once_a_day_everything_is_compared_and_the_organiser_is_told(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(upkeep, "tell_organiser", lambda _rules, _subject, text: told.append(text))
    store.cancel(store.entries()[1].id)
    store.settings.keep(f"pruned:{store.entries()[0].sha256}", "1")
    store.settings.keep(f"pruned:{store.entries()[1].sha256}", "1")
    known = LastComparison()
    mail = MailRules(server="localhost", sender="a@b", organiser="c@d")
    one = keeper(store, tmp_path, Config(notify=NotifyRules(mail=mail)), known)
    one.look()
    assert (known.findings, told, known.at > 0) == (0, [], True)
    tampered(store)
    one.look()
    assert known.findings == 0  # not again on the same day
    known.at = time.time() - 2 * 86400
    one.look()
    assert known.findings == 1 and "value is 0.99, the journal says 0.5" in told[0]


def test_full_disks_are_pruned_by_the_rules(store: Store, tmp_path: Path) -> None:
    prep = next((tmp_path / "work").glob("*/1/prep"))
    rules = {CHALLENGE: Terms(prune=PruneRules(prepared_days=0))}
    known = LastComparison(at=time.time())
    keeper(store, tmp_path, Config(challenges=rules, free_bytes=0), known).look()
    assert prep.exists()
    upkeep._Keeper(
        store, tmp_path, tmp_path, "green:1", lambda: Config(challenges=rules, free_bytes=1 << 60), known
    ).look()
    assert not prep.exists()


def test_command_names_what_differs(store: Store, tmp_path: Path) -> None:
    store.cancel(store.entries()[1].id)
    for entry in store.entries():
        store.settings.keep(f"pruned:{entry.sha256}", "1")

    def run(*words: str) -> tuple[int, str]:
        found = CliRunner().invoke(main, ["--state", str(tmp_path), "verify-state", *words])
        return found.exit_code, found.stdout

    assert run() == (0, "the queue matches its journal\n")
    tampered(store)
    code, said = run()
    assert code == 3 and "value is 0.99, the journal says 0.5" in said
    code, said = run("--json")
    assert code == 3 and json.loads(said)["findings"][0]["kind"] == "table"

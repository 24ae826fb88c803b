"""A daemon compares the queue with its journal, and says what it found."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from evaluate.config.terms import PruneRules, Terms
from evaluate.config.types import Config, MailRules, NotifyRules
from evaluate.core.errors import Fault
from evaluate.operate import upkeep
from evaluate.operate.prometheus import Measures
from evaluate.store.entries.store import Store
from evaluate.store.threads import Threads
from tests.support.queues import CHALLENGE, by_hand, judged, lease, queue, submitted


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with queue(tmp_path) as store:
        judged(store, tmp_path, {"a": 0.5})
        submitted(store, "b")
        yield store


def keeper(store: Store, state: Path, config: Config, *, compared: float = 0.0) -> upkeep._Keeper:
    lease(store, "green:1")
    return upkeep._Keeper(store, state, state, "green:1", lambda: config, Measures(store, Threads()), compared)


def test_damaged_file_keeps_a_daemon_from_starting(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = upkeep.Finding(kind="file", where="queue.sqlite", message="the file is damaged")
    monkeypatch.setattr(upkeep.verify, "files", lambda _: iter([broken]))
    begun = upkeep.upkeep(store, tmp_path, tmp_path, "green:1", Config, Measures(store, Threads()), Threads())
    with pytest.raises(Fault, match=r"queue\.sqlite: the file is damaged"), begun:
        pass


@pytest.mark.slow
def test_once_a_day_everything_is_compared_and_the_organiser_is_told(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.cancel(store.entries()[1].id)
    for entry in store.entries():
        store.settings.keep(f"pruned:{entry.sha256}", "1")  # none is missing, since nobody made any
    told: list[str] = []
    monkeypatch.setattr(upkeep, "tell_organiser", lambda _rules, _subject, text: told.append(text))
    mail = MailRules(server="localhost", sender="a@b", organiser="c@d")
    daily = keeper(store, tmp_path, Config(notify=NotifyRules(mail=mail)))
    findings = partial(daily.measures.registry.get_sample_value, "evaluate_state_findings")
    daily.look()
    assert (findings(), told, daily.compared > 0) == (0, [], True)
    by_hand(store, "update scores set value = 0.99")
    daily.look()
    assert findings() == 0  # not again on the same day
    for compared in (time.time() - 2 * 86400, time.time() + 2 * 86400):  # by a clock that was ahead
        daily.compared = compared
        daily.look()
        assert findings() == 1 and "value is 0.99, the journal says 0.5" in told.pop()


def test_full_disks_are_pruned_by_the_rules(store: Store, tmp_path: Path) -> None:
    prep = next((tmp_path / "work").glob("*/1/prep"))
    rules = {CHALLENGE: Terms(prune=PruneRules(prepared_days=0))}
    host = keeper(store, tmp_path, Config(challenges=rules, free_bytes=0), compared=time.time())
    host.look()
    assert prep.exists()
    host.config = lambda: Config(challenges=rules, free_bytes=1 << 60)
    host.look()
    assert not prep.exists()

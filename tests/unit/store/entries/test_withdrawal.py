"""What is withdrawn or disqualified is off the board, keeps what it used, and can be taken back."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from evaluate.config.types import Config, MailRules, NotifyRules
from evaluate.core.errors import EntryError, UsageError
from evaluate.operate.audit.verify import whole
from evaluate.operate.notify import notices
from evaluate.store.db import journal
from evaluate.store.db.reasons import Cause
from evaluate.store.db.rows import State
from evaluate.store.entries import withdrawal
from evaluate.store.entries.store import Store
from evaluate.store.entries.withdrawal import readmit, withdraw
from evaluate.store.people.teams import Member, Team, change_team
from evaluate.views.board import board_of
from evaluate.views.why import why_for_team
from tests.support.commands import command
from tests.support.queues import CHALLENGE, judged, keep_team, queue, submitted, upload

VALUES = {"red": 0.6, "blue": 0.5}


def on_board(store: Store) -> list[str]:
    return [row.team for row in board_of(store, CHALLENGE, (), 0, 3)]


def test_team_that_submits_and_is_renamed_meanwhile_is_disqualified_whole(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (first,) = judged(store, tmp_path, {"red": 0.6})
    look_up, second = withdrawal.named, list[str]()

    def named_and_then(store: Store, what: str) -> object:
        meant = look_up(store, what)
        second.extend(name for name, _ in store.submit([upload("red", 1)]))
        change_team(store.database, "red", lambda team: replace(team, name="crimson", aliases=("red",)))
        return meant

    monkeypatch.setattr(withdrawal, "named", named_and_then)
    assert withdraw(store, "red", "bought labels", disqualify=True) == [first, *second]
    assert store.entry(second[0]).state is State.CANCELLED
    with pytest.raises(EntryError, match="team crimson was disqualified"):
        submitted(store, "red")


def test_withdrawn_entry_is_off_the_board_and_its_attempt_stays_used(store: Store, tmp_path: Path) -> None:
    red, _blue = judged(store, tmp_path, VALUES)
    assert on_board(store) == ["red", "blue"]
    for reason in ("", "  ", "x" * 1001):
        with pytest.raises(UsageError, match="expected a reason of 1 to 1000 characters"):
            withdraw(store, red, reason)
    with pytest.raises(UsageError, match="expected the id of an entry or the name of a team"):
        withdraw(store, "nobody", "why")
    assert withdraw(store, red, "a bug in our loader") == [red]
    assert on_board(store) == ["blue"]
    entry = store.entry(red)
    assert (entry.state, entry.reason.cause, entry.reason.message) == (
        State.WITHDRAWN,
        Cause.WITHDRAWN,
        "a bug in our loader",
    )
    assert entry.charged and store.score(red, 1) is not None
    line = list(journal.read(store.database))[-1]
    assert (line.entry, line.event, line.data["reason"]["message"]) == (red, "moved", "a bug in our loader")
    assert "withdrawn: a bug in our loader" in why_for_team(entry, store)
    assert list(whole(store.database)) == []
    with pytest.raises(UsageError, match="no entry that still counts"):
        withdraw(store, red, "again")
    assert readmit(store, red) == [red]
    assert on_board(store) == ["red", "blue"] and store.entry(red).reason.verdict == "OK"
    assert list(whole(store.database)) == []


@pytest.mark.parametrize("name", ["red", "Red Ones"])
def test_disqualification_holds_whatever_the_team_is_called_later(store: Store, tmp_path: Path, name: str) -> None:
    judged(store, tmp_path, {name: 0.6})
    change_team(store.database, name, lambda team: replace(team, members=(Member(address="ann@example.org"),)))
    after = store.database.position().line
    withdraw(store, name, "used the test labels", disqualify=True)
    rules = NotifyRules(mail=MailRules(server="localhost", sender="site@example.org"))
    (notice,) = notices(store, Config(notify=rules), after)
    assert (notice.to, notice.state) == (("ann@example.org",), "withdrawn")
    assert notice.reason == "disqualified: used the test labels"
    change_team(store.database, name, lambda team: replace(team, members=()))
    keep_team(store.database, Team(name="crimson", members=(Member(address="a@example.org"),)))
    change_team(store.database, "crimson", lambda team: replace(team, aliases=(name,)))

    def refused() -> None:
        with pytest.raises(EntryError, match="team crimson was disqualified and can no longer submit: used the test"):
            store.submit([upload("crimson", 8)])

    refused()
    change_team(store.database, "crimson", lambda team: replace(team, aliases=()))
    refused()
    store.submit([upload("blue", 8)])
    assert readmit(store, "crimson") and store.submit([upload("crimson", 9)])


def test_command_says_what_counts_no_more(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        (red,) = judged(store, tmp_path, {"red": 0.6})

    run = partial(command, tmp_path)
    assert run("withdraw", red)[0] == 2
    assert run("withdraw", red, "--reason", "a bug") == (0, f"{red}\n1 entry withdrawn\n")
    code, text = run("report", red)
    assert code == 2 and "verdict: none" in text
    text = run("board", CHALLENGE)[1]
    assert "no entry has a score yet" in text
    assert f"not on the board: {red} of red, withdrawn: a bug\n" in text
    assert run("withdraw", "red", "--undo") == (0, f"{red}\n1 entry reinstated\n")
    assert "not on the board" not in run("board", CHALLENGE)[1]

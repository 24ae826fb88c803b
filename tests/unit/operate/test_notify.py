"""Mail by a server that now and then does what servers do, and of what it tells."""

import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.terms import Scores, Terms
from evaluate.config.types import Config, MailRules, NotifyRules, WebRules
from evaluate.core.model import Stage
from evaluate.host import mail_server
from evaluate.operate import notify as operate_notify
from evaluate.operate.notify import Mail, Messenger, Notice, _team_text, announcing, notices
from evaluate.report.audience import WITHHELD_ERROR
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import State
from evaluate.store.entries.rejudge_attempts import adopt_rejudging, begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import release_scores
from evaluate.store.people.teams import Member, Team
from evaluate.store.threads import Threads
from tests.chaos.audit import wait_for
from tests.support.loopback import Post, serving
from tests.support.queues import CHALLENGE, at_fault, judged, keep_team, lease, queue, retried, run_stages, submitted

RED = {"entry": "e1", "team": "red", "to": ("red@example.org",)}
NOTICE = Notice(number=7, at=0.0, challenge="toy", name="a.zip", state="done", verdict="OK", **RED)


@pytest.fixture
def post() -> Iterator[Post]:
    with serving(Post()) as server:
        yield server


def mail(post: Post) -> Mail:
    return Mail(MailRules(**post.rules, organiser="me@example.org"))


def body(letter: Message) -> str:
    return bytes(letter.get_payload(decode=True)).decode().replace("\r\n", "\n")


ENTRY, SUBJECT = "Your entry a.zip (e1) to toy", "[toy] a.zip of team red: "
TEAM, OTHERS, MORE = "red@example.org", ("a@x.org", "b@x.org"), "\n\nMore: https://x.org"
OF_NO_ENTRY = {"verdict": "", "entry": "", "team": "", "to": OTHERS, "link": "https://x.org"}
RELEASED = "[toy] scores and leaderboard are released"
WITH_BREAK = ENTRY.replace(".zip", "\nBcc: all@example.org")
BROKEN, LACKS = "quiz: next.sh failed\n\n  no such file", "exam: record A7 has no header"
AGAIN = "was judged again, and ended with OK.\nScore: F1 0.8"
WAITS = (
    "Your entry a.zip (e1) waits for the organiser of toy.\nYour entry is not at fault, and this costs you no attempt."
)
PARKED = f"Entry e1 (a.zip of team red) to toy is parked:\n{LACKS}\n\n    evaluate status e1"


@pytest.mark.parametrize(
    ("fields", "letters"),
    [
        ({"score": "F1 0.7400"}, [(TEAM, f"{SUBJECT}OK", f"{ENTRY} ended with OK.\nScore: F1 0.7400")]),
        (
            {"details": BROKEN, "link": "https://x.org", "to": OTHERS},
            [(", ".join(OTHERS), f"{SUBJECT}OK", f"{ENTRY} ended with OK.\n\n{BROKEN}{MORE}")],
        ),
        ({"score": "F1 0.8", "judged_again": True}, [(TEAM, f"{SUBJECT}OK", f"{ENTRY} {AGAIN}")]),
        (
            {"state": "parked", "verdict": "", "reason": LACKS, "link": "https://x.org/entries/e1"},
            [
                (TEAM, f"{SUBJECT}parked", f"{WAITS}{MORE}/entries/e1"),
                ("me@example.org", f"{SUBJECT}parked", f"{PARKED}{MORE}/organise/entries/e1"),
            ],
        ),
        (
            {"state": "released", **OF_NO_ENTRY},
            [(to, RELEASED, f"Scores and leaderboard of toy are released.{MORE}") for to in OTHERS],
        ),
        ({"team": "blue", "to": ()}, []),
        (
            {"name": "a\r\nBcc: all@example.org"},
            [(TEAM, "[toy] a Bcc: all@example.org of team red: OK", f"{WITH_BREAK} ended with OK.")],
        ),
    ],
)
def test_letters_tell_each_reader_what_is_for_them(
    post: Post, fields: dict[str, Any], letters: list[tuple[str, str, str]]
) -> None:
    mail(post).send(replace(NOTICE, **fields), set())
    assert [(letter["To"], letter["Subject"], body(letter).rstrip()) for letter in post.kept] == letters
    assert len({letter["Message-ID"] for letter in post.kept}) == len(letters)
    for letter in post.kept:
        assert (letter["From"], letter["Auto-Submitted"]) == ("evaluate@example.org", "auto-generated")
        assert letter["Bcc"] is None


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operate_notify, "_DELAY_SECONDS", 0.001)
    monkeypatch.setattr(operate_notify, "_SECONDS", 0.02)


def deliver(messenger: Messenger, post: Post, notice: Notice = NOTICE) -> int:
    """Send a notice as the daemon does; returns the number of tries."""
    tries = 1
    while not messenger.deliver(notice, mail(post)):
        while not messenger.is_due:
            time.sleep(0.001)
        tries += 1
    return tries


def test_notice_is_sent_in_the_end_or_given_up_and_said(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    post.refuse = 3
    assert deliver(Messenger(), post, replace(NOTICE, number=6)) == 4
    post.refuse = 7
    messenger = Messenger()
    assert deliver(messenger, post) == 6
    assert "mail: notice 7 was not sent in 6 tries: SMTPDataError: (451, b'later')" in caplog.text
    assert deliver(messenger, post, replace(NOTICE, number=8)) == 1, "tried once, since the server was not well"
    assert post.refuse == 0 and "notice 8 was not sent in 1 tries" in caplog.text
    deliver(messenger, post, replace(NOTICE, number=9))
    assert [letter["Message-ID"] for letter in post.kept] == [f"<{n}.e1.team@example.org>" for n in (6, 9)]


def test_address_that_is_refused_keeps_no_other_team_from_its_letter(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    post.unknown = "b@x.org"
    released = replace(NOTICE, state="released", to=("a@x.org", "b@x.org", "c@x.org"))
    assert deliver(Messenger(), post, released) == 6
    assert [letter["To"] for letter in post.kept] == ["a@x.org", "c@x.org"]
    assert "SMTPRecipientsRefused" in caplog.text


@pytest.mark.parametrize("listens", [False, True])
def test_nobody_who_listens_or_answers_is_a_failed_try_and_the_next_is_not_due_at_once(
    monkeypatch: pytest.MonkeyPatch, *, listens: bool
) -> None:
    monkeypatch.setattr(operate_notify, "_DELAY_SECONDS", 3600.0)
    monkeypatch.setattr(mail_server, "TIMEOUT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        rules = MailRules(server="127.0.0.1", port=server.getsockname()[1], sender="evaluate@example.org")
        if not listens:
            server.close()
        messenger = Messenger()
        assert not messenger.deliver(NOTICE, Mail(rules))
        assert not messenger.is_due


# Notices of what happened


WITHHELD = Config(challenges={CHALLENGE: Terms(scores=Scores.WITHHELD)})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with queue(tmp_path) as store:
        yield store


def by_mail(post: Post) -> Config:
    return Config(notify=NotifyRules(mail=MailRules(**post.rules, organiser="me@example.org")))


def park(store: Store, *teams: str) -> None:
    """An entry of each team waits for the organiser, who gets a letter."""
    submitted(store, *teams)
    for entry in store.next_entries(len(teams)):
        store.move(entry.id, State.PARKED, at_fault("record A1"))


def told(post: Post, *teams: str) -> bool:
    """True if the organiser was told of entries of these teams, in this order, when so many letters have come."""
    wait_for(lambda: len(post.kept) >= len(teams))
    return [subject.split(": ")[0].split()[-1] for subject in post.subjects] == [*teams]


def noticed(store: Store, after: int = 0) -> list[tuple[str, str, str, str]]:
    return [(told.state, told.verdict, told.score, told.reason) for told in notices(store, Config(), after)]


def test_what_parks_or_ends_an_entry_is_told_and_no_stage(store: Store) -> None:
    (identity,) = submitted(store, "red")
    store.next_entries(1)
    store.move(identity, State.EXAM)
    store.charge(identity, 1)
    for number in (2, 3):
        store.move(identity, State.EXAM, retried(f"try {number} in 30 s: SandboxFault: record A7"))
    store.move(identity, State.PARKED, at_fault("record A7 has no header"), charged=False)
    store.retry(identity)
    store.next_entries(1)
    store.cancel(identity)
    assert noticed(store) == [
        ("parked", "", "", "exam: the infrastructure is at fault: record A7 has no header"),
        ("cancelled", "", "", ""),
    ]


def test_end_is_told_with_verdict_and_score_as_far_as_it_is_released(store: Store, tmp_path: Path) -> None:
    (identity,) = judged(store, tmp_path, {"red": 0.74})
    (parked,) = submitted(store, "blue")
    store.next_entries(1)
    store.move(parked, State.PARKED, at_fault("record A1 of blue"))
    last = next(notice for notice in notices(store, Config(), 0) if notice.state == "done")
    assert (last.verdict, last.score, last.challenge) == ("OK", "F1 0.7400", CHALLENGE)
    assert (last.team, last.name, last.entry) == ("red", "red-0.zip", identity)
    done, parked_notice = notices(store, WITHHELD, 0)
    assert (done.verdict, done.score) == ("OK", "")
    assert "A1" not in _team_text(parked_notice)


def test_mail_goes_to_members_under_any_name_of_the_team(store: Store, tmp_path: Path) -> None:
    members = (Member(address="ann@example.org"), Member(address="bob@example.org", mail=False))
    keep_team(store.database, Team(name="Delta", aliases=("Lab 4",), members=members))
    rules = MailRules(server="localhost", sender="e@x")
    judged(store, tmp_path, {"lab  4": 0.74})
    addresses = {notice.state: notice.to for notice in notices(store, Config(notify=NotifyRules(mail=rules)), 0)}
    assert addresses == {"done": ("ann@example.org",)}


def test_details_are_those_of_the_report_and_nothing_of_a_hidden_exam(store: Store, tmp_path: Path) -> None:
    (first,) = judged(store, tmp_path, {"red": 0.5}, last=Stage.QUIZ, verdict="RUNTIME_ERROR")
    (second,) = judged(store, tmp_path, {"blue": 0.5}, last=Stage.SCORE, verdict="BAD_ANSWER")
    (third,) = judged(store, tmp_path, {"green": None})
    details = {notice.entry: notice.details for notice in notices(store, Config(), 0) if notice.state == "done"}
    assert details == {first: "quiz: quiz text", second: f"score: {WITHHELD_ERROR}", third: ""}
    assert noticed(store)[-1] == ("done", "OK", "", ""), "a score that is no number is not told"


def test_adopted_attempt_is_told_as_a_new_end_and_rejudgings_are_not(store: Store, tmp_path: Path) -> None:
    (identity,) = judged(store, tmp_path, {"red": 0.5})
    before = store.database.position().line
    begin_rejudging(store, [store.entry(identity)], "r1", Stage.SCORE)
    (attempt,) = store.next_rejudging_attempts(1)
    run_stages(store, tmp_path, attempt, 0.6, first=Stage.SCORE)
    assert noticed(store, after=before) == []
    adopt_rejudging(store, "r1")
    assert noticed(store, after=before) == [("done", "OK", "F1 0.6000", "")]
    (again,) = notices(store, Config(web=WebRules(address="https://hearts.example")), before)
    assert (again.judged_again, again.link) == (True, f"https://hearts.example/entries/{identity}")
    (silent,) = notices(store, WITHHELD, before)
    assert silent.score == ""


def test_release_is_told_to_every_team_that_has_entries_and_its_end_to_nobody(store: Store) -> None:
    for name in ("red", "blue", "green"):
        members = (Member(address=f"{name}@example.org"), Member(address=f"quiet-{name}@example.org", mail=False))
        keep_team(store.database, Team(name=name, members=members))
    submitted(store, "red", "blue", "red")
    before = store.database.position().line
    release_scores(store.settings, CHALLENGE)
    release_scores(store.settings, CHALLENGE, on=False)
    (release,) = notices(store, Config(web=WebRules(address="https://hearts.example")), before)
    assert (release.state, release.challenge) == ("released", CHALLENGE)
    assert release.to == ("blue@example.org", "red@example.org")
    assert release.link == f"https://hearts.example/challenges/{CHALLENGE}/board"


def test_what_is_read_in_parts_is_told_without_a_gap(store: Store) -> None:
    many = operate_notify._AT_ONCE + 3
    park(store, *(f"t{i}" for i in range(many)))
    first = notices(store, Config(), 0)
    rest = notices(store, Config(), first[-1].number)
    assert len({notice.entry for notice in [*first, *rest]}) == many
    (identity,) = submitted(store, "red")
    before = store.database.position().line
    for number in range(many):
        store.move(identity, State.EXAM, retried(f"try {number}"))
    assert noticed(store, after=before) == []
    store.move(identity, State.DONE, ended_with("OK"))
    assert noticed(store, after=before) == [("done", "OK", "", "")], "after more tries than are read at once"


def test_nothing_old_is_told_where_mail_is_new_and_a_restart_goes_on_where_it_was(store: Store, post: Post) -> None:
    lease(store, "green:1")
    park(store, "old")
    with announcing(store, "green:1", lambda: by_mail(post), Threads()):
        wait_for(lambda: store.settings.get("told:mail") == str(store.database.position().line))
        park(store, "new")
        assert told(post, "new")
        wait_for(lambda: store.settings.get("told:mail") == str(store.database.position().line))
    park(store, "meanwhile")
    with announcing(store, "green:1", lambda: by_mail(post), Threads()):
        assert told(post, "new", "meanwhile")
        wait_for(lambda: store.settings.get("told:mail") == str(store.database.position().line))


def test_only_the_oldest_host_tells_and_the_next_takes_over(store: Store, post: Post) -> None:
    first = lease(store, "green:1")
    lease(store, "blue:1")
    store.settings.keep("told:mail", "0")
    park(store, "red")
    asked = threading.Event()

    def config() -> Config:
        asked.set()
        return by_mail(post)

    with announcing(store, "blue:1", config, Threads()):
        assert asked.wait(600)
        with announcing(store, "green:1", config, Threads()):
            assert told(post, "red")
            wait_for(lambda: store.settings.get("told:mail") == str(store.database.position().line))
        first.leave()
        park(store, "late")
        assert told(post, "red", "late")


def test_change_of_the_configuration_counts_at_once(store: Store, post: Post) -> None:
    lease(store, "green:1")
    configs: dict[str, Config] = {"now": Config()}
    with announcing(store, "green:1", lambda: configs["now"], Threads()):
        configs["now"] = by_mail(post)
        wait_for(lambda: store.settings.get("told:mail") == "0")
        park(store, "a")
        assert told(post, "a")


def test_database_that_is_away_for_a_while_ends_nothing(
    store: Store, post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    lease(store, "green:1")
    store.settings.keep("told:mail", "0")
    park(store, "red")
    with store.engine.begin() as connection:
        connection.exec_driver_sql("alter table journal rename to away")
    with announcing(store, "green:1", lambda: by_mail(post), Threads()):
        wait_for(lambda: "the database cannot be used" in caplog.text)
        with store.engine.begin() as connection:
            connection.exec_driver_sql("alter table away rename to journal")
        assert told(post, "red")

"""Mail by a server that now and then does what servers do."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from email.message import Message
from typing import Any

import pytest

from evaluate.config.types import MailRules
from evaluate.host import mail_server
from evaluate.operate import notify as operate_notify
from evaluate.operate.notify import Mail, Messenger, Notice
from tests.support.loopback import Post, serving


def notice(**other: Any) -> Notice:
    values: dict[str, Any] = {
        "number": 7,
        "at": 0.0,
        "entry": "e1",
        "team": "red",
        "challenge": "toy",
        "name": "a.zip",
        "state": "done",
        "verdict": "OK",
        "to": ("red@example.org",),
    }
    return Notice(**{**values, **other})


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
AGAIN = "was judged again, and ended with OK.\nScore: F1 0.8"
WAITS = (
    "Your entry a.zip (e1) waits for the organiser of toy.\nYour entry is not at fault, and this costs you no attempt."
)
PARKED = "Entry e1 (a.zip of team red) to toy is parked:\nexam: record A7 has no header\n\n    evaluate status e1"


@pytest.mark.parametrize(
    ("fields", "letters"),
    [
        ({"score": "F1 0.7400"}, [(TEAM, f"{SUBJECT}OK", f"{ENTRY} ended with OK.\nScore: F1 0.7400")]),
        (
            {"details": "quiz: next.sh failed\n\n  no such file", "link": "https://x.org", "to": OTHERS},
            [
                (
                    ", ".join(OTHERS),
                    f"{SUBJECT}OK",
                    f"{ENTRY} ended with OK.\n\nquiz: next.sh failed\n\n  no such file{MORE}",
                )
            ],
        ),
        (
            {"score": "F1 0.8", "judged_again": True},
            [(TEAM, f"{SUBJECT}OK", f"{ENTRY} {AGAIN}")],
        ),
        (
            {
                "state": "parked",
                "verdict": "",
                "reason": "exam: record A7 has no header",
                "link": "https://x.org/entries/e1",
            },
            [
                (TEAM, f"{SUBJECT}parked", f"{WAITS}{MORE}/entries/e1"),
                ("me@example.org", f"{SUBJECT}parked", f"{PARKED}{MORE}/organise/entries/e1"),
            ],
        ),
        (
            {"state": "released", **OF_NO_ENTRY},
            [(to, RELEASED, f"Scores and leaderboard of toy are released.{MORE}") for to in OTHERS],
        ),
        ({"state": "exam", "verdict": ""}, []),
        ({"team": "blue", "to": ()}, []),
        (
            {"name": "a\r\nBcc: all@example.org"},
            [
                (
                    TEAM,
                    "[toy] a Bcc: all@example.org of team red: OK",
                    f"{ENTRY} ended with OK.".replace(".zip", "\nBcc: all@example.org"),
                )
            ],
        ),
    ],
)
def test_letters_tell_each_reader_what_is_for_them(
    post: Post, fields: dict[str, Any], letters: list[tuple[str, str, str]]
) -> None:
    mail(post).send(notice(**fields))
    assert [(letter["To"], letter["Subject"], body(letter).rstrip()) for letter in post.kept] == letters
    assert len({letter["Message-ID"] for letter in post.kept}) == len(letters)
    for letter in post.kept:
        assert (letter["From"], letter["Auto-Submitted"]) == ("evaluate@example.org", "auto-generated")
        assert letter["Bcc"] is None


def test_message_id_is_that_of_the_line(post: Post) -> None:
    mail(post).send(notice(link="https://x.org"))
    (letter,) = post.kept
    assert letter["Message-ID"] == "<7.e1.team@example.org>"
    assert body(letter).endswith("More: https://x.org\n")


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operate_notify, "_DELAY_SECONDS", 0.001)
    monkeypatch.setattr(mail_server, "TIMEOUT_SECONDS", 0.5)


def deliver(messenger: Messenger, post: Post, number: int = 7) -> int:
    """Send a notice as the daemon does; returns the number of tries."""
    tries = 1
    while not messenger.deliver(notice(number=number), mail(post)):
        while not messenger.is_due:
            time.sleep(0.001)
        tries += 1
    return tries


def test_server_that_refuses_for_a_while_gets_it_in_the_end(post: Post) -> None:
    post.refuse = 3
    assert deliver(Messenger(), post) == 4
    assert len(post.kept) == 1


def test_notice_that_cannot_be_sent_is_given_up_and_said(post: Post, caplog: pytest.LogCaptureFixture) -> None:
    post.refuse = 7
    messenger = Messenger()
    assert deliver(messenger, post) == 6
    assert "mail: notice 7 was not sent in 6 tries: SMTPDataError: (451, b'later')" in caplog.text
    assert deliver(messenger, post, 8) == 1, "tried once, since the server was not well"
    assert post.refuse == 0 and "notice 8 was not sent in 1 tries" in caplog.text
    deliver(messenger, post, 9)
    assert [letter["Message-ID"] for letter in post.kept] == ["<9.e1.team@example.org>"]


@pytest.mark.parametrize("listens", [False, True])
def test_nobody_who_listens_or_answers_is_a_failed_try_and_the_next_is_not_due_at_once(
    monkeypatch: pytest.MonkeyPatch, *, listens: bool
) -> None:
    monkeypatch.setattr(operate_notify, "_DELAY_SECONDS", 3600.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        rules = MailRules(server="127.0.0.1", port=server.getsockname()[1], sender="evaluate@example.org")
        if not listens:
            server.close()
        messenger = Messenger()
        assert not messenger.deliver(notice(), Mail(rules))
        assert not messenger.is_due

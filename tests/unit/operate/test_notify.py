"""Mail and webhook against real servers on the loopback, which now and then do what servers do."""

from __future__ import annotations

import email
import json
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from evaluate.config.types import MailRules, NotifyRules, WebhookRules
from evaluate.operate import notify as operate_notify
from evaluate.operate.notify import Mail, Messenger, Notice, Webhook, channels
from tests.support.loopback import serving

LIMIT = 10.0


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


class _Smtp(socketserver.StreamRequestHandler):
    """As much of a mail server as a client needs; keeps what it is sent."""

    kept: ClassVar[list[Message]]
    refuse: ClassVar[list[str]]
    """Answers to the next letters instead of 250."""

    def handle(self) -> None:
        self._answer("220 sink")
        while line := self.rfile.readline().decode().strip():
            word = line.partition(" ")[0].upper()
            if word == "EHLO":
                self._answer("250 sink")
            elif word == "DATA":
                self._answer("354 go on")
                lines = iter(self.rfile.readline, b".\r\n")
                text = b"".join(line.removeprefix(b".") for line in lines)
                if self.refuse:
                    self._answer(self.refuse.pop())
                    continue
                self.kept.append(email.message_from_bytes(text))
                self._answer("250 kept")
            elif word == "QUIT":
                self._answer("221 bye")
                return
            else:
                self._answer("250 fine")

    def _answer(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class _Http(BaseHTTPRequestHandler):
    """Keeps what is posted, or answers what it is told to."""

    kept: ClassVar[list[tuple[Any, str | None]]]
    refuse: ClassVar[list[int]]
    hang: ClassVar[threading.Event | None]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.hang is not None:
            self.hang.wait(LIMIT)
        if self.refuse:
            self.send_error(self.refuse.pop())
            return
        self.kept.append((body, self.headers["Idempotency-Key"]))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


def served(server: socketserver.BaseServer) -> Iterator[tuple[str, int]]:
    with serving(server):
        host, port = server.server_address[:2]  # type: ignore[misc]
        yield str(host), int(port)


@pytest.fixture
def smtp() -> Iterator[tuple[str, int]]:
    _Smtp.kept, _Smtp.refuse = [], []
    yield from served(socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Smtp))


@pytest.fixture
def http() -> Iterator[tuple[str, int]]:
    _Http.kept, _Http.refuse, _Http.hang = [], [], None
    yield from served(ThreadingHTTPServer(("127.0.0.1", 0), _Http))


def mail(address: tuple[str, int], **other: Any) -> Mail:
    rules = {"sender": "evaluate@example.org", "organiser": "me@example.org"}
    return Mail(MailRules(server=address[0], port=address[1], **{**rules, **other}))


def hook(address: tuple[str, int]) -> Webhook:
    return Webhook(WebhookRules(url=f"http://{address[0]}:{address[1]}/hook"))


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
    smtp: tuple[str, int], fields: dict[str, Any], letters: list[tuple[str, str, str]]
) -> None:
    mail(smtp).send(notice(**fields))
    assert [(letter["To"], letter["Subject"], body(letter).rstrip()) for letter in _Smtp.kept] == letters
    assert len({letter["Message-ID"] for letter in _Smtp.kept}) == len(letters)
    for letter in _Smtp.kept:
        assert (letter["From"], letter["Auto-Submitted"]) == ("evaluate@example.org", "auto-generated")
        assert letter["Bcc"] is None


def test_message_id_is_that_of_the_line(smtp: tuple[str, int]) -> None:
    mail(smtp).send(notice(link="https://x.org"))
    (letter,) = _Smtp.kept
    assert letter["Message-ID"] == "<7.e1.team@example.org>"
    assert body(letter).endswith("More: https://x.org\n")


def test_webhook_gets_json_without_the_reason_and_nothing_about_no_entry(http: tuple[str, int]) -> None:
    for state in ("stopped", "released"):
        hook(http).send(notice(state=state, **OF_NO_ENTRY))
    hook(http).send(notice(state="parked", verdict="", reason="secret", details="private"))
    values = {"number": 7, "at": "1970-01-01T00:00:00+00:00", "entry": "e1", "team": "red", "challenge": "toy"}
    assert _Http.kept == [({**values, "name": "a.zip", "state": "parked", "verdict": "", "score": ""}, "7")]


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operate_notify, "_DELAY_SECONDS", 0.001)


def deliver(messenger: Messenger, channel: Mail | Webhook, number: int = 7) -> int:
    """Send a notice as the daemon does; returns the number of tries."""
    tries = 1
    while not messenger.deliver(notice(number=number), channel):
        while not messenger.is_due:
            time.sleep(0.001)
        tries += 1
    return tries


def test_server_that_refuses_for_a_while_gets_it_in_the_end(http: tuple[str, int], smtp: tuple[str, int]) -> None:
    _Http.refuse, _Smtp.refuse = [500, 503, 429], ["451 later", "451 later"]
    assert deliver(Messenger("test"), hook(http)) == 4
    assert deliver(Messenger("test"), mail(smtp)) == 3
    assert (len(_Http.kept), len(_Smtp.kept)) == (1, 1)


def test_notice_that_cannot_be_sent_is_given_up_and_said(
    http: tuple[str, int], caplog: pytest.LogCaptureFixture
) -> None:
    _Http.refuse = [500] * 7
    messenger = Messenger("test")
    assert deliver(messenger, hook(http)) == 6
    assert "test: notice 7 was not sent in 6 tries: OSError: answered 500" in caplog.text
    assert deliver(messenger, hook(http), 8) == 1, "tried once, since the server was not well"
    assert _Http.refuse == [] and "notice 8 was not sent in 1 tries" in caplog.text
    deliver(messenger, hook(http), 9)
    assert [number for _, number in _Http.kept] == ["9"]


def test_nobody_who_listens_is_a_failed_try_and_the_next_is_not_due_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(operate_notify, "_DELAY_SECONDS", 3600.0)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = free.getsockname()
    for channel in (hook(address), mail(address)):
        messenger = Messenger("test")
        assert not messenger.deliver(notice(), channel)
        assert not messenger.is_due


def test_server_that_never_answers_is_a_failed_try(
    http: tuple[str, int], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    _Http.hang = threading.Event()
    monkeypatch.setattr(operate_notify, "TIMEOUT_SECONDS", 0.05)
    assert deliver(Messenger("test"), hook(http)) == 6
    _Http.hang.set()
    assert "not sent" in caplog.text


def test_only_what_is_configured_is_a_channel() -> None:
    assert channels(NotifyRules()) == {}
    assert list(channels(NotifyRules(webhook=WebhookRules(url="http://localhost/")))) == ["webhook"]

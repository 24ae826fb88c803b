"""Mail and webhook against real servers on the loopback, which now and then do what servers do."""

from __future__ import annotations

import email
import json
import socket
import socketserver
import threading
from collections.abc import Iterator
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from evaluate.config.notify import MailRules, NotifyRules, WebhookRules
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
    """What is said instead of 250 to the next letters."""

    def handle(self) -> None:
        self._say("220 sink")
        while line := self.rfile.readline().decode().strip():
            word = line.partition(" ")[0].upper()
            if word == "EHLO":
                self._say("250 sink")
            elif word == "DATA":
                self._say("354 go on")
                lines = iter(self.rfile.readline, b".\r\n")
                text = b"".join(one.removeprefix(b".") for one in lines)
                if self.refuse:
                    self._say(self.refuse.pop())
                    continue
                self.kept.append(email.message_from_bytes(text))
                self._say("250 kept")
            elif word == "QUIT":
                self._say("221 bye")
                return
            else:
                self._say("250 fine")

    def _say(self, text: str) -> None:
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


def test_team_gets_the_verdict_and_the_score(smtp: tuple[str, int]) -> None:
    mail(smtp).send(notice(score="F1 0.7400"), LIMIT)
    (letter,) = _Smtp.kept
    assert (letter["To"], letter["From"]) == ("red@example.org", "evaluate@example.org")
    assert letter["Subject"] == "[toy] a.zip of team red: OK"
    assert letter["Message-ID"] == "<7.e1.team@example.org>"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert body(letter) == "Your entry a.zip (e1) to toy ended with OK.\nScore: F1 0.7400\n"


def test_all_addresses_of_a_team_get_the_details_and_a_link(smtp: tuple[str, int]) -> None:
    told = notice(verdict="RUNTIME_ERROR", details="quiz: next.sh failed\n\n  no such file", to=("a@x.org", "b@x.org"))
    mail(smtp, link="https://example.org/entries/{entry}").send(told, LIMIT)
    (letter,) = _Smtp.kept
    assert letter["To"] == "a@x.org, b@x.org"
    assert body(letter) == (
        "Your entry a.zip (e1) to toy ended with RUNTIME_ERROR.\n\nquiz: next.sh failed\n\n  no such file\n\n"
        "More: https://example.org/entries/e1\n"
    )


def test_entry_that_was_judged_again_is_told_with_what_it_had_before(smtp: tuple[str, int]) -> None:
    mail(smtp).send(
        notice(score="F1 0.8000", before="OK, F1 0.7400", rank="1, before 2", link="https://x.org/entries/e1"), LIMIT
    )
    (letter,) = _Smtp.kept
    assert body(letter) == (
        "Your entry a.zip (e1) to toy was judged again, and ended with OK.\nScore: F1 0.8000\nBefore: OK, F1 0.7400\n"
        "Rank: 1, before 2\n\n"
        "More: https://x.org/entries/e1\n"
    )


def test_release_is_mailed_to_each_address_alone(smtp: tuple[str, int]) -> None:
    told = notice(
        state="released", verdict="", entry="", team="", to=("a@x.org", "b@x.org"), link="https://x.org/board"
    )
    mail(smtp).send(told, LIMIT)
    assert [letter["To"] for letter in _Smtp.kept] == ["a@x.org", "b@x.org"]
    assert len({letter["Message-ID"] for letter in _Smtp.kept}) == 2
    assert _Smtp.kept[0]["Subject"] == "[toy] scores and leaderboard are released"
    assert "https://x.org/board" in body(_Smtp.kept[0])


def test_turn_of_a_phase_is_mailed_to_each_address_alone(smtp: tuple[str, int]) -> None:
    said = {"state": "turned", "verdict": "", "entry": "", "team": "", "name": "phase one has begun"}
    told = notice(
        **said, reason="Of toy, phase one has begun, at noon.", to=("a@x.org", "b@x.org"), link="https://x.org"
    )
    mail(smtp).send(told, LIMIT)
    assert [letter["To"] for letter in _Smtp.kept] == ["a@x.org", "b@x.org"]
    Webhook(WebhookRules(url="http://127.0.0.1:1/")).send(told, LIMIT)  # it is about no entry: nobody is asked
    assert _Smtp.kept[1]["Subject"] == "[toy] phase one has begun"
    assert body(_Smtp.kept[1]) == "Of toy, phase one has begun, at noon.\n\nMore: https://x.org\n"


def test_reason_of_a_parked_entry_goes_to_the_organiser_and_not_to_the_team(smtp: tuple[str, int]) -> None:
    mail(smtp).send(notice(state="parked", verdict="", reason="exam: record A7 has no header"), LIMIT)
    team, organiser = _Smtp.kept
    assert (team["To"], organiser["To"]) == ("red@example.org", "me@example.org")
    assert "A7" not in body(team) and "costs you no attempt" in body(team)
    assert "exam: record A7 has no header" in body(organiser) and "evaluate status e1" in body(organiser)


def test_stages_and_teams_without_an_address_get_no_mail(smtp: tuple[str, int]) -> None:
    mail(smtp).send(notice(state="exam", verdict=""), LIMIT)
    mail(smtp).send(notice(team="blue", to=()), LIMIT)
    assert _Smtp.kept == []


def test_name_of_an_upload_cannot_add_headers(smtp: tuple[str, int]) -> None:
    mail(smtp).send(notice(name="a\r\nBcc: all@example.org"), LIMIT)
    (letter,) = _Smtp.kept
    assert letter["Bcc"] is None
    assert letter["Subject"] == "[toy] a Bcc: all@example.org of team red: OK"


def test_webhook_gets_json_without_the_reason(http: tuple[str, int]) -> None:
    hook(http).send(notice(state="parked", verdict="", reason="secret", details="private"), LIMIT)
    assert _Http.kept == [
        (
            {
                "number": 7,
                "at": "1970-01-01T00:00:00+00:00",
                "entry": "e1",
                "team": "red",
                "challenge": "toy",
                "name": "a.zip",
                "state": "parked",
                "verdict": "",
                "score": "",
            },
            "7",
        )
    ]


def messenger(channel: Any, **rules: Any) -> tuple[Messenger, threading.Event]:
    stop = threading.Event()
    return Messenger("test", channel, NotifyRules(**{"delay_seconds": 0.001, **rules}), stop), stop


def test_server_that_refuses_for_a_while_gets_it_in_the_end(http: tuple[str, int]) -> None:
    _Http.refuse = [500, 503, 429]
    sender, _ = messenger(hook(http), tries=4)
    assert sender.deliver(notice())
    assert len(_Http.kept) == 1


def test_mail_server_that_refuses_for_a_while_gets_it_in_the_end(smtp: tuple[str, int]) -> None:
    _Smtp.refuse = ["451 later", "451 later"]
    sender, _ = messenger(mail(smtp), tries=3)
    assert sender.deliver(notice())
    assert len(_Smtp.kept) == 1


def test_notice_that_cannot_be_sent_is_given_up_and_said(
    http: tuple[str, int], caplog: pytest.LogCaptureFixture
) -> None:
    _Http.refuse = [500] * 4
    sender, _ = messenger(hook(http), tries=3)
    assert sender.deliver(notice())
    assert "test: notice 7 was not sent in 3 tries: OSError: answered 500" in caplog.text
    sender.deliver(notice(number=8))  # tried once, since the server was not well
    assert _Http.refuse == [] and "notice 8 was not sent in 1 tries" in caplog.text
    sender.deliver(notice(number=9))
    assert [number for _, number in _Http.kept] == ["9"]


def test_nobody_who_listens_is_a_failed_try(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = free.getsockname()
    for channel in (hook(address), mail(address)):
        sender, _ = messenger(channel, tries=2)
        assert sender.deliver(notice())
    assert caplog.text.count("was not sent in 2 tries") == 2


def test_server_that_never_answers_is_a_failed_try(http: tuple[str, int], caplog: pytest.LogCaptureFixture) -> None:
    _Http.hang = threading.Event()
    sender, _ = messenger(hook(http), tries=1, timeout_seconds=0.05)
    assert sender.deliver(notice())
    _Http.hang.set()
    assert "not sent" in caplog.text


def test_stop_does_not_wait_for_a_server(http: tuple[str, int]) -> None:
    _Http.refuse = [500] * 9
    sender, stop = messenger(hook(http), delay_seconds=3600.0)
    thread = threading.Thread(target=lambda: done.append(sender.deliver(notice())))
    done: list[bool] = []
    thread.start()
    stop.set()
    thread.join(LIMIT)
    assert done == [False]


def test_what_was_not_sent_before_the_end_is_not_called_done(http: tuple[str, int]) -> None:
    sender, stop = messenger(hook(http))
    done: list[int] = []

    def waiting() -> Iterator[Notice]:
        yield notice(number=1)
        yield notice(number=2)
        _Http.refuse = [500] * 9
        stop.set()
        yield notice(number=3)

    sender.follow(waiting, done.append, 0.001)
    assert done == [1, 2]


def test_only_what_is_configured_is_a_channel() -> None:
    assert channels(NotifyRules()) == {}
    found = channels(NotifyRules(webhook=WebhookRules(url="http://localhost/")))
    assert list(found) == ["webhook"]

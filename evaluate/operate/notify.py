"""Tells people of changes: mail to teams and the organiser.

Notices come from the journal, so the flow never waits for them, and a message that could not be sent before the
daemon ended is sent by the next one.  A message may arrive twice, after a kill between sending it and recording
that; its number, which is its line in the journal, and the ``Message-ID`` of a mail are then the same.

Exam silence holds here as everywhere: the state, the verdict, and the score where the organiser releases scores.
"""

from __future__ import annotations

import logging
import smtplib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime

from evaluate.config.types import MailRules, NotifyRules
from evaluate.host.mail_server import mail_server

LOG = logging.getLogger("evaluate.notify")
_TRIES, _DELAY_SECONDS = 6, 5.0
"""Tries of a message, and the time before the second; it doubles each time."""
RELEASED = "released"
"""The state of a notice that is about no entry, but about the scores of a challenge."""
STOPPED = "stopped"
"""The state of a notice that is about no entry, but about a part that was stopped after faults."""


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Change of an entry's state, without facts that its team may not see."""

    number: int
    """Number of the line in the journal."""
    at: float
    state: str
    name: str
    """Name of the upload, or of the part."""
    challenge: str = ""
    entry: str = ""
    """Id of the entry; empty: it is about none."""
    team: str = ""
    verdict: str = ""
    """Verdict with which the entry ended; empty while it has not."""
    score: str = ""
    """``F1 0.7400``; empty where there is none or scores are withheld."""
    reason: str = ""
    """Reason of parking, for the organiser alone; of withdrawal or disqualification, for the team."""
    details: str = ""
    """Words of the report to the team about the stage that it did not pass: for mail to the team alone."""
    judged_again: bool = False
    """True if the entry had ended before, and a rejudging that was applied gave it this result."""
    link: str = ""
    """Address of its page at the site; empty where the configuration names none."""
    to: tuple[str, ...] = ()
    """Mail addresses of the team; of a release, of all teams that have entries."""

    @property
    def title(self) -> str:
        """The change in one line."""
        if self.state == STOPPED:
            return f"[evaluate] {self.name} is stopped after faults"
        if self.state == RELEASED:
            return f"[{self.challenge}] scores and leaderboard are released"
        return " ".join(f"[{self.challenge}] {self.name} of team {self.team}: {self.verdict or self.state}".split())


@dataclass(frozen=True)
class Mail:
    """Tells a team how its entry ended, and the organiser what is parked."""

    rules: MailRules

    def send(self, notice: Notice) -> None:
        """Send letters to those who read this notice, perhaps none; raises OSError or SMTPException if it failed."""
        if letters := list(self._letters(notice)):
            self.post(letters)

    def post(self, letters: Sequence[EmailMessage]) -> None:
        """Send letters; raises OSError or SMTPException if it failed."""
        with mail_server(self.rules) as server:
            for letter in letters:
                server.send_message(letter)

    def _letters(self, notice: Notice) -> Iterator[EmailMessage]:
        if notice.state == STOPPED:
            if self.rules.organiser:
                yield self._letter(notice, self.rules.organiser, "organiser", f"{notice.reason}\n{_more(notice.link)}")
            return
        if notice.state == RELEASED:
            text = f"Scores and leaderboard of {notice.challenge} are released.\n{_more(notice.link)}"
            for n, address in enumerate(notice.to):  # nobody sees another team's address
                yield self._letter(notice, address, f"{n}.{notice.state}", text)
            return
        if notice.to and notice.state in ("done", "parked", "withdrawn", "cancelled"):
            yield self._letter(notice, ", ".join(notice.to), "team", _team_text(notice))
        if self.rules.organiser and notice.state == "parked":
            yield self._letter(notice, self.rules.organiser, "organiser", _organiser_text(notice))

    def _letter(self, notice: Notice, to: str, whose: str, text: str) -> EmailMessage:
        letter = _written(self.rules, to, notice.title, text, notice.at)
        letter["Message-ID"] = f"<{notice.number}.{notice.entry}.{whose}@{self.rules.sender.rpartition('@')[2]}>"
        return letter


def _written(rules: MailRules, to: str, subject: str, text: str, at: float) -> EmailMessage:
    """A letter of the program, written at a time."""
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = rules.sender, to, subject
    letter["Date"] = format_datetime(datetime.fromtimestamp(at, UTC))
    letter["Auto-Submitted"] = "auto-generated"
    letter.set_content(text)
    return letter


def _more(link: str) -> str:
    return f"\nMore: {link}\n" if link else ""


def _team_text(notice: Notice) -> str:
    if notice.state == "parked":
        return (
            f"Your entry {notice.name} ({notice.entry}) waits for the organiser of {notice.challenge}.\n"
            f"Your entry is not at fault, and this costs you no attempt.\n{_more(notice.link)}"
        )
    if notice.state != "done":
        return f"Your entry {notice.name} ({notice.entry}) to {notice.challenge} was withdrawn: {notice.reason}\n"
    how = "was judged again, and ended with" if notice.judged_again else "ended with"
    lines = [f"Your entry {notice.name} ({notice.entry}) to {notice.challenge} {how} {notice.verdict}."]
    if notice.score:
        lines.append(f"Score: {notice.score}")
    if notice.details:
        lines += ["", notice.details]
    return "\n".join(lines) + "\n" + _more(notice.link)


def _organiser_text(notice: Notice) -> str:
    return (
        f"Entry {notice.entry} ({notice.name} of team {notice.team}) to {notice.challenge} is parked:\n"
        f"{notice.reason}\n\n    evaluate status {notice.entry}\n"
        f"{_more(notice.link.replace('/entries/', '/organise/entries/', 1))}"
    )


def tell_organiser(rules: NotifyRules, subject: str, text: str) -> None:
    """Mail to the organiser about the queue itself; nothing happens where none is configured.

    Raises OSError if it could not be sent.
    """
    if rules.mail is None or not rules.mail.organiser:
        return
    text = f"{text}\n\n    evaluate verify-state\n"
    letter = _written(rules.mail, rules.mail.organiser, f"[evaluate] {subject}", text, time.time())
    try:
        Mail(rules.mail).post([letter])
    except smtplib.SMTPException as e:
        raise OSError(f"{type(e).__name__}: {e}") from e


@dataclass
class Messenger:
    """Sends notices in order, each several times if it must, at growing distances.

    After a notice that failed every time, the next is tried once only: a server that is down for a day does not make
    every later message wait its full time.
    """

    _well: bool = True
    _failures: int = 0
    """Failed tries of the notice that is next."""
    _due: float = 0.0
    """Time of its next try, by the clock that nobody sets."""

    @property
    def is_due(self) -> bool:
        """True if the next notice may be tried now."""
        return time.monotonic() >= self._due

    def deliver(self, notice: Notice, mail: Mail) -> bool:
        """Try to send a notice; False: it must be tried again once that `is_due`."""
        try:
            mail.send(notice)
        except (OSError, smtplib.SMTPException) as e:
            self._failures += 1
            if self._well and self._failures < _TRIES:
                self._due = time.monotonic() + _DELAY_SECONDS * 2 ** (self._failures - 1)
                return False
            tried = f"was not sent in {self._failures} tries: {type(e).__name__}: {e}"
            LOG.warning("mail: notice %d %s", notice.number, tried)
            self._well = False
        else:
            self._well = True
        self._failures = 0
        return True

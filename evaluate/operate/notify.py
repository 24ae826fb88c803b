"""Tells people of changes: mail to teams and the organiser.

Notices come from the journal, so the flow never waits for them, and a message that could not be sent before the
daemon ended is sent by the next one.  A message may arrive twice, after a kill between sending it and recording
that; its number, which is its line in the journal, and the ``Message-ID`` of a mail are then the same.

Exam silence holds here as everywhere: the state, the verdict, and the score where the organiser releases scores.
"""

from __future__ import annotations

import json
import math
import smtplib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from functools import partial
from typing import Any

import sqlalchemy as sa

from evaluate.config.load import public_name
from evaluate.config.types import Config, MailRules, NotifyRules
from evaluate.core.codec import from_json
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Score, Verdict
from evaluate.host.mail_server import TIMEOUT_SECONDS, mail_server
from evaluate.report.audience import Policy, outcome_for_team, score_for_team, to_the_minute
from evaluate.store.db.reasons import Cause, reason_from_dict, reason_from_text
from evaluate.store.db.rows import QueuedEntry, State, entry_of
from evaluate.store.db.settings import PASSING
from evaluate.store.db.tables import ENTRIES, JOURNAL
from evaluate.store.entries.store import Store
from evaluate.store.logs import LOG
from evaluate.store.people.site_settings import RELEASED as RELEASE
from evaluate.store.people.site_settings import release_key
from evaluate.store.people.teams import find_team
from evaluate.store.schedule.faults import faults
from evaluate.store.schedule.hosts import is_first
from evaluate.store.threads import Threads
from evaluate.views.feedback import policy_of
from evaluate.views.words import detail, fault_text

_TRIES, _DELAY_SECONDS = 6, 5.0
"""Tries of a message, and the time before the second; it doubles each time."""
RELEASED = "released"
"""The state of a notice that is about no entry, but about the scores of a challenge."""
STOPPED = "stopped"
"""The state of a notice that is about no entry, but about a part that was stopped after faults."""
_STRICT = Policy(hidden_exam=True, hidden_training=True, scores_released=False)
_TOLD = tuple(state.value for state in State if state.ended or state is State.PARKED)
"""States that a letter tells of."""
_STOPPED = "fault-stopped"
_PASSED = (Verdict.OK.value, Verdict.DRY_RUN.value)
_PRINTED_LINES = 60
"""Number of lines of what a program printed; the report has all that was kept."""
_AT_ONCE = 200
_SECONDS = 3.0
_SENT = f"{PASSING}mail"


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

    def send(self, notice: Notice, sent: set[str]) -> None:
        """Send letters to those who read this notice, perhaps none; raises as `post`.

        ``sent``: the ids of letters that were sent in an earlier try; those that are sent now are added.
        """
        if letters := [letter for letter in self._letters(notice) if letter["Message-ID"] not in sent]:
            self.post(letters, sent)

    def post(self, letters: Sequence[EmailMessage], sent: set[str]) -> None:
        """Send letters, each even if another is refused; raises OSError or SMTPException if one was not sent."""
        refusal = None
        with mail_server(self.rules) as server:
            for letter in letters:
                try:
                    server.send_message(letter)
                except smtplib.SMTPException as e:
                    refusal = refusal or e
                else:
                    sent.add(letter["Message-ID"])
        if refusal is not None:
            raise refusal

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
        if notice.to:
            yield self._letter(notice, ", ".join(notice.to), "team", _team_text(notice))
        if self.rules.organiser and notice.state == "parked":
            yield self._letter(notice, self.rules.organiser, "organiser", _organiser_text(notice))

    def _letter(self, notice: Notice, to: str, whose: str, text: str) -> EmailMessage:
        letter = written(self.rules, to, notice.title, text, notice.at)
        letter["Message-ID"] = f"<{notice.number}.{notice.entry}.{whose}@{self.rules.sender.rpartition('@')[2]}>"
        return letter


def written(rules: MailRules, to: str, subject: str, text: str, at: float) -> EmailMessage:
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
    letter = written(rules.mail, rules.mail.organiser, f"[evaluate] {subject}", text, time.time())
    try:
        Mail(rules.mail).post([letter], set())
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
    _sent: set[str] = field(default_factory=set)
    """Ids of its letters that were sent."""
    _due: float = 0.0
    """Time of its next try, by the clock that nobody sets."""

    @property
    def is_due(self) -> bool:
        """True if the next notice may be tried now."""
        return time.monotonic() >= self._due

    def deliver(self, notice: Notice, mail: Mail) -> bool:
        """Try to send a notice; False: it must be tried again once that `is_due`."""
        try:
            mail.send(notice, self._sent)
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
        self._sent.clear()
        return True


# Notices of what happened, from the journal


@contextmanager
def announcing(store: Store, executor: str, config: Callable[[], Config], threads: Threads) -> Iterator[None]:
    """Send notices of what happens meanwhile, and of what happened since the last notice.

    Of several hosts the oldest sends them; a change of the configuration takes effect at once.
    """
    if config().notify.mail is not None:
        _last_sent(store)  # changes count from here on, not from the first time that the thread looks
    ended = threading.Event()
    thread = threads.start("announcements", partial(_announce, store, executor, config), ended)
    try:
        yield
    finally:
        ended.set()
        thread.join(TIMEOUT_SECONDS)


def _announce(
    store: Store, executor: str, config: Callable[[], Config], ended: threading.Event, beat: Callable[[], None]
) -> None:
    """Send what is due, again and again."""
    messenger = Messenger()
    while not ended.is_set():
        try:
            rules = config().notify.mail
            if rules is not None and messenger.is_due and is_first(store, executor):
                for notice in notices(store, config(), _last_sent(store)):
                    if ended.is_set() or not messenger.deliver(notice, Mail(rules)):
                        break
                    store.settings.keep(_SENT, str(notice.number))
                    beat()
        except sa.exc.SQLAlchemyError as e:
            LOG.warning("announcements: the database cannot be used: %s", e)
        beat()
        ended.wait(_SECONDS)


def _last_sent(store: Store) -> int:
    """Number of the last line that was sent; where mail is new, of the last line."""
    if kept := store.settings.get(_SENT):
        return int(kept)
    with store.engine.connect() as connection:
        newest = connection.scalar(sa.select(sa.func.max(JOURNAL.c.number))) or 0
    store.settings.keep(_SENT, str(newest))
    return newest


def notices(store: Store, config: Config, after: int) -> list[Notice]:
    """The next changes of state after a line of the journal, in order."""
    release = (JOURNAL.c.event == "set") & JOURNAL.c.data.like(f'{{"key": "{RELEASE}%')
    events = JOURNAL.c.event.in_(["moved", "adopted", _STOPPED])
    later = sa.select(JOURNAL).where(events | release).order_by(JOURNAL.c.number).limit(_AT_ONCE)
    with store.engine.connect() as connection:
        while lines := connection.execute(later.where(JOURNAL.c.number > after)).all():
            announced = [_notice(store, connection, config, line) for line in lines]
            if worth_sending := [notice for notice in announced if notice is not None]:
                return worth_sending
            after = lines[-1].number  # these changes are not announced
    return []


def _notice(store: Store, connection: sa.Connection, config: Config, line: sa.Row[Any]) -> Notice | None:
    data = json.loads(line.data)
    if line.event == "set":
        return _released(store, connection, config, line, data) if data["value"] else None
    if line.event == _STOPPED:
        return _stopped(store, line, data["fault"])
    if line.event == "moved" and data["to"] not in _TOLD:
        return None
    entry = connection.execute(sa.select(ENTRIES).where(ENTRIES.c.id == line.entry)).one()
    if line.event == "moved":
        state, reason = data["to"], reason_from_dict(data["reason"])
    else:
        state, reason = State.DONE.value, reason_from_text(entry.reason)
    ended, out = state == State.DONE.value, reason.cause in (Cause.WITHDRAWN, Cause.DISQUALIFIED)
    policy = _policy(store, config, entry_of(entry._mapping)) if ended else _STRICT
    return Notice(
        number=line.number,
        at=line.at if policy.feedback is None else to_the_minute(line.at),
        entry=line.entry,
        team=entry.team,
        challenge=public_name(entry.challenge, config),
        name=entry.name,
        state=state,
        verdict=reason.verdict,
        score=_score(store, line.entry, entry.attempt, policy) if ended else "",
        judged_again=line.event == "adopted",
        link=f"{config.web.address}/entries/{line.entry}" if config.web.address else "",
        reason=detail(reason) if state == State.PARKED.value or out else "",
        details=_details(store, entry, policy) if ended and reason.verdict not in _PASSED else "",
        to=_addresses(store, entry.team) if out or state in (State.DONE.value, State.PARKED.value) else (),
    )


def _released(
    store: Store, connection: sa.Connection, config: Config, line: sa.Row[Any], data: dict[str, Any]
) -> Notice | None:
    """Return the notice that scores are released, for all teams that have entries."""
    challenge = next((name for name in store.challenges() if release_key(name) == data["key"]), None)
    if challenge is None:
        return None
    names = connection.scalars(sa.select(ENTRIES.c.team).where(ENTRIES.c.challenge == challenge).distinct()).all()
    name = public_name(challenge, config)
    return Notice(
        number=line.number,
        at=line.at,
        challenge=name,
        name=name,
        state=RELEASED,
        link=f"{config.web.address}/challenges/{name}/board" if config.web.address else "",
        to=tuple(dict.fromkeys(address for team in sorted(names) for address in _addresses(store, team))),
    )


def _stopped(store: Store, line: sa.Row[Any], number: int) -> Notice | None:
    """Return the notice that a part is stopped, for the organiser."""
    fault = next((fault for fault in faults(store.database, resolved=True) if fault.id == number), None)
    if fault is None:
        return None
    return Notice(
        number=line.number,
        at=line.at,
        entry=line.entry,
        name=fault.words,
        state=STOPPED,
        reason=fault_text(fault),
    )


def _policy(store: Store, config: Config, entry: QueuedEntry) -> Policy:
    """Return a policy as strict as if every exam were hidden: of the exam a notice tells the score only."""
    try:
        return replace(policy_of(config, store, entry), hidden_exam=True)
    except ChallengeError:  # it is gone, and with it what may be announced
        return _STRICT


def _details(store: Store, entry: sa.Row[Any], policy: Policy) -> str:
    """Return what the team's report says of the stage that its entry did not pass."""
    outcomes = store.outcomes(entry.id, entry.attempt)
    if not outcomes:
        return ""
    result = outcome_for_team(outcomes[-1], policy).result
    printed = result.diagnostics.splitlines()
    if len(printed) > _PRINTED_LINES:
        printed = ["…", *printed[-_PRINTED_LINES:]]
    return "\n".join([f"{result.stage}: {result.message}", *([""] if printed else []), *printed])


def _addresses(store: Store, name: str) -> tuple[str, ...]:
    """Return the addresses of the members of a team that get mail."""
    team = find_team(store.database, name)
    return tuple(team.addresses) if team is not None else ()


def _score(store: Store, entry: str, attempt: int, policy: Policy) -> str:
    row = store.score(entry, attempt)
    score = score_for_team(from_json(Score, row), policy) if row is not None else None
    value = score.values[score.primary] if score is not None else math.nan
    return "" if score is None or math.isnan(value) else f"{score.primary} {value:.4f}"

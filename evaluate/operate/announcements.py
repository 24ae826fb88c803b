"""Notices of what happened, from the journal; see `evaluate.operate.notify` for how they are sent."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import sqlalchemy as sa

from evaluate.config.load import public_name
from evaluate.config.types import Config
from evaluate.core.codec import from_json
from evaluate.core.errors import ChallengeError
from evaluate.core.model import Score, Verdict
from evaluate.host.mail_server import TIMEOUT_SECONDS
from evaluate.operate.notify import RELEASED, STOPPED, Mail, Messenger, Notice
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

"""Settings of organisers: announcements, rules and questions, releases of scores, baselines, later deadlines of teams.

All are settings, so the journal has every one; of who accepted rules it has a digest, not the address.  A release opens
board, reports and mail at once for all.

An entry that a team may submit after a phase has ended belongs to that phase: it counts as submitted in the phase's
last second, on boards, in quotas and in receipts alike, and the journal has when it arrived.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.load import challenge_key
from evaluate.config.terms import Phase, Scores
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.core.sanitize import sanitize
from evaluate.store.db.database import Database
from evaluate.store.db.settings import Settings, keep_in, key_for
from evaluate.store.db.tables import SETTINGS
from evaluate.store.people.teams import BASELINE, DEADLINE, keep_of, kept_of, known_name

NEWS, TEXT, ACCEPTED = "news:", "text:", "accepted:"
"""Starts of the keys of settings about a challenge, by its name at the site."""
_LONGEST_NEWS = 5000
_LONGEST_TEXT = 30_000
RELEASED = "released:"
_MOST_REASON = 1000
_NEVER = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
"""Later moments have no date, which pages show."""
_LAST_SECONDS = 0.001
"""Before the end of its phase, after all that came in time; receipts have whole seconds, rounded down."""


@dataclass(frozen=True, kw_only=True)
class Announcement:
    """One announcement."""

    id: str
    at: float
    challenge: str
    """Its name at the site; empty: for all."""
    text: str
    """Markdown."""


def announce(settings: Settings, text: str, challenge: str = "") -> Announcement:
    """Announce something. Raises UsageError if the text is empty or too long."""
    if not 0 < len(text.strip()) <= _LONGEST_NEWS:
        raise UsageError(f"expected a text of 1 to {_LONGEST_NEWS} characters to announce, found {len(text)}")
    now = time.time()
    announcement = Announcement(id=f"n{time.time_ns():x}", at=now, challenge=challenge, text=sanitize(text.strip()))
    settings.keep(NEWS + announcement.id, json.dumps(asdict(announcement)))
    return announcement


def withdraw_news(settings: Settings, identity: str) -> None:
    """Remove an announcement. Raises UsageError if there is none with this id."""
    if not settings.get(NEWS + identity):
        raise UsageError(f"no announcement {identity!r}")
    settings.keep(NEWS + identity, "")


def announcements(settings: Settings) -> list[Announcement]:
    """All of them, the newest first."""
    news = [Announcement(**json.loads(value)) for value in settings.under(NEWS).values() if value]
    return sorted(news, key=lambda announcement: -announcement.at)


class TextKind(StrEnum):
    """Kind of text."""

    RULES = "rules"
    """To be accepted by everybody before a first upload."""
    QUESTIONS = "questions"
    """Questions that are asked often, with their answers."""


def text_of(settings: Settings, kind: TextKind, challenge: str) -> str:
    """A text in Markdown; empty if there is none.

    ``challenge``: its name at the site.
    """
    return sanitize(settings.get(_text_key(kind, challenge)))


def keep_text(settings: Settings, kind: TextKind, challenge: str, text: str) -> None:
    """Replace a text; empty: there is none any more. Raises UsageError if it is too long."""
    if len(text) > _LONGEST_TEXT:
        raise UsageError(f"expected a text of at most {_LONGEST_TEXT} characters, found {len(text)}")
    settings.keep(_text_key(kind, challenge), sanitize(text.replace("\r\n", "\n").strip()))


def accept_rules(settings: Settings, challenge: str, address: str) -> None:
    """Note that a person accepted the rules as they are now."""
    settings.keep(_accepted(challenge, address), _digest(text_of(settings, TextKind.RULES, challenge)))


def has_accepted(settings: Settings, challenge: str, address: str) -> bool:
    """True if a person accepted the rules as they are now; true where there are none."""
    rules = text_of(settings, TextKind.RULES, challenge)
    return not rules or settings.get(_accepted(challenge, address)) == _digest(rules)


def accepted_by(address: str) -> str:
    """Start of the keys of all rules that a person accepted; who that was is not said."""
    return f"{ACCEPTED}{_digest(address)}:"


def _text_key(kind: TextKind, challenge: str) -> str:
    return key_for(f"{TEXT}{kind}:", challenge)


def _accepted(challenge: str, address: str) -> str:
    return key_for(accepted_by(address), challenge)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def scores_released(config: Config, settings: Settings, challenge: str) -> bool:
    """True if the scores of a challenge, by its name in the store, are released."""
    return config.terms(challenge).scores is Scores.RELEASED or bool(settings.get(release_key(challenge)))


def release_scores(settings: Settings, challenge: str, *, on: bool = True) -> None:
    """Let teams know their scores, whatever the configuration says; ``on=False``: as the configuration says."""
    settings.keep(release_key(challenge), "yes" if on else "")


def release_key(challenge: str) -> str:
    """The key of its setting."""
    return key_for(RELEASED, challenge)


def mark_baseline(database: Database, team: str, *, on: bool = True) -> str:
    """Mark a team, by any of its names, as a baseline, which has no rank on boards, or remove the mark.

    Raises UsageError if there is no such team, or nothing to remove.  Returns the team's own name.
    """
    with database.change() as connection:
        name = known_name(connection, team)
        kept = kept_of(connection, BASELINE, name)
        if not on and not kept:
            raise UsageError(f"{name}: not marked as a baseline")
        if on and not kept:
            keep_of(connection, BASELINE, name)
        for key in [] if on else kept:
            keep_in(connection, key, "")
    return name


def baseline_teams(database: Database) -> frozenset[str]:
    """The teams, by their own names, that are marked as baselines."""
    return frozenset(json.loads(value)["team"] for value in Settings(database).under(BASELINE).values() if value)


@dataclass(frozen=True, kw_only=True)
class Extension:
    """Until when a team may submit to a phase that is over for the others."""

    challenge: str
    """Its name in ``evaluate.yaml``; of several, the one whose settings hold."""
    team: str
    """Its own name; where a deadline is asked for, any of its names."""
    phase: str
    until: float
    """Seconds since 1970, UTC."""
    reason: str


def checked_reason(reason: str) -> str:
    """A reason without blanks around it. Raises UsageError if it is empty or too long."""
    if not 0 < len(reason.strip()) <= _MOST_REASON:
        raise UsageError(f"expected a reason of 1 to {_MOST_REASON} characters, found {len(reason.strip())}")
    return reason.strip()


def allow_late(database: Database, config: Config, wanted: Extension) -> Extension:
    """Give a team a later deadline, in place of the one that it has; returns it with the team's own name.

    Raises UsageError if there is no such challenge, phase or team, the deadline is not after the end of the phase, the
    reason is empty or too long, or the exam is hidden: what was kept back in a phase is shown when it has ended.

    ``wanted``: with any name of the team.
    """
    name = _name(config, wanted.challenge)
    phase = _phase(config, name, wanted.phase)
    if not phase.ends < wanted.until < _NEVER:
        raise UsageError(f"expected a deadline after the end of phase {phase.name}, and before the year 9999")
    reason = sanitize(checked_reason(wanted.reason))
    if load_challenge(challenge_key(wanted.challenge, config)).with_exam(phase.data).exam.hidden:
        raise UsageError(
            f"{wanted.challenge}: its exam is hidden, and the end of a phase shows what was kept back in it; "
            "change the end of the phase for all teams instead"
        )
    with database.change() as connection:
        late = replace(wanted, challenge=name, team=known_name(connection, wanted.team), reason=reason)
        _withdraw(connection, name, late.team, late.phase)
        keep_of(connection, DEADLINE, **asdict(late))
    return late


def withdraw_deadline(database: Database, config: Config, challenge: str, team: str, phase: str) -> None:
    """Take a later deadline back; what was submitted until now stays.

    Raises UsageError if there is no such team, or it has none.
    """
    with database.change() as connection:
        if not _withdraw(connection, _name(config, challenge), known_name(connection, team), phase):
            raise UsageError(f"team {team} has no later deadline for phase {phase} of {challenge}")


def _withdraw(connection: sa.Connection, challenge: str, team: str, phase: str) -> int:
    """Remove the later deadlines of a team for a phase; returns how many there were."""
    values = kept_of(connection, DEADLINE, team)
    keys = [key for key, late in values.items() if (late["challenge"], late["phase"]) == (challenge, phase)]
    for key in keys:
        keep_in(connection, key, "")
    return len(keys)


def deadlines(settings: Settings, config: Config, challenge: str) -> list[Extension]:
    """The later deadlines of a challenge, by a name in ``evaluate.yaml``, the earliest first."""
    return _deadlines_of(settings.under(DEADLINE).values(), _name(config, challenge))


def counted_at(connection: sa.Connection, challenge: str, phases: Sequence[Phase], team: str, at: float) -> float:
    """The time as which an upload of a team counts, by the deadlines that hold within the transaction.

    * ``challenge``: its name in ``evaluate.yaml``.
    * ``team``: its own name.
    * ``at``: when it arrived.
    """
    of_teams = running(connection, challenge, phases, [team], at)
    late = next((phase for phase in phases if team in of_teams and phase.name == of_teams[team].phase), None)
    return at if late is None else max(late.begins, late.ends - _LAST_SECONDS)


def running(
    connection: sa.Connection, challenge: str, phases: Sequence[Phase], teams: Sequence[str], at: float
) -> dict[str, Extension]:
    """Return teams' deadlines, by their own names, for a phase that is over for others; their entries belong to it."""
    over = {phase.name for phase in phases if phase.ends <= at}
    if not over:
        return {}
    values = sa.select(SETTINGS.c.value).where(SETTINGS.c.key.startswith(DEADLINE, autoescape=True))
    first: dict[str, Extension] = {}
    for late in _deadlines_of(connection.scalars(values).all(), challenge):
        if at < late.until and late.phase in over:
            first.setdefault(late.team, late)
    return {team: first[team] for team in teams if team in first}


def _deadlines_of(values: Iterable[str], challenge: str) -> list[Extension]:
    """The later deadlines of a challenge, the earliest first."""
    extensions = [Extension(**json.loads(value)) for value in values if value]
    mine = [late for late in extensions if late.challenge == challenge]
    return sorted(mine, key=lambda late: (late.until, late.team, late.phase))


def _name(config: Config, challenge: str) -> str:
    """Return, of the names of a challenge, which may be several for one folder, the one whose settings hold."""
    return config.name_of(challenge_key(challenge, config)) or challenge


def _phase(config: Config, challenge: str, name: str) -> Phase:
    if challenge not in config.challenges:
        raise UsageError(f"{challenge}: expected a challenge that evaluate.yaml names; add it there first")
    phases = config.challenges[challenge].phases
    phase = next((phase for phase in phases if phase.name == name), None)
    if phase is None:
        names = ", ".join(phase.name for phase in phases) or "none"
        raise UsageError(f"{challenge} has no phase {name!r}; its phases are {names}")
    return phase

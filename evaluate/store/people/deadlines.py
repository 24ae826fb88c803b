"""Later deadlines of single teams, each with a reason.

They are settings, so the journal has every one.  An entry that a team may submit after a phase has ended belongs to
that phase: it counts as submitted in the phase's last second, on boards, in quotas and in receipts alike, and the
journal has when it arrived.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import sqlalchemy as sa

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.load import challenge_key
from evaluate.config.terms import Phase
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.core.sanitize import sanitize
from evaluate.store.db.database import Database
from evaluate.store.db.rows import folded
from evaluate.store.db.settings import Settings, keep_in, key_for
from evaluate.store.db.tables import SETTINGS, TEAM_NAMES
from evaluate.store.people.teams import get_team

_KEY = "deadline:"
_MOST_REASON = 1000
_NEVER = datetime(9999, 1, 1, tzinfo=UTC).timestamp()
"""Later moments have no date, which pages show."""
_LAST_SECONDS = 0.001
"""Before the end of its phase, after all that came in time; receipts have whole seconds, rounded down."""


@dataclass(frozen=True, kw_only=True)
class Extension:
    """Until when a team may submit to a phase that is over for the others."""

    challenge: str
    """Its name in ``evaluate.yaml``; of several, the one whose settings hold."""
    team: str
    """One of its names."""
    phase: str
    until: float
    """Seconds since 1970, UTC."""
    reason: str


def allow_late(database: Database, config: Config, wanted: Extension) -> Extension:
    """Give a team a later deadline, in place of the one that it has; returns it with the team's own name.

    Raises UsageError if there is no such challenge, phase or team, the deadline is not after the end of the phase, the
    reason is empty or too long, or the exam is hidden: what was kept back in a phase is shown when it has ended.

    ``wanted``: with any name of the team.
    """
    name = _name(config, wanted.challenge)
    phase, team = _phase(config, name, wanted.phase), get_team(database, wanted.team).name
    if not phase.ends < wanted.until < _NEVER:
        raise UsageError(f"expected a deadline after the end of phase {phase.name}, and before the year 9999")
    if not 0 < len(wanted.reason.strip()) <= _MOST_REASON:
        raise UsageError(f"expected a reason of 1 to {_MOST_REASON} characters, found {len(wanted.reason.strip())}")
    if load_challenge(challenge_key(wanted.challenge, config)).with_exam(phase.data).exam.hidden:
        raise UsageError(
            f"{wanted.challenge}: its exam is hidden, and the end of a phase shows what was kept back in it; "
            "change the end of the phase for all teams instead"
        )
    reason = sanitize(wanted.reason.strip())
    late = Extension(challenge=name, team=team, phase=wanted.phase, until=wanted.until, reason=reason)
    Settings(database).keep(_key(late), json.dumps(asdict(late)))
    return late


def withdraw_deadline(database: Database, config: Config, challenge: str, team: str, phase: str) -> None:
    """Take a later deadline back; what was submitted until now stays.

    Raises UsageError if there is no such team, or it has none.
    """
    settings, of_team = Settings(database), get_team(database, team)
    names = {folded(name) for name in (of_team.name, *of_team.aliases)}
    every = deadlines(settings, config, challenge)
    keys = [_key(late) for late in every if late.phase == phase and folded(late.team) in names]
    if not keys:
        raise UsageError(f"team {team} has no later deadline for phase {phase} of {challenge}")
    with database.change() as connection:
        for key in keys:
            keep_in(connection, key, "")


def deadlines(settings: Settings, config: Config, challenge: str) -> list[Extension]:
    """The later deadlines of a challenge, by a name in ``evaluate.yaml``, the earliest first."""
    return _of_challenge(settings.under(_KEY).values(), _name(config, challenge))


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
    first: dict[str, Extension] = {}
    for late in _of_challenge(_values(connection), challenge):
        if at < late.until and late.phase in over:
            first.setdefault(folded(late.team), late)
    if not first:
        return {}
    names = sa.select(TEAM_NAMES.c.team, TEAM_NAMES.c.folded).where(TEAM_NAMES.c.folded.in_(first))
    of_teams = {row.team: first[row.folded] for row in connection.execute(names)}
    return {team: of_teams[team] for team in teams if team in of_teams}


def _values(connection: sa.Connection) -> Iterable[str]:
    return connection.scalars(sa.select(SETTINGS.c.value).where(SETTINGS.c.key.startswith(_KEY, autoescape=True))).all()


def _of_challenge(values: Iterable[str], challenge: str) -> list[Extension]:
    """The later deadlines of a challenge, the earliest first."""
    extensions = [Extension(**json.loads(value)) for value in values if value]
    mine = [late for late in extensions if late.challenge == challenge]
    return sorted(mine, key=lambda late: (late.until, late.team, late.phase))


def _key(late: Extension) -> str:
    return key_for(_KEY, json.dumps([late.challenge, folded(late.team), late.phase]))


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

"""Look up what an organiser means by a word that may be the id of an entry or a name of a team."""

from __future__ import annotations

from evaluate.core.errors import UsageError
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.entries.store import Store
from evaluate.store.people.teams import Team, find_team

Named = str | QueuedEntry | Team
"""A word, or what is meant already."""


def named(store: Store, what: Named) -> QueuedEntry | Team:
    """The entry with this id, or the team with this name.

    Raises UsageError if there is neither, or both.
    """
    if not isinstance(what, str):
        return what
    team = find_team(store.database, what)
    try:
        entry = store.entry(what)
    except UsageError:
        if team is None:
            raise UsageError(f"{what!r}: expected the id of an entry or the name of a team, found neither") from None
        return team
    if team is not None:
        raise UsageError(
            f"{what!r} is an entry of team {entry.team!r}, and a name of team {team.name!r}: use the site, where the "
            "page of an entry and that of the teams each mean one of them"
        )
    return entry

"""The numbers of a day for the organiser, as a line of the journal, so that they are sent once."""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from evaluate.config.named import called
from evaluate.config.types import Config
from evaluate.queue.db import journal
from evaluate.queue.db.rows import ACTIVE, State
from evaluate.queue.db.settings import put_setting, setting_in
from evaluate.queue.db.tables import ENTRIES, FAULTS
from evaluate.queue.entries.store import Store

DIGEST = "digest:"
"""Key of a setting: the last day that was summed up, and its text; empty if there is nothing to say."""


def note_digest(store: Store, config: Config) -> None:
    """Write the digest of yesterday (UTC) into the journal, once."""
    today = datetime.fromtimestamp(time.time(), UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    day = f"{today - timedelta(days=1):%Y-%m-%d}"
    if _day_of(store.settings.get(DIGEST)) >= day:
        return
    with store.change() as connection:
        if _day_of(setting_in(connection, DIGEST)) < day:
            text = _text(connection, config, today, day)
            value = json.dumps({"day": day, "text": text})
            put_setting(connection, DIGEST, value)
            journal.write(connection, "", "set", {"key": DIGEST, "value": value}, time.time())


def _day_of(value: str) -> str:
    return str(json.loads(value)["day"]) if value else ""


def _text(connection: sa.Connection, config: Config, today: datetime, day: str) -> str:
    """What came on a day, and what waits now; empty if there is neither."""
    begins, ends = (today - timedelta(days=1)).timestamp(), today.timestamp()
    counted = sa.select(ENTRIES.c.challenge, ENTRIES.c.state, sa.func.count().label("n"))
    came = (ENTRIES.c.submitted >= begins) & (ENTRIES.c.submitted < ends)
    challenges: Counter[str] = Counter()
    states: Counter[str] = Counter()
    for row in connection.execute(counted.where(came).group_by(ENTRIES.c.challenge, ENTRIES.c.state)):
        challenges[called(row.challenge, config)] += row.n
        states[row.state] += row.n
    waits = sa.select(ENTRIES.c.state, sa.func.count().label("n")).group_by(ENTRIES.c.state)
    now = {row.state: row.n for row in connection.execute(waits.where(ENTRIES.c.state.in_(_WAITING)))}
    faults = connection.scalar(sa.select(sa.func.count()).where(FAULTS.c.resolved == 0)) or 0
    if not (challenges or now or faults):
        return ""
    running = sum(now.get(state.value, 0) for state in ACTIVE)
    lines = [f"Entries submitted on {day} (UTC): {sum(challenges.values())}."]
    lines += [f"  {name}: {n}" for name, n in sorted(challenges.items())]
    lines += (
        [f"Their states now: {', '.join(f'{n} {state}' for state, n in sorted(states.items()))}."] if states else []
    )
    lines.append(
        f"In the queue now: {now.get(State.QUEUED.value, 0)} queued, {running} in their stages, "
        f"{now.get(State.PARKED.value, 0)} parked. Unresolved faults: {faults}."
    )
    return "\n".join(lines)


_WAITING = [state.value for state in (State.QUEUED, State.PARKED, *ACTIVE)]

"""Signals that a host reads once a second: work that waits to begin, and acts of organisers and faults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES, FAULTS, HOSTS, REJUDGING_ATTEMPTS, SETTINGS, TASKS
from evaluate.store.entries.store import Store
from evaluate.store.schedule.faults import DRAIN, stopped_challenges


@dataclass(frozen=True, kw_only=True)
class Signals:
    """The signals of one look."""

    queued: bool = False
    """Entries wait for their turn."""
    rejudgings: bool = False
    """Attempts of rejudgings wait for their turn."""
    held: bool = False
    """Tasks are held until something else has ended."""
    busy: bool = False
    """Tasks wait, or run."""
    draining: bool = False
    faulty: bool = False
    """A fault is not resolved."""
    slots: int = 1
    """Slots of the largest host."""
    stopped: Mapping[str, bool] = field(default_factory=dict)
    """Challenges that wait until a fault is resolved, and whether only their prep does."""

    def stops(self, challenge: str, stage: Stage) -> bool:
        """True if a stage of a challenge may not begin."""
        return challenge in self.stopped and (stage is Stage.PREP or not self.stopped[challenge])


def signals(store: Store, executor: str) -> Signals:
    """Read them by one statement, which costs the same whatever waits."""
    key = DRAIN + executor.rpartition(":")[0]
    query = sa.select(
        sa.exists().where(ENTRIES.c.state == State.QUEUED.value).label("queued"),
        sa.exists().where(REJUDGING_ATTEMPTS.c.state == State.QUEUED.value).label("rejudgings"),
        sa.exists().where(TASKS.c.place < 0).label("held"),
        sa.exists().where(TASKS.c.place > 0).label("busy"),
        sa.exists().where(SETTINGS.c.key == key, SETTINGS.c.value != "").label("draining"),
        sa.exists().where(FAULTS.c.resolved == 0).label("faulty"),
        sa.select(sa.func.coalesce(sa.func.max(HOSTS.c.slots), 1)).scalar_subquery().label("slots"),
        sa.exists().where(FAULTS.c.resolved == 0, FAULTS.c.stopped).label("stopped"),
    )
    with store.database.ask() as connection:
        row = connection.execute(query).mappings().one()
    flags = {name: bool(value) for name, value in row.items() if name not in ("slots", "stopped")}
    stopped = stopped_challenges(store.database) if row["stopped"] else {}
    return Signals(**flags, slots=row["slots"], stopped=stopped)

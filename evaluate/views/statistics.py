"""Numbers about the past of a queue, for its organisers."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.store.db.reasons import reason_from_text
from evaluate.store.db.tables import ENTRIES, RESULTS
from evaluate.store.entries.store import Store

DAYS = 60
"""Number of days that the statistics go back."""


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """Statistics of one challenge, or of all."""

    days: Mapping[str, int]
    """Day (UTC) -> entries submitted on it, the last `DAYS` of them, those without entries too."""
    outcomes: Mapping[str, int]
    """Verdict, or state of an entry without one -> entries of these days."""
    waits: tuple[float, ...]
    """Seconds from submission to the first stage of the entries of these days, sorted."""
    hours: Mapping[str, float]
    """Team -> hours of machine of all its entries, most first."""

    @property
    def most(self) -> int:
        """Entries of the busiest day."""
        return max(self.days.values(), default=0)

    def wait(self, share: float) -> float | None:
        """The waiting time that a share of the entries did not exceed; None: nothing is known."""
        return self.waits[min(len(self.waits) - 1, int(share * len(self.waits)))] if self.waits else None


def statistics(store: Store, challenge: str = "") -> Statistics:
    """Count, by three statements.

    ``challenge``: its name in the store; by default all.
    """
    today = datetime.fromtimestamp(time.time(), UTC).date()
    days = Counter({(today - timedelta(days=back)).isoformat(): 0 for back in range(DAYS - 1, -1, -1)})
    since = datetime.combine(today - timedelta(days=DAYS - 1), datetime.min.time(), UTC).timestamp()
    of = [ENTRIES.c.challenge == challenge] if challenge else []
    recent = sa.select(ENTRIES.c.submitted, ENTRIES.c.state, ENTRIES.c.reason).where(ENTRIES.c.submitted >= since, *of)
    first = (RESULTS.c.entry == ENTRIES.c.id) & (RESULTS.c.attempt == 1) & (RESULTS.c.stage == Stage.PREP.value)
    begun = (RESULTS.c.at - RESULTS.c.wall_seconds - ENTRIES.c.submitted).label("wait")
    waits = sa.select(begun).select_from(ENTRIES).join(RESULTS, first).where(ENTRIES.c.submitted >= since, *of)
    spent = sa.func.sum(RESULTS.c.wall_seconds)
    hours = sa.select(ENTRIES.c.team, spent.label("seconds")).select_from(ENTRIES)
    hours = (
        hours.join(RESULTS, RESULTS.c.entry == ENTRIES.c.id).where(*of).group_by(ENTRIES.c.team).order_by(spent.desc())
    )
    outcomes: Counter[str] = Counter()
    with store.engine.connect() as connection:
        for row in connection.execute(recent):
            days[datetime.fromtimestamp(row.submitted, UTC).date().isoformat()] += 1
            outcomes[reason_from_text(row.reason).verdict or row.state] += 1
        waited = sorted(max(0.0, wait) for wait in connection.scalars(waits))
        teams = {row.team: row.seconds / 3600 for row in connection.execute(hours)}
    return Statistics(days=dict(days), outcomes=dict(outcomes.most_common()), waits=tuple(waited), hours=teams)

"""Phases in force: a change of ``evaluate.yaml`` that concerns entries waits until the organiser accepts it.

The phases of each challenge are settings, so the journal has every change.  A change waits if it shows what a phase
kept back, opens a phase again whose scores were shown, or puts entries into another phase.  Others are taken at once: a
phase without entries, a new end that is still to come, another name.  An entry belongs to its phase by the time as
which it counts, so that a phase which is renamed keeps its entries, quotas and later deadlines.
"""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import sqlalchemy as sa

from evaluate.config.load import challenge_key
from evaluate.config.terms import Phase, in_utc, phase_at
from evaluate.config.types import Config
from evaluate.core.codec import from_json, to_json
from evaluate.core.files import is_read_only
from evaluate.store.db.settings import keep_in, key_for
from evaluate.store.db.tables import ENTRIES
from evaluate.store.entries.store import Store
from evaluate.store.people.deadlines import rename_phase

_KEY = "phases:"
_Phases = tuple[Phase, ...]


@dataclass(frozen=True, kw_only=True)
class InForce:
    """A configuration whose phases are those in force."""

    config: Config
    waiting: Mapping[str, tuple[str, ...]]
    """Name of a challenge -> the effects of the change of its phases that waits."""

    @property
    def words(self) -> tuple[str, ...]:
        """The changes that wait, each with the command that accepts it."""
        return tuple(
            f"evaluate.yaml: the changed phases of {name} are not in force: {'; '.join(effects)}. "
            f"Accept them with `evaluate challenge phases {name} --yes`, or put back what was there"
            for name, effects in self.waiting.items()
        )


def in_force(store: Store, config: Config, *, accept: str = "") -> InForce:
    """A configuration with the phases in force; its other changes of phases are kept.

    ``accept``: the name of a challenge whose phases are taken as they are in the file.
    """
    settings = store.settings.under(_KEY).values()
    kept = {values["challenge"]: from_json(_Phases, values["phases"]) for values in map(json.loads, settings)}
    changed = [name for name, terms in config.challenges.items() if kept.get(name, ()) != terms.phases]
    if not changed:
        return InForce(config=config, waiting={})
    anchor = store.database.anchor
    writable = anchor is None or not is_read_only(anchor.path.parent)
    waiting: dict[str, tuple[str, ...]] = {}
    challenges = dict(config.challenges)
    for name in changed:
        before, after = kept.get(name, ()), config.challenges[name].phases
        with store.engine.connect() as connection:
            moves = _moves(connection, challenge_key(name, config), before, after)
        effects = tuple(dict.fromkeys(_effects(moves, before, after, time.time())))
        if effects and name != accept:
            waiting[name] = effects
            challenges[name] = replace(challenges[name], phases=before)
        elif writable:
            _keep(store, name, after, moves)
    return InForce(config=replace(config, challenges=challenges), waiting=waiting)


@dataclass(frozen=True, kw_only=True)
class _Move:
    """Entries, and their phase before and after a change."""

    entries: int
    before: Phase | None
    after: Phase | None


def _moves(connection: sa.Connection, challenge: str, before: _Phases, after: _Phases) -> list[_Move]:
    times = sorted({at for phase in (*before, *after) for at in (phase.begins, phase.ends)} | {-math.inf, math.inf})
    counts: Counter[tuple[Phase | None, Phase | None]] = Counter()
    for begins, ends in pairwise(times):
        within = ENTRIES.c.challenge == challenge
        if math.isfinite(begins):
            within &= ENTRIES.c.submitted >= begins
        if math.isfinite(ends):
            within &= ENTRIES.c.submitted < ends
        entries = connection.scalar(sa.select(sa.func.count()).where(within)) or 0
        counts[phase_at(before, begins), phase_at(after, begins)] += entries
    return [_Move(entries=n, before=old, after=new) for (old, new), n in counts.items() if n]


def _effects(moves: Sequence[_Move], before: _Phases, after: _Phases, now: float) -> Iterator[str]:
    """The effects of a change for which the organiser is asked."""
    names = {phase.name for phase in before} & {phase.name for phase in after}
    for move in moves:
        old, new = move.before, move.after
        was_over, is_over = (phase is not None and phase.ends <= now for phase in (old, new))
        if new is not None and is_over and not was_over:
            yield f"{_named(new)} ended at {in_utc(new.ends)}, so what it kept back is shown"
        if new is not None and was_over and not is_over:
            yield f"{_named(new)} is open again, though what it kept back was shown"
        if old is not None and new is not None and old.data != new.data:
            entries = f"entries of {_named(old)} that keep {old.data}: {move.entries}"
            yield f"{_named(new)} has the exam {new.data}, {entries}"
        parted = any((move.before == other.before) != (move.after == other.after) for other in moves)
        others = (
            old is not None and new is not None and old.name != new.name and not names.isdisjoint((old.name, new.name))
        )
        if parted or others or (old is not None and new is None):
            yield f"entries that get from {_named(old)} into {_named(new)}: {move.entries}"


def _keep(store: Store, name: str, phases: _Phases, moves: Sequence[_Move]) -> None:
    with store.change() as connection:
        kept = {phase.name for phase in phases}
        for move in moves:
            if move.before is not None and move.after is not None and move.before.name not in kept:
                rename_phase(connection, name, move.before.name, move.after.name)
        keep_in(connection, key_for(_KEY, name), json.dumps({"challenge": name, "phases": to_json(phases)}))


def _named(phase: Phase | None) -> str:
    return "no phase" if phase is None else f"phase {phase.name}"

"""Sentence about an entry: its cause of waiting, its host, the next stage and its time.

The time is an estimate, and the sentence names its basis: the run times of earlier entries, and the number of entries
ahead by fair share.  Without a basis, it says so.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.report.audience import to_the_minute
from evaluate.store.db.reasons import Cause
from evaluate.store.db.rows import Host, QueuedEntry, State, TaskRow
from evaluate.store.db.tables import ENTRIES, RESULTS, TASKS
from evaluate.store.entries import fair_turns
from evaluate.store.entries.store import ENTRIES_QUEUE, Store
from evaluate.store.schedule.faults import stop_of
from evaluate.store.schedule.hosts import hosts
from evaluate.store.schedule.tasks import tasks
from evaluate.views.words import ago, detail, gpus, plural, span

_NAMES = {
    Stage.PREP: "prep",
    Stage.TRAIN: "training",
    Stage.QUIZ: "the quiz",
    Stage.EXAM: "the exam",
    Stage.SCORE: "the score",
}


_NEWEST = 20
"""Number of earlier entries that an estimate rests on, at most: few rows are read, however many have ended."""


@dataclass(frozen=True, kw_only=True)
class Outlook:
    """Facts that the sentence rests on."""

    entry: QueuedEntry
    now: float
    hosts: tuple[Host, ...] = ()
    tasks: tuple[TaskRow, ...] = ()
    """Tasks of the entry: those that run, then those that wait for a slot."""
    ahead: int = 0
    """Entries whose turn comes before this one; of a waiting task, the tasks that get a slot before it."""
    teams: int = 1
    """Teams that have entries in the queue."""
    busy: int = 0
    """Entries in their stages."""
    durations: Sequence[float] = ()
    """While queued: seconds of all stages together of the newest entries that ended, to any challenge."""
    stop: int = 0
    """The fault for which entries to its challenge do not begin; 0: they do."""
    for_team: bool = False
    """True if the entry's team reads it: it knows no hosts, and cannot type an organiser's commands."""

    @property
    def takers(self) -> list[Host]:
        """Hosts that start new work."""
        return [host for host in self.hosts if host.left_seconds > 0 and not host.draining and host.slots]

    @property
    def lacks_gpus(self) -> bool:
        """True if the tasks need devices, and no host that is alive has as many."""
        most = max((host.gpus for host in self.hosts if host.left_seconds > 0), default=0)
        return any(task.needs_gpu for task in self.tasks) and most < max(1, self.entry.reason.gpus)


def why(entry: QueuedEntry, store: Store) -> str:
    """The sentence about an entry."""
    return sentence(outlook(entry, store))


def why_for_team(entry: QueuedEntry, store: Store) -> str:
    """The sentence as the entry's team may read it: what is wrong with a challenge may be about its hidden data.

    So may a fault, which perhaps names a record.
    """
    if entry.state is State.DONE:  # by the clock of the queue one could tell how long a hidden exam took
        entry = replace(entry, changed=to_the_minute(entry.changed))
    elif entry.state is State.PARKED:
        since = span(time.time() - entry.changed)
        text = f"{entry.id} has waited for the organiser for {since}"
        return f"{text}; the entry is not at fault, and this costs no attempt."
    elif entry.reason.cause is Cause.RETRY:
        entry = replace(entry, reason=replace(entry.reason, message="a fault of the infrastructure"))
    return sentence(replace(outlook(entry, store), for_team=True))


def _durations(connection: sa.Connection) -> Sequence[float]:
    newest = sa.select(ENTRIES.c.id, ENTRIES.c.attempt).where(ENTRIES.c.state == State.DONE.value)
    newest_first = newest.order_by(ENTRIES.c.changed.desc()).limit(_NEWEST).subquery()
    same = (RESULTS.c.entry == newest_first.c.id) & (RESULTS.c.attempt == newest_first.c.attempt)
    query = sa.select(sa.func.sum(RESULTS.c.wall_seconds)).join(newest_first, same).group_by(RESULTS.c.entry)
    return connection.scalars(query).all()


def outlook(entry: QueuedEntry, store: Store) -> Outlook:
    """The facts about an entry, from the store."""
    if entry.state in (State.DONE, State.WITHDRAWN, State.PARKED):
        return Outlook(entry=entry, now=time.time())
    if entry.state is State.CANCELLED:
        left = tuple(tasks(store, TASKS.c.entry == entry.id, TASKS.c.executor != ""))
        return Outlook(entry=entry, now=time.time(), tasks=left)
    alive = tuple(hosts(store))
    with store.engine.connect() as connection:
        if entry.state is State.QUEUED:
            ahead, teams = _turns(connection, entry)
            busy = connection.scalar(sa.select(sa.func.count()).where(ENTRIES.c.state.in_([*Stage]))) or 0
            before, stop, now = _durations(connection), stop_of(connection, entry.challenge), time.time()
            return Outlook(
                entry=entry, now=now, hosts=alive, ahead=ahead, teams=teams, busy=busy, durations=before, stop=stop
            )
        tasks_of_entry = tuple(tasks(store, TASKS.c.entry == entry.id, TASKS.c.attempt == entry.attempt))
        waiting = [task for task in tasks_of_entry if not task.running]
        ahead = _tasks_ahead(connection, waiting[0]) if waiting else 0
        stop = stop_of(connection, entry.challenge) if any(task.held for task in tasks_of_entry) else 0
    now = time.time()
    return Outlook(entry=entry, now=now, hosts=alive, tasks=tasks_of_entry, ahead=ahead, stop=stop)


def queue_position(entry: QueuedEntry, store: Store) -> int | None:
    """Position of an entry in the queue, from 1; None unless it waits for its turn."""
    return outlook(entry, store).ahead + 1 if entry.state is State.QUEUED else None


def sentence(look: Outlook) -> str:
    """The words."""
    say = _WORDS.get(look.entry.state, _in_stage)
    return f"{look.entry.id} {say(look)}."


def _parked(look: Outlook) -> str:
    entry = look.entry
    evidence = {Cause.INFRASTRUCTURE: "every try", Cause.CHALLENGE: "the whole message"}.get(entry.reason.cause)
    tries = f" ({evidence}: evaluate status {entry.id} --evidence)" if evidence else ""
    return (
        f"has been parked for {span(look.now - entry.changed)} until the organiser runs `evaluate resolve {entry.id}`, "
        f"at no cost to the team: {detail(entry.reason, look.now)}{tries}"
    )


def _cancelled(look: Outlook) -> str:
    text = f"was cancelled {ago(look.now - look.entry.changed)} ({detail(look.entry.reason)})"
    if not look.tasks:
        return f"{text}; none of it is running"
    return (
        f"{text}; {' and '.join(task.task for task in look.tasks)} is still running, and its result will be discarded"
    )


def _done(look: Outlook) -> str:
    entry = look.entry
    return f"ended {ago(look.now - entry.changed)} with {entry.reason.verdict}" + (
        "" if look.for_team else f"; see `evaluate report {entry.id}`"
    )


def _in_stage(look: Outlook) -> str:
    entry = look.entry
    stage = Stage(entry.state.value)
    running = [task for task in look.tasks if task.running]
    if running:
        return f"{_running(look, stage, running)}; next comes {_next(look.entry, stage)}"
    if look.tasks and not look.stop and (entry.reason.cause is Cause.GPU or look.lacks_gpus):
        return f"{_for_gpu(look, stage, look.tasks[0])}; next comes {_NAMES[stage]}"
    waiting = [task for task in look.tasks if not task.held and task.since + task.delay <= look.now]
    if waiting:
        return f"{_waiting(look, stage, waiting[0])}; next comes {_NAMES[stage]}"
    if look.stop:
        return f"is in {_NAMES[stage]}, but {_stopped(look)}"
    words = "" if look.for_team and entry.reason.cause is Cause.GPU else detail(entry.reason, look.now)
    since = span(look.now - entry.changed)
    again = f" ({words})" if words else ""
    return f"has been between tries or steps of {_NAMES[stage]} for {since}{again}, {_continuation(look)}"


def _next(entry: QueuedEntry, stage: Stage) -> str:
    """Name of the stage after another by the plan of the attempt."""
    planned = json.loads(entry.plan)["stages"] if entry.plan else [stage for stage in Stage if stage is not Stage.TRAIN]
    after = [later for later in map(Stage, planned) if stage in later.before]
    return _NAMES[after[0]] if after else "the end"


def _queued(look: Outlook) -> str:
    behind = f"is behind {plural(look.ahead, 'entry', 'entries')}" if look.ahead else "is next in line"
    turns = f" ({look.teams} teams take turns)" if look.teams > 1 else ""
    if look.stop:
        return f"{behind}{turns}, but {_stopped(look)}"
    if not look.takers:
        starts = "by itself as soon as one does" if look.for_team else "when a host accepts new work"
        return f"{behind}{turns}, but {_no_taker(look)}; prep starts {starts}"
    text = f"{behind}{_for_hosts(look)}{turns}; prep starts"
    slots = sum(host.slots for host in look.takers)
    if not look.ahead and look.busy < slots:
        return f"{text} immediately"
    if not look.durations:
        return f"{text} when {_machine(look)} is free (no estimate before a first entry has ended)"
    usual = median(look.durations)
    seconds = (look.ahead + look.busy) * usual / slots
    places = f"{slots} at a time" if look.for_team else plural(slots, "slot", "slots")
    return (
        f"{text} in about {span(seconds)}, if entries ahead take as long as the last "
        f"{plural(len(look.durations), 'entry', 'entries')} ({span(usual)} each, {places})"
    )


def _stopped(look: Outlook) -> str:
    if look.for_team:
        return "its challenge is paused by the organiser"
    return f"its challenge is stopped for fault {look.stop} (evaluate status --faults, evaluate resolve {look.stop})"


def _running(look: Outlook, stage: Stage, running: list[TaskRow]) -> str:
    since = look.now - min(task.since for task in running)
    names = {host.executor: host.name for host in look.hosts}
    places = sorted({names.get(task.executor, "a host that does not respond") for task in running})
    text = f"has been in {_NAMES[stage]} for {span(since)}"
    if not look.for_team:
        text += f", held by {'hosts' if len(places) > 1 else 'host'} {' and '.join(places)}"
    if len(look.tasks) > 1:
        waiting = len(look.tasks) - len(running)
        runs, waits = plural(len(running), "part runs", "parts run"), plural(waiting, "waits", "wait")
        text += f" ({runs}, {waits} for {_device(look)})"
    if again := max(task.number for task in running):
        text += f", in try {again + 1}"
    deadlines = [task.deadline for task in running if task.deadline is not None]
    return text + (f"; its limits end it within {span(max(deadlines) - look.now)}" if deadlines else "")


def _waiting(look: Outlook, stage: Stage, task: TaskRow) -> str:
    behind = f"behind {plural(look.ahead, 'other', 'others')}" if look.ahead else "next in line"
    again = f" (try {task.number + 1})" if task.number else ""
    text = f"has waited {span(look.now - task.since)} for {_machine(look)} for {_NAMES[stage]}{again}, {behind}"
    return f"{text}{_for_hosts(look)}" if look.takers else f"{text}, but {_no_taker(look)}"


def _for_hosts(look: Outlook) -> str:
    return "" if look.for_team else f" for {_names(look.takers)}"


def _machine(look: Outlook) -> str:
    return "a machine" if look.for_team else "a slot"


def _device(look: Outlook) -> str:
    return "a GPU" if look.entry.reason.cause is Cause.GPU else _machine(look)


def _for_gpu(look: Outlook, stage: Stage, task: TaskRow) -> str:
    """A task that leaves its slot to others while it waits for a device."""
    reason = look.entry.reason
    text, wanted = f"has waited {span(look.now - task.since)} for", gpus(max(1, reason.gpus))
    if look.lacks_gpus:
        return f"{text} a {'machine' if look.for_team else 'host'} with {wanted} for {_NAMES[stage]}"
    where = "" if look.for_team else f" of host {reason.host}"
    return f"{text} {wanted}{where} for {_NAMES[stage]}, in use by another evaluation"


def _continuation(look: Outlook) -> str:
    if look.for_team:
        return "and continues by itself" if look.takers else f"but {_no_taker(look)}"
    return f"and {_names(look.takers)} continues it automatically" if look.takers else f"but {_no_taker(look)}"


def _no_taker(look: Outlook) -> str:
    if look.for_team:
        return "no machine is evaluating at the moment"
    alive = [host for host in look.hosts if host.left_seconds > 0]
    if not alive:
        return "no daemon is running (evaluate daemon)"
    return f"{_names(alive)} {'is' if len(alive) == 1 else 'are'} drained (evaluate host list)"


def _names(hosts: list[Host]) -> str:
    names = sorted({host.name for host in hosts})
    return f"host {names[0]}" if len(names) == 1 else f"hosts {', '.join(names[:-1])} and {names[-1]}"


def _turns(connection: sa.Connection, entry: QueuedEntry) -> tuple[int, int]:
    """Return how many queued entries start before this one by fair share, and how many teams have any."""
    queued = ENTRIES.c.state == State.QUEUED.value
    query = sa.select(ENTRIES.c.team, sa.func.count(), sa.func.min(ENTRIES.c.number)).where(queued)
    teams = {team: (number, first) for team, number, first in connection.execute(query.group_by(ENTRIES.c.team))}
    before = queued & (ENTRIES.c.team == entry.team) & (ENTRIES.c.number < entry.number)
    earlier = connection.scalar(sa.select(sa.func.count()).select_from(ENTRIES).where(before)) or 0
    now, ends = fair_turns.tags(connection, ENTRIES_QUEUE)
    mine = max(ends.get(entry.team, now), now) + earlier
    ahead = earlier
    first = entry.number - earlier  # a tie is decided for the team whose next entry came first
    if entry.team in teams:
        first = teams[entry.team][1]
    for team, (number, its_first) in teams.items():
        if team != entry.team:
            gap = mine - max(ends.get(team, now), now)
            ahead += min(number, max(0, math.ceil(gap) + (gap >= 0 and gap == int(gap) and its_first < first)))
    return ahead, len(teams)


def _tasks_ahead(connection: sa.Connection, task: TaskRow) -> int:
    """Count the waiting tasks that get a slot before ``task``; those of rejudgings come last."""
    waits = sa.select(TASKS.c.flow, TASKS.c.place, TASKS.c.since).where(TASKS.c.executor == "", TASKS.c.place > 0)
    rows = {row.flow: (row.place, row.since) for row in connection.execute(waits)}
    return 0 if task.flow not in rows else sum(order < rows[task.flow] for order in rows.values())


def _withdrawn(look: Outlook) -> str:
    since = ago(look.now - look.entry.changed)
    return f"was withdrawn {since} ({detail(look.entry.reason)}); its results and its receipt are kept"


_WORDS = {
    State.QUEUED: _queued,
    State.PARKED: _parked,
    State.CANCELLED: _cancelled,
    State.DONE: _done,
    State.WITHDRAWN: _withdrawn,
}

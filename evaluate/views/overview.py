"""Overview for ``evaluate status``: counts of entries, the hosts, running tasks, the newest entries.

Counted by the database, and no more rows read than are shown.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from textwrap import shorten
from typing import Any

import sqlalchemy as sa
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from evaluate.store.db.rows import Host, QueuedEntry, RecordedFault, State, TaskRow
from evaluate.store.db.tables import ENTRIES, TASKS
from evaluate.store.entries.store import Store
from evaluate.store.people.uploads import Upload, delayed
from evaluate.store.schedule.faults import faults
from evaluate.store.schedule.hosts import hosts
from evaluate.store.schedule.tasks import tasks
from evaluate.views.words import detail, drained, span

SHOWN = 20
_DETAIL = 120
_OF_UPLOAD = ("id", "team", "challenge", "name", "arrived", "tries", "again", "fault")
_NOT_SHOWN = ("flow", "needs_gpu", "held", "delay", "turn", "shards", "seconds", "avoid")
_CUT = ("host", "team", "upload", "")


@dataclass(frozen=True, kw_only=True)
class Overview:
    """State of the queue at a moment."""

    at: float
    counts: Mapping[State, int]
    hosts: tuple[Host, ...]
    running: tuple[TaskRow, ...]
    newest: tuple[QueuedEntry, ...]
    delayed: tuple[Upload, ...] = ()
    """Uploads that cannot be taken into the queue now."""
    faults: tuple[RecordedFault, ...] = ()
    """Internal errors that are not resolved."""


def overview(store: Store, of: Sequence[sa.ColumnElement[bool]] = ()) -> Overview:
    """The state of the queue now; ``of`` selects entries (`evaluate.store.entries.store.selection`)."""
    running = TASKS.c.executor != ""
    if of:
        running &= TASKS.c.entry.in_(sa.select(ENTRIES.c.id).where(*of))
    return Overview(
        at=time.time(),
        counts=store.counts(*of),
        hosts=tuple(hosts(store)),
        running=tuple(tasks(store, running)),
        newest=tuple(store.entries(*of, newest=SHOWN)),
        delayed=tuple(delayed(store.database)),
        faults=tuple(faults(store.database)),
    )


def as_json(look: Overview) -> dict[str, Any]:
    """The look as values of JSON."""
    return {
        "counts": {state.value: look.counts.get(state, 0) for state in State},
        "hosts": [asdict(host) for host in look.hosts],
        "running": [_without(asdict(task), *_NOT_SHOWN) for task in look.running],
        "newest": [entry_json(entry) for entry in look.newest],
        "delayed": [{name: getattr(upload, name) for name in _OF_UPLOAD} for upload in look.delayed],
        "faults": [
            {"id": fault.id, "part": fault.part.value, "name": fault.name, "stopped": fault.stopped}
            for fault in look.faults
        ],
    }


def entry_json(entry: QueuedEntry) -> dict[str, Any]:
    """An entry as values of JSON, its reason as fields and, as ``detail``, in words."""
    return {
        **_without(asdict(entry), "purpose", "base", "first", "adopted", "rules", "arrived", "data"),
        "reason": entry.reason.as_dict(),
        "detail": detail(entry.reason),
    }


def _without(values: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in keys}


def as_renderable(look: Overview) -> RenderableType:
    """The look for people."""
    counts = "  ".join(f"{state.value} {look.counts.get(state, 0)}" for state in State)
    parts: list[RenderableType] = [Text(counts, style="bold"), _hosts_line(look)]
    if look.faults:
        parts.append(_faults_line(look))
    if look.running:
        parts += [Text(""), _running(look)]
    if look.newest:
        parts += [Text(""), _newest(look)]
    if look.delayed:
        parts += [Text(""), _delayed(look)]
    return Group(*parts)


def _faults_line(look: Overview) -> Text:
    stopped = ", ".join(fault.words for fault in look.faults if fault.stopped)
    return Text(
        f"internal errors: {len(look.faults)}"
        + (f"; stopped: {stopped}" if stopped else "")
        + " (evaluate status --faults)",
        style="bold red",
    )


def _hosts_line(look: Overview) -> Text:
    if not look.hosts:
        return Text("no daemon is running (evaluate daemon)")
    words = []
    for host in look.hosts:
        how = "does not answer" if host.left_seconds <= 0 else drained(host)
        words.append(f"{host.name} {host.running} of {host.slots} slots" + (f", {how}" if how else ""))
    return Text("hosts: " + "; ".join(words))


def _running(look: Overview) -> Table:
    names = {host.executor: host.name for host in look.hosts}
    table = _table("running", "entry", "stage", "host", "for", "at most")
    for task in look.running:
        left = "" if task.deadline is None else span(task.deadline - look.at)
        table.add_row(task.entry, task.task, _name(names.get(task.executor, "?")), span(look.at - task.since), left)
    return table


def _newest(look: Overview) -> Table:
    table = _table("newest", "entry", "state", "team", "upload", "for", "")
    running = {task.entry for task in look.running}
    for entry in look.newest:
        # its earlier cause of waiting no longer matters
        words = "" if entry.id in running else detail(entry.reason, look.at).partition("\n")[0]
        words = shorten(words, _DETAIL, placeholder=" …")
        since = span(look.at - entry.changed)
        table.add_row(entry.id, entry.state.value, _name(entry.team), _name(entry.name), since, _name(words))
    return table


def _delayed(look: Overview) -> Table:
    table = _table("uploads delayed by an internal error", "upload", "team", "challenge", "for", "tries", "")
    for upload in look.delayed:
        words = shorten(upload.fault, _DETAIL, placeholder=" …")
        since = span(look.at - (upload.arrived or upload.created))
        table.add_row(_name(upload.name), _name(upload.team), upload.challenge, since, str(upload.tries), _name(words))
    return table


def _table(title: str, *columns: str) -> Table:
    """A table that, if it is too wide, cuts team names, upload names and messages first."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for name in columns:
        table.add_column(name, no_wrap=name not in _CUT)
    return table


def _name(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ellipsis")

"""The words that views and messages share: reasons, lengths of time, counts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluate.core.sanitize import gist, in_one_line
from evaluate.store.db.journal import JournalLine
from evaluate.store.db.reasons import Cause, Reason, reason_from_dict
from evaluate.store.db.rows import FaultyPart, Host, RecordedFault


def span(seconds: float) -> str:
    """A length of time as people say it."""
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}s"
    return f"{max(0.0, seconds):.0f} s"


def ago(seconds: float) -> str:
    """A time in the past as people say it; no seconds, so that an answer which is asked for again is the same."""
    return f"{span(seconds)} ago" if seconds >= 2 * 60 else "just now"


def plural(n: int, singular: str, more: str) -> str:
    """``1 slot``, ``3 slots``."""
    return f"{n} {singular if n == 1 else more}"


def gpus(n: int) -> str:
    """``a GPU``, ``2 GPUs``."""
    return "a GPU" if n == 1 else f"{n} GPUs"


def drained(host: Host) -> str:
    """Cause of a host's draining; empty if it is not drained."""
    if not host.draining:
        return ""
    return f"drained itself for fault {host.fault}" if host.fault else "drained"


def fault_text(fault: RecordedFault) -> str:
    """An internal error for people."""
    first, last = (datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%MZ") for at in (fault.first, fault.last))
    stopped = {FaultyPart.HOST: "it accepts no new work", FaultyPart.MIRROR: "prep of its challenges waits"}
    lines = [
        f"fault {fault.id}: {fault.words} failed {plural(fault.times, 'time', 'times')}, {first} to {last}",
        f"  {fault.stage}: {gist(fault.message)}",
        f"  {'stopped: ' + stopped.get(fault.part, 'its entries wait') if fault.stopped else 'not stopped'}",
        f"  affects {', '.join(fault.entries) or 'no entry'}",
        *(f"    {line}" for line in fault.lines),
        f"  once it is repaired: evaluate resolve {fault.id} --requeue",
    ]
    return "\n".join(lines)


def detail(reason: Reason, now: float | None = None) -> str:
    """Reason of an entry's state, in one line; empty where it continues by itself.

    What a program printed before it failed is among the evidence (`evaluate status ID --evidence`).
    """
    return gist(_WORDS[reason.cause](reason, time.time() if now is None else now))


def _retry(reason: Reason, now: float) -> str:
    soon = "" if reason.until is None else f" in {span(reason.until - now)}"
    return f"try {reason.number}{soon}: {reason.message}"


_WORDS: Mapping[Cause, Callable[[Reason, float], str]] = {
    Cause.NONE: lambda _reason, _now: "",
    Cause.VERDICT: lambda reason, _now: reason.verdict,
    Cause.RETRY: _retry,
    Cause.GPU: lambda reason, _now: (
        f"waits for {gpus(reason.gpus)} of host {reason.host}"
        if reason.host
        else f"waits for a host with {gpus(reason.gpus)}"
    ),
    Cause.CHALLENGE: lambda reason, _now: f"{reason.stage}: the challenge is at fault: {reason.message}",
    Cause.INFRASTRUCTURE: lambda reason, _now: f"{reason.stage}: the infrastructure is at fault: {reason.message}",
    Cause.ORGANISER: lambda _reason, _now: "by the organiser",
    Cause.DISCARDED: lambda _reason, _now: "discarded",
    Cause.EXCLUDED: lambda reason, _now: f"excluded: {reason.message}",
    Cause.WITHDRAWN: lambda reason, _now: f"withdrawn: {reason.message}",
    Cause.DISQUALIFIED: lambda reason, _now: f"disqualified: {reason.message}",
}

_DIGEST = 32
"""Letters of a name in a key that tells people nothing."""


def journal_sentence(line: JournalLine) -> str:
    """A line of the journal as a sentence."""
    words = _TOLD.get(line.event)
    return (
        words(line.data) if words is not None else f"{line.event.replace('-', ' ').capitalize()}: {_told(line.data)}."
    )


def _moved(data: Mapping[str, Any]) -> str:
    why = detail(reason_from_dict(data["reason"])) if data["reason"] else ""
    return f"It is {data['to']}{': ' + why if why else ''}."


def _set(data: Mapping[str, Any]) -> str:
    kind, _, name = str(data["key"]).partition(":")
    subject = kind if not name or len(name) >= _DIGEST else f"{kind} of {name}"
    value = _told(_read(data["value"]))
    return f"The setting {subject} is now {value}." if value else f"The setting {subject} was removed."


_TOLD: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "submitted": lambda data: f"Team {data['team']} submitted {data['name']} to {Path(data['challenge']).name}.",
    "moved": _moved,
    "result": lambda data: f"Attempt {data['attempt']}: {data['stage']} ended with {data['verdict']}.",
    "score": lambda data: f"Attempt {data['attempt']}: {data['key']} {_told(data['value'])}.",
    "charged": lambda data: f"It counts as {'an' if data['charged'] else 'no'} attempt.",
    "rejudging-began": lambda data: f"Rejudging {data['purpose']} runs it again from {data['first']} on.",
    "set": _set,
}


def _read(value: object) -> Any:
    try:
        return json.loads(str(value))
    except ValueError:
        return value


def _told(value: Any) -> str:
    """A value of the journal in one line, without its empty parts."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_told(part)}" for key, part in value.items() if part not in ("", None, [], {}))
    if isinstance(value, list):
        return " and ".join(map(_told, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else in_one_line(str(value))

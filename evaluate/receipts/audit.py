"""Checks a whole log: nothing in it was lost or changed, and each receipt is of a key that was in use then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.log import Log
from evaluate.receipts.note import Checkpoint


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What was found."""

    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What holds, and must be known all the same."""


def audit(log: Log, keys: Sequence[PublicKey], earlier: Checkpoint | None = None) -> Audit:
    """Read every receipt of a log, and compare it with its heads and its keys.

    Parameters
    ----------
    earlier : Checkpoint, optional
        A head from outside; that it is the log's own is checked too.
    """
    problems = log.problems(list(keys), earlier)
    void: dict[str, list[int]] = {}
    for number, line in enumerate(log.leaves()):
        try:
            key = read_envelope(line, f"receipt {number}").signed_by(list(keys))
        except UsageError:
            problems.append(f"number {number} is no receipt")
            continue
        span = key.span(log.origin) if key is not None else None
        if key is None:
            problems.append(f"receipt {number} is signed by none of the {len(keys)} known keys")
        elif span is None and key.logs:
            problems.append(f"receipt {number} is signed by the key {key.id}, which was never used in this log")
        elif span is not None and not span.used(number):
            used = f"in use from number {span.first} to {span.end}"
            problems.append(f"receipt {number} is signed by the key {key.id}, which was {used}")
        elif span is not None and not span.covers(number):
            void.setdefault(key.id, []).append(number)
    notes = [
        f"{len(numbers)} of the receipts from {numbers[0]} to {numbers[-1]} do not count: their key {name} is revoked"
        for name, numbers in void.items()
    ]
    return Audit(problems=tuple(problems), notes=tuple(notes))

"""Checks a whole log: nothing in it was lost or changed, and each receipt is of a key that was in use then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.keys import PublicKey, restored_size
from evaluate.receipts.log import Log
from evaluate.receipts.note import Checkpoint
from evaluate.receipts.published_log import ExportedLog


@dataclass(frozen=True, kw_only=True)
class Audit:
    """What was found."""

    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What holds, but should be known."""


def audit(log: Log | ExportedLog, keys: Sequence[PublicKey], earlier: Sequence[Checkpoint] = ()) -> Audit:
    """Read every receipt of a log, or those that a site publishes, and compare it with its heads and its keys.

    ``earlier``: heads from outside; that they are the log's own, and agree, is checked too.
    """
    own, notes, others = [], [], []
    origin = log.origin if log.size or earlier else ""
    for one in earlier:
        restored = restored_size(keys, one.origin)
        if one.origin == origin or (restored is not None and one.size <= restored):
            own.append(one)
        elif restored is not None and one.signed_by(keys) is not None:
            notes.append(
                f"the log {one.origin} was restored at size {restored}: its numbers {restored} to {one.size - 1} were "
                "lost; `evaluate log adopt RECEIPT` takes back what teams have"
            )
        else:
            others.append(f"the checkpoint that was given is of the log {one.origin}, and this one is {origin}")
    problems = [*log.problems(keys, *own), *others, *forks(earlier, keys)]
    void: dict[str, list[int]] = {}
    for number, line in log.receipts():
        try:
            key = read_envelope(line, f"receipt {number}").signed_by(list(keys))
        except UsageError:
            problems.append(f"number {number} is no receipt")
            continue
        span = key.span(origin) if key is not None else None
        if key is None:
            problems.append(f"receipt {number} is signed by none of the {len(keys)} known keys")
        elif span is None and key.logs:
            problems.append(f"receipt {number} is signed by the key {key.id}, which was never used in this log")
        elif span is not None and not span.used(number):
            used = f"in use from number {span.first} to {span.end}"
            problems.append(f"receipt {number} is signed by the key {key.id}, which was {used}")
        elif span is not None and not span.covers(number):
            void.setdefault(key.id, []).append(number)
    notes += [
        f"{len(numbers)} of the receipts from {numbers[0]} to {numbers[-1]} do not count: their key {name} is revoked"
        for name, numbers in void.items()
    ]
    return Audit(problems=tuple(problems), notes=tuple(notes))


def forks(heads: Sequence[Checkpoint], keys: Sequence[PublicKey]) -> Iterator[str]:
    """Heads of one log with the same size and other roots: two logs that were shown to different people."""
    for one, other in combinations(heads, 2):
        same = (one.origin, one.size) == (other.origin, other.size)
        if same and one.root != other.root and one.signed_by(keys) and other.signed_by(keys):
            yield f"FORK: two signed heads of the log {one.origin} have size {one.size} and different roots"

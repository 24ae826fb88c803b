"""What happens to the log itself, as statements in it: a key was revoked, the log restored, a lost receipt handed back.

The subject of such a statement is the log before it, by its origin and the root of its tree; so its holder knows
what the log was when it was made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.log import Held, Log
from evaluate.receipts.statement import Receipt, evaluator, minute, packed

EVENT_TYPE = "urn:sandbox-evaluate:log-event:v1"
REVOKED = "revoked"
"""A ``key`` is revoked ``since`` a time: what it signed from the number ``first`` on does not count."""

RESTORED = "restored"
"""The log continues a backup, as it was ``before``, of the ``former`` log under another origin; later receipts of that
log are lost until they are handed back."""
ADOPTED = "adopted"
"""The receipt with the number ``number`` and the digest ``sha256`` is one that was lost, and was handed back."""


def event(held: Held, kind: str, about: Mapping[str, Any]) -> Receipt:
    """The statement that something happened to the log as it is now."""
    before = {"origin": held.origin, "size": held.size}
    predicate = {"event": kind, **about, "before": before, "evaluator": evaluator(held.origin), "stated": minute()}
    return Receipt(payload=packed(held.origin, {"sha256": held.root().hex()}, EVENT_TYPE, predicate), openings=())


def events(log: Log, kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Number and content of the statements of one kind in a log."""
    for number, line in enumerate(log.leaves()):
        found = read_envelope(line, f"receipt {number} of the log").statement
        if found.get("predicateType") == EVENT_TYPE and found["predicate"]["event"] == kind:
            yield number, found["predicate"]

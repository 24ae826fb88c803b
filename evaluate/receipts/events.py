"""What happens to the log itself, as statements in it: a key was revoked.

The subject of such a statement is the log before it, by its origin and the root of its tree; so whoever has it knows
what the log was when it was made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evaluate.receipts.log import Held
from evaluate.receipts.statement import Receipt, evaluator, minute, packed

EVENT_TYPE = "urn:sandbox-evaluate:log-event:v1"
REVOKED = "revoked"
"""A ``key`` is revoked ``since`` a time: what it signed from the number ``first`` on does not count."""


def event(held: Held, kind: str, about: Mapping[str, Any]) -> Receipt:
    """The statement that something happened to the log as it is now."""
    before = {"origin": held.origin, "size": held.size}
    predicate = {"event": kind, **about, "before": before, "evaluator": evaluator(held.origin), "stated": minute()}
    return Receipt(payload=packed(held.origin, {"sha256": held.root().hex()}, EVENT_TYPE, predicate), openings=())

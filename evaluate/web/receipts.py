"""The log of receipts of the site's state directory, as organisers see it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import PROOF, Registry
from evaluate.receipts.note import Checkpoint
from evaluate.receipts.verify import is_event, is_seal
from evaluate.web.site import Site


@dataclass(frozen=True, kw_only=True)
class Logged:
    """One receipt of the log."""

    number: int
    """From 0."""
    kind: str
    """``evaluation``, ``seal`` or ``event``."""
    name: str
    """Of the upload, or of the challenge."""
    entry: str
    """Id of the entry; empty if it is of none in a queue."""
    verdict: str
    sha256: str
    """Of the receipt."""


@dataclass(frozen=True, kw_only=True)
class LogPart:
    """A part of the log, and its signed head."""

    head: Checkpoint | None
    """None: nothing was ever logged."""
    key: str
    """Id of the key that signed the head; empty: none of this state directory."""
    items: tuple[Logged, ...]
    """The newest first."""
    after: int | None
    """The number to continue with; None at the end."""


def logged(site: Site, *, before: int | None = None, most: int) -> LogPart:
    """The newest receipts with numbers below ``before``."""
    registry = Registry(site.state)
    head = registry.log.checkpoint()
    if head is None:
        return LogPart(head=None, key="", items=(), after=None)
    signer = head.signed_by(registry.keys.public())
    end = head.size if before is None else min(before, head.size)
    numbers = range(end - 1, max(-1, end - 1 - most), -1)
    items = tuple(_logged(number, registry.log.leaf(number)) for number in numbers)
    after = items[-1].number if items and items[-1].number else None
    return LogPart(head=head, key=signer.id if signer else "", items=items, after=after)


def newest_proof(site: Site, receipt: Path) -> bytes:
    """The proof that a receipt is in the log: against the newest head if the log is here, else the one beside it."""
    found = Registry(site.state).newest_proof(receipt)
    return receipt.with_name(PROOF).read_bytes() if found is None else found.text.encode()


def _logged(number: int, data: bytes) -> Logged:
    signed = read_envelope(data, f"receipt {number}")
    predicate = signed.statement["predicate"]
    kind = "seal" if is_seal(signed) else "event" if is_event(signed) else "evaluation"
    return Logged(
        number=number,
        kind=kind,
        name=str(signed.statement["subject"][0]["name"]),
        entry=str(predicate.get("entry", {}).get("id", "")),
        verdict=str(predicate.get("verdict", "")),
        sha256=hashlib.sha256(data).hexdigest(),
    )

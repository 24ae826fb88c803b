"""The receipts of the site's state directory: their log as organisers see it, and the check that anybody may make."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import PROOF, Registry
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.note import Checkpoint
from evaluate.receipts.verify import ReceiptFinding, conclusion, findings, is_event, is_seal, signature_checked
from evaluate.serve.site import Site


@dataclass(frozen=True, kw_only=True)
class Logged:
    """A receipt in the log."""

    number: int
    """Number in the log, from 0."""
    kind: str
    """`evaluation`, `seal` or `event`."""
    name: str
    """Name of the upload, or of the challenge."""
    entry: str
    """Id of the entry; empty if it concerns none."""
    verdict: str
    """Verdict of an evaluation; empty otherwise."""
    sha256: str
    """Digest of the receipt."""


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


def public_keys(site: Site) -> list[PublicKey]:
    """Every key that signed receipts of this state directory, earlier ones as well."""
    return Registry(site.state).keys.public()


@dataclass(frozen=True, kw_only=True)
class Checked:
    """Findings about a receipt that somebody gave."""

    conclusion: str
    """Statement of its proofs and their limits, in a sentence or two; or the reason why it is no receipt."""
    findings: tuple[ReceiptFinding, ...] = ()
    holds: bool = False


def checked(site: Site, data: bytes) -> Checked:
    """Check a receipt by the keys and the log of this site."""
    registry = Registry(site.state)
    keys = registry.keys.public()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "receipt.json"
        file.write_bytes(data.strip() + b"\n")
        try:
            read_envelope(data, "the text")
            number = registry.log.find(data.strip())
            proof = registry.log.proof(number) if number is not None else None
            signed, results = findings(file, keys, proof=proof, log=registry.log)
            words = conclusion(signed, results)
        except UsageError as e:
            return Checked(conclusion=f"{e}; paste the whole file receipt.json, and nothing else")
        except (KeyError, TypeError, ValueError, AttributeError):
            return Checked(conclusion="the text: expected a receipt, found a statement that makes no sense")
    holds = all(result.ok is not False for result in results) and signature_checked(results) and number is not None
    return Checked(conclusion=words, findings=tuple(results), holds=holds)


def newest_proof(site: Site, receipt: Path) -> bytes:
    """The proof that a receipt is in the log: against the newest head if the log is here, else the one beside it."""
    proof = Registry(site.state).newest_proof(receipt)
    return receipt.with_name(PROOF).read_bytes() if proof is None else proof.text.encode()


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

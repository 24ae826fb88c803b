"""What a report says of the receipt of its evaluation."""

from __future__ import annotations

from pathlib import Path

from evaluate.core.files import sha256_file
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import PROOF
from evaluate.receipts.note import read_proof
from evaluate.report.html import ReceiptLine


def receipt_line(receipt: Path) -> ReceiptLine:
    """Number, digest and key of a receipt that has its proof beside it.

    Raises UsageError if it is not a receipt, or its proof is not one.
    """
    signed = read_envelope(receipt.read_bytes(), str(receipt))
    proof = receipt.with_name(PROOF)
    return ReceiptLine(
        number=read_proof(proof.read_text(encoding="utf-8"), str(proof)).index,
        sha256=sha256_file(receipt),
        key=next(iter(signed.envelope.signatures), ""),
    )

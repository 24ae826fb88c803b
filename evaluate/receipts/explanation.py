"""Explain what a receipt proves, what it does not, and by whom, to a team that lost: one page in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.files import sha256_file
from evaluate.receipts.envelope import Signed, read_envelope
from evaluate.receipts.issue import PROOF
from evaluate.receipts.note import read_proof
from evaluate.receipts.verify import CHALLENGE, LOST, RERUN, SIGNATURE, ReceiptFinding, conclusion, is_event, is_seal
from evaluate.report.html import ReceiptLine, environment

_ORGANISER = "the organiser, who holds the key"


@dataclass(frozen=True, kw_only=True)
class _Check:
    """A check in words."""

    proven: str
    """Statement that holds where the check succeeded."""
    by: str
    """Party or file that shows it."""
    how: str = ""
    """Advice where it was not checked."""


_CHECKS = {
    SIGNATURE: _Check(
        proven="The organiser signed this statement, and nobody changed it since.",
        by=_ORGANISER,
        how="Get the organiser's published keys, and give them with --key.",
    ),
    "entry": _Check(
        proven="It is about the very file that was given here.",
        by="you: the digest was calculated on this machine",
        how="Give the file or folder that was submitted with --entry.",
    ),
    "log": _Check(
        proven="It has a place in the organiser's log: it cannot disappear without a trace, and nothing can be put "
        "before it.",
        by="the log, and everybody who holds another receipt or head of it",
        how="Give the proof that came with the receipt, or print a new one with `evaluate log proof`.",
    ),
    CHALLENGE: _Check(proven="The challenge was what it was sealed as before.", by=_ORGANISER),
    RERUN: _Check(proven="The entry does this on your machine too.", by="you: it ran here again"),
}
_OPENING = _Check(
    proven="A hidden value is what the receipt committed to.",
    by="the organiser, who holds the key, who fixed it before",
)


def page(signed: Signed, checks: Sequence[ReceiptFinding]) -> str:
    """The page."""
    broken = any(check.ok is False and check.what not in (CHALLENGE, LOST) for check in checks)
    signs = any(check.ok for check in checks if check.what == SIGNATURE)
    predicate = signed.statement["predicate"] if signs else {}  # what nobody signed is not shown
    in_words = [(check, _CHECKS.get(check.what.partition(" ")[0], _OPENING)) for check in checks]
    return (
        environment()
        .get_template("receipt.html")
        .render(
            name=str(signed.statement["subject"][0]["name"]) if signs else "a receipt that nobody signed",
            conclusion=conclusion(signed, checks),
            holds=not broken,
            proven=[]
            if broken
            else [(check, words) for check, words in in_words if check.ok and check.what != "format"],
            wrong=[check for check in checks if check.ok is False],
            open=[(check, words) for check, words in in_words if check.ok is None],
            of_entry=not is_seal(signed) and not is_event(signed),
            again=any(check.ok and check.what.startswith(f"{RERUN} ") for check in checks),
            stages=predicate.get("stages", []),
            score=predicate.get("score"),
            withheld=sorted(predicate.get("withheld", {})),
            ended=predicate.get("ended") or predicate.get("sealed") or predicate.get("stated", ""),
        )
    )


# What a report says of the receipt of its evaluation


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

"""Explain what a receipt proves, what it does not, and by whom, to a team that lost: one page in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.files import sha256_file
from evaluate.receipts.envelope import Signed, read_envelope
from evaluate.receipts.issue import PROOF
from evaluate.receipts.note import read_proof
from evaluate.receipts.verify import CHALLENGE, LOST, RERUN, SIGNATURE, ReceiptFinding, conclusion, is_event, is_seal
from evaluate.report.html import ReceiptLine, environment

_ORGANISER = "the organiser, who holds the key"
_SHOWN = {
    SIGNATURE: ("The organiser signed this statement, and nobody changed it since.", _ORGANISER),
    "entry": ("It is about the very file that was given here.", "you: the digest was calculated on this machine"),
    "log": (
        "It has a place in the organiser's log: it cannot disappear without a trace, and nothing can be put before it.",
        "the log, and everybody who holds another receipt or head of it",
    ),
    CHALLENGE: ("The challenge was what it was sealed as before.", _ORGANISER),
}
_TO_CHECK = {
    SIGNATURE: "Get the organiser's published keys, and give them with --key.",
    "entry": "Give the file or folder that was submitted with --entry.",
    "log": "Give the proof that came with the receipt, or print a new one with `evaluate log proof`.",
}
_NEVER = (
    (
        "That the program ran as stated, and that the numbers are its own.",
        "Run it again: --rerun quiz, or --rerun RECORD with the opening of a hidden record.",
    ),
    (
        "That the hidden answers are right, or fair to your entry.",
        "After the season the organiser can publish them; the commitments show whether they are the same.",
    ),
    (
        "That this is the only attempt at your entry, or the one that ought to count.",
        "Compare with the published log and board: `evaluate board verify NAME --receipts SITE --key FILE`.",
    ),
)


@dataclass(frozen=True, kw_only=True)
class ExplanationLine:
    """A statement, and who shows it or what would show it."""

    what: str
    by: str
    detail: str = ""


def page(signed: Signed, checks: Sequence[ReceiptFinding]) -> str:
    """The page."""
    broken = any(check.ok is False and check.what not in (CHALLENGE, LOST) for check in checks)
    signs = any(check.ok for check in checks if check.what == SIGNATURE)
    predicate = signed.statement["predicate"] if signs else {}  # what nobody signed is not shown
    return (
        environment()
        .get_template("receipt.html")
        .render(
            name=str(signed.statement["subject"][0]["name"]) if signs else "a receipt that nobody signed",
            conclusion=conclusion(signed, checks),
            holds=not broken,
            proven=[] if broken else list(_proven(checks)),
            wrong=[
                ExplanationLine(what=check.what, by="", detail=check.found) for check in checks if check.ok is False
            ],
            open=[
                ExplanationLine(what=check.what, by=_TO_CHECK.get(check.what, ""), detail=check.found)
                for check in checks
                if check.ok is None
            ],
            never=[]
            if is_seal(signed) or is_event(signed)
            else [ExplanationLine(what=what, by=by) for what, by in _never(checks)],
            stages=predicate.get("stages", []),
            score=predicate.get("score"),
            withheld=sorted(predicate.get("withheld", {})),
            ended=predicate.get("ended") or predicate.get("sealed") or predicate.get("stated", ""),
        )
    )


def _proven(checks: Sequence[ReceiptFinding]) -> Iterator[ExplanationLine]:
    for check in checks:
        if check.ok:
            if check.what.startswith(f"{RERUN} "):
                yield ExplanationLine(
                    what="The entry does this on your machine too.", by="you: it ran here again", detail=check.found
                )
            elif check.what in _SHOWN:
                what, by = _SHOWN[check.what]
                yield ExplanationLine(what=what, by=by, detail=check.found)
            elif check.what != "format":
                by = f"{_ORGANISER}, who fixed it before"
                yield ExplanationLine(
                    what="A hidden value is what the receipt committed to.",
                    by=by,
                    detail=f"{check.what}: {check.found}",
                )


def _never(checks: Sequence[ReceiptFinding]) -> Sequence[tuple[str, str]]:
    """List what no receipt shows; that the program ran as stated is shown where it ran again."""
    again = any(check.ok and check.what.startswith(f"{RERUN} ") for check in checks)
    return _NEVER[1:] if again else _NEVER


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

"""Checks a receipt: who signed it, what it is about, and that it is in the log.  Needs no virtual machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate.core.errors import UsageError
from evaluate.core.files import sha256_file
from evaluate.receipts.commitments import Opening
from evaluate.receipts.envelope import Signed, read_envelope
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.note import Proof
from evaluate.receipts.statement import PAYLOAD_TYPE, PREDICATE_TYPE, SEAL_TYPE, STATEMENT_TYPE

RERUN = "rerun"
"""Before the name of a record that ran again (`evaluate.host.rerun`)."""
CHALLENGE = "challenge"
"""What is said of a challenge that is not as it was sealed: the receipt holds, and says so itself."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that was checked."""

    what: str
    ok: bool | None
    """None: it could not be checked with what was given."""
    found: str


def findings(
    receipt: Path,
    keys: Sequence[PublicKey],
    *,
    proof: Proof | None = None,
    entry: Path | None = None,
    openings: Sequence[Opening] = (),
) -> tuple[Signed, list[Finding]]:
    """Everything that can be checked of a receipt.

    Raises
    ------
    UsageError
        The file is not a receipt.
    """
    data = _read(receipt)
    signed = read_envelope(data, str(receipt))
    checks = [_signature(signed, list(keys)), _format(signed), _log(data, proof, list(keys))]
    if not is_seal(signed):
        checks[2:2] = [_entry(signed, entry), *_seal(signed)]
    return signed, [*checks, *_openings(signed, openings)]


def is_seal(signed: Signed) -> bool:
    """Whether it is about a challenge, not about an entry."""
    return bool(signed.statement.get("predicateType") == SEAL_TYPE)


def _seal(signed: Signed) -> Iterator[Finding]:
    """What a receipt says of the seal of its challenge; nothing where it was not sealed."""
    seal = signed.statement["predicate"].get("challenge", {}).get("seal")
    if seal:
        changed = ", ".join(seal["changed"])
        name = f"number {seal['number']} of the log"
        found = f"not what was sealed as {name}: {changed}" if changed else f"as sealed, {name}"
        yield Finding(what=CHALLENGE, ok=not changed, found=found)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as e:
        raise UsageError(f"{path} cannot be read: {e.strerror}") from e


def _signature(signed: Signed, keys: list[PublicKey]) -> Finding:
    if not keys:
        return Finding(what="signature", ok=None, found="no key was given (--key FILE: the server's public.json)")
    key = signed.signed_by(keys)
    if key is None:
        wanted = ", ".join(signed.envelope.signatures) or "none"
        return Finding(what="signature", ok=False, found=f"made by none of the keys that were given (key {wanted})")
    return Finding(what="signature", ok=True, found=f"by the key {key.id}")


def _format(signed: Signed) -> Finding:
    kind = SEAL_TYPE if signed.statement.get("predicateType") == SEAL_TYPE else PREDICATE_TYPE
    expected = (PAYLOAD_TYPE, STATEMENT_TYPE, kind)
    found = (signed.envelope.payload_type, signed.statement.get("_type"), signed.statement.get("predicateType"))
    if found != expected:
        return Finding(
            what="format", ok=False, found=f"expected {', '.join(expected)}, found {', '.join(map(str, found))}"
        )
    return Finding(what="format", ok=True, found=kind)


def _entry(signed: Signed, entry: Path | None) -> Finding:
    try:
        (subject,) = signed.statement["subject"]
        name, expected = subject["name"], subject["digest"]["sha256"]
    except (KeyError, TypeError, ValueError):
        return Finding(what="entry", ok=False, found="the statement is not about one entry")
    if entry is None:
        return Finding(what="entry", ok=None, found=f"about {name} (sha256 {expected}); --entry FILE compares it")
    found = sha256_file(entry)
    if found != expected:
        return Finding(what="entry", ok=False, found=f"{entry} has sha256 {found}; the receipt is about {expected}")
    return Finding(what="entry", ok=True, found=f"{entry} is the archive that was evaluated")


def _log(data: bytes, proof: Proof | None, keys: list[PublicKey]) -> Finding:
    if proof is None:
        return Finding(what="log", ok=None, found="no proof was given (the file .tlog-proof beside the receipt)")
    head = proof.checkpoint
    if not proof.holds_for(data.rstrip(b"\n")):
        return Finding(what="log", ok=False, found="the proof is not about this receipt, or one of them was changed")
    if keys and head.signed_by(keys) is None:
        return Finding(what="log", ok=False, found="the head of the log is signed by none of the keys that were given")
    return Finding(
        what="log", ok=True if keys else None, found=f"number {proof.index} of {head.size} in the log {head.origin}"
    )


def _openings(signed: Signed, openings: Sequence[Opening]) -> Iterator[Finding]:
    made = set(_texts(signed.statement["predicate"]))
    for opening in openings:
        ok = opening.commitment in made
        yield Finding(what=opening.label, ok=ok, found="as committed" if ok else "not what the receipt commits to")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def conclusion(signed: Signed, checks: Sequence[Finding]) -> str:
    """What the receipt proves and what it does not, in one or two sentences."""
    wrong = [check.what for check in checks if check.ok is False and check.what != CHALLENGE]
    if wrong:
        return f"This receipt proves nothing: {', '.join(wrong)} did not hold."
    told = signed.statement["predicate"]
    if is_seal(signed):
        before = max(told["before"].values())
        when = f"when there were {before} entries" if before else "before the first entry"
        return f"The holder of the key states what {told['challenge']['name']} was at {told['sealed']}, {when}."
    score = told.get("score")
    number = f", {score['primary']} {score['values'][score['primary']]}" if score else ""
    proven = f"The holder of the key states {told['verdict']}{number} in {told['challenge']['name']}."
    if any(check.what == CHALLENGE and not check.ok for check in checks):
        proven += " The challenge was not the one that was sealed."
    again = [check.what.removeprefix(RERUN).strip() for check in checks if check.what.startswith(f"{RERUN} ")]
    open_ = [check.what for check in checks if check.ok is None]
    rest = f" Not checked: {', '.join(open_)}." if open_ else ""
    if not again:
        return f"{proven}{rest} That the evaluation was carried out as stated is shown only by running it again."
    records = f"record {again[0]}" if len(again) == 1 else f"{len(again)} records"
    return (
        f"{proven} On this machine the entry did with {records} what is stated.{rest} "
        "What it did with other records, and the score, is shown by the key's holder alone."
    )

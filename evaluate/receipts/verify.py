"""Checks a receipt: who signed it and when, what it is about, and that it is in the log.  Needs no virtual machine.

When it was signed is judged by its place in the log: the number that the proof shows must lie where its key was in use.
What a revoked key signed before counts only under a head that another key signed, since a thief of the key can make
a log of his own up to there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaluate.core.errors import UsageError
from evaluate.core.files import sha256_file
from evaluate.core.sanitize import in_one_line
from evaluate.receipts.envelope import Signed, read_envelope
from evaluate.receipts.keys import PublicKey, restored_size
from evaluate.receipts.log import Log
from evaluate.receipts.note import Proof, proof_in
from evaluate.receipts.statement import (
    EVENT_TYPE,
    PAYLOAD_TYPE,
    PREDICATE_TYPE,
    SEAL_TYPE,
    STATEMENT_TYPE,
    Opening,
    moment,
    stated_time,
)
from evaluate.report.html import ReceiptLine, environment

SIGNATURE = "signature"
LOST = "lost"
"""Finding that the log has lost the receipt: it is what it says, and shows that something is wrong with the log."""
RERUN = "rerun"
"""Before the name of a record that ran again (`evaluate.home.recount`)."""
CHALLENGE = "challenge"
"""Finding about a challenge that is not as it was sealed: the receipt holds, and says so itself."""


@dataclass(frozen=True)
class ReceiptFinding:
    """Outcome of one check."""

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
    log: Log | None = None,
) -> tuple[Signed, list[ReceiptFinding]]:
    """Everything that can be checked of a receipt. Raises UsageError if the file is not a receipt.

    ``log``: the log itself, if it is here: the receipt must be in it.
    """
    data = _read(receipt)
    signed = read_envelope(data, str(receipt))
    line = data.rstrip(b"\n")
    logged, lost = _log(line, proof, list(keys)), None
    if logged.ok is not False and proof is not None:
        proof, lost = _now(line, proof, log, keys)
    shown = None if logged.ok is False else proof
    checks = [_signature(signed, list(keys), shown), _format(signed), logged]
    if lost:
        checks.append(ReceiptFinding(LOST, False, lost))
    if not is_seal(signed) and not is_event(signed):
        checks[2:2] = [_entry(signed, entry), *_seal(signed)]
    checks += _openings(signed, openings)
    # the receipt may be anybody's: no line of it may look like one of this program
    return signed, [replace(check, what=in_one_line(check.what), found=in_one_line(check.found)) for check in checks]


def is_seal(signed: Signed) -> bool:
    """True if it is about a challenge, not about an entry."""
    return bool(signed.statement.get("predicateType") == SEAL_TYPE)


def is_event(signed: Signed) -> bool:
    """True if it is about the log itself."""
    return bool(signed.statement.get("predicateType") == EVENT_TYPE)


def _seal(signed: Signed) -> Iterator[ReceiptFinding]:
    """Yield what a receipt says of the seal of its challenge; nothing where it was not sealed."""
    try:
        seal = signed.statement["predicate"].get("challenge", {}).get("seal")
        if seal:
            changed = ", ".join(seal["changed"])
            name = f"number {seal['number']} of the log"
            words = f"not what was sealed as {name}: {changed}" if changed else f"as sealed, {name}"
            yield ReceiptFinding(CHALLENGE, not changed, words)
    except (KeyError, TypeError, AttributeError):
        yield ReceiptFinding("format", False, "what it says of the seal of its challenge makes no sense")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as e:
        raise UsageError(f"{path} cannot be read: {e.strerror}") from e


def _signature(signed: Signed, keys: list[PublicKey], proof: Proof | None) -> ReceiptFinding:
    if not keys:
        return ReceiptFinding(SIGNATURE, None, "no key was given, so anyone may have made it (--key FILE: public.json)")
    key = signed.signed_by(keys)
    if key is None:
        wanted = ", ".join(signed.envelope.signatures) or "none"
        return ReceiptFinding(SIGNATURE, False, f"made by none of the keys that were given (key {wanted})")
    ok, words = _standing(key, signed, proof, keys)
    return ReceiptFinding(SIGNATURE, ok, f"by the key {key.id}{words}")


def _standing(key: PublicKey, signed: Signed, proof: Proof | None, keys: list[PublicKey]) -> tuple[bool | None, str]:
    """True if the key was valid when it signed, and in which words."""
    at = stated_time(signed.statement)
    if at is None or (key.since and not key.covers(at)):
        return False, f", which was not valid at the time that is stated: it was in use {_used(key)}"
    if proof is None:
        if key.until is None and key.revoked is None:
            return True, ""
        return (None if key.revoked is None else False), f", in use {_used(key)}: only a proof shows it was signed then"
    head = proof.checkpoint
    span = key.span(head.origin)
    if key.logs and (span is None or not span.covers(proof.index)):
        return False, f", which was not valid at number {proof.index} of the log {head.origin}: in use {_used(key)}"
    by = head.signed_by(keys)
    if key.revoked is not None and (by is None or by.revoked is not None):
        return False, (
            f", in use {_used(key)}: it counts only with a proof whose head another key signed "
            f"(`evaluate log proof {proof.index}`)"
        )
    return True, ""


def _used(key: PublicKey) -> str:
    """Times at which a key was in use, in words."""
    ends = [f"until {moment(key.until)}"] if key.until is not None else []
    ends += [f"revoked since {moment(key.revoked)}"] if key.revoked is not None else []
    return ", ".join([f"from {moment(key.since)}", *ends])


def _format(signed: Signed) -> ReceiptFinding:
    stated = signed.statement.get("predicateType")
    kind = stated if stated in (SEAL_TYPE, EVENT_TYPE) else PREDICATE_TYPE
    expected = (PAYLOAD_TYPE, STATEMENT_TYPE, kind)
    actual = (signed.envelope.payload_type, signed.statement.get("_type"), signed.statement.get("predicateType"))
    if actual != expected:
        return ReceiptFinding("format", False, f"expected {', '.join(expected)}, found {', '.join(map(str, actual))}")
    return ReceiptFinding("format", True, kind)


def subject_of(signed: Signed) -> tuple[str, str] | None:
    """Name and SHA-256 of the one entry that a statement is about; None if it is about something else."""
    try:
        (subject,) = signed.statement["subject"]
        return subject["name"], subject["digest"]["sha256"]
    except (KeyError, TypeError, ValueError):
        return None


def _entry(signed: Signed, entry: Path | None) -> ReceiptFinding:
    subject = subject_of(signed)
    if subject is None:
        return ReceiptFinding("entry", False, "the statement is not about one entry")
    name, expected = subject
    if entry is None:
        return ReceiptFinding("entry", None, f"about {name} (sha256 {expected}); --entry FILE compares it")
    actual = sha256_file(entry)
    if actual != expected:
        return ReceiptFinding("entry", False, f"{entry.name} has sha256 {actual}; the receipt is about {expected}")
    return ReceiptFinding("entry", True, f"{entry.name} is the archive that was evaluated")


def _log(data: bytes, proof: Proof | None, keys: list[PublicKey]) -> ReceiptFinding:
    if proof is None:
        return ReceiptFinding("log", None, "no proof was given (the file .tlog-proof beside the receipt)")
    head = proof.checkpoint
    if not proof.holds_for(data.rstrip(b"\n")):
        return ReceiptFinding("log", False, "the proof is not about this receipt, or one of them was changed")
    by = head.signed_by(keys)
    if keys and by is None:
        return ReceiptFinding("log", False, "the head of the log is signed by none of the keys that were given")
    if by is not None and not by.heads(head.origin, head.size):
        return ReceiptFinding("log", False, f"the key {by.id} was not in use at size {head.size} of the log")
    return ReceiptFinding(
        "log", True if keys else None, f"number {proof.index} of {head.size} in the log {head.origin}"
    )


def _now(line: bytes, proof: Proof, log: Log | None, keys: Sequence[PublicKey]) -> tuple[Proof, str]:
    """The proof that a log has a receipt now, if the log is here; and in which words it has lost it, if it has."""
    origin, number = proof.checkpoint.origin, proof.index
    restored = restored_size(keys, origin)
    ours = log is not None and (log.origin == origin or restored is not None)
    if log is not None and ours:
        current: int | None = number
        if number >= log.size or log.leaf(number) != line:
            current = log.find(line) if restored is not None else None
        if current is not None:
            return log.proof(current), ""
    if restored is not None and number >= restored:
        return proof, f"the log was restored from a backup of size {restored}, and lost this receipt, number {number}"
    return proof, f"the log that is here has {log.size}, and not this one as number {number}" if log and ours else ""


def _openings(signed: Signed, openings: Sequence[Opening]) -> Iterator[ReceiptFinding]:
    made = set(_texts(signed.statement["predicate"]))
    for opening in openings:
        ok = opening.commitment in made
        yield ReceiptFinding(opening.label, ok, "as committed" if ok else "not what the receipt commits to")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)


def signature_checked(checks: Sequence[ReceiptFinding]) -> bool:
    """True if it is known that the holder of a key signed it while the key was valid."""
    return all(check.ok is not None for check in checks if check.what == SIGNATURE)


def conclusion(signed: Signed, checks: Sequence[ReceiptFinding]) -> str:
    """Say what the receipt proves and what it does not, in one or two sentences."""
    wrong = [check.what for check in checks if check.ok is False and check.what != CHALLENGE]
    if set(wrong) - {LOST}:
        return f"This receipt proves nothing: failed checks: {', '.join(wrong)}."
    if not signature_checked(checks):
        return "This receipt proves nothing yet: its signature was not checked."
    if LOST in wrong:
        return f"{_stated(signed)} The log has lost it; the organiser takes it back with `evaluate log adopt RECEIPT`."
    if is_event(signed) or is_seal(signed):
        return _stated(signed)
    proven = _stated(signed)
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


def _stated(signed: Signed) -> str:
    """The statement in one line, whoever the holder of the key is."""
    predicate = signed.statement["predicate"]
    if is_event(signed):
        stated = f"of the log {predicate['before']['origin']}: {predicate['event']}"
    elif is_seal(signed):
        before = max(predicate["before"].values())
        when = f"when there were {before} entries" if before else "before the first entry"
        stated = f"what {predicate['challenge']['name']} was at {predicate['sealed']}, {when}"
    else:
        score = predicate.get("score")
        number = f", {score['primary']} {score['values'][score['primary']]}" if score else ""
        stated = f"{predicate['verdict']}{number} in {predicate['challenge']['name']}"
    return in_one_line(f"The holder of the key states {stated}.")


# What a receipt proves, what it does not, and by whom, for a team that lost: one page in plain words


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
    proof = receipt.with_name(f"{receipt.name}.tlog-proof")
    return ReceiptLine(
        number=proof_in(proof).index,
        sha256=sha256_file(receipt),
        key=next(iter(signed.envelope.signatures), ""),
    )

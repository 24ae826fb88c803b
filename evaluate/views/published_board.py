"""A board as it is published: its places, the rules that they follow from, and which attempts count, signed.

With the receipts of the attempts, and openings where scores are hidden, anybody calculates it again: no database and no
challenge is needed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import MAIN_EXAM
from evaluate.config.terms import AttemptLimits, Phase, counting_rules
from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import read_envelope, sign
from evaluate.receipts.issue import RECEIPT, Registry
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.statement import PAYLOAD_TYPE, SEAL_TYPE, decimals, evaluator, minute, packed, stated_time
from evaluate.views.board import BoardRow, data_in_words
from evaluate.views.board_verification import (
    Counts,
    ReceiptsOfChallenge,
    StatedBoard,
    Verified,
    check_receipt,
    differences,
    receipt_folders,
    receipts_of,
)

BOARD_TYPE = "urn:sandbox-evaluate:board:v1"
FOLDER = "boards"


def signed_board(registry: Registry, stated: StatedBoard) -> bytes:
    """The board of a challenge as one line of JSON."""
    shown = [asdict(row) for row in stated.places]
    predicate = {
        "challenge": stated.challenge,
        "rules": {
            "attempts": stated.attempts,
            "decimals": stated.decimals,
            "baselines": sorted({row.team for row in stated.places if row.team in stated.baselines}),
            "phases": [
                {
                    "name": phase.name,
                    "begins": _finite(phase.begins),
                    "ends": _finite(phase.ends),
                    "attempts": phase.attempts.phase,
                    **({} if phase.data == MAIN_EXAM else {"data": phase.data}),
                }
                for phase in stated.phases
            ],
        },
        "counted": [asdict(counts) for counts in stated.counted],
        "places": shown,
        "evaluator": evaluator(registry.log.origin),
        "stated": minute(),
    }
    digest = hashlib.sha256(json.dumps(decimals(shown), sort_keys=True).encode()).hexdigest()
    return sign(packed(stated.challenge, {"sha256": digest}, BOARD_TYPE, predicate), PAYLOAD_TYPE, registry.signer())


def _finite(at: float) -> float | None:
    return at if math.isfinite(at) else None


def read_board(file: Path, keys: Sequence[PublicKey]) -> StatedBoard:
    """A board that one of the keys signed. Raises UsageError if it is none, or nobody of them signed it."""
    signed = read_envelope(file.read_bytes(), str(file))
    key, at = signed.signed_by(list(keys)), stated_time(signed.statement)
    if signed.statement.get("predicateType") != BOARD_TYPE:
        raise UsageError(f"{file}: expected a board of `evaluate log export`, found another statement")
    if key is None or at is None or (key.since and not key.covers(at)):
        raise UsageError(f"{file}: expected a signature by a key that was valid then, found none")
    if key.revoked is not None:  # a board is in no log, so nothing shows when it was signed
        raise UsageError(f"{file}: expected a signature by a key that is not revoked, found one by {key.id}")
    predicate = signed.statement["predicate"]
    try:
        rules = predicate["rules"]
        return StatedBoard(
            challenge=predicate["challenge"],
            phases=tuple(_phase(phase) for phase in rules["phases"]),
            attempts=rules["attempts"],
            decimals=rules["decimals"],
            counted=tuple(
                Counts(**{**counts, "judged_at": float(counts["judged_at"])}) for counts in predicate["counted"]
            ),
            places=tuple(_place(row) for row in predicate["places"]),
            baselines=tuple(rules.get("baselines", ())),
        )
    except (KeyError, TypeError, ValueError) as e:
        raise UsageError(f"{file}: expected a board, found {type(e).__name__}: {e}") from e


def _phase(stated: dict[str, Any]) -> Phase:
    begins, ends = stated["begins"], stated["ends"]
    return Phase(
        name=stated["name"],
        begins=-math.inf if begins is None else float(begins),
        ends=math.inf if ends is None else float(ends),
        attempts=AttemptLimits(phase=stated["attempts"]),
        data=stated.get("data", MAIN_EXAM),
    )


def _place(stated: dict[str, Any]) -> BoardRow:
    numbers = {name: None if stated[name] is None else float(stated[name]) for name in ("score", "low", "high")}
    return BoardRow(**{**stated, **numbers, "wall_seconds": float(stated["wall_seconds"])})


def _unlike(board: StatedBoard, stated: Mapping[str, Any]) -> list[str]:
    """Rules of a board that differ from those that a seal or receipt states; what is not stated is not compared."""
    ours = {
        **counting_rules(board.phases, board.attempts),
        "decimals": board.decimals,
    }
    theirs = {**stated.get("terms", {}), **({"decimals": stated["decimals"]} if "decimals" in stated else {})}
    return [
        f"{name} {json.dumps(ours[name])}, not {json.dumps(theirs[name])}"
        for name in ours
        if name in theirs and ours[name] != theirs[name]
    ]


def _seals(
    folder: Path, challenge: str, digests: Collection[str], keys: Sequence[PublicKey]
) -> Iterator[tuple[str, Path, Mapping[str, Any]]]:
    """Digest, folder and content of the seals of a challenge, and of those with these digests, in their order."""
    for path, signed in receipt_folders(folder):
        if signed.statement.get("predicateType") != SEAL_TYPE:
            continue
        digest = hashlib.sha256((path / RECEIPT).read_bytes().rstrip(b"\n")).hexdigest()
        sealed = signed.statement["predicate"]["challenge"]
        if sealed["name"] != challenge and digest not in digests:
            continue
        if all(check.ok is not False for check in check_receipt(path, keys)):
            yield digest, path, sealed


def _other_rules(
    stated: StatedBoard, receipts: ReceiptsOfChallenge, folders: Sequence[Path], keys: Sequence[PublicKey]
) -> tuple[list[str], list[str]]:
    """Differences between the rules of a board and those sealed, which are wrong; if none were, notes by receipts."""
    rules = [
        receipts.of[key].rules for counts in stated.counted if (key := (counts.entry, counts.attempt)) in receipts.of
    ]
    named = {each["seal"]["sha256"]: each["seal"]["number"] for each in rules if each.get("seal")}
    seals = [list(_seals(folder, stated.challenge, named, keys)) for folder in folders]
    missing = named.keys() - {digest for each in seals for digest, _, _ in each}
    wrong = [f"receipts name the seal number {named[digest]}, which is missing or invalid" for digest in missing]
    for *_, (_, seal, sealed) in filter(None, seals):
        unlike = _unlike(stated, sealed)
        wrong += [f"the board counts by other rules than its seal, {seal}: {difference}" for difference in unlike]
    if any(seals):
        return wrong, []
    others = sum(bool(_unlike(stated, each)) for each in rules)
    notes = [f"the receipts of {others} attempts state other rules than those by which the board counts"]
    return wrong, notes if others else []


def verify_published(stated: StatedBoard, folders: Sequence[Path], keys: Sequence[PublicKey]) -> Verified:
    """Calculate a published board again from the receipts in some folders."""
    counts = {(each.entry, each.attempt) for each in stated.counted}
    receipts = receipts_of(dict.fromkeys(folders), stated.challenge, keys, {entry for entry, _ in counts})
    calculated, problems = receipts.recalculated(stated)
    wrong, notes = _other_rules(stated, receipts, folders, keys)
    problems += wrong
    if len({entry for entry, _ in counts}) < len(stated.counted):
        problems.append("an entry counts more than once")
    left_out = [
        f"entry {attempt.entry}, attempt {attempt.attempt}, of team {attempt.team} has a receipt and does not count"
        for key, attempt in ((key, receipt.attempt) for key, receipt in receipts.of.items())
        if attempt.wall_seconds and key not in counts
    ]
    closed = tuple(receipt.closed for key, receipt in receipts.of.items() if receipt.closed and key in counts)
    if not closed:
        problems += differences(stated.places, calculated)
    return Verified(
        receipts=len(receipts.of),
        places=tuple(calculated),
        problems=tuple(problems),
        notes=(*left_out, *notes, *filter(None, [data_in_words(calculated)])),
        closed=closed,
    )

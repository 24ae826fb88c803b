"""A board as it is published: its places, the rules that they follow from, and which attempts count, signed.

With the receipts of the attempts, and openings where scores are hidden, anybody calculates it again: no database and no
challenge is needed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import MAIN_EXAM
from evaluate.config.terms import AttemptLimits, Phase
from evaluate.core.codec import from_json
from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import read_envelope, sign
from evaluate.receipts.issue import Registry
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.statement import PAYLOAD_TYPE, decimals, evaluator, minute, packed, stated_time
from evaluate.views.board import BoardRow
from evaluate.views.board_verification import Counts, StatedBoard

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
            counted=from_json(tuple[Counts, ...], predicate["counted"]),
            places=from_json(tuple[BoardRow, ...], predicate["places"]),
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

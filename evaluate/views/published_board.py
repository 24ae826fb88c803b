"""A board as it is published: its places, the rules that they follow from, and which attempts count, signed.

With the receipts of the attempts, and openings where scores are hidden, anybody calculates it again: no database and no
challenge is needed.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import MAIN_EXAM, BoardRules
from evaluate.config.terms import AttemptLimits, Phase, Terms, counting_rules
from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import read_envelope, sign
from evaluate.receipts.issue import PROOF, RECEIPT, Registry
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.note import read_proof
from evaluate.receipts.statement import PAYLOAD_TYPE, SEAL_TYPE, decimals, evaluator, minute, packed, stated_time
from evaluate.receipts.verify import findings
from evaluate.views.board import BoardRow, board, data_in_words
from evaluate.views.board_verification import Counts, ReceiptsOfChallenge, Verified, attempts_in, differences

BOARD_TYPE = "urn:sandbox-evaluate:board:v1"
FOLDER = "boards"


@dataclass(frozen=True, kw_only=True)
class Published:
    """Statements of a signed board."""

    challenge: str
    phases: tuple[Phase, ...]
    attempts: int
    """Number of attempts of a team in a phase that does not say so itself; 0: any number."""
    decimals: int
    counted: tuple[Counts, ...]
    places: tuple[BoardRow, ...]
    baselines: tuple[str, ...]
    """Teams all of whose attempts are baselines."""


def signed_board(
    registry: Registry,
    name: str,
    rules: BoardRules,
    terms: Terms,
    places: Sequence[BoardRow],
    counted: Sequence[Counts],
    baselines: Collection[str],
) -> bytes:
    """The board of a challenge as one line of JSON."""
    shown = [asdict(place) for place in places]
    predicate = {
        "challenge": name,
        "rules": {
            "attempts": terms.allowed(rules),
            "decimals": rules.decimals,
            "baselines": sorted({place.team for place in places if place.team in baselines}),
            "phases": [
                {
                    "name": one.name,
                    "begins": _finite(one.begins),
                    "ends": _finite(one.ends),
                    "attempts": one.attempts.phase,
                    **({} if one.data == MAIN_EXAM else {"data": one.data}),
                }
                for one in terms.phases
            ],
        },
        "counted": [asdict(one) for one in counted],
        "places": shown,
        "evaluator": evaluator(registry.log.origin),
        "stated": minute(),
    }
    digest = hashlib.sha256(json.dumps(decimals(shown), sort_keys=True).encode()).hexdigest()
    return sign(packed(name, {"sha256": digest}, BOARD_TYPE, predicate), PAYLOAD_TYPE, registry.signer())


def _finite(at: float) -> float | None:
    return at if math.isfinite(at) else None


def read_board(file: Path, keys: Sequence[PublicKey]) -> Published:
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
        return Published(
            challenge=predicate["challenge"],
            phases=tuple(_phase(one) for one in rules["phases"]),
            attempts=rules["attempts"],
            decimals=rules["decimals"],
            counted=tuple(Counts(**{**one, "judged_at": float(one["judged_at"])}) for one in predicate["counted"]),
            places=tuple(_place(one) for one in predicate["places"]),
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


def _unlike(said: Published, stated: Mapping[str, Any]) -> list[str]:
    """By which rules a board counts otherwise than a seal or receipt states; what one leaves out is not compared."""
    ours = {
        **counting_rules(said.phases, said.attempts),
        "decimals": said.decimals,
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
    places = (path for path in folder.iterdir() if path.name.isdigit()) if folder.is_dir() else ()
    for place in sorted(places, key=lambda path: int(path.name)):
        data = (place / RECEIPT).read_bytes().rstrip(b"\n")
        statement, digest = read_envelope(data, str(place / RECEIPT)).statement, hashlib.sha256(data).hexdigest()
        if statement.get("predicateType") != SEAL_TYPE:
            continue
        about = statement["predicate"]["challenge"]
        if about["name"] == challenge or digest in digests:
            proof = place / PROOF
            known = read_proof(proof.read_text(encoding="utf-8"), str(proof)) if proof.exists() else None
            _, checks = findings(place / RECEIPT, keys, proof=known)
            if all(check.ok is not False for check in checks):
                yield digest, place, about


def _other_rules(
    said: Published, found: ReceiptsOfChallenge, folders: Sequence[Path], keys: Sequence[PublicKey]
) -> tuple[list[str], list[str]]:
    """Find where a board counts by rules other than sealed, which is wrong; or, if none were, than receipts state."""
    stated = [found.rules[key] for one in said.counted if (key := (one.entry, one.attempt)) in found.rules]
    named = {rules["seal"]["sha256"]: rules["seal"]["number"] for rules in stated if rules.get("seal")}
    seals = [list(_seals(folder, said.challenge, named, keys)) for folder in folders]
    missing = named.keys() - {digest for each in seals for digest, _, _ in each}
    wrong = [f"receipts name the seal number {named[digest]}, which is missing or invalid" for digest in missing]
    for *_, (_, place, sealed) in filter(None, seals):
        wrong += [f"the board counts by other rules than its seal, {place}: {one}" for one in _unlike(said, sealed)]
    if any(seals):
        return wrong, []
    others = sum(bool(_unlike(said, rules)) for rules in stated)
    notes = [f"the receipts of {others} attempts state other rules than those by which the board counts"]
    return wrong, notes if others else []


def verify_published(said: Published, folders: Sequence[Path], keys: Sequence[PublicKey]) -> Verified:
    """Calculate a published board again from the receipts in some folders."""
    found = attempts_in(dict.fromkeys(folders), said.challenge, keys, {one.entry for one in said.counted})
    counted, missing = found.counted(said.counted)
    counts = {(one.entry, one.attempt) for one in said.counted}
    problems = [*found.problems, *missing, *found.mixed(counted)]
    wrong, notes = _other_rules(said, found, folders, keys)
    problems += wrong
    if len({entry for entry, _ in counts}) < len(said.counted):
        problems.append("an entry counts more than once")
    left_out = [
        f"entry {one.entry}, attempt {one.attempt}, of team {one.team} has a receipt and does not count"
        for key, one in found.attempts.items()
        if one.wall_seconds and key not in counts
    ]
    calculated = board(counted, said.phases, said.attempts, said.decimals, baselines=said.baselines)
    hidden = tuple(text for key, text in found.closed.items() if key in counts)
    if not hidden:
        problems += differences(said.places, calculated)
    return Verified(
        receipts=len(found.attempts),
        places=tuple(calculated),
        problems=tuple(problems),
        said=(*left_out, *notes, *filter(None, [data_in_words(calculated)])),
        closed=hidden,
    )

"""Whether a board is what the receipts say: ranks, ties and intervals are calculated again from receipts alone.

The queue is only asked which entries count, and by which attempt.  Scores come from the receipts; what is hidden from
the teams, from the openings that lie beside them, each of which must open a commitment of its receipt.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.challenge import BoardRules
from evaluate.core.errors import UsageError
from evaluate.host.config import Terms
from evaluate.queue.store.attempts import Attempt
from evaluate.queue.store.entries import Store
from evaluate.queue.store.rows import State
from evaluate.queue.store.tables import ACCOUNTS, ENTRIES, SCORES
from evaluate.queue.views.board import Place, board, data_in_words
from evaluate.receipts.commitments import Opening
from evaluate.receipts.issue import OPENINGS, PROOF, RECEIPT
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.log import Log
from evaluate.receipts.note import read_proof
from evaluate.receipts.statement import PREDICATE_TYPE
from evaluate.receipts.verify import CHALLENGE, findings

_COMPARED = ("rank", "team", "score", "low", "high", "tied", "attempts", "entry")


@dataclass(frozen=True, kw_only=True)
class Verified:
    """What came out."""

    receipts: int
    places: tuple[Place, ...]
    problems: tuple[str, ...]
    said: tuple[str, ...] = ()
    """What else must be known of the board."""


def verify_board(
    store: Store,
    known: str,
    rules: BoardRules,
    terms: Terms,
    places: Sequence[Place],
    folders: Mapping[Path, Log | None],
    keys: Sequence[PublicKey],
) -> Verified:
    """Compare the places of a board with those that follow from the receipts in some folders.

    Parameters
    ----------
    folders : mapping of Path to Log
        Each with a folder for every receipt, such as ``receipt-log/receipts`` of a state directory, and the log that
        they are in, if it is here.
    """
    problems: list[str] = []
    attempts: dict[tuple[str, int], Attempt] = {}
    by_receipt: dict[tuple[str, int], str] = {}
    for folder, log in folders.items():
        for attempt, data_said, wrong in _read(folder, Path(known).name, keys, log):
            problems += wrong
            if attempt is not None and (attempt.entry, attempt.attempt) not in attempts:
                attempts[attempt.entry, attempt.attempt] = attempt
                by_receipt[attempt.entry, attempt.attempt] = data_said
    entries = store.entries(ENTRIES.c.challenge == known)
    with store.engine.connect() as connection:
        unshown = set(connection.scalars(sa.select(ACCOUNTS.c.entry).where(ACCOUNTS.c.shown.is_(sa.false()))))
    ids = {entry.id for entry in entries}
    problems += [
        f"receipt of entry {entry}, attempt {n}: the queue has no such entry"
        for entry, n in attempts
        if entry not in ids
    ]
    counted, data = [], _data(store, known)
    for entry in entries:
        if entry.state is not State.DONE or not entry.charged:
            continue
        found = attempts.get((entry.id, entry.attempt))
        if found is None:
            problems.append(f"entry {entry.id}: it counts by attempt {entry.attempt}, which has no receipt")
        elif entry.id not in unshown or _over(terms, entry.submitted):
            judged, at = data.get((entry.id, entry.attempt), ("", 0.0))
            counted.append(replace(found, judged=judged, judged_at=at))
    problems += _mixed(counted, by_receipt)
    said = board(counted, terms.phases, terms.allowed(rules), rules.decimals)
    problems += _differences(places, said)
    words = tuple(filter(None, [data_in_words(said)]))
    return Verified(receipts=len(attempts), places=tuple(said), problems=tuple(problems), said=words)


def _data(store: Store, known: str) -> dict[tuple[str, int], tuple[str, float]]:
    """Entry and attempt -> by which data the queue says that the score was given, and when."""
    query = sa.select(SCORES.c.entry, SCORES.c.attempt, SCORES.c.judged, SCORES.c.at)
    query = query.join(ENTRIES, ENTRIES.c.id == SCORES.c.entry).where(ENTRIES.c.challenge == known)
    with store.engine.connect() as connection:
        return {(row.entry, row.attempt): (row.judged, row.at) for row in connection.execute(query)}


def _mixed(counted: Sequence[Attempt], by_receipt: Mapping[tuple[str, int], str]) -> Iterator[str]:
    """Entries that the queue says were judged by the same data as others, while their receipts name other data."""
    first: dict[str, Attempt] = {}
    for one in counted:
        if one.score is None or not one.judged:
            continue
        said = by_receipt[one.entry, one.attempt]
        other = first.setdefault(f"{one.judged} {json.loads(said)[0]}", one)
        if said != by_receipt[other.entry, other.attempt]:
            yield (
                f"entries {other.entry} and {one.entry}: the queue says that they were judged by the same data, and "
                "their receipts name different records, references or metrics"
            )


def _over(terms: Terms, submitted: float) -> bool:
    """Whether the phase of an entry has ended, so that its score counts though its team was not shown it."""
    phase = terms.phase(submitted)
    return phase is not None and phase.ends <= time.time()


def _differences(shown: Sequence[Place], said: Sequence[Place]) -> Iterator[str]:
    """Where the two boards are not the same, by phase and team."""
    ours = {(place.phase, place.team): place for place in shown}
    theirs = {(place.phase, place.team): place for place in said}
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        name = f"team {key[1]}" + (f" in phase {key[0]}" if key[0] else "")
        one, other = ours.get(key), theirs.get(key)
        if one is None or other is None:
            yield f"{name}: {'no receipt gives it the place that the board shows' if one else 'not on the board'}"
            continue
        for field in _COMPARED:
            if (found := getattr(one, field)) != (expected := getattr(other, field)):
                yield f"{name}: the board says {field} {found}, the receipts say {expected}"


def _read(
    folder: Path, challenge: str, keys: Sequence[PublicKey], log: Log | None
) -> Iterator[tuple[Attempt | None, str, list[str]]]:
    """Every attempt of a challenge that a folder has a receipt of, what it was judged by, and what is wrong."""
    numbers = (path for path in folder.iterdir() if path.name.isdigit()) if folder.is_dir() else ()
    for place in sorted(numbers, key=lambda path: int(path.name)):
        openings = [Opening(**one) for one in _openings(place / OPENINGS)]
        proof = place / PROOF
        known = read_proof(proof.read_text(encoding="utf-8"), str(proof)) if proof.exists() else None
        signed, checks = findings(place / RECEIPT, keys, proof=known, openings=openings, log=log)
        told = signed.statement["predicate"]
        if signed.statement.get("predicateType") != PREDICATE_TYPE or told["challenge"]["name"] != challenge:
            continue
        problems = [f"{place}: {check.what}: {check.found}" for check in checks if check.ok is False]
        if any(check.ok is False and check.what != CHALLENGE for check in checks):
            yield None, "", problems
        elif "id" in told["entry"]:
            yield _attempt(told, openings, place, problems), _judged_by(told["challenge"], told["evaluator"]), problems


def _judged_by(said: Mapping[str, Any], evaluator: Mapping[str, str]) -> str:
    """What a receipt says of the data; commitments of different logs have different salts, and are not compared."""
    metric = said["metric"]
    own = metric["name"].endswith(".py")
    parts = [said["records"], said.get("references"), metric["sha256"] if own else metric["name"]]
    return json.dumps([evaluator["log"], *parts])


def _openings(file: Path) -> list[dict[str, Any]]:
    try:
        found: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except ValueError as e:
        raise UsageError(f"{file}: expected openings of a receipt, found something else") from e
    return found


def _attempt(told: Mapping[str, Any], openings: Sequence[Opening], place: Path, problems: list[str]) -> Attempt:
    """The attempt that a receipt is about, with what its openings show."""
    entry, opened = told["entry"], {opening.commitment: opening.value for opening in openings}
    withheld = told["withheld"]
    score = told["score"]
    if "numbers" in withheld:
        score = opened.get(withheld["numbers"], score)
        if withheld["numbers"] not in opened:
            problems.append(f"{place}: the opening of its numbers is missing, so ties are not known")
    exam = next((stage for stage in told["stages"] if stage["stage"] == "exam"), None)
    if exam is not None and "exam" in withheld:
        exam = opened.get(withheld["exam"]["stage"], exam)
    found = Attempt(
        entry=entry["id"],
        team=entry["team"],
        number=entry["number"],
        submitted=datetime.fromisoformat(entry["submitted"]).timestamp(),
        score=None,
        attempt=entry["attempt"],
        instructions=exam["usage"]["instructions"] if exam else 0,
        wall_seconds=float(exam["usage"]["wall_seconds"]) if exam else 0.0,
    )
    if not score:
        return found
    low, high = map(float, score["intervals"].get(score["primary"]) or (math.nan, math.nan))
    return replace(
        found,
        score=_number(score["values"][score["primary"]]),
        low=None if math.isnan(low) else low,
        high=None if math.isnan(high) else high,
        resampled=tuple(map(_number, score.get("resampled", ()))),
        clusters=score.get("clusters", 0),
    )


def _number(text: str | None) -> float:
    return math.nan if text is None else float(text)

"""True if a board is what the receipts say: ranks, ties and intervals are calculated again from receipts alone.

The queue is only asked which entries count, and by which attempt.  Scores come from the receipts; what is hidden from
the teams, from the openings that lie beside them, each of which must open a commitment of its receipt.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.config.challenge.types import BoardRules, Show
from evaluate.config.terms import Terms
from evaluate.core.errors import UsageError
from evaluate.core.sanitize import parsed
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import OPENINGS, PROOF, RECEIPT
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.log import Log
from evaluate.receipts.note import read_proof
from evaluate.receipts.statement import ADOPTED, EVENT_TYPE, PREDICATE_TYPE, Opening
from evaluate.receipts.verify import CHALLENGE, findings
from evaluate.store.db.attempts import Attempt
from evaluate.store.db.reader import BASELINE
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.db.tables import ACCOUNTS, ENTRIES, SCORES
from evaluate.store.entries.best_attempts import marked
from evaluate.store.entries.store import Store
from evaluate.views.board import BoardRow, board, data_in_words

_COMPARED = ("rank", "team", "score", "low", "high", "tied", "attempts", "entry")


@dataclass(frozen=True, kw_only=True)
class Verified:
    """Outcome of a verification."""

    receipts: int
    places: tuple[BoardRow, ...]
    problems: tuple[str, ...]
    said: tuple[str, ...] = ()
    """Further facts that must be known of the board."""
    closed: tuple[str, ...] = ()
    """Receipts whose scores are hidden, and whose openings are missing."""
    handed_back: tuple[str, ...] = ()
    """Receipts that were handed back after a restore, and whose entries were lost."""


def verify_board(
    store: Store,
    known: str,
    name: str,
    rules: BoardRules,
    terms: Terms,
    places: Sequence[BoardRow],
    folders: Mapping[Path, Log | None],
    keys: Sequence[PublicKey],
) -> Verified:
    """Compare the places of a board with those that follow from the receipts in some folders.

    * ``known`` and ``name``: the challenge in the store, and in receipts.
    * ``folders``: each with a folder for every receipt, such as ``receipt-log/receipts`` of a state directory, and the
      log that they are in, if it is here.
    """
    entries = store.entries(ENTRIES.c.challenge == known)
    ids = {entry.id for entry in entries}
    found = attempts_in(folders, name, keys, ids)
    attempts = found.attempts
    unknown = [key for key in attempts if key[0] not in ids]
    lost = [key for key in unknown if key in found.handed_back]
    problems = [*found.problems, *(text for key, text in found.closed.items() if key not in lost)]
    problems += [f"{_receipt_of(key)}: the queue has no such entry" for key in unknown if key not in lost]
    counted, missing = found.counted(counting(store, known, terms, entries))
    problems += [*missing, *found.mixed(counted)]
    baselines = store.reader.baseline_teams()
    said = board(counted, terms.phases, terms.allowed(rules), rules.decimals, baselines=baselines)
    problems += differences(places, said)
    words = tuple(filter(None, [data_in_words(said)]))
    back = tuple(map(_receipt_of, lost))
    return Verified(receipts=len(attempts), places=tuple(said), problems=tuple(problems), said=words, handed_back=back)


def _receipt_of(key: tuple[str, int]) -> str:
    return f"receipt of entry {key[0]}, attempt {key[1]}"


def _data(store: Store, known: str) -> dict[tuple[str, int], tuple[str, float]]:
    """Entry and attempt -> by which data the queue says that the score was given, and when."""
    query = sa.select(SCORES.c.entry, SCORES.c.attempt, SCORES.c.judged, SCORES.c.at)
    query = query.join(ENTRIES, ENTRIES.c.id == SCORES.c.entry).where(ENTRIES.c.challenge == known)
    with store.engine.connect() as connection:
        return {(row.entry, row.attempt): (row.judged, row.at) for row in connection.execute(query)}


def counting(store: Store, known: str, terms: Terms, entries: Iterable[QueuedEntry]) -> tuple[Counts, ...]:
    """The attempts that count on the board of a challenge."""
    data = _data(store, known)
    with store.engine.connect() as connection:
        unshown = set(connection.scalars(sa.select(ACCOUNTS.c.entry).where(ACCOUNTS.c.show == Show.VERDICT.value)))
        baselines = marked(connection, BASELINE, known)
    return tuple(
        Counts(
            one.id,
            one.attempt,
            *data.get((one.id, one.attempt), ("", 0.0)),
            shown=one.id not in unshown or _over(terms, one.submitted),
            baseline=one.id in baselines,
        )
        for one in entries
        if one.state is State.DONE and one.charged
    )


def _over(terms: Terms, submitted: float) -> bool:
    """True if the phase of an entry has ended, so that its score counts though its team was not shown it."""
    phase = terms.phase(submitted)
    return phase is not None and phase.ends <= time.time()


@dataclass(frozen=True)
class Counts:
    """An attempt that counts on a board."""

    entry: str
    attempt: int
    judged: str
    """By which data its score was given; see `Attempt.judged`."""
    judged_at: float
    shown: bool = True
    """True if its score may be on the board already."""
    baseline: bool = False
    """True if the organiser marked it as a baseline."""


@dataclass(frozen=True, kw_only=True)
class ReceiptsOfChallenge:
    """Statements of the receipts of a challenge."""

    attempts: Mapping[tuple[str, int], Attempt]
    """By the id of the entry and the number of the attempt."""
    by_data: Mapping[tuple[str, int], str]
    """By which data each was judged."""
    problems: Sequence[str]
    closed: Mapping[tuple[str, int], str]
    """Attempts whose scores are hidden and whose openings are missing, and what is said of that."""
    rules: Mapping[tuple[str, int], Mapping[str, Any]]
    """Statements of each attempt's receipt about its challenge."""
    handed_back: Collection[tuple[str, int]] = frozenset()
    """Attempts of which there is only a receipt that was handed back after a restore."""

    def counted(self, ones: Iterable[Counts]) -> tuple[list[Attempt], list[str]]:
        """The attempts that count, and which of them have no receipt."""
        found, missing = [], []
        for one in ones:
            if (attempt := self.attempts.get((one.entry, one.attempt))) is None:
                missing.append(f"entry {one.entry}: it counts by attempt {one.attempt}, which has no receipt")
            elif one.shown:
                attempt = replace(attempt, baseline=one.baseline)
                found.append(replace(attempt, judged=one.judged, judged_at=one.judged_at))
        return found, missing

    def mixed(self, counted: Sequence[Attempt]) -> Iterator[str]:
        """Entries of which it is said that the same data judged them as others, while their receipts name others."""
        first: dict[str, Attempt] = {}
        for one in counted:
            if one.score is None or not one.judged:
                continue
            said = self.by_data[one.entry, one.attempt]
            other = first.setdefault(f"{one.judged} {json.loads(said)[0]}", one)
            if said != self.by_data[other.entry, other.attempt]:
                yield (
                    f"entries {other.entry} and {one.entry}: the queue says that they were judged by the same data, "
                    "and their receipts name different records, references or metrics"
                )


def attempts_in(
    folders: Mapping[Path, Log | None], challenge: str, keys: Sequence[PublicKey], entries: Collection[str]
) -> ReceiptsOfChallenge:
    """Every attempt of a challenge that has a receipt; of these entries, whatever the challenge was called then.

    A receipt that was handed back after a restore gives way to another one of the same attempt; else two receipts of
    one attempt must say the same.
    """
    problems: list[str] = []
    closed: dict[tuple[str, int], str] = {}
    attempts: dict[tuple[str, int], Attempt] = {}
    by_data: dict[tuple[str, int], str] = {}
    rules: dict[tuple[str, int], Mapping[str, Any]] = {}
    handed_back = set[tuple[str, int]]()
    for folder, log in folders.items():
        adopted = _adopted(folder)
        read = _read(folder, challenge, keys, log, entries)
        for place, attempt, predicate, wrong, hidden in sorted(read, key=lambda one: one[0] in adopted):
            problems += wrong
            if attempt is None:
                continue
            key = attempt.entry, attempt.attempt
            if key not in attempts and place in adopted:
                handed_back.add(key)
            if hidden and (key not in attempts or place not in adopted):
                closed[key] = hidden
            known = attempts.setdefault(key, attempt)
            by_data.setdefault(key, _judged_by(predicate["challenge"], predicate["evaluator"]))
            rules.setdefault(key, predicate["challenge"])
            if place not in adopted and _said(known) != _said(attempt):
                problems.append(f"{folder / str(place)}: another receipt of the same attempt says something else")
    return ReceiptsOfChallenge(
        attempts=attempts, by_data=by_data, problems=problems, closed=closed, rules=rules, handed_back=handed_back
    )


def _said(attempt: Attempt) -> str:
    """Return what two receipts of one attempt must agree about, numbers that are none included."""
    return f"{attempt.team} {attempt.number} {attempt.submitted} {attempt.score} {attempt.low} {attempt.high}"


def _adopted(folder: Path) -> set[int]:
    """Numbers of receipts that were lost and handed back, by the statements in the folder."""
    found = set()
    for file in folder.glob(f"*/{RECEIPT}"):
        statement = read_envelope(file.read_bytes(), str(file)).statement
        if statement.get("predicateType") == EVENT_TYPE and statement["predicate"]["event"] == ADOPTED:
            found.add(int(statement["predicate"]["number"]))
    return found


def differences(shown: Sequence[BoardRow], said: Sequence[BoardRow]) -> Iterator[str]:
    """Yield the differences between the two boards, by phase and team, and of baselines by entry."""
    ours, theirs = ({_key(place): place for place in places} for places in (shown, said))
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        name = " ".join(
            filter(None, [f"team {key[1]}", key[2] and f"baseline {key[2]}", key[0] and f"in phase {key[0]}"])
        )
        one, other = ours.get(key), theirs.get(key)
        if one is None or other is None:
            yield f"{name}: {'no receipt gives it the place that the board shows' if one else 'not on the board'}"
            continue
        for field in _COMPARED:
            if (found := getattr(one, field)) != (expected := getattr(other, field)):
                yield f"{name}: the board says {field} {found}, the receipts say {expected}"


def _key(place: BoardRow) -> tuple[str, str, str]:
    return place.phase, place.team, place.entry if place.baseline else ""


def _read(
    folder: Path,
    challenge: str,
    keys: Sequence[PublicKey],
    log: Log | None,
    entries: Collection[str],
) -> Iterator[tuple[int, Attempt | None, Mapping[str, Any], list[str], str]]:
    """Number, attempt, predicate, what is wrong, and what is hidden, of every receipt of a challenge in a folder."""
    numbers = (path for path in folder.iterdir() if path.name.isdigit()) if folder.is_dir() else ()
    for place in sorted(numbers, key=lambda path: int(path.name)):
        openings = [Opening(**one) for one in _openings(place / OPENINGS)]
        proof = place / PROOF
        known = read_proof(proof.read_text(encoding="utf-8"), str(proof)) if proof.exists() else None
        signed, checks = findings(place / RECEIPT, keys, proof=known, openings=openings, log=log)
        predicate = signed.statement["predicate"]
        if signed.statement.get("predicateType") != PREDICATE_TYPE:
            continue
        if predicate["challenge"]["name"] != challenge and predicate["entry"].get("id") not in entries:
            continue
        problems = [f"{place}: {check.what}: {check.found}" for check in checks if check.ok is False]
        if any(check.ok is False and check.what != CHALLENGE for check in checks):
            yield int(place.name), None, predicate, problems, ""
        elif "id" in predicate["entry"]:
            attempt, hidden = _attempt(predicate, openings, place)
            yield int(place.name), attempt, predicate, problems, hidden


def _judged_by(said: Mapping[str, Any], evaluator: Mapping[str, str]) -> str:
    """Tell what a receipt says of the data; commitments of different logs have different salts and are not compared."""
    metric = said["metric"]
    own = metric["name"].endswith(".py")
    parts = [said["records"], said.get("references"), metric["sha256"] if own else metric["name"]]
    return json.dumps([evaluator["log"], *parts])


def _openings(file: Path) -> list[dict[str, Any]]:
    try:
        found: list[dict[str, Any]] = parsed(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except ValueError as e:
        raise UsageError(f"{file}: expected openings of a receipt, found something else") from e
    return found


def _attempt(predicate: Mapping[str, Any], openings: Sequence[Opening], place: Path) -> tuple[Attempt, str]:
    """The attempt that a receipt is about, with what its openings show; and what is said if they are missing."""
    entry, opened = predicate["entry"], {opening.commitment: opening.value for opening in openings}
    withheld = predicate["withheld"]
    score, hidden = predicate["score"], ""
    if "numbers" in withheld:
        score = opened.get(withheld["numbers"], score)
        if withheld["numbers"] not in opened:
            hidden = f"{place}: the opening of its numbers is missing, so ties are not known"
    exam = next((stage for stage in predicate["stages"] if stage["stage"] == "exam"), None)
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
        return found, hidden
    low, high = map(float, score["intervals"].get(score["primary"]) or (math.nan, math.nan))
    scored = replace(
        found,
        score=_number(score["values"][score["primary"]]),
        low=None if math.isnan(low) else low,
        high=None if math.isnan(high) else high,
        resampled=tuple(map(_number, score.get("resampled", ()))),
        clusters=score.get("clusters", 0),
    )
    return scored, hidden


def _number(text: str | None) -> float:
    return math.nan if text is None else float(text)

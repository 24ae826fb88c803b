"""Verification of a board against the receipts: ranks, ties and intervals are calculated again from receipts alone.

The queue, or the board that it published, only says which entries count, and by which attempt.  Scores come from the
receipts; scores hidden from the teams, from the openings that lie beside them, each of which must open a commitment of
its receipt.  A published board is calculated again by anybody: no database and no challenge is needed.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from evaluate.config.challenge.types import MAIN_EXAM, Show
from evaluate.config.load import NamedChallenge
from evaluate.config.terms import AttemptLimits, Phase, Terms, counting_rules
from evaluate.core.codec import from_json
from evaluate.core.errors import UsageError
from evaluate.receipts.envelope import Signed, read_envelope, sign
from evaluate.receipts.issue import OPENINGS, PROOF, RECEIPT, Registry
from evaluate.receipts.keys import PublicKey
from evaluate.receipts.log import Log
from evaluate.receipts.note import proof_in
from evaluate.receipts.published_log import numbered
from evaluate.receipts.statement import (
    ADOPTED,
    EVENT_TYPE,
    PAYLOAD_TYPE,
    PREDICATE_TYPE,
    SEAL_TYPE,
    Opening,
    decimals,
    evaluator,
    minute,
    openings_in,
    packed,
    stated_time,
)
from evaluate.receipts.verify import CHALLENGE, ReceiptFinding, findings
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ACCOUNTS, ENTRIES, SCORES
from evaluate.store.entries.best_attempts import Attempt
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import baseline_teams
from evaluate.views.board import BoardRow, board, data_in_words

BOARD_TYPE = "urn:sandbox-evaluate:board:v1"
FOLDER = "boards"
"""The folder of signed boards in a published log."""
_COMPARED = ("rank", "team", "score", "low", "high", "tied", "attempts", "entry")
_Key = tuple[str, int]
"""Id of an entry, and number of the attempt at it."""


@dataclass(frozen=True)
class Counts:
    """An attempt that counts on a board."""

    entry: str
    attempt: int
    judged: str
    """Digest of the data that its score was given by, as in `Attempt.judged`."""
    judged_at: float
    shown: bool = True
    """True if its score may be on the board already."""


@dataclass(frozen=True, kw_only=True)
class StatedBoard:
    """Statements of a board: its places, the rules that they follow from, and the attempts that count."""

    challenge: str
    """Name in receipts."""
    phases: tuple[Phase, ...]
    attempts: int
    """Number of attempts of a team in a phase that does not say so itself; 0: any number."""
    decimals: int
    counted: tuple[Counts, ...]
    places: tuple[BoardRow, ...]
    baselines: Collection[str]
    """Teams that are marked as baselines."""


@dataclass(frozen=True, kw_only=True)
class Verified:
    """Outcome of a verification."""

    receipts: int
    places: tuple[BoardRow, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Further facts that must be known of the board."""
    closed: tuple[str, ...] = ()
    """Receipts whose scores are hidden, and whose openings are missing."""


@dataclass(frozen=True, kw_only=True)
class AttemptReceipt:
    """Statements of a receipt about an attempt."""

    folder: Path
    attempt: Attempt
    seal: Mapping[str, Any]
    """Number and digest of the challenge's seal; empty: it was not sealed."""
    data: str
    """Statements about the data that judged the attempt."""
    closed: str
    """Message about a missing opening of hidden scores; empty if there is none."""
    handed_back: bool
    """True if it was lost, and handed back after a restore."""

    @property
    def key(self) -> _Key:
        """Entry and number of the attempt."""
        return self.attempt.entry, self.attempt.attempt

    @property
    def result(self) -> str:
        """Statements that all receipts of one attempt must agree about, numbers that are not finite included."""
        made = self.attempt
        return f"{made.team} {made.number} {made.submitted} {made.score} {made.low} {made.high}"

    def __str__(self) -> str:
        return f"entry {self.attempt.entry}, attempt {self.attempt.attempt}"


@dataclass(frozen=True, kw_only=True)
class ReceiptsOfChallenge:
    """Receipts of the attempts at a challenge."""

    of: Mapping[_Key, AttemptReceipt]
    problems: Sequence[str]

    def recalculated(self, stated: StatedBoard) -> tuple[list[BoardRow], list[str]]:
        """The board by the scores of the receipts, and the problems of the receipts."""
        counted, missing = [], []
        for counts in stated.counted:
            if (receipt := self.of.get((counts.entry, counts.attempt))) is None:
                missing.append(f"entry {counts.entry}: it counts by attempt {counts.attempt}, which has no receipt")
            elif counts.shown:
                counted.append(replace(receipt.attempt, judged=counts.judged, judged_at=counts.judged_at))
        rows = board(counted, stated.phases, stated.attempts, stated.decimals, baselines=stated.baselines)
        return rows, [*self.problems, *missing, *self._judged_otherwise(counted)]

    def _judged_otherwise(self, counted: Sequence[Attempt]) -> Iterator[str]:
        """Pairs of entries that the same data judged by the queue, and different data by their receipts."""
        first: dict[str, Attempt] = {}
        for attempt in counted:
            if attempt.score is None or not attempt.judged:
                continue
            data = self.of[attempt.entry, attempt.attempt].data
            other = first.setdefault(f"{attempt.judged} {json.loads(data)[0]}", attempt)
            if data != self.of[other.entry, other.attempt].data:
                yield (
                    f"entries {other.entry} and {attempt.entry}: the queue says that they were judged by the same "
                    "data, and their receipts name different records, references or metrics"
                )


def stated_board(store: Store, named: NamedChallenge, places: Sequence[BoardRow]) -> StatedBoard:
    """The board of a challenge with the attempts that count on it, by the queue."""
    rules = named.challenge.board
    return StatedBoard(
        challenge=named.challenge.name,
        phases=named.terms.phases,
        attempts=named.terms.allowed(rules),
        decimals=rules.decimals,
        counted=_counted(store, named.store_name, named.terms),
        places=tuple(places),
        baselines=baseline_teams(store.database),
    )


def _counted(store: Store, challenge: str, terms: Terms) -> tuple[Counts, ...]:
    scores = sa.select(SCORES.c.entry, SCORES.c.attempt, SCORES.c.judged, SCORES.c.at)
    scores = scores.join(ENTRIES, ENTRIES.c.id == SCORES.c.entry).where(ENTRIES.c.challenge == challenge)
    with store.engine.connect() as connection:
        data = {(row.entry, row.attempt): (row.judged, row.at) for row in connection.execute(scores)}
        unshown = set(connection.scalars(sa.select(ACCOUNTS.c.entry).where(ACCOUNTS.c.show == Show.VERDICT.value)))
    return tuple(
        Counts(
            entry.id,
            entry.attempt,
            *data.get((entry.id, entry.attempt), ("", 0.0)),
            shown=entry.id not in unshown or _over(terms, entry.submitted),
        )
        for entry in store.entries(ENTRIES.c.challenge == challenge)
        if entry.state is State.DONE and entry.charged
    )


def _over(terms: Terms, submitted: float) -> bool:
    """True if the phase of an entry has ended, so that its score counts though its team was not shown it."""
    phase = terms.phase(submitted)
    return phase is not None and phase.ends <= time.time()


def verify_board(
    stated: StatedBoard,
    folders: Mapping[Path, Log | None],
    keys: Sequence[PublicKey],
    entries: Collection[str] | None = None,
) -> Verified:
    """Compare the places of a board with those that follow from the receipts in some folders.

    * ``folders``: each with a folder for every receipt, such as ``receipt-log/receipts`` of a state directory, and the
      log that they are in, if it is here.
    * ``entries``: ids of all entries to the challenge; None where no queue knows them.
    """
    counts = {(each.entry, each.attempt) for each in stated.counted}
    ids = {entry for entry, _ in counts} if entries is None else entries
    receipts = receipts_of(folders, stated.challenge, keys, ids)
    calculated, problems = receipts.recalculated(stated)
    problems += _other_rules(stated, receipts, folders, keys)
    if len({entry for entry, _ in counts}) < len(stated.counted):
        problems.append("an entry counts more than once")
    left_out = []
    for key, receipt in receipts.of.items():
        if entries is not None and receipt.attempt.entry not in entries and not receipt.handed_back:
            problems.append(f"{receipt}: the queue has no such entry")
        elif key not in counts and receipt.attempt.wall_seconds:
            left_out.append(f"{receipt}, of team {receipt.attempt.team} has a receipt and does not count")
    closed = tuple(receipt.closed for key, receipt in receipts.of.items() if receipt.closed and key in counts)
    if not closed:
        problems += differences(stated.places, calculated)
    return Verified(
        receipts=len(receipts.of),
        places=tuple(calculated),
        problems=tuple(problems),
        notes=(*left_out, *filter(None, [data_in_words(calculated)])),
        closed=closed,
    )


def _unlike(board: StatedBoard, stated: Mapping[str, Any]) -> list[str]:
    """Rules of a board that differ from those that a seal states; what is not stated is not compared."""
    ours = {**counting_rules(board.phases, board.attempts), "decimals": board.decimals}
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
        if not _states(SEAL_TYPE, path, signed, keys):
            continue
        digest = hashlib.sha256((path / RECEIPT).read_bytes().rstrip(b"\n")).hexdigest()
        sealed = signed.statement["predicate"]["challenge"]
        if sealed["name"] == challenge or digest in digests:
            yield digest, path, sealed


def _other_rules(
    stated: StatedBoard, receipts: ReceiptsOfChallenge, folders: Iterable[Path], keys: Sequence[PublicKey]
) -> list[str]:
    """Differences between the rules of a board and those that its challenge was sealed with."""
    counted = ((counts.entry, counts.attempt) for counts in stated.counted)
    seals_of = [receipts.of[key].seal for key in counted if key in receipts.of]
    named = {seal["sha256"]: seal["number"] for seal in seals_of if seal}
    seals = [list(_seals(folder, stated.challenge, named, keys)) for folder in folders]
    missing = named.keys() - {digest for each in seals for digest, _, _ in each}
    wrong = [f"receipts name the seal number {named[digest]}, which is missing or invalid" for digest in missing]
    for *_, (_, seal, sealed) in filter(None, seals):
        unlike = _unlike(stated, sealed)
        wrong += [f"the board counts by other rules than its seal, {seal}: {difference}" for difference in unlike]
    return wrong


def differences(shown: Sequence[BoardRow], calculated: Sequence[BoardRow]) -> Iterator[str]:
    """Yield the differences between the two boards, by phase and team."""
    ours, theirs = ({(row.phase, row.team): row for row in rows} for rows in (shown, calculated))
    if len(ours) < len(shown):
        yield "the board has more than one place for a team in a phase"
    for key in [*ours, *(key for key in theirs if key not in ours)]:
        phase, team = key
        name = f"team {team} in phase {phase}" if phase else f"team {team}"
        row, other = ours.get(key), theirs.get(key)
        if row is None or other is None:
            yield f"{name}: {'no receipt gives it the place that the board shows' if row else 'not on the board'}"
            continue
        for field in _COMPARED:
            if (value := getattr(row, field)) != (expected := getattr(other, field)):
                yield f"{name}: the board says {field} {value}, the receipts say {expected}"


def receipts_of(
    folders: Mapping[Path, Log | None], challenge: str, keys: Sequence[PublicKey], entries: Collection[str]
) -> ReceiptsOfChallenge:
    """Every attempt at a challenge that has a receipt; of these entries, under any earlier name of the challenge.

    A receipt that was handed back after a restore gives way to another one of the same attempt; else two receipts of
    one attempt must say the same.
    """
    problems: list[str] = []
    receipts: dict[_Key, AttemptReceipt] = {}
    for folder, log in folders.items():
        read = []
        for receipt, wrong in _read(folder, challenge, keys, log, entries):
            problems += wrong
            read += [receipt] if receipt is not None else []
        for receipt in sorted(read, key=lambda receipt: receipt.handed_back):
            first = receipts.setdefault(receipt.key, receipt)
            if not receipt.handed_back and first.result != receipt.result:
                problems.append(f"{receipt.folder}: another receipt of the same attempt says something else")
    return ReceiptsOfChallenge(of=receipts, problems=problems)


def receipt_folders(folder: Path) -> Iterator[tuple[Path, Signed]]:
    """The folder and the statement of every receipt, by its number in the log."""
    for _, path in numbered(folder):
        yield path, read_envelope((path / RECEIPT).read_bytes().rstrip(b"\n"), str(path / RECEIPT))


def check_receipt(
    folder: Path, keys: Sequence[PublicKey], openings: Sequence[Opening] = (), log: Log | None = None
) -> list[ReceiptFinding]:
    """Findings about a receipt in its folder, with the proof beside it."""
    file = folder / PROOF
    proof = proof_in(file) if file.exists() else None
    return findings(folder / RECEIPT, keys, proof=proof, openings=openings, log=log)[1]


def _read(
    folder: Path, challenge: str, keys: Sequence[PublicKey], log: Log | None, entries: Collection[str]
) -> Iterator[tuple[AttemptReceipt | None, list[str]]]:
    """Every receipt of a challenge in a folder, if it states an attempt and can be believed, and its problems."""
    receipts = list(receipt_folders(folder))
    handed_back = [
        signed.statement["predicate"]["number"]
        for path, signed in receipts
        if _states(EVENT_TYPE, path, signed, keys) and signed.statement["predicate"]["event"] == ADOPTED
    ]
    for path, signed in receipts:
        predicate = signed.statement["predicate"]
        if signed.statement.get("predicateType") != PREDICATE_TYPE:
            continue
        try:
            if predicate["challenge"]["name"] != challenge and predicate["entry"].get("id") not in entries:
                continue
            openings = openings_in(path / OPENINGS) if (path / OPENINGS).exists() else []
            failed = [check for check in check_receipt(path, keys, openings, log) if check.ok is False]
            problems = [f"{path}: {check.what}: {check.found}" for check in failed]
            receipt = None
            if "id" in predicate["entry"] and all(check.what == CHALLENGE for check in failed):
                attempt, closed = _attempt(predicate, openings, path)
                receipt = AttemptReceipt(
                    folder=path,
                    attempt=attempt,
                    seal=predicate["challenge"].get("seal") or {},
                    data=_judged_by(predicate["challenge"], predicate["evaluator"]),
                    closed=closed,
                    handed_back=int(path.name) in handed_back,
                )
        except (KeyError, TypeError, ValueError, AttributeError) as e:
            wish = "expected the receipt of an evaluation"
            raise UsageError(f"{path / RECEIPT}: {wish}, found {type(e).__name__}: {e}") from e
        yield receipt, problems


def _states(kind: str, path: Path, signed: Signed, keys: Sequence[PublicKey]) -> bool:
    """True if a receipt is of a kind, and can be believed."""
    wanted = signed.statement.get("predicateType") == kind
    return wanted and all(check.ok is not False for check in check_receipt(path, keys))


def _judged_by(rules: Mapping[str, Any], evaluator: Mapping[str, str]) -> str:
    """Statements about the data; commitments of different logs have different salts and are not compared."""
    metric = rules["metric"]
    by_program = metric["name"].endswith(".py")
    parts = [rules["records"], rules.get("references"), metric["sha256"] if by_program else metric["name"]]
    return json.dumps([evaluator["log"], *parts])


def _attempt(predicate: Mapping[str, Any], openings: Sequence[Opening], folder: Path) -> tuple[Attempt, str]:
    """The attempt that a receipt is about, with the values of its openings; and a message if they are missing."""
    entry, opened = predicate["entry"], {opening.commitment: opening.value for opening in openings}
    withheld = predicate["withheld"]
    score, closed = predicate["score"], ""
    if "numbers" in withheld:
        score = opened.get(withheld["numbers"], score)
        if withheld["numbers"] not in opened:
            closed = f"{folder}: the opening of its numbers is missing, so ties are not known"
    exam = next((stage for stage in predicate["stages"] if stage["stage"] == "exam"), None)
    if exam is not None and "exam" in withheld:
        exam = opened.get(withheld["exam"]["stage"], exam)
    attempt = Attempt(
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
        return attempt, closed
    low, high = map(float, score["intervals"].get(score["primary"]) or (math.nan, math.nan))
    scored = replace(
        attempt,
        score=_number(score["values"][score["primary"]]),
        low=None if math.isnan(low) else low,
        high=None if math.isnan(high) else high,
        resampled=tuple(map(_number, score.get("resampled", ()))),
        clusters=score.get("clusters", 0),
    )
    return scored, closed


def _number(text: str | None) -> float:
    return math.nan if text is None else float(text)


# A board as it is published: its places, the rules that they follow from, and the attempts that count, signed.


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

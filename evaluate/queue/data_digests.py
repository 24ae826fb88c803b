"""Which data a score was given by: one digest of the exam's records, their files, the references and the metric.

Scores of different data are not compared on a board.  A metric of the program counts by its name: a later release of it
is the same metric, and its notes say when a number changes.  An organiser's own counts by its code.

The digest is kept in the store and shown to nobody: who guesses references could compare them with it.  Entries of
earlier releases have none; it follows from their receipts, where this host signed them: their commitments to records
and references are those of the challenge as it is, or the entry was judged by something else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluate.challenge.types import Challenge
from evaluate.core.errors import EvaluateError, Fault
from evaluate.core.model import StageOutcome
from evaluate.queue.db.rows import QueuedEntry
from evaluate.queue.entries import judged_data
from evaluate.queue.entries.store import Store
from evaluate.queue.logs import LOG
from evaluate.queue.signing import receipt_of
from evaluate.queue.storage.depot import Depot
from evaluate.queue.storage.stage_folders import challenge_of
from evaluate.receipts.code import judge_digest, tree_digest
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import Registry
from evaluate.receipts.seal import data_digest

_KEPT = "digests.json"
"""In the folder of seals: digests of records' files, so that large sets are read once."""


def digest_of(challenge: Challenge, state: Path) -> str:
    """The digest of what a challenge's exam is judged by now."""
    exam = challenge.exam
    own = challenge.metric.endswith(".py") or challenge.scorer is not None
    parts = {
        "records": list(exam.records),
        "files": data_digest(exam, state / "receipt-log" / _KEPT),
        "references": None if exam.references is None else tree_digest(exam.references),
        "metric": judge_digest(challenge) if own else challenge.metric,
        "rules": challenge.rules,
        **({"input": tree_digest(exam.input_data)} if exam.input_data is not None else {}),
        **({"part": exam.part} if exam.part else {}),
    }
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def with_digest(challenge: Challenge, state: Path, score: Callable[[], StageOutcome]) -> StageOutcome:
    """What ``score()`` gives, with the digest of what it was given by.

    Raises Fault if the data was changed meanwhile.
    """
    before = digest_of(challenge, state)
    outcome = score()
    if digest_of(challenge, state) != before:
        raise Fault(f"{challenge.name}: records, references or metric were changed while an entry was scored")
    return replace(outcome, judged=before)


def derive(store: Store, state: Path, shared: Path, depot: Depot) -> int:
    """Find the digests of scores of earlier releases in the receipts that this host signed; returns how many."""
    found: dict[str, list[tuple[str, int]]] = {}
    registry = Registry(state)
    now: dict[tuple[str, str], tuple[Mapping[str, Any], str]] = {}
    for entry in judged_data.unknown(store.database):
        try:
            receipt = receipt_of(shared, depot, entry)
            if receipt is None:
                continue
            said = read_envelope(receipt.read_bytes(), str(receipt)).statement["predicate"]
            if said["evaluator"]["log"] != registry.log.origin:
                continue
            key = (entry.challenge, entry.references)
            if key not in now:
                now[key] = _now(entry, registry, state, said["challenge"])
            digest = _digest_of_receipt(said["challenge"], *now[key])
        except (EvaluateError, OSError, KeyError, TypeError) as e:
            LOG.warning("the receipt of %s does not say what it was judged by: %s", entry.id, e)
            continue
        found.setdefault(digest, []).append((entry.id, entry.attempt))
    return judged_data.keep_derived(store.database, found)


def _now(entry: QueuedEntry, registry: Registry, state: Path, said: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    challenge = challenge_of(entry)
    return registry.digests_of(challenge, said), digest_of(challenge, state)


def _digest_of_receipt(said: Mapping[str, Any], now: Mapping[str, Any], digest: str) -> str:
    """The digest of today's data if a receipt is about the same; else one of what the receipt says."""
    same, today = (_judges(one) for one in (said, now))
    return digest if same == today else hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()


def _judges(digests: Mapping[str, Any]) -> dict[str, Any]:
    metric = digests["metric"]
    own = metric["name"].endswith(".py") or "scorer" in digests
    return {
        "records": digests["records"],
        "references": digests.get("references"),
        "metric": metric["sha256"] if own else metric["name"],
    }

"""The receipt of an attempt that has come to its end, left beside the products of its stages.

The host that takes an attempt to its end signs, with its own keys and in its own log.  It signs before the entry is
done, so every entry that is done has a receipt; if the process ends in between, another receipt is made, and the first
one stays in the log.

Each receipt has the end of the queue's journal, and the journal the number and digest of each receipt.  So anybody who
rewrites the journal, with right links, or shortens the log and signs it again, has to rewrite both, and that is seen by
everybody who has a receipt of it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from evaluate.config.load import public_name, with_public_name
from evaluate.config.types import Config
from evaluate.confine.ownership import discard_tree
from evaluate.core.errors import Fault
from evaluate.core.files import publish_once
from evaluate.core.model import Entry, Evaluation
from evaluate.operate.audit.verify import Finding, first_of
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import PROOF, PUBLIC_FILES, RECEIPT, Registry
from evaluate.receipts.keys import restored_size
from evaluate.receipts.note import proof_in
from evaluate.receipts.published_log import audit
from evaluate.receipts.statement import ADOPTED, EVENT_TYPE
from evaluate.store.db import journal
from evaluate.store.db.database import Database
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.entries.bases import exam_of, with_rules
from evaluate.store.entries.store import SIGNED, Store, outcomes_of
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import WORK, archive_of, challenge_of, part_of, work_folder
from evaluate.views.feedback import policy_of

FOLDER = "receipt"


def evaluation_of(store: Store, shared: Path, entry: QueuedEntry, config: Config) -> Evaluation | None:
    """Return what is known of an attempt; None before its first stage has ended."""
    results = store.results(entry.id, entry.attempt)
    if not results:
        return None
    score = store.score(entry.id, entry.attempt)
    archive = archive_of(shared, entry.sha256).with_name(entry.name)
    return Evaluation(
        entry=Entry(archive=archive, sha256=entry.sha256, size=entry.bytes, commit=entry.commit),
        challenge=public_name(entry.challenge, config),
        outcomes=outcomes_of(results, score),
        team=entry.team,
        submitted=entry.submitted,
        judged=entry.changed if entry.state.ended else None,
        version=results[-1].get("version", ""),
        identity=entry.id,
        number=entry.number,
        attempt=entry.attempt,
        state=entry.state.value,
    )


def sign(
    registry: Registry, store: Store, shared: Path, depot: Depot, config: Config, entry: QueuedEntry, executor: str
) -> dict[str, Any] | None:
    """Sign the receipt of an attempt, unless it has one. Raises Fault if keys or log cannot be used.

    Returns what the journal records of it (`SIGNED`), in the transaction in which the attempt ends; None before its
    first stage has ended.
    """
    folder = work_folder(shared, entry) / FOLDER
    name = str(folder.relative_to(shared))
    depot.fetch(name)
    if folder.is_dir():  # the process that signed it was killed
        return _line(folder, entry.attempt)
    evaluation = evaluation_of(store, shared, entry, config)
    if evaluation is None:
        return None
    evaluation = replace(evaluation, state=State.DONE.value)  # as it is from the next step on
    end = asdict(store.database.position())
    challenge = with_public_name(challenge_of(entry), entry.challenge, config)
    board = config.terms(entry.challenge).sealed(challenge.board)
    exam, began = exam_of(store, entry.id, entry.attempt), with_rules(store, entry).rules
    rules = began.file if began is not None else ""
    issued = registry.issue(evaluation, challenge, policy_of(config, store, entry), end, board, exam, rules)
    part = part_of(folder.parent, FOLDER, executor.rpartition(":")[2])
    part.mkdir(mode=0o711)
    try:
        for file in PUBLIC_FILES:
            shutil.copy(issued.folder / file, part)
        publish_once(part, folder)
    finally:
        discard_tree(part)
    depot.publish(name)
    return _line(folder, entry.attempt)


def _line(folder: Path, attempt: int) -> dict[str, Any]:
    """Return where a receipt is: its number in the log of an origin, and its digest."""
    data, proof = (folder / RECEIPT).read_bytes().rstrip(b"\n"), folder / PROOF
    log = read_envelope(data, str(folder / RECEIPT)).statement["predicate"]["evaluator"]["log"]
    number = proof_in(proof).index
    return {"attempt": attempt, "log": log, "number": number, "sha256": hashlib.sha256(data).hexdigest()}


def receipt_of(shared: Path, depot: Depot, entry: QueuedEntry) -> Path | None:
    """The receipt of an attempt; None if it has none."""
    folder = work_folder(shared, entry) / FOLDER
    depot.fetch(str(folder.relative_to(shared)))
    return folder / RECEIPT if folder.is_dir() else None


def anchored(registry: Registry, database: Database) -> Iterator[Finding]:
    """Yield what is wrong with the log of this host, and where the log and the journal do not say the same."""
    problems = audit(registry.log, registry.keys.public()).problems
    for problem in problems:
        yield Finding(kind="receipts", where="receipt-log", message=f"{problem}; restore a backup")
    if problems:
        return  # what cannot be trusted is compared with nothing
    missing = (
        replace(finding, message=f"{finding.message}; restore a backup")
        for finding in unlogged(registry, database)
        if not finding.absent
    )
    yield from first_of(missing, "receipt-log", "receipts are not in the log")
    ends = _ends(registry, database.identity)
    last = 0
    for line in _lines(database):
        last = line.number
        for number, chain in ends.pop(last, ()):
            if chain != line.chain:
                message = f"line {last} is not the one that was there when this receipt was signed"
                yield Finding(kind="journal", where=f"receipt {number}", message=f"{message}; restore a backup")
    for at, lost in sorted(ends.items()):
        if at:
            message = f"expected line {at} of the journal, found its end at line {last}; restore a backup"
            yield Finding(kind="journal", where=f"receipt {lost[0][0]}", message=message)


def absent(registry: Registry, database: Database, shared: Path, depot: Depot) -> Iterator[Finding]:
    """Receipts of which this host has neither the log nor the keys, and that are not beside their entries either."""
    ours = {span.origin for key in registry.keys.public() for span in key.logs}
    for line in _lines(database):
        if line.event == SIGNED and line.data["log"] not in ours:
            name = f"{WORK}/{line.entry}/{line.data['attempt']}/{FOLDER}"
            if not (shared / name / RECEIPT).is_file() and not depot.has(name):
                message = f"receipt {line.data['number']} of the log {line.data['log']} is missing; restore a backup"
                yield Finding(kind="receipts", where=name, message=message)


def _ends(registry: Registry, identity: str) -> dict[int, list[tuple[int, str]]]:
    """Line of this queue's journal -> the numbers of the receipts of which it was the end, and its link then."""
    ends, handed_back = list[tuple[int, int, str]](), set[int]()
    for number, statement in registry.receipts():
        predicate = statement["predicate"]
        if statement.get("predicateType") == EVENT_TYPE and predicate["event"] == ADOPTED:
            handed_back.add(predicate["number"])  # its journal went on in the time that was lost
        if (end := predicate.get("queue")) and end["identity"] == identity:
            ends.append((end["line"], number, end["chain"]))
    by_line: dict[int, list[tuple[int, str]]] = {}
    for at, number, chain in ends:
        if number not in handed_back:
            by_line.setdefault(at, []).append((number, chain))
    return by_line


def unlogged(registry: Registry, database: Database) -> Iterator[Finding]:
    """Yield what this host signed, by the journal, and its log does not have.

    A receipt that was lost when the log was restored, which the log says, is absent.
    """
    keys, log = registry.keys.public(), registry.log
    ours = {span.origin for key in keys for span in key.logs}
    digests: set[str] = set()
    for line in _lines(database):
        if line.event != SIGNED or line.data["log"] not in ours:
            continue
        number, origin = line.data["number"], line.data["log"]
        restored = restored_size(keys, origin)
        lost = restored is not None and number >= restored
        here = (origin == log.origin or restored is not None) and number < log.size
        if here and hashlib.sha256(log.leaf(number)).hexdigest() == line.data["sha256"]:
            continue
        if lost:
            digests = digests or {hashlib.sha256(leaf).hexdigest() for leaf in log.leaves()}
            if line.data["sha256"] in digests:
                continue  # it was handed back
            problem = f"it was lost when the log was restored at size {restored}; `evaluate log adopt RECEIPT`"
        elif origin != log.origin and restored is None:
            problem = f"its log {origin} is not here, but {log.origin}"
        elif number >= log.size:
            problem = f"it was lost: the log has {log.size}"
        else:
            problem = "another one has its number in the log"
        where = f"receipt {number} of entry {line.entry}, attempt {line.data['attempt']}"
        yield Finding(kind="receipts", where=where, message=problem, absent=lost)


def _lines(database: Database) -> Iterator[journal.JournalLine]:
    """The journal as far as its chain holds; `verify.whole` names the rest."""
    with suppress(Fault):
        yield from journal.read(database)

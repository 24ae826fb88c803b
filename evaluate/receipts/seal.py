"""The seal of a challenge: a signed and logged statement of what it is, made before anybody knows an entry.

It has the digests of rules and metric in the open, and commitments to references, the list of records, the records' own
files, and those that entries are trained with.  Every later receipt of the challenge has the same digests and
commitments, names the seal, and says which of them are others; since the salts do not change, anyone who has both files
can compare them.

receipt-log/seals/<challenge>.json    the number of its newest seal in the log
            digests.json              digests of records' files, so that large sets are not read for every receipt
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import Challenge
from evaluate.core.errors import UsageError
from evaluate.core.files import sha256_file
from evaluate.receipts.exam_data import ExamData, files_digest, files_of
from evaluate.receipts.statement import (
    SEAL_TYPE,
    Committer,
    Receipt,
    challenge_digests,
    evaluator,
    exam_label,
    minute,
    packed,
)

DIGESTS = "digests.json"
_DATA = ("records", "references", "data", "training")
_OF_EXAM = ("records", "references", "data")
_SEALED = ("rules", "metric", "libraries", "terms", "decimals", "scores", *_DATA, "exams")
"""Subjects of a seal, by the names that people read."""
_OPTIONAL = ("libraries", "terms", "decimals", "scores", "training", "exams")
"""Subjects of which not every seal says something."""


@dataclass(frozen=True, kw_only=True)
class Seal:
    """A seal in the log."""

    number: int
    """Number in the log."""
    sha256: str
    """Digest of its file ``receipt.json`` without the line's end."""
    statement: Mapping[str, Any]

    @property
    def digests(self) -> Mapping[str, Any]:
        """Digests of the challenge as it was."""
        digests: Mapping[str, Any] = self.statement["predicate"]["challenge"]
        return digests

    @property
    def sealed(self) -> str:
        """Time of the seal, as ``2026-11-22T09:00Z``."""
        return str(self.statement["predicate"]["sealed"])

    @property
    def entries_before(self) -> int:
        """Number of entries and receipts of the challenge that there were."""
        before: Mapping[str, int] = self.statement["predicate"]["before"]
        return max(before.values())

    def changed(self, digests: Mapping[str, Any]) -> tuple[str, ...]:
        """Name what is not as it was sealed; for a receipt, by the exam that it names."""
        sealed = {**self.digests, **self.digests.get("exams", {}).get(digests.get("exam", ""), {})}
        stated = (name for name in _SEALED if name not in _OPTIONAL or (name in sealed and name in digests))
        return tuple(name for name in stated if sealed.get(name) != digests.get(name))


@dataclass(frozen=True, kw_only=True)
class SealNow:
    """A seal, and what of the challenge has changed since."""

    seal: Seal
    changed: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Words that people read, after "was"."""
        seal, many = self.seal, self.seal.entries_before
        when = "before the first entry" if not many else "after 1 entry" if many == 1 else f"after {many} entries"
        sealed = f"sealed {seal.sealed.replace('T', ' ').replace('Z', ' UTC')} {when} (number {seal.number} of the log)"
        return f"{sealed}; {'CHANGED since: ' + ', '.join(self.changed) if self.changed else 'nothing changed since'}"

    @property
    def json(self) -> dict[str, Any]:
        """The same for programs."""
        seal = self.seal
        values = {"number": seal.number, "sha256": seal.sha256, "sealed": seal.sealed}
        return {**values, "entries_before": seal.entries_before, "changed": list(self.changed)}


def sealed_digests(
    challenge: Challenge,
    committer: Committer,
    log: Path,
    board: Mapping[str, Any] | None = None,
    exam: ExamData | None = None,
) -> dict[str, Any]:
    """The digests of a challenge with a commitment to the files of its exam's records; see `challenge_digests`."""
    kept = log / DIGESTS

    def digests(judged: Challenge, board: Mapping[str, Any] | None = None) -> dict[str, Any]:
        files = files_digest(exam.files if exam is not None else files_of(judged.exam, kept))
        data = committer.commit(f"files of the records of {exam_label(judged)}", files)
        return {**challenge_digests(judged, committer, board, exam), "data": data}

    sealed = digests(challenge, board)
    if exam is None and challenge.data.exams:
        others = {name: digests(challenge.with_exam(name)) for name in challenge.data.exams}
        sealed["exams"] = {name: {key: exam[key] for key in _OF_EXAM if key in exam} for name, exam in others.items()}
    if challenge.train is None:
        return sealed
    training = [files_digest(files_of(challenge.train.records, kept))]
    training += [sha256_file(challenge.train.records.folder / name) for name in challenge.train.files]
    return {**sealed, "training": committer.commit(f"files of the training of {challenge.name}", training)}


def seal_statement(
    challenge: Challenge,
    digests: Mapping[str, Any],
    *,
    before: Mapping[str, int],
    earlier: Seal | None,
    log: str,
    at: float,
) -> Receipt:
    """The statement that seals a challenge; its openings are those of the committer that made the digests.

    * ``before``: how many ``receipts`` and ``entries`` of the challenge there are.
    * ``earlier``: the seal that this one replaces.
    """
    if not digests["metric"]["sha256"]:
        raise UsageError(
            f"{challenge.name}: its metric {digests['metric']['name']!r} does not exist, so nothing is sealed"
        )
    replaces = {} if earlier is None else {"replaces": earlier.number, "changed": list(earlier.changed(digests))}
    predicate = {
        "challenge": dict(digests),
        "before": dict(before),
        **replaces,
        "evaluator": evaluator(log),
        "sealed": minute(at),
    }
    return Receipt(payload=packed(challenge.name, digests["rules"], SEAL_TYPE, predicate), openings=())


def refuse_change(name: str, changed: tuple[str, ...]) -> UsageError:
    """The error for a challenge that is sealed and is not any more what it was."""
    return UsageError(
        f"{name} was sealed and has changed since: {', '.join(changed)}; put them back, or seal it again with "
        "--replace, which the new seal says"
    )

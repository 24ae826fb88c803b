"""Content of a receipt: an in-toto Statement v1 about one entry, made of what its team may see.

What the team may not see, the records and exact counts of a hidden exam and a score that is not released, is in the
statement as salted commitments; the organiser keeps what opens them (`Opened`), and can show any of it later.  So there
is one receipt, the same for both audiences.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import platform
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import rfc8785

from evaluate import __version__
from evaluate.config.challenge.contract import TERMS, ContractName
from evaluate.config.challenge.load import FILE
from evaluate.config.challenge.scorer import Scorer
from evaluate.config.challenge.types import MAIN_EXAM, Challenge
from evaluate.core import codec
from evaluate.core.errors import Fault, UsageError
from evaluate.core.files import exclusive, sha256_file, sha256_kept, write_file
from evaluate.core.model import Evaluation
from evaluate.core.sanitize import parsed
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.exam_data import (
    ExamData,
    code_digest,
    files_digest,
    judge_digest,
    libraries,
    tree_files,
)
from evaluate.receipts.log import Held, Log
from evaluate.report.audience import Policy, for_organiser, for_team
from evaluate.report.json import to_json

# Salted commitments: fix a value now, and show it later to whom one chooses.
#
# A commitment is SHA-256 over 32 bytes of salt and the value as canonical JSON (RFC 8785).  Without its salt it says
# nothing, even about a value with few possibilities.  A salt is derived from one secret of the state directory, the
# label and the value: the same value under the same label has the same commitment in every receipt, so a change of
# the references shows; and another value has a salt of its own, so an opening of one says nothing about the other.


ALGORITHM = "sha256-salted-rfc8785"
_SALT_BYTES = 32


@dataclass(frozen=True, kw_only=True)
class Opening:
    """Evidence that a commitment is about a value."""

    label: str
    salt: str
    """Hexadecimal."""
    value: Any
    """Value of JSON."""

    @property
    def commitment(self) -> str:
        """The commitment that it opens."""
        return digest(bytes.fromhex(self.salt), self.value)


def openings_in(file: Path) -> list[Opening]:
    """The openings in a file. Raises UsageError if it has something else."""
    try:
        openings = msgspec.convert(parsed(file.read_bytes()), list[Opening])
        for opening in openings:
            _ = opening.commitment
    except ValueError as e:
        raise UsageError(f"{file}: expected openings of a receipt, found something else") from e
    return openings


def openings_text(openings: Iterable[Opening]) -> bytes:
    """The content of a file of openings."""
    return (json.dumps([asdict(opening) for opening in openings], indent=1) + "\n").encode()


@dataclass(frozen=True)
class Committer:
    """Makes commitments, and remembers what opens them."""

    secret: bytes
    opened: dict[str, Opening] = field(default_factory=dict)
    """Openings by label."""

    def commit(self, label: str, value: Any) -> str:
        """The commitment to a value, as hexadecimal digits."""
        salted = json.dumps([label]).encode() + rfc8785.dumps(value)
        salt = hmac.digest(self.secret, salted, "sha256").hex()
        self.opened[label] = Opening(label=label, salt=salt, value=value)
        return self.opened[label].commitment


def digest(salt: bytes, value: Any) -> str:
    """The commitment to a value under a salt."""
    return hashlib.sha256(salt + rfc8785.dumps(value)).hexdigest()


def secret_of(file: Path) -> bytes:
    """The secret in a file, made at first use. Raises Fault if it is damaged, or others may read it."""
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive(file.parent / "lock"):
            if not file.exists():
                write_file(file, secrets.token_bytes(_SALT_BYTES), 0o600)
    if file.stat().st_mode & 0o077:
        raise Fault(f"{file} may be read by others (mode {file.stat().st_mode & 0o777:o}); chmod 600 it")
    secret = file.read_bytes()
    if len(secret) != _SALT_BYTES:
        raise Fault(f"{file}: expected {_SALT_BYTES} bytes, found {len(secret)}; restore it from a backup")
    return secret


def decimals(value: Any) -> Any:
    """The value with every float as the shortest decimal string that is the same number.

    Readers in other languages then compare text, and no two JSON libraries disagree about a digit.
    """
    if isinstance(value, bool) or value is None or isinstance(value, int | str):
        return value
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, Mapping):
        return {str(key): decimals(part) for key, part in value.items()}
    return [decimals(part) for part in value]


STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:sandbox-evaluate:evaluation:v1"
SEAL_TYPE = "urn:sandbox-evaluate:seal:v1"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
_TO_MINUTES = 60


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """An unsigned statement, and what opens its commitments."""

    payload: bytes
    """The statement as JSON: the bytes that are signed."""
    openings: tuple[Opening, ...]


def statement(
    evaluation: Evaluation,
    challenge: Challenge,
    policy: Policy,
    committer: Committer,
    digests: Mapping[str, Any],
    *,
    log: str,
    at: float,
    seal: Mapping[str, Any] | None = None,
    queue: Mapping[str, Any] | None = None,
) -> Receipt:
    """The statement about an evaluation that has ended.

    * ``digests``: of the challenge; see `challenge_digests`.
    * ``log``: the name of the log that it goes to.
    * ``at``: when it ended, seconds since 1970; stated to the minute, which the team knows anyway.
    * ``seal``: which seal the challenge has, and what is not as it was sealed.
    * ``queue``: the end of the queue's journal: ``identity`` of the queue, ``line``, and its link in the ``chain``.
    """
    limits = challenge.limits
    view = for_team(evaluation, limits, policy)
    shown = to_json(view)
    whole = to_json(for_organiser(evaluation, limits))
    entry = evaluation.entry
    if evaluation.score is not None:  # with the resamples, from which the ties of a board follow
        whole["score"] = codec.to_json(evaluation.score)
    withheld = _withheld(shown, whole, f"{entry.sha256} {challenge.name} {at!r}", committer)
    predicate = {
        "verdict": shown["verdict"],
        "entry": {**shown["entry"], **_submission(evaluation)},
        "challenge": {**digests, **({"seal": seal} if seal else {})},
        **_machines(view.evaluation),
        "stages": shown["stages"],
        "score": shown["score"],
        "withheld": withheld,
        "commitments": ALGORITHM,
        "evaluator": evaluator(log),
        **({"queue": dict(queue)} if queue else {}),
        "ended": minute(at),
    }
    subject = {"sha256": entry.sha256, **({"gitCommit": entry.commit} if entry.commit else {})}
    payload = packed(entry.name, subject, PREDICATE_TYPE, predicate)
    return Receipt(payload=payload, openings=tuple(committer.opened.values()))


def packed(name: str, digests: Mapping[str, str], predicate_type: str, predicate: Mapping[str, Any]) -> bytes:
    """A statement about one thing as the bytes that are signed."""
    whole = {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": name, "digest": dict(digests)}],
        "predicateType": predicate_type,
        "predicate": decimals(predicate),
    }
    return json.dumps(whole, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def evaluator(log: str) -> dict[str, str]:
    """Describe who states it: this program on this host, and the log that it goes to."""
    return {
        "name": "evaluate",
        "version": __version__,
        "sha256": code_digest(),
        "host": platform.node(),
        "log": log,
    }


def _submission(evaluation: Evaluation) -> dict[str, Any]:
    """Identity of an entry in a queue; nothing outside one."""
    if not evaluation.identity:
        return {}
    return {
        "id": evaluation.identity,
        "number": evaluation.number,
        "attempt": evaluation.attempt,
        "team": evaluation.team,
        "submitted": moment(evaluation.submitted) if evaluation.submitted is not None else None,
    }


def _machines(evaluation: Evaluation) -> dict[str, Any]:
    """Return the machine that the last stage ran on, and that of each other stage that ran on something else."""
    if evaluation.machine is None:
        return {"machine": None}
    last = codec.to_json(evaluation.machine)
    ran = {
        outcome.result.stage.value: codec.to_json(outcome.machine) for outcome in evaluation.outcomes if outcome.machine
    }
    others = {stage: machine for stage, machine in ran.items() if machine != last}
    return {"machine": last, **({"other_machines": others} if others else {})}


def _withheld(shown: Mapping[str, Any], whole: Mapping[str, Any], about: str, committer: Committer) -> dict[str, Any]:
    """Commitments to what was removed from a report: each record alone, so that any one can be shown by itself."""
    commitments: dict[str, Any] = {}
    for seen, complete in zip(shown["stages"], whole["stages"], strict=True):
        if seen != complete:
            name = complete["stage"]
            rest = {key: value for key, value in complete.items() if key != "records"}
            commitments[name] = {"stage": committer.commit(f"{name} of {about}", decimals(rest))}
            if "records" in complete and "records" not in seen:
                commitments[name]["records"] = [
                    committer.commit(f"record {n} of {name} of {about}", decimals(record))
                    for n, record in enumerate(complete["records"])
                ]
    if whole["score"] is not None:
        commitments["numbers"] = committer.commit(f"numbers of {about}", decimals(whole["score"]))
    return commitments


def challenge_digests(
    challenge: Challenge,
    committer: Committer,
    board: Mapping[str, Any] | None = None,
    exam: ExamData | None = None,
) -> dict[str, Any]:
    """Describe what identifies a challenge: rules and code in the open, references and record lists as commitments.

    * ``board``: the organiser's settings by which a board counts: ``terms`` and ``scores``.
    * ``exam``: what an attempt was judged by; by default what is there now.
    """
    judge = exam.metric if exam is not None and challenge.has_own_judge else judge_digest(challenge)
    records = challenge.exam.records if exam is None else exam.records
    bases = {name: f"sha256:{sha256_kept(archive)}" for name, archive in challenge.base_images.items()}
    digests: dict[str, Any] = {
        "name": challenge.name,
        "mode": challenge.run.mode.value,
        "rules": {"sha256": sha256_file(challenge.folder / FILE)},
        "metric": {"name": metric_name(challenge.metric), "sha256": judge},
        **({"scorer": scorer_stated(challenge.scorer)} if challenge.scorer else {}),
        **({"contract": contract_stated(challenge, challenge.platform)} if challenge.platform else {}),
        **({"bases": bases} if bases else {}),
        "libraries": libraries(challenge.metric),
        **(board or {}),
        **({} if challenge.exam.name in ("", MAIN_EXAM) else {"exam": challenge.exam.name}),
        "records": committer.commit(f"records of {exam_label(challenge)}", list(records)),
    }
    references = exam.references if exam is not None else None
    if exam is None and challenge.exam.references is not None:
        references = tree_files(challenge.exam.references)
    if references is not None:
        tree = files_digest(references)
        digests["references"] = committer.commit(f"references of {exam_label(challenge)}", tree)
    return digests


def exam_label(challenge: Challenge) -> str:
    """The exam of a challenge in the labels of commitments; that of most challenges needs no name."""
    name = challenge.exam.name
    return challenge.name if name in ("", MAIN_EXAM) else f"{name} of {challenge.name}"


def scorer_stated(scorer: Scorer) -> dict[str, str]:
    """Form and image of a scorer, and the version of the contract that it was run by."""
    image = f"sha256:{sha256_file(scorer.container)}" if scorer.container is not None else scorer.image
    return {"form": scorer.form.value, "contract": scorer.contract, "image": image}


def contract_stated(challenge: Challenge, contract: ContractName) -> dict[str, str]:
    """The platform that entries were written for, where its contract is written down, its sockets and programs."""
    files = {"sockets": challenge.sockets.sha256} if challenge.sockets else {}
    if challenge.programs is not None:
        files["programs"] = f"sha256:{files_digest(tree_files(challenge.programs, '.py'))}"
    return {"name": contract.value, "version": TERMS[contract].version, **files}


def metric_name(metric: str) -> str:
    """The name of a metric as it may be published: a file without the folders of this machine."""
    return Path(metric).name if metric.endswith(".py") else metric


def minute(at: float | None = None) -> str:
    """A time, by default now, to the minute."""
    at = time.time() if at is None else at
    return datetime.fromtimestamp(at - at % _TO_MINUTES, UTC).strftime("%Y-%m-%dT%H:%MZ")


def moment(at: float) -> str:
    """A time to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def stated_time(statement: Mapping[str, Any]) -> float | None:
    """Time that a statement gives, in seconds since 1970, to the minute; None if it gives none."""
    predicate = statement["predicate"]
    stated = next((predicate[name] for name in ("ended", "sealed", "stated") if name in predicate), None)
    try:
        return datetime.fromisoformat(str(stated)).timestamp()
    except ValueError:
        return None


# What happens to the log itself, as statements in it: a key was revoked, the log restored, a lost receipt handed
# back.
#
# The subject of such a statement is the log before it, by its origin and the root of its tree; so its holder knows
# what the log was when it was made.


EVENT_TYPE = "urn:sandbox-evaluate:log-event:v1"
REVOKED = "revoked"
"""A ``key`` is revoked ``since`` a time: what it signed from the number ``first`` on does not count."""

RESTORED = "restored"
"""The log continues a backup, as it was ``before``, of the ``former`` log under another origin; later receipts of that
log are lost until they are handed back."""
ADOPTED = "adopted"
"""The receipt with the number ``number`` and the digest ``sha256`` is one that was lost, and was handed back."""


def event(held: Held, kind: str, about: Mapping[str, Any], at: float) -> Receipt:
    """The statement that something happened to the log as it is now."""
    before = {"origin": held.origin, "size": held.size}
    predicate = {"event": kind, **about, "before": before, "evaluator": evaluator(held.origin), "stated": minute(at)}
    return Receipt(payload=packed(held.origin, {"sha256": held.root().hex()}, EVENT_TYPE, predicate), openings=())


def events(log: Log, kind: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Number and content of the statements of one kind in a log."""
    for number, line in enumerate(log.leaves()):
        content = read_envelope(line, f"receipt {number} of the log").statement
        if content.get("predicateType") == EVENT_TYPE and content["predicate"]["event"] == kind:
            yield number, content["predicate"]

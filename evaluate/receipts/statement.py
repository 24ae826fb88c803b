"""What a receipt says: an in-toto Statement v1 about one entry, made of what its team may see.

What the team may not see, the records and exact counts of a hidden exam and a score that is not released, is in the
statement as salted commitments; the organiser keeps what opens them (`Opened`), and can show any of it later.  So there
is one receipt, the same for both audiences.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluate import __version__
from evaluate.challenge.contract import TERMS, ContractName
from evaluate.challenge.load import FILE
from evaluate.challenge.scorer import Scorer
from evaluate.challenge.types import Challenge
from evaluate.core import codec
from evaluate.core.files import sha256_file, sha256_kept
from evaluate.core.model import Evaluation
from evaluate.receipts.code import board_digest, code_digest, files_digest, judge_digest, libraries, tree_files
from evaluate.receipts.commitments import ALGORITHM, Committer, Opening, decimals
from evaluate.receipts.exam_data import ExamData
from evaluate.report.audience import Policy, for_organiser, for_team
from evaluate.report.json import to_json

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
    """Who states it: this program on this host, and the log that it goes to."""
    return {
        "name": "evaluate",
        "version": __version__,
        "sha256": code_digest(),
        "host": platform.node(),
        "log": log,
    }


def _submission(evaluation: Evaluation) -> dict[str, Any]:
    """Which entry of a queue it is; nothing outside one."""
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
    """What the last stage ran on, and each other that ran on something else."""
    if evaluation.machine is None:
        return {"machine": None}
    last = codec.to_json(evaluation.machine)
    ran = {one.result.stage.value: codec.to_json(one.machine) for one in evaluation.outcomes if one.machine}
    others = {stage: machine for stage, machine in ran.items() if machine != last}
    return {"machine": last, **({"other_machines": others} if others else {})}


def _withheld(shown: Mapping[str, Any], whole: Mapping[str, Any], about: str, committer: Committer) -> dict[str, Any]:
    """Commitments to what was removed from a report: each record alone, so that any one can be shown by itself."""
    found: dict[str, Any] = {}
    for seen, known in zip(shown["stages"], whole["stages"], strict=True):
        if seen != known:
            name = known["stage"]
            rest = {key: value for key, value in known.items() if key != "records"}
            found[name] = {"stage": committer.commit(f"{name} of {about}", decimals(rest))}
            if "records" in known and "records" not in seen:
                found[name]["records"] = [
                    committer.commit(f"record {n} of {name} of {about}", decimals(record))
                    for n, record in enumerate(known["records"])
                ]
    if whole["score"] is not None:
        found["numbers"] = committer.commit(f"numbers of {about}", decimals(whole["score"]))
    return found


def challenge_digests(
    challenge: Challenge,
    committer: Committer,
    board: Mapping[str, Any] | None = None,
    exam: ExamData | None = None,
) -> dict[str, Any]:
    """What identifies a challenge: rules and code in the open, references and record lists as commitments.

    * ``board``: the organiser's settings by which a board counts: ``terms`` and ``scores``.
    * ``exam``: what an attempt was judged by; by default what is there now.
    """
    judge = exam.metric if exam is not None and challenge.has_own_judge else judge_digest(challenge)
    records = challenge.exam.records if exam is None else exam.records
    bases = {name: f"sha256:{sha256_kept(archive)}" for name, archive in challenge.base_images.items()}
    found: dict[str, Any] = {
        "name": challenge.name,
        "mode": challenge.run.mode.value,
        "rules": {"sha256": sha256_file(challenge.folder / FILE)},
        "metric": {"name": metric_name(challenge.metric), "sha256": judge},
        **({"scorer": scorer_stated(challenge.scorer)} if challenge.scorer else {}),
        **({"contract": contract_stated(challenge, challenge.platform)} if challenge.platform else {}),
        **({"bases": bases} if bases else {}),
        "libraries": libraries(challenge.metric),
        "code": {"sha256": board_digest()},
        **(board or {}),
        "records": committer.commit(f"records of {challenge.name}", list(records)),
    }
    references = exam.references if exam is not None else None
    if exam is None and challenge.exam.references is not None:
        references = tree_files(challenge.exam.references)
    if references is not None:
        tree = files_digest(references)
        found["references"] = committer.commit(f"references of {challenge.name}", tree)
    return found


def scorer_stated(scorer: Scorer) -> dict[str, str]:
    """Form and image of a scorer, and the version of the contract that it was run by."""
    image = f"sha256:{sha256_file(scorer.container)}" if scorer.container is not None else scorer.image
    return {"form": scorer.form.value, "contract": scorer.contract, "image": image}


def contract_stated(challenge: Challenge, contract: ContractName) -> dict[str, str]:
    """The platform that entries were written for, where its contract is written down, its sockets and programs."""
    own = {"sockets": challenge.sockets.sha256} if challenge.sockets else {}
    if challenge.programs is not None:
        own["programs"] = f"sha256:{files_digest(tree_files(challenge.programs, '.py'))}"
    return {"name": contract.value, "version": TERMS[contract].version, **own}


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
    """When a statement says that it was made, in seconds since 1970, to the minute; None if it does not say so."""
    predicate = statement["predicate"]
    stated = next((predicate[name] for name in ("ended", "sealed", "stated") if name in predicate), None)
    try:
        return datetime.fromisoformat(str(stated)).timestamp()
    except ValueError:
        return None

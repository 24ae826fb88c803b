"""`evaluate verify --rerun`: does the entry do on this machine what its receipt says?

The records run again as by `evaluate recount`, each in a machine of its own whose time passes with its instructions,
restored from a snapshot that was made here.  A receipt of such machines (`isolation: snapshot`, under emulation) comes
from another snapshot of the same image, in which the kernel has laid out its memory in another way: counts are judged
by the spread that was measured between snapshots, and equal ones are said to be equal to the last digit.  Counts of
other machines may differ by the tolerance of their counter and by what such machines count otherwise; and those of
another version of the counter, which may count otherwise, are shown and not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluate.challenge.load import FILE
from evaluate.challenge.types import Challenge, Isolation, RecordSet
from evaluate.core.codec import to_json
from evaluate.core.errors import UsageError
from evaluate.core.files import sha256_file
from evaluate.core.model import MachineInfo, RecordOutcome, Run, Stage, TrainedModel
from evaluate.home.recount import in_rooms, record_set_of
from evaluate.receipts.commitments import Opening
from evaluate.receipts.verify import RERUN, ReceiptFinding
from evaluate.stages.job import Monitor

QUIZ = "quiz"
_TOLERANCE = 1e-3
"""Of counts in receipts that do not say their counter's."""
_BESIDE = 200_000
"""Instructions by which a machine for all records may count otherwise than one for each: found were 47 000."""
_BETWEEN_SNAPSHOTS = 1e-2
"""The same program in two snapshots of one image, made by two users: found were 1.6e-5 (threads in C), 1.1e-3 (a
pipeline) and 8.6e-3 (Python); docs/clean-room.md says why."""
_HEREABOUTS = ("host", "processor", "counter", "isolation")
"""What may be another here without being a difference of the machine."""


def rerun(
    predicate: Mapping[str, Any],
    entry: Path,
    challenge: Challenge,
    what: str,
    state: Path,
    monitor: Monitor,
    openings: Sequence[Opening] = (),
) -> list[ReceiptFinding]:
    """Run the records of the quiz, or one record, again, and compare.

    Raises UsageError if the receipt does not say what the record did. Raises Fault if the comparison cannot be
    performed.

    * ``predicate``: the predicate of the receipt.
    * ``what``: ``quiz`` or the name of a record; of a hidden record the opening is needed.
    """
    stage, records = (Stage.QUIZ, challenge.quiz) if what == QUIZ else record_set_of(challenge, what)
    stated = _stated(predicate, stage, openings)
    names = [name for name in records.records if name in stated] if what == QUIZ else [what]
    if not names or any(name not in stated for name in names):
        hint = "; give what opens it (--openings)" if stage is Stage.EXAM else ""
        raise UsageError(f"the receipt does not say what {what} did{hint}")
    found = in_rooms(entry, challenge, stage, _only(records, names), state, monitor)
    return [
        _rules(predicate, challenge),
        _machine(predicate, found.machine),
        *_model(predicate, found.model),
        *(_record(stated[one.record], one, run, predicate, found.machine) for one, run in found.answered),
    ]


def _only(records: RecordSet, names: Sequence[str]) -> RecordSet:
    return replace(records, records=tuple(names))


def _stated(predicate: Mapping[str, Any], stage: Stage, openings: Sequence[Opening]) -> dict[str, Mapping[str, Any]]:
    """What the receipt says of each record of a stage; of hidden ones, what openings of its commitments say."""
    found: dict[str, Mapping[str, Any]] = {}
    for one in predicate["stages"]:
        if one["stage"] == stage.value:
            found |= {record["record"]: record for record in one.get("records", ())}
    committed = set(predicate["withheld"].get(stage.value, {}).get("records", ()))
    return found | {one.value["record"]: one.value for one in openings if one.commitment in committed}


def _rules(predicate: Mapping[str, Any], challenge: Challenge) -> ReceiptFinding:
    here, there = sha256_file(challenge.folder / FILE), predicate["challenge"]["rules"]["sha256"]
    same = here == there
    found = (
        "the rules are those of the receipt" if same else f"{challenge.folder / FILE} has sha256 {here}, not {there}"
    )
    return ReceiptFinding(what="rules", ok=same, found=found)


def _machine(predicate: Mapping[str, Any], machine: MachineInfo | None) -> ReceiptFinding:
    """What differs between this machine and that of the receipt; a difference is reported, and is no fault."""
    stated = predicate.get("machine") or {}
    here = to_json(machine) if machine else {}
    parts = {**here, **(here.get("parts") or {})}
    others = {**stated, **(stated.get("parts") or {})}
    differ = [
        name
        for name, value in parts.items()
        if name not in (*_HEREABOUTS, "parts") and name in others and str(others[name]) != str(value)
    ]
    if not others:
        return ReceiptFinding(what="machine", ok=None, found="the receipt does not say what machine it was")
    found = f"another {', '.join(differ)} than in the receipt" if differ else "the same parts as in the receipt"
    return ReceiptFinding(what="machine", ok=None if differ else True, found=found)


def _model(predicate: Mapping[str, Any], here: TrainedModel | None) -> list[ReceiptFinding]:
    """Whether training gave the same model here; nothing where the receipt states none.

    Another model answers otherwise, so this explains what differs below.
    """
    stated = next((one["model"] for one in predicate["stages"] if one.get("model")), None)
    if stated is None:
        return []
    same = here is not None and here.sha256 == stated["sha256"]
    other = f"has sha256 {here.sha256}" if here is not None else "does not exist"
    found = "is that of the receipt" if same else f"{other}, not {stated['sha256']}"
    return [ReceiptFinding(what="model", ok=same, found=f"the entry was trained again, and its model {found}")]


def _record(
    stated: Mapping[str, Any],
    outcome: RecordOutcome,
    run: Run,
    predicate: Mapping[str, Any],
    here_on: MachineInfo | None,
) -> ReceiptFinding:
    here, there = run.usage.instructions, int(stated["instructions"])
    wrong = []
    # the quiz calls an answer that is not the entry's own a mismatch; what the program did is its answer
    if stated["verdict"] not in (outcome.verdict.value, "MISMATCH"):
        wrong.append(f"verdict {outcome.verdict}, not {stated['verdict']}")
    if stated.get("answer") != outcome.answer:
        wrong.append(f"answer {outcome.answer!r}, not {stated.get('answer')!r}")
    machine = predicate.get("machine") or {}
    of_rooms = machine.get("isolation") == Isolation.SNAPSHOT and machine.get("accelerator") == "tcg"
    tolerance = _BETWEEN_SNAPSHOTS if of_rooms else float((machine.get("parts") or {}).get("tolerance", _TOLERANCE))
    allowed = tolerance * there + _BESIDE
    reason = "between two snapshots" if of_rooms else "between its machine and this one"
    within = f"{allowed:.1e} that are allowed {reason} ({tolerance:.1%} and {_BESIDE})"
    if (other := _other_counter(machine, here_on)) and not wrong and abs(here - there) > allowed:
        found = f"the same verdict and answer; {here} instructions, stated {there}, which are not compared: {other}"
        return ReceiptFinding(what=f"{RERUN} {outcome.record}", ok=None, found=found)
    if abs(here - there) > allowed:
        wrong.append(f"{here} instructions, not {there} within the {within}")
    same = (
        "the same count, equal to the last digit"
        if here == there
        else f"{here} instructions, stated {there}: {abs(here - there)} apart, within the {within}"
    )
    return ReceiptFinding(
        what=f"{RERUN} {outcome.record}", ok=not wrong, found="; ".join(wrong) or f"the same verdict and answer, {same}"
    )


def _other_counter(stated: Mapping[str, Any], here: MachineInfo | None) -> str:
    """Why counts of two machines cannot be compared; empty if they can."""
    if (processors := stated.get("processors", 1)) > 1:
        return f"with {processors} processors they differ each time"
    there = (stated.get("parts") or {}).get("counter_version")
    now = here.parts.counter_version if here is not None and here.parts is not None else None
    if there is None or now is None or there == now:
        return ""
    return f"they were counted by {there}, and here by {now}"

"""One process that answers records one after another, as other platforms have it: a comparison, which decides nothing.

Here each record is answered in a clean place.  An entry that keeps something from one record to the next answers
otherwise where it was written for, and the report says so (``run.compare``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from evaluate.challenge.types import Challenge, RecordSet
from evaluate.core.model import Limits, Run
from evaluate.protocol.guest import CASES, EACH_ANSWERS, INVOKE, LINKED_INPUT
from evaluate.sandbox.base import Command, Machine
from evaluate.stages.contracts.base import Contract, Files
from evaluate.stages.job import MEDIUM, Job
from evaluate.stages.kinds.base import for_records, guest
from evaluate.stages.scorers.base import Link
from evaluate.stages.scorers.layout import laid_out

_SHOWN = 5
"""Names of records in a message."""


def start_together(
    job: Job,
    contract: Contract,
    machine: Callable[[Path], Machine],
    record_set: RecordSet,
    command: Command,
    places: tuple[str, str],
    *,
    server: bool,
) -> tuple[Run, tuple[Path, ...]]:
    """Start the program once for all records; how that ended, and the folder with what it left for each.

    * ``machine``: makes the guest that has the prepared entry and the records of a medium.
    * ``places``: where a program finds its records and leaves its answers.
    * ``server``: whether the command is a server that is invoked.
    """
    job.monitor.step("all records by one process, to compare")
    data, output = places
    records, gathered = record_set.records, job.folder / "together.output"
    files: Files = {}
    for i, some in enumerate([(record,) for record in records] if server else [records]):
        files |= {
            f"0/{i}/{name}" if server else f"0/{name}": one for name, one in contract.lay(record_set, some).items()
        }
    made = machine(job.medium(job.folder / f"together{MEDIUM}", files))
    limits = _limits(job.challenge, len(records))
    if server:
        links = laid_out(job.folder / "together.squashfs", {data: Link(f"{output}/{LINKED_INPUT}")})
        made = replace(made, layers=[links, *made.layers])
        seconds = str(math.ceil(job.challenge.limits["setup"].wall_seconds))
        command = replace(command, argv=(INVOKE, "each", seconds, *command.argv))
    with guest(job, made) as sandbox:
        mounts = {CASES if server else data: "0"}
        run = sandbox.run(replace(command, mounts=mounts, output=output, gather=gathered), limits)
    each = (gathered / EACH_ANSWERS / str(i) if server else gathered for i in range(len(records)))
    return run, tuple(each)


def _limits(challenge: Challenge, n: int) -> Limits:
    """Loading is by the limits of setup."""
    setup, records = challenge.limits["setup"], for_records(challenge.limits["quiz"], n)
    return replace(
        records,
        instructions=setup.instructions + records.instructions,
        wall_seconds=setup.wall_seconds + records.wall_seconds,
    )


def differing(
    challenge: Challenge, contract: Contract, records: Sequence[str], one: Path, other: Path
) -> Iterator[str]:
    """The records whose answers differ between two folders of answers."""
    for record in records:
        names = (*challenge.answers.names(record), *(name.format(record=record) for name in contract.beside))
        if any(_content(one / name) != _content(other / name) for name in names):
            yield record


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def said(differing: Sequence[str], n: int, run: Run) -> str:
    """The sentence of the report."""
    if not run.verdict.passed:
        return f"one process for all {n} records: {run.detail}, so its answers cannot be compared"
    if not differing:
        return f"one process for all {n} records gives the same answers"
    shown = ", ".join(differing[:_SHOWN]) + (" and others" if len(differing) > _SHOWN else "")
    return (
        f"one process for all {n} records answers {len(differing)} of them differently ({shown}): here nothing is kept "
        "from one record to the next, and random numbers begin again at each"
    )

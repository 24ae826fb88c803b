"""A copy of the queue while it is in use, and the way back from a copy or from its journal alone."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from evaluate.errors import Fault, UsageError
from evaluate.queue.store import ENTRIES, FILE, JOURNAL, RESULTS, SCORES, State, Store, open_store


def backup(store: Store, target: Path) -> None:
    """Write a whole, consistent copy of the queue to ``target``; daemons and submissions go on meanwhile.

    Raises
    ------
    UsageError
        The file is there already.
    """
    if target.exists():
        raise UsageError(f"{target}: is there already; nothing was written")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    with store.engine.connect() as connection:
        # the driver's own connection: "vacuum into" cannot run inside a transaction
        source: Any = connection.connection.driver_connection
        copy = sqlite3.connect(part)
        try:
            source.backup(copy)
        finally:
            copy.close()
    part.chmod(0o600)
    part.replace(target)


def restore(copy: Path, state: Path, *, from_journal: bool = False) -> int:
    """Bring the queue of a state directory back; how many entries it has.

    Parameters
    ----------
    from_journal : bool
        Believe only the journal of the copy, and make everything else anew from it.

    Raises
    ------
    UsageError
        The state directory has a queue already, or there is no such copy.
    Fault
        The copy, or its journal, is damaged.
    """
    target = state / FILE
    if target.exists():
        raise UsageError(f"{target}: is there already; move it away first")
    if not copy.is_file():
        raise UsageError(f"{copy}: no such file")
    scratch = state / f".restore-{os.getpid()}"
    scratch.mkdir(mode=0o700)
    try:
        (scratch / FILE).write_bytes(copy.read_bytes())
        source = open_store(scratch)
        if from_journal:
            made = open_store(state)
            count = rebuild(source, made)
            made.engine.dispose()
        else:
            list(source.journal())
            count = len(source.entries())
            backup(source, target)
        source.engine.dispose()
    except BaseException:
        for path in state.glob(f"{FILE}*"):
            path.unlink()
        raise
    finally:
        for path in scratch.iterdir():
            path.unlink()
        scratch.rmdir()
    return count


def rebuild(source: Store, target: Store) -> int:
    """Make every table of ``target``, which is empty, from the journal of ``source``; how many entries there are."""
    with target.change() as connection:
        for number, at, entry, event, data in source.journal():
            if event == "submitted":
                row = {**data, "id": entry, "state": State.QUEUED.value, "attempt": 1, "detail": "", "charged": False}
                connection.execute(sa.insert(ENTRIES).values(**row, submitted=at, changed=at))
            elif event == "moved":
                values = {"state": data["to"], "detail": data["detail"], "changed": at}
                if data["charged"] is not None:
                    values["charged"] = data["charged"]
                connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == entry).values(values))
            elif event == "retried":
                values = {"state": State.QUEUED.value, "detail": "", "attempt": data["attempt"], "changed": at}
                connection.execute(sa.update(ENTRIES).where(ENTRIES.c.id == entry).values(values))
            elif event == "result":
                result = data["result"]
                row = {"entry": entry, "attempt": data["attempt"], "stage": data["stage"], "at": at}
                row |= {"verdict": result["verdict"], "result": json.dumps(result), **_used(result)}
                connection.execute(insert(RESULTS).values(row))
            elif event == "score":
                score = data["score"]
                row = {"entry": entry, "attempt": data["attempt"], "key": score["primary"], "at": at}
                row |= {"value": score["values"][score["primary"]], "score": json.dumps(score)}
                connection.execute(insert(SCORES).values(row))
            else:
                raise Fault(f"the journal has an event of an unknown kind in line {number}: {event!r}")
        with source.engine.connect() as reader:
            for line in reader.execute(sa.select(JOURNAL).order_by(JOURNAL.c.number)).mappings():
                connection.execute(sa.insert(JOURNAL).values({str(key): value for key, value in line.items()}))
        # what was in a stage goes on: the next daemon finds what is done in the folders of its stages
    return len(target.entries())


def _used(result: dict[str, Any]) -> dict[str, Any]:
    return {key: result["usage"][key] for key in ("instructions", "wall_seconds")}

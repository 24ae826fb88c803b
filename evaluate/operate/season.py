"""Everything of a challenge as one archive: entries, answers, reports, receipts, for its organisers.

It is made while it is sent, so that it needs no room on the disk.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, cast

from evaluate.core.model import Stage
from evaluate.operate.signing import receipt_of
from evaluate.stages.job import ANSWERS
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.files.depot import Depot
from evaluate.store.files.stage_folders import archive_of, work_folder

_LISTED = ("id", "number", "team", "name", "sha256", "bytes", "commit", "state", "attempt", "submitted", "changed")


def season(
    entries: Iterable[QueuedEntry], shared: Path, depot: Depot, report: Callable[[QueuedEntry], Any], board: str
) -> Iterator[bytes]:
    """A tar in pieces.

    * ``report``: the report of an entry as values of JSON; None before its first stage has ended.
    * ``board``: as CSV.
    """
    pieces: list[bytes] = []
    out = cast("IO[bytes]", SimpleNamespace(write=pieces.append))

    def taken() -> bytes:
        data = b"".join(pieces)
        pieces.clear()
        return data

    listed = list(entries)
    with tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT) as archive:

        def text(name: str, content: str) -> None:
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))

        text("board.csv", board)
        rows = [{column: getattr(entry, column) for column in _LISTED} for entry in listed]
        text("entries.json", json.dumps(rows, indent=1))
        for entry in listed:
            if (values := report(entry)) is not None:
                text(f"{entry.id}/report.json", json.dumps(values, indent=1))
            for name, path in _files(entry, shared, depot):
                member = archive.gettarinfo(path, f"{entry.id}/{name}")
                member.uid = member.gid = 0
                member.uname = member.gname = ""
                with path.open("rb") as content:
                    archive.addfile(member, content)
                yield taken()
            yield taken()
    yield taken()


def _files(entry: QueuedEntry, shared: Path, depot: Depot) -> Iterator[tuple[str, Path]]:
    """Yield the files that there are of an entry; `evaluate prune` may have removed some."""
    kept = archive_of(shared, entry.sha256)
    depot.fetch(str(kept.relative_to(shared)))
    if kept.is_file():
        yield f"upload/{entry.name}", kept
    if (receipt := receipt_of(shared, depot, entry)) is not None:
        yield from ((f"receipt/{path.name}", path) for path in sorted(receipt.parent.iterdir()) if path.is_file())
    answers = work_folder(shared, entry) / Stage.EXAM.value / ANSWERS
    regular = (path for path in sorted(answers.rglob("*")) if path.is_file() and not path.is_symlink())
    yield from ((f"answers/{path.relative_to(answers)}", path) for path in regular)

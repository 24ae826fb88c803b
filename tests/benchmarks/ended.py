"""What entries that have ended cost: ``python -m tests.benchmarks.ended [N …]``, by default 10,000 and 100,000.

Each has 100 records, or ``--records``. What the commands take, the size of the files, comparing the queue with its
journal (up to 100,000), and how long rejudging keeps other writers waiting. A million with 10 records takes an hour;
``--folder`` keeps what was made, and takes it up again.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import count
from pathlib import Path

import sqlalchemy as sa

from evaluate.core.model import Stage
from evaluate.operate.audit import verify
from evaluate.operate.prometheus import Measures
from evaluate.store.db.rows import State
from evaluate.store.db.tables import ENTRIES, SHADOWS
from evaluate.store.entries.rejudge_attempts import adopt_shadows, begin_shadows
from evaluate.store.entries.store import Store, open_store
from evaluate.views.board import board_of
from evaluate.views.why import why
from tests.benchmarks.queue import upload
from tests.support.ended_entries import fill_ended

_AT_ONCE = 5000
_MOST_COMPARED = 100_000


def measured(sizes: Sequence[int], records: int, kept: Path | None = None) -> None:
    """Entries that are over must cost next to nothing: seconds, and of them how many of a processor."""
    with nullcontext(str(kept)) if kept else tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder))
        filled = store.reader.counts().get(State.DONE, 0)
        for size in sizes:
            for first in range(filled, size, _AT_ONCE):
                fill_ended(store, first, min(first + _AT_ONCE, size), records)
            filled = max(filled, size)
            store.database.count_rows()
            (identity, _), *_ = store.submit([upload(10**9 + size)])
            waiting = store.entry(identity)
            measures = Measures(store)
            print(f"{size} entries have ended, with {records} records each")
            for goal, what, work in (
                ("at most 0.4", "evaluate status, a process", partial(_process, folder, "status")),
                ("at most 1", "evaluate board, a process", partial(_process, folder, "board", "cinc2017")),
                ("at most 0.02", "why", partial(why, waiting, store)),
                ("", "board, nothing new", partial(board_of, store, "cinc2017", (), 0, 12)),
                ("", "next entries", partial(store.next_entries, 0)),
                ("", "Prometheus asks", partial(_nothing_kept, measures.registry.collect)),
                ("", "opening the queue", partial(_opened, folder)),
                ("", "submit one", partial(_submit_one, store, count(10**10 + size * 100))),
            ):
                print(f"  {what:<31}{_spent(work)}  {goal}")
            store.cancel(identity)
            _files(store, Path(folder))
            if size <= _MOST_COMPARED:
                _comparison(store)
        _rejudging(store, min(sizes[-1], 10_000))
        store.engine.dispose()


def _spent(work: Callable[[], object]) -> str:
    """The best time, and the least time of a processor, here and in child processes."""
    found = []
    for _ in range(3):
        before, used = time.perf_counter(), os.times()
        work()
        seconds, now = time.perf_counter() - before, os.times()
        found.append((seconds, sum(now[:4]) - sum(used[:4])))
    return f"{min(one for one, _ in found):8.3f} s {min(one for _, one in found):8.2f} s CPU"


def _opened(folder: str) -> None:
    open_store(Path(folder)).engine.dispose()


def _submit_one(store: Store, numbers: Iterator[int]) -> None:
    store.submit([upload(next(numbers))])


def _nothing_kept(work: Callable[[], Iterable[object]]) -> None:
    list(work())


def _process(folder: str, *words: str) -> None:
    command = [sys.executable, "-W", "ignore", "-m", "evaluate", "--state", folder, *words]
    subprocess.run(command, check=True, capture_output=True)


def _files(store: Store, folder: Path) -> None:
    with store.engine.connect() as connection:
        connection.exec_driver_sql("pragma wal_checkpoint(truncate)")
    print(f"  queue.sqlite {(folder / 'queue.sqlite').stat().st_size / 1e6:.0f} MB")


def _comparison(store: Store) -> None:
    position = store.database.position()
    for what, work in (
        ("compared with its journal", partial(verify.whole, store.database)),
        ("compared at a daemon's start", partial(verify.newest, store.database, position)),
    ):
        before, used = time.perf_counter(), time.process_time()
        _nothing(work())
        print(f"  {what:<31}{time.perf_counter() - before:8.3f} s {time.process_time() - used:8.2f} s CPU")


def _nothing(found: Iterable[object]) -> None:
    assert not list(found)


def _rejudging(store: Store, most: int) -> None:
    """How long one transaction holds the lock that every writer needs."""
    entries = store.entries(ENTRIES.c.number <= most)
    for what, work in (
        ("start", partial(begin_shadows, store, entries, "r1", Stage.SCORE)),
        ("apply", partial(adopt_shadows, store, "r1")),
    ):
        before, used = time.perf_counter(), time.process_time()
        work()
        seconds, used = time.perf_counter() - before, time.process_time() - used
        print(f"rejudging {most} entries: {what} takes {seconds:.2f} s, {used:.2f} s CPU, in one transaction")
        with store.change() as connection:
            connection.execute(sa.update(SHADOWS).values(state="done"))


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("sizes", type=int, nargs="*", default=[10_000, 100_000])
    options.add_argument("--records", type=int, default=100)
    options.add_argument("--folder", type=Path)
    asked = options.parse_args()
    measured(asked.sizes, asked.records, asked.folder)

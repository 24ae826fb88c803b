"""One function over many records, in this process or in several."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[int, int], None]
"""Called with the number of records done and their total."""


def map_records(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Result]:
    """``function`` of every item, in order; the first error ends it.

    Parameters
    ----------
    workers : int
        With 1 (the default) everything runs in this process. More start that many new processes, which pays off from
        about ten volumes or masks on; a script that asks for them needs the ``if __name__ == "__main__":`` guard, and
        ``function`` must be picklable.
    """
    results: list[Result] = []
    with _mapped(function, items, min(workers, len(items))) as mapped:
        for result in mapped:
            results.append(result)
            if progress is not None:
                progress(len(results), len(items))
    return results


@contextmanager
def _mapped(function: Callable[[Item], Result], items: Sequence[Item], workers: int) -> Iterator[Iterator[Result]]:
    if workers <= 1:
        yield map(function, items)
        return
    # spawn: a fork would copy the locks of running threads
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        try:
            yield pool.map(function, items)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

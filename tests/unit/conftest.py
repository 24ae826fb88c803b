import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluate.store.entries.store import Store
from tests.support.queues import queue


@pytest.fixture
def store(tmp_path: Path, queue_url: str) -> Iterator[Store]:
    """An empty queue in a database of each kind."""
    with queue(tmp_path, queue_url) as store:
        yield store


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A day does not end while its attempts are counted."""
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Any]:
    """A site with two teams, whose challenge is kits19."""
    from tests.support.sites import Site_

    with queue(tmp_path / "state") as store:
        yield Site_(tmp_path / "state", store)

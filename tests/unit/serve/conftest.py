from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.queues import queue
from tests.support.sites import Site_, sample_archive


@pytest.fixture(scope="session")
def archive() -> bytes:
    """An entry to kits19 that passes."""
    return sample_archive()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site_]:
    """A site with two teams, whose challenge is kits19."""
    (tmp_path / "state").mkdir()
    with queue(tmp_path / "state") as store:
        yield Site_(tmp_path / "state", store)

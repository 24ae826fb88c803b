"""Fixtures of all tests of stages."""

from pathlib import Path

import pytest

from evaluate.stages import entry_image, score
from evaluate.untrusted import archives
from tests.support.toys import Toys


@pytest.fixture(autouse=True)
def without_walls(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read entries and score answers in this process, which takes less time, but in tests of scoring itself."""
    if request.path.name != "test_confined.py" and request.path.parent.name != "scorers":
        for module in (archives, entry_image, score):
            monkeypatch.setattr(module, "isolated", lambda _, work, *words: work(*words))


@pytest.fixture(autouse=True)
def digests_of_layers_are_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers of these tests are names of files that are not there."""
    monkeypatch.setattr("evaluate.stages.job.sha256_kept", lambda path: path.name)


@pytest.fixture
def toys(tmp_path: Path) -> Toys:
    """Skeleton challenges and their entries."""
    return Toys(tmp_path)

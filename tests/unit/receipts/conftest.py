import time
from datetime import datetime
from pathlib import Path

import pytest

from evaluate.receipts.issue import Registry
from evaluate.receipts.keys import KeyRing
from tests.support.commands import run
from tests.support.receipts import Clock, Evaluate


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "state")


@pytest.fixture
def ring(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "keys")


@pytest.fixture
def evaluate(tmp_path: Path) -> Evaluate:
    return lambda *argv, state="state", **options: run(tmp_path / state, *argv, **options)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    def at(moment: str) -> None:
        seconds = datetime.fromisoformat(f"2026-11-22T{moment}Z").timestamp()
        monkeypatch.setattr(time, "time", lambda: seconds)

    return at

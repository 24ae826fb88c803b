from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.receipts.issue import Registry
from tests.support.receipts import Clock, Evaluate


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    return Registry(tmp_path / "state")


@pytest.fixture
def evaluate(tmp_path: Path) -> Evaluate:
    def run(*argv: str | Path, state: str = "state") -> Result:
        return CliRunner().invoke(main, ["--state", str(tmp_path / state), *map(str, argv)])

    return run


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    def at(moment: str) -> None:
        seconds = datetime.fromisoformat(f"2026-11-22T{moment}Z").timestamp()
        monkeypatch.setattr(time, "time", lambda: seconds)

    return at

"""The scoring process: what is loaded when, and what leaves it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evaluate.stages.confined import answer


def test_numpy_is_not_loaded_before_the_process_is_confined() -> None:
    """It starts threads, and a process with threads gets no user namespace."""
    code = "import sys, evaluate.stages.confined; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture
def request_of(tmp_path: Path) -> dict[str, object]:
    lines = [f"secret{i:02d},{'NAO'[i % 3]}\n" for i in range(30)]
    (tmp_path / "REFERENCE.csv").write_text("".join(lines))
    (tmp_path / "answers.txt").write_text("".join(lines[:28]))
    references, answers = str(tmp_path / "REFERENCE.csv"), str(tmp_path / "answers.txt")
    return {
        "metric": "cinc2017", "references": references, "answers": answers, "records": None, "rules": "corrected",
    }  # fmt: skip


def test_reply_has_intervals_and_both_rules_and_nothing_of_a_record(request_of: dict[str, object]) -> None:
    reply = answer(request_of)
    assert reply["kind"] == "score"
    low, high = reply["intervals"]["F1"]
    assert low < reply["values"]["F1"] < high
    assert reply["resampling"] == {"level": 0.95, "resamples": 1000, "clusters": 30}
    assert reply["official"]["F1"] is not None
    assert "secret" not in json.dumps(reply, allow_nan=False)

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.core.errors import BootFault, SandboxFault
from evaluate.core.model import Stage
from evaluate.core.sanitize import sanitize
from evaluate.store.files.depot import SharedFolder, open_depot
from evaluate.store.files.evidence import as_text, evidence_folder, evidence_of, keep_evidence
from evaluate.store.files.stage_folders import Task
from evaluate.store.logs import LOG
from tests.support.queues import queue, submitted


@pytest.fixture
def task(tmp_path: Path) -> Iterator[Task]:
    with queue(tmp_path) as store:
        submitted(store, "red")
        (entry,) = store.next_entries(1)
        yield Task(entry=entry, stage=Stage.EXAM, shard=1, shards=2)


def fault() -> Exception:
    try:
        try:
            raise OSError("libvirt is away")
        except OSError as e:
            raise BootFault("no answer", console=("Kernel panic", "not syncing")) from e
    except BootFault as e:
        return e


def test_fault_is_kept_with_its_cause_its_console_and_where_it_was(task: Task, tmp_path: Path) -> None:
    keep_evidence(tmp_path, SharedFolder(tmp_path), task, 1, "green:ab12", fault())
    folder = evidence_folder(tmp_path, task.entry.id, 1)
    (file,) = folder.iterdir()
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, file)]
    assert (file.name, modes) == ("exam-1.2.json", [0o700, 0o600]), "for its owner alone"
    record = json.loads(file.read_text())
    assert (record["entry"], record["attempt"], record["task"], record["try"]) == (task.entry.id, 1, "exam-1", 2)
    assert (record["error"], record["executor"]) == ("BootFault", "green:ab12")
    assert record["console"] == ["Kernel panic", "not syncing"]
    assert "OSError: libvirt is away" in record["causes"] and "BootFault" in record["causes"]
    assert record["free_bytes"] > 0 and len(record["load"]) == 3


@pytest.mark.parametrize(
    "text", ["", "\0\x1b[2J", "\udcff no text", "x" * 100_000], ids=["none", "controls", "no text", "long"]
)
def test_whatever_a_program_printed_can_be_kept(
    task: Task, tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LOG, "propagate", False)  # workers of the tests cannot tell each other what is no text
    keep_evidence(tmp_path, SharedFolder(tmp_path), task, 0, "green:1", SandboxFault(text))
    (file,) = evidence_folder(tmp_path, task.entry.id, 1).iterdir()
    assert json.loads(file.read_text())["message"] == sanitize(text)


@pytest.mark.parametrize("away", ["evidence", "store"])
def test_where_nothing_can_be_kept_the_log_has_the_fault_and_the_reason(
    task: Task, tmp_path: Path, log: list[logging.LogRecord], away: str
) -> None:
    folder, depot = open_depot(tmp_path, f"file://{tmp_path}/store" if away == "store" else "")
    (tmp_path / away).touch()
    keep_evidence(folder, depot, task, 0, "green:1", SandboxFault("the guest closed its channel"))
    text = "\n".join(map(logging.Formatter().format, log))
    assert "SandboxFault: the guest closed its channel" in text
    assert "the evidence of this fault cannot be kept" in text


def test_faults_of_all_hosts_are_told_in_their_order(task: Task, tmp_path: Path) -> None:
    for number, name in ((0, "green"), (1, "blue"), (1, "blue")):  # the last one is tried again
        (tmp_path / name).mkdir(exist_ok=True)
        folder, depot = open_depot(tmp_path / name, f"file://{tmp_path}/store")
        keep_evidence(folder, depot, task, number, f"{name}:1", SandboxFault(f"\x1b[2Jtry {number}"))
    records = evidence_of(folder, depot, task.entry.id, 1)
    assert [record["try"] for record in records] == [1, 2]
    assert evidence_of(folder, depot, task.entry.id, 2) == []
    text = as_text(records[0])
    assert text.startswith("exam-1, try 1 on host green, ")
    assert "SandboxFault: \N{REPLACEMENT CHARACTER}[2Jtry 0" in text and "\x1b" not in text

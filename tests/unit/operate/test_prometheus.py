import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import Mock

import pytest
from prometheus_client.parser import text_string_to_metric_families

from evaluate.config.schema.keys import Address
from evaluate.core.errors import SandboxFault, UsageError
from evaluate.core.model import Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.operate.prometheus import Measures
from evaluate.store.db.rows import State
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import Task
from evaluate.store.threads import Threads
from tests.support.queues import queue, submitted

ANY_PORT = Address(host="127.0.0.1", port=0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with queue(tmp_path) as store:
        first, *_ = submitted(store, "a", "b", "c", challenge="toy")
        store.move(first, State.EXAM)
        yield store


def scraped(measures: Measures) -> dict[tuple[str, tuple[str, ...]], float]:
    """What a scrape sees: (name, values of the labels in the order of their names) -> number."""
    with measures.served(ANY_PORT) as port, urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as reply:
        text = reply.read().decode()
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_queue_and_slots_are_told(store: Store) -> None:
    measures = Measures(store, Threads())
    measures.slots.set(4)
    measures.used.set_function(lambda: 3)
    values = scraped(measures)
    assert values["evaluate_queue_entries", ("queued",)] == 2
    assert values["evaluate_queue_entries", ("exam",)] == 1
    assert values["evaluate_queue_entries", ("parked",)] == 0
    assert values["evaluate_queue_oldest_seconds", ("queued",)] >= 0
    assert ("evaluate_queue_oldest_seconds", ("done",)) not in values
    assert (values["evaluate_slots", ()], values["evaluate_slots_used", ()]) == (4, 3)
    assert values["process_resident_memory_bytes", ()] > 0


def test_verdicts_faults_and_speed_of_stages_are_counted(store: Store, tmp_path: Path) -> None:
    measures = Measures(store, Threads())
    used = Usage(instructions=4 * 10**9, wall_seconds=2)
    passed = StageOutcome(result=StageResult(stage=Stage.QUIZ, verdict=Verdict.OK, usage=used))
    failed = StageOutcome(result=StageResult(stage=Stage.QUIZ, verdict=Verdict.MISMATCH))
    scripted = Mock(side_effect=[passed, failed, SandboxFault("the guest closed its channel")])
    runner, quiz = measures.counted(scripted), Task(entry=store.entries()[0], stage=Stage.QUIZ)
    assert [runner(quiz, tmp_path).result.verdict for _ in range(2)] == [Verdict.OK, Verdict.MISMATCH]
    with pytest.raises(SandboxFault, match="closed its channel"):
        runner(quiz, tmp_path)
    values = scraped(measures)
    assert values["evaluate_stages_total", ("toy", "quiz", "OK")] == 1
    assert values["evaluate_stages_total", ("toy", "quiz", "MISMATCH")] == 1
    assert values["evaluate_faults_total", ("SandboxFault", "quiz")] == 1
    assert values["evaluate_stage_seconds_count", ("quiz",)] == 2
    assert values["evaluate_instructions_total", ("quiz",)] == 4e9
    assert values["evaluate_instructions_per_second_sum", ("quiz",)] == 2e9


def test_address_that_is_taken_is_named(store: Store) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        begun = Measures(store, Threads()).served(Address(host="127.0.0.1", port=port))
        with pytest.raises(UsageError, match=f"prometheus: 127.0.0.1:{port}: "), begun:
            pass

"""Queues whose exam is hidden, in which all about the hidden records that is not to be told is drawn from a secret."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluate.config.load import load_config
from evaluate.config.types import Config
from evaluate.core.codec import to_json
from evaluate.core.model import Note, RecordOutcome, Score, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.operate.prometheus import Measures
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import QueuedEntry, State, to_row
from evaluate.store.entries.store import Store
from evaluate.store.files.stage_folders import Task, work_folder
from evaluate.store.threads import Threads
from evaluate.views.feedback import charge
from tests.support.queues import queue, upload

RECORDS, TEAMS = 300, ("red", "green")
BEGUN = 1_790_000_040.0


def outcomes(secret: int, value: float) -> dict[Stage, StageOutcome]:
    """Stages of an entry; ``secret`` decides all about the hidden records that is not to be told."""
    hidden = random.Random(secret)
    failed = [Verdict.RUNTIME_ERROR] * (100 + hidden.randint(0, 2)) + [Verdict.WALL_LIMIT] * 2
    verdicts = failed + [Verdict.OK] * (RECORDS - len(failed))
    hidden.shuffle(verdicts)
    records = tuple(
        RecordOutcome(
            record=f"h{hidden.randint(0, 10**9)}-{i}",
            verdict=verdict,
            usage=Usage(instructions=hidden.randint(0, 10**9), wall_seconds=hidden.random()),
            answer=hidden.choice("NAO~"),
            message=f"secret {secret}",
        )
        for i, verdict in enumerate(verdicts)
    )
    usage = Usage(instructions=4_300_000_000 + hidden.randint(0, 10**7), wall_seconds=61.2 + hidden.random() / 10)
    noise = hidden.random() / 10_000
    score = Score(
        primary="F1",
        values={"F1": value + noise, "F1n": 0.5 + noise},
        official={"F1": value + noise},
        intervals={"F1": (value - 0.1 + noise, value + 0.1 + noise)},
        resampled=tuple(hidden.random() for _ in range(20)),
        clusters=RECORDS,
        notes=(Note(text=f"secret {secret} of all"), Note(text=f"secret {secret}", record="h1")),
    )
    exam = StageResult(
        stage=Stage.EXAM,
        verdict=Verdict.OK,
        message=f"exit status {hidden.randint(1, 255)}; 300 records",
        reason="exit status",
        usage=usage,
        records=records,
        diagnostics=f"secret {secret}",
    )
    scored = StageResult(stage=Stage.SCORE, verdict=Verdict.OK, message=f"F1 {value + noise:.4f}")
    return {Stage.EXAM: StageOutcome(result=exam), Stage.SCORE: StageOutcome(result=scored, score=score)}


@contextmanager
def filled(
    state: Path, hearts: Path, secret: int, clock: list[float], values: list[float]
) -> Iterator[tuple[Store, Config, Measures]]:
    """A queue in which each team has an attempt for each value, the second team with better ones."""
    state.mkdir(parents=True)
    (state / "evaluate.yaml").write_text(f"challenges: {{hearts: {{folder: {hearts}}}}}\n")
    drawn = random.Random(secret)
    with queue(state) as store:
        measures = Measures(store, Threads())
        for i, value in enumerate(values):
            for ahead, team in zip((0.0, 0.1), TEAMS, strict=True):
                clock[0] = BEGUN + 3600 * i
                store.submit([upload(team, i, str(hearts))])
                (entry,) = store.next_entries(1)
                store.move(entry.id, State.EXAM, attempt=entry.attempt)
                clock[0] += 600 + drawn.random() * 50
                ended = outcomes(drawn.randint(0, 10**9), value + ahead)
                end(store, load_config(state), entry, ended)
                for stage, outcome in ended.items():
                    task, result = Task(entry=entry, stage=stage, shard=0), outcome.result
                    measures.ended(task, result, result.usage.wall_seconds)
                work_folder(state, entry).mkdir(parents=True)
        clock[0] = BEGUN + 10**6
        yield store, load_config(state), measures


def end(
    store: Store, config: Config, entry: QueuedEntry, ended: dict[Stage, StageOutcome], data: str = "d" * 64
) -> None:
    """Take an entry through these stages to its end, judged by these data."""
    charge(config, store, entry, data)
    for stage, outcome in ended.items():
        store.move(entry.id, State(stage.value), attempt=entry.attempt)
        store.keep_result(entry.id, entry.attempt, stage.value, to_row(outcome))
        if outcome.score is not None:
            store.keep_score(entry.id, entry.attempt, to_json(outcome.score), data)
    store.move(entry.id, State.DONE, ended_with("OK"), attempt=entry.attempt)

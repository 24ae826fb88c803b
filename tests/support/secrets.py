"""Queues whose exam is hidden, in which all about the hidden records that is not to be told is drawn from a secret."""

import random

from evaluate.config.types import Config
from evaluate.core.codec import to_json
from evaluate.core.model import Note, RecordOutcome, Score, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.store.db.reasons import ended_with
from evaluate.store.db.rows import QueuedEntry, State, to_row
from evaluate.store.entries.store import Store
from evaluate.views.feedback import charge
from tests.support.queues import keep_result, keep_score

RECORDS = 300


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


def end(
    store: Store, config: Config, entry: QueuedEntry, ended: dict[Stage, StageOutcome], data: str = "d" * 64
) -> None:
    """Take an entry through these stages to its end, judged by these data."""
    charge(config, store, entry, data)
    for stage, outcome in ended.items():
        store.move(entry.id, State(stage.value), attempt=entry.attempt)
        keep_result(store, entry.id, entry.attempt, stage.value, to_row(outcome))
        if outcome.score is not None:
            keep_score(store, entry.id, entry.attempt, to_json(outcome.score), data)
    store.move(entry.id, State.DONE, ended_with("OK"), attempt=entry.attempt)

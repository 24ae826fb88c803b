"""What leaves a hidden exam: two hidden sets that give the same typed feedback look the same on every way out."""

from __future__ import annotations

import json
import random
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import CliRunner
from prometheus_client import generate_latest

from evaluate.commands.main import main
from evaluate.core.codec import to_json
from evaluate.core.model import Note, RecordOutcome, Score, Stage, StageOutcome, StageResult, Usage, Verdict
from evaluate.core.resources import data_folder
from evaluate.host.config import Config, load_config
from evaluate.queue.depot import SharedFolder
from evaluate.queue.feedback import policy_of
from evaluate.queue.outbound.announcements import notices
from evaluate.queue.outbound.notify import _team_text
from evaluate.queue.outbound.prometheus import Measures
from evaluate.queue.signing import evaluation_of, receipt_of, sign
from evaluate.queue.store.entries import Store
from evaluate.queue.store.outcomes import to_row
from evaluate.queue.store.reasons import ended_with
from evaluate.queue.store.rows import QueuedEntry, State
from evaluate.queue.views.why import why_for_team
from evaluate.queue.work import Task, work_folder
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import Registry
from evaluate.report.audience import for_team
from evaluate.report.json import to_json as as_json
from evaluate.report.junit import to_junit
from tests.support.queues import queue, upload

RECORDS, TEAMS = 300, ("red", "green")
BEGUN = 1_790_000_040.0
Told = dict[str, str]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [BEGUN]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


@pytest.fixture
def hearts(tmp_path: Path) -> Path:
    """A challenge with a hidden exam, whose budget has room for the first attempts only."""
    folder = Path(shutil.copytree(data_folder("challenges") / "cinc2017", tmp_path / "hearts"))
    file = folder / "challenge.yaml"
    text = re.sub(r"(\n  exam: \{folder: [^}]*)\}", r"\1, hidden: true}", file.read_text(), count=1)
    if "hidden: true" not in text:
        text = re.sub(r"(\n  exam:\n)", r"\1    hidden: true\n", text, count=1)
    file.write_text(text + "\nfeedback: {bits: 500, digits: 2, step: 0.05}\n")
    return folder


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
    hidden = random.Random(secret)
    with queue(state) as store:
        measures = Measures(store)
        for i, value in enumerate(values):
            for ahead, team in zip((0.0, 0.1), TEAMS, strict=True):
                clock[0] = BEGUN + 3600 * i
                store.submit([upload(team, i, str(hearts))])
                (entry,) = store.next_entries(1)
                store.move(entry.id, State.EXAM, attempt=entry.attempt)
                clock[0] += 600 + hidden.random() * 50
                end(store, state, entry, outcomes(hidden.randint(0, 10**9), value + ahead), measures)
        clock[0] = BEGUN + 10**6
        yield store, load_config(state), measures


def world(state: Path, hearts: Path, secret: int, clock: list[float], values: list[float]) -> Told:
    """Everything that leaves a queue, by way; of the reports those of the first attempts and the last ones."""
    told: Told = {}
    with filled(state, hearts, secret, clock, values) as (store, config, measures):
        entries = store.entries()
        for entry in (entries[0], entries[-1]):
            sign(Registry(state), store, state, SharedFolder(state), config, entry, "a:1")
            told |= {f"{entry.team} {entry.number} {way}": text for way, text in of_entry(store, state, config, entry)}
        told["webhook"] = json.dumps([dict(one.for_team()) for one in notices(store, config, 0)])
        told["mail"] = "\n".join(_team_text(one, "") for one in notices(store, config, 0) if one.state == "done")
        scraped = generate_latest(measures.registry).decode()
        told["prometheus"] = re.sub(r"(?m)^.*(_created|process_|python_).*$", "", scraped)
    for form, argv in {"": (), "json": ("--json",), "csv": ("--csv", "-")}.items():
        told[f"board {form}"] = cli(state, "board", "hearts", *argv)
    cli(state, "board", "hearts", "--html", str(state / "board.html"))
    told["board page"] = (state / "board.html").read_text()
    for entry in entries:
        told = {way: text.replace(entry.id, f"{entry.team}-{entry.number}") for way, text in told.items()}
    return told


def end(store: Store, state: Path, entry: QueuedEntry, ended: dict[Stage, StageOutcome], measures: Measures) -> None:
    for stage, outcome in ended.items():
        store.move(entry.id, State(stage.value), attempt=entry.attempt)
        store.charge(entry.id, entry.attempt)
        store.keep_result(entry.id, entry.attempt, stage.value, to_row(outcome))
        measures.ended(Task(entry=entry, stage=stage, shard=0), outcome.result, outcome.result.usage.wall_seconds)
    work_folder(state, entry).mkdir(parents=True)
    assert outcome.score is not None
    store.keep_score(entry.id, entry.attempt, to_json(outcome.score))
    store.move(entry.id, State.DONE, ended_with("OK"), attempt=entry.attempt)


def of_entry(store: Store, state: Path, config: Config, entry: QueuedEntry) -> Iterator[tuple[str, str]]:
    yield "report", cli(state, "report", entry.id)
    yield "json", cli(state, "report", entry.id, "--json")
    cli(state, "report", entry.id, "--html", str(state / "report.html"))
    # the receipt's digest and its key, which have secrets of the state directory in them
    yield "page", re.sub(r"\b([0-9a-f]{64}|[0-9a-f]{16})\b", "…", (state / "report.html").read_text())
    evaluation = evaluation_of(store, state, entry)
    assert evaluation is not None
    yield "junit", to_junit(for_team(evaluation, {}, policy_of(config, store, entry)))
    yield "status", cli(state, "status", entry.id, "--json")
    yield "why", why_for_team(entry, store)
    receipt = receipt_of(state, SharedFolder(state), entry)
    assert receipt is not None
    said = read_envelope(receipt.read_bytes(), "it").statement["predicate"]
    yield "receipt", json.dumps({key: said[key] for key in ("verdict", "entry", "stages", "score", "ended")})


def cli(state: Path, *argv: str) -> str:
    done = CliRunner().invoke(main, ["--state", str(state), *argv])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.slow
def test_two_hidden_sets_with_the_same_typed_feedback_look_the_same_on_every_way_out(
    tmp_path: Path, hearts: Path, clock: list[float]
) -> None:
    one, other = (
        world(tmp_path / str(secret), hearts, secret, clock, [0.611, 0.622, 0.641, 0.711]) for secret in (1, 2)
    )
    assert one.keys() == other.keys()
    for way, text in one.items():
        assert text == other[way], way
        assert "secret" not in text, way


def test_over_the_budget_a_score_is_told_only_if_it_is_better_by_a_step(
    tmp_path: Path, hearts: Path, clock: list[float]
) -> None:
    with filled(tmp_path / "state", hearts, 3, clock, [0.611, 0.622, 0.641, 0.711, 0.712]) as (store, config, _):
        reports = []
        for entry in store.entries()[::2]:
            evaluation = evaluation_of(store, tmp_path / "state", entry)
            assert evaluation is not None
            reports.append(as_json(for_team(evaluation, {}, policy_of(config, store, entry))))
    feedback = [report["feedback"] for report in reports]
    assert [one["level"] for one in feedback] == ["full", "full", "full", "ladder", "ladder"]
    assert [one["used"] for one in feedback] == sorted(one["used"] for one in feedback)
    assert feedback[2]["used"] <= feedback[2]["budget"] == 500
    assert feedback[3]["left"] == pytest.approx(500 - feedback[3]["used"])
    scores = [report["score"] and report["score"]["values"] for report in reports]
    assert scores[0] == {"F1": 0.61, "F1n": 0.5}
    assert scores[3:] == [{"F1": 0.7}, None], "0.711 is better by a step than 0.64, and 0.712 is not better than 0.7"
    assert "is better by 0.05" in feedback[0]["rule"] and "left" in feedback[0]["rule"]
    exam = next(stage for stage in reports[-1]["stages"] if stage["stage"] == "exam")
    assert exam["message"] == "counts are not told any more" and exam["usage"]["instructions"] == 0


def test_a_config_without_hidden_records_counts_nothing(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        store.submit([upload("red", 0)])
        (entry,) = store.next_entries(1)
        assert policy_of(Config(), store, entry).feedback is None
        assert asdict(policy_of(Config(), store, entry))["hidden_exam"] is False

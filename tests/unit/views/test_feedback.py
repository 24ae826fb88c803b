"""What leaves a hidden exam: two hidden sets that give the same typed feedback look the same on every way out."""

import json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from evaluate.config.load import load_config
from evaluate.config.types import Config
from evaluate.operate.notify import _team_text, notices
from evaluate.operate.prometheus import Measures
from evaluate.operate.signing import evaluation_of, receipt_of
from evaluate.receipts.envelope import read_envelope
from evaluate.report.audience import for_team
from evaluate.report.text import to_junit
from evaluate.store.db.rows import QueuedEntry, State
from evaluate.store.entries.store import Store
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import Task, work_folder
from evaluate.store.threads import Threads
from evaluate.views.feedback import policy_of
from evaluate.views.why import why_for_team
from tests.support.challenges import hidden
from tests.support.commands import printed
from tests.support.crawler import walked
from tests.support.queues import queue, sign, upload
from tests.support.secrets import end, outcomes
from tests.support.sites import ANN, Site_

BEGUN = 1_790_000_040.0
Told = dict[str, str]
_ITS_OWN = ("date", "etag")
"""Headers that differ anyway: the latter is a digest of the body, which has the entries' random names."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [BEGUN]
    monkeypatch.setattr(time, "time", lambda: now[0])
    return now


def world(state: Path, hearts: Path, secret: int, clock: list[float], values: list[float]) -> Told:
    """Everything that leaves a queue, by way; of the reports those of the first attempts and the last ones.

    Each team has an attempt for each value, the second team with better ones.
    """
    drawn, told = random.Random(secret), Told()
    with queue(state) as store:
        site, measures = Site_(state, store), Measures(store, Threads())
        site.configure(challenges={"hearts": {"folder": str(hearts)}})
        config = load_config(state)
        for i, value in enumerate(values):
            for ahead, team in ((0.0, "red"), (0.1, "blue")):
                clock[0] = BEGUN + 3600 * i
                store.submit([upload(team, i, str(hearts))])
                (entry,) = store.next_entries(1)
                store.move(entry.id, State.EXAM, attempt=entry.attempt)
                clock[0] += 600 + drawn.random() * 50
                ended = outcomes(drawn.randint(0, 10**9), value + ahead)
                end(store, config, entry, ended)
                for stage, outcome in ended.items():
                    task, result = Task(entry=entry, stage=stage, shard=0), outcome.result
                    measures.ended(task, result, result.usage.wall_seconds)
                work_folder(state, entry).mkdir(parents=True)
        clock[0] = BEGUN + 10**6
        entries = store.entries()
        told |= of_site(site)
        for entry in (entries[0], entries[-1]):
            sign(store, state, entry, config)
            told |= {f"{entry.team} {entry.number} {way}": text for way, text in of_entry(store, state, config, entry)}
        told["mail"] = "\n".join(_team_text(notice) for notice in notices(store, config, 0) if notice.state == "done")
        scraped = generate_latest(measures.registry).decode()
        told["prometheus"] = re.sub(r"(?m)^.*(_created|process_|python_).*$", "", scraped)
    for form, argv in {"": (), "json": ("--json",), "csv": ("--csv", "-")}.items():
        told[f"board {form}"] = printed(state, "board", "hearts", *argv)
    printed(state, "board", "hearts", "--html", str(state / "board.html"))
    told["board page"] = (state / "board.html").read_text()
    for entry in entries:
        name = f"{entry.team}-{entry.number}"
        told = {way.replace(entry.id, name): text.replace(entry.id, name) for way, text in told.items()}
    return told


def of_site(site: Site_) -> Told:
    """Every answer of the site to a member of the first team, headers included."""
    told: Told = {}
    with site.client(ANN) as client:
        for answer in walked(site.store, client, "hearts"):
            headers = "".join(f"{key}: {value}\n" for key, value in answer.headers.items() if key not in _ITS_OWN)
            told[f"site {answer.url}"] = f"{answer.status_code}\n{headers}{answer.text}"
    return told


def of_entry(store: Store, state: Path, config: Config, entry: QueuedEntry) -> Iterator[tuple[str, str]]:
    yield "report", printed(state, "report", entry.id)
    yield "json", printed(state, "report", entry.id, "--json")
    printed(state, "report", entry.id, "--html", str(state / "report.html"))
    # the receipt's digest and its key, which have secrets of the state directory in them
    yield "page", re.sub(r"\b([0-9a-f]{64}|[0-9a-f]{16})\b", "…", (state / "report.html").read_text())
    evaluation = evaluation_of(store, state, entry, config)
    assert evaluation is not None
    yield "junit", to_junit(for_team(evaluation, {}, policy_of(config, store, entry)))
    yield "status", printed(state, "status", entry.id, "--json")
    yield "why", why_for_team(entry, store)
    receipt = receipt_of(state, SharedFolder(state), entry)
    assert receipt is not None
    predicate = read_envelope(receipt.read_bytes(), "it").statement["predicate"]
    yield "receipt", json.dumps({key: predicate[key] for key in ("verdict", "entry", "stages", "score", "ended")})


@pytest.mark.slow
def test_two_hidden_sets_with_the_same_typed_feedback_look_the_same_on_every_way_out(
    tmp_path: Path, clock: list[float]
) -> None:
    hearts, values = hidden(tmp_path / "hearts", feedback={"digits": 2}), [0.611, 0.622, 0.641, 0.711]
    first, other = (world(tmp_path / str(secret), hearts, secret, clock, values) for secret in (1, 2))
    assert first.keys() == other.keys() and len(first) > 100
    assert any("0.61" in text for way, text in first.items() if way.startswith("site")), "what may be told is told"
    for way, text in first.items():
        assert text.splitlines() == other[way].splitlines(), way
        assert not re.search(r"secret [0-9]", text), way

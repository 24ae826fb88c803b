"""Training in real machines: what it learns is what records are answered with, and it is what the receipt says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml

from evaluate.authoring.skeleton import write_skeleton
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Challenge, Isolation, Kind
from evaluate.config.load import load_config
from evaluate.core.model import Evaluation, Stage, Verdict
from evaluate.home.recount import rerun
from evaluate.home.trial import DEFAULTS, TryOptions, try_entry
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import Registry
from evaluate.report.audience import policy_at_home
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.stages.job import NullMonitor
from evaluate.stages.train import SEED
from evaluate.store.db.rows import State
from evaluate.store.entries.store import open_store
from tests.chaos.audit import audit
from tests.chaos.machines import guests, left_behind
from tests.functional.test_daemon import evaluate, wait_for

pytestmark = pytest.mark.vm

_TRAINER = f"""
import json, os, random, sys
from pathlib import Path
data, model = map(Path, sys.argv[1:])
assert list(model.iterdir()) == [], "the folder of models is not empty"
assert os.environ["{SEED}"] == os.environ["PYTHONHASHSEED"] == "7"
labels = dict(line.split(",") for line in (data / "LABELS.csv").read_text().split())
sums = {{record: sum(map(int, (data / (record + ".txt")).read_text().split())) for record in labels}}
assert (data / "RECORDS").read_text().split() == list(labels)
positive = min(total for record, total in sums.items() if labels[record] == "P")
negative = max(total for record, total in sums.items() if labels[record] == "N")
(model / "deep").mkdir()
seed = random.Random(int(os.environ["{SEED}"])).random()
(model / "deep" / "weights.json").write_text(json.dumps({{"border": (positive + negative) / 2, "noise": seed}}))
print("border found")
"""
_ENTRY = """
import json, sys
from pathlib import Path
data, result = map(Path, sys.argv[1:])
border = json.loads(Path("model/deep/weights.json").read_text())["border"]
for record in (data / "RECORDS").read_text().split():
    total = sum(map(int, (data / (record + ".txt")).read_text().split()))
    (result / (record + ".txt")).write_text("P" if total > border else "N")
"""


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    folder = tmp_path / "toy"
    write_skeleton(folder, Kind.PYTHON)
    data = folder / "sample_data"
    shutil.copytree(data / "validation", data / "train")
    (data / "train" / "REFERENCE.csv").rename(data / "train" / "LABELS.csv")
    (folder / "sample_entry" / "train_model.py").write_text(_TRAINER)
    (folder / "sample_entry" / "entry.py").write_text(_ENTRY)
    said = yaml.safe_load((folder / "challenge.yaml").read_text())
    limits = {"instructions": 10**10, "wall_seconds": 120}
    said["train"] = {"records": "sample_data/train", "files": ["LABELS.csv"], "seed": 7, "limits": limits}
    said["run"]["mode"] = "record"
    (folder / "challenge.yaml").write_text(yaml.safe_dump(said))
    return load_challenge(str(folder))


def tried(challenge: Challenge, state: Path, options: TryOptions = DEFAULTS) -> Evaluation:
    entry = challenge.folder / "sample_entry"
    return try_entry(entry, challenge, state, NullMonitor(), options, accelerator="tcg")


def changed(challenge: Challenge, **keys: object) -> Challenge:
    assert challenge.train is not None
    return replace(challenge, train=replace(challenge.train, **keys))  # type: ignore[arg-type]


def test_records_are_answered_with_the_model_and_the_receipt_can_be_tried_again(
    hypervisor: LibvirtHypervisor, own_state: Path, challenge: Challenge
) -> None:
    challenge = replace(challenge, isolation=Isolation.SNAPSHOT)
    evaluation = tried(challenge, own_state)
    assert [(one.stage, one.verdict) for one in evaluation.stages] == [(stage, Verdict.OK) for stage in Stage]
    assert evaluation.score is not None and evaluation.score.values["accuracy"] == 1.0
    model, usage = evaluation.stages[1].model, evaluation.stages[1].usage
    assert model is not None and model.files == 1
    assert 0 < usage.instructions < 10**10
    issued = Registry(own_state).issue(evaluation, challenge, policy_at_home(challenge))
    predicate: dict[str, Any] = read_envelope(issued.receipt.read_bytes(), "receipt").statement["predicate"]
    assert predicate["stages"][1]["model"]["sha256"] == model.sha256
    entry = challenge.folder / "sample_entry"
    found = rerun(predicate, entry, challenge, "quiz", own_state, NullMonitor())
    wrong = [one for one in found if one.ok is False]
    assert wrong == []
    assert any(one.what == "model" and one.ok for one in found)


def test_trainer_that_fails_tells_why_and_nothing_is_answered(
    hypervisor: LibvirtHypervisor, own_state: Path, challenge: Challenge
) -> None:
    trainer = challenge.folder / "sample_entry" / "train_model.py"
    trainer.write_text(_TRAINER + "raise ValueError('no convergence')\n")
    evaluation = tried(challenge, own_state)
    last = evaluation.stages[-1]
    assert (last.stage, last.verdict) == (Stage.TRAIN, Verdict.RUNTIME_ERROR)
    assert "border found" in last.diagnostics and "ValueError: no convergence" in last.diagnostics
    trainer.write_text("while True: pass\n")
    last = tried(replace(challenge, limits={**challenge.limits, "train": small(challenge)}), own_state).stages[-1]
    assert (last.stage, last.verdict) == (Stage.TRAIN, Verdict.INSTRUCTION_LIMIT)


def small(challenge: Challenge) -> Any:
    return replace(challenge.limits["train"], instructions=10**9)


def test_model_that_is_there_already_is_used(
    hypervisor: LibvirtHypervisor, own_state: Path, challenge: Challenge, tmp_path: Path
) -> None:
    entry = challenge.folder / "sample_entry"
    (entry / "train_model.py").unlink()
    shipped = entry / "model" / "deep"
    shipped.mkdir(parents=True)
    (shipped / "weights.json").write_text(json.dumps({"border": 0}))
    evaluation = tried(changed(challenge, optional=True), own_state)
    assert evaluation.verdict is Verdict.OK and evaluation.score is not None
    assert evaluation.score.values["accuracy"] == 1.0
    shipped_model = evaluation.stages[1].model
    own = tmp_path / "own"
    shutil.copytree(entry / "model", own)
    (own / "deep" / "weights.json").write_text(json.dumps({"border": 10**9}))
    evaluation = tried(challenge, own_state, replace(DEFAULTS, model=own))
    assert evaluation.verdict is Verdict.OK and evaluation.score is not None
    assert evaluation.score.values["accuracy"] < 1.0
    assert evaluation.stages[1].model not in (None, shipped_model)


_WORK = """
for _ in range(10_000_000):
    seed += 1
"""
"""Training that takes long enough to be killed in its midst, and learns the same."""


@pytest.fixture
def queued(own_state: Path, database_url: str) -> Path:
    """A state directory whose queue is in such a database; in PostgreSQL's a daemon that was killed is missed soon."""
    if database_url:
        settings = f"database: {database_url}\nshared: {own_state}\nheartbeat: {{seconds: 1, ttl_seconds: 8}}\n"
        (own_state / "evaluate.yaml").write_text(settings)
    return own_state


@pytest.mark.long
def test_training_that_is_killed_at_ten_moments_counts_once(
    hypervisor: LibvirtHypervisor, queued: Path, challenge: Challenge
) -> None:
    """Kills the daemon, whose machine dies with it, from the folder of the stage to the stage that follows."""
    entry = challenge.folder / "sample_entry"
    (entry / "train_model.py").write_text(_TRAINER + _WORK)
    rules = challenge.folder / "challenge.yaml"
    rules.write_text(rules.read_text().replace("wall_seconds: 120", "wall_seconds: 3000"))
    words = ["--state", str(queued), "daemon", "--shards", "2", "--slots", "1", "--accelerator", "tcg"]
    argv = [sys.executable, "-W", "ignore", "-m", "evaluate", *words]
    store = open_store(queued, load_config(queued).database)

    def submit(team: str) -> str:
        done = evaluate(queued, "submit", str(entry), "--challenge", str(challenge.folder), "--team", team)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def until(moment: Callable[[], object]) -> None:
        """Let a daemon run until then, and kill it."""
        daemon = subprocess.Popen(argv, stderr=subprocess.DEVNULL)
        try:
            wait_for(moment, 300)
        finally:
            daemon.kill()
            daemon.wait()

    alone = submit("alone")
    until(lambda: store.entry(alone).state is State.TRAIN)
    seconds: list[float] = []
    until(lambda: seconds.append(worked()) or store.entry(alone).state is State.QUIZ)
    assert subprocess.run([*argv, "--once"], check=False, timeout=900).returncode == 0

    often = submit("often")
    parts = queued / "work" / often / "1"
    shares = [max(seconds) * share for share in (0.2, 0.4, 0.6, 0.8)]
    moments: list[Callable[[], object]] = [
        lambda: store.entry(often).state is State.TRAIN,
        lambda: list(parts.glob("train.*.part")),
        lambda: list(parts.glob("train.*.part/train.iso")),
        guests,
        *(partial(lambda share: worked() >= share, share) for share in shares),
        lambda: list(parts.glob("train.*.part/home.qcow2")) or (parts / "train").is_dir(),  # it is soon renamed
        (parts / "train").is_dir,
    ]
    for moment in moments:
        until(moment)
        assert store.entry(often).state in (State.TRAIN, State.QUIZ, State.PARKED)
        if store.entry(often).state is State.PARKED:  # every try of it was killed
            assert evaluate(queued, "resolve", often).returncode == 0
    assert subprocess.run([*argv, "--once"], check=False, timeout=900).returncode == 0
    reports = [json.loads(evaluate(queued, "report", one, "--json").stdout) for one in (alone, often)]
    trained = [report["stages"][1] for report in reports]
    assert trained[1]["model"] == trained[0]["model"]
    assert trained[1]["usage"]["instructions"] == pytest.approx(trained[0]["usage"]["instructions"], rel=0.05)
    assert [report["score"]["values"]["accuracy"] for report in reports] == [1.0, 1.0]
    ended = store.entry(often)
    assert (ended.state, ended.reason.verdict, ended.attempt, ended.charged) == (State.DONE, "OK", 1, True)
    assert [result["stage"] for result in store.results(often, 1)] == [stage.value for stage in Stage]
    assert list((queued / "work").rglob("*.iso")) == [], "no copy of the records stays"
    assert audit(queued, scripted=False) == []
    assert left_behind(queued) == []
    store.engine.dispose()


def worked() -> float:
    """Seconds of a processor that the machines of now have used."""
    found = 0.0
    for one in guests():
        with suppress(psutil.NoSuchProcess):
            found += sum(one.cpu_times()[:2])
    return found

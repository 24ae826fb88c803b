"""Training in real machines: what it learns is what records are answered with, and it is what the receipt says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.types import Challenge, Isolation
from evaluate.core.model import Evaluation, Stage, Verdict
from evaluate.home.recount import rerun
from evaluate.home.trial import Trial, try_entry
from evaluate.receipts.envelope import read_envelope
from evaluate.receipts.issue import Registry
from evaluate.report.audience import policy_at_home
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.stages.job import NullMonitor
from evaluate.stages.train import SEED
from tests.support.challenges import with_training
from tests.support.commands import command
from tests.support.teams import write_entry

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
    with_training(folder, limits={"instructions": 10**10, "wall_seconds": 120})
    (folder / "sample_entry" / "train_model.py").write_text(_TRAINER)
    (folder / "sample_entry" / "entry.py").write_text(_ENTRY)
    for part, names in (("validation", "v01\nv02\n"), ("test", "t01\nt02\n")):  # a machine for each of them
        (folder / "sample_data" / part / "RECORDS").write_text(names)
    rules = yaml.safe_load((folder / "challenge.yaml").read_text())
    rules["run"]["mode"] = "record"
    (folder / "challenge.yaml").write_text(yaml.safe_dump(rules))
    return load_challenge(str(folder))


def tried(challenge: Challenge, state: Path) -> Evaluation:
    return try_entry(Trial(challenge.folder / "sample_entry", challenge, state, NullMonitor(), "tcg"))


def test_records_are_answered_with_the_model_and_the_receipt_can_be_tried_again(
    hypervisor: LibvirtHypervisor, own_state: Path, challenge: Challenge
) -> None:
    challenge = replace(challenge, isolation=Isolation.SNAPSHOT)
    evaluation = tried(challenge, own_state)
    assert [(item.stage, item.verdict) for item in evaluation.stages] == [(stage, Verdict.OK) for stage in Stage]
    assert evaluation.score is not None and evaluation.score.values["accuracy"] == 1.0
    model, usage = evaluation.stages[1].model, evaluation.stages[1].usage
    assert model is not None and model.files == 1
    assert 0 < usage.instructions < 10**10
    issued = Registry(own_state).issue(evaluation, challenge, policy_at_home(challenge))
    predicate: dict[str, Any] = read_envelope(issued.receipt.read_bytes(), "receipt").statement["predicate"]
    assert predicate["stages"][1]["model"]["sha256"] == model.sha256
    entry = challenge.folder / "sample_entry"
    checks = rerun(predicate, entry, challenge, "quiz", own_state, NullMonitor())
    wrong = [item for item in checks if item.ok is False]
    assert wrong == []
    assert any(item.what == "model" and item.ok for item in checks)


def test_repository_of_2025_is_tried_as_it_is(own_state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = write_entry(tmp_path / "entry", ContractName.PHYSIONET_2025, "wfdb == 4.1.2\npandas < 3\n")
    team = (entry / "team_code.py").read_text()
    (entry / "team_code.py").write_text(team.replace('record.endswith("r0102")', "False"))
    monkeypatch.chdir(entry)
    line = "evaluate try . --contract physionet-2025"
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "html", "junit")}
    options = [word for kind, path in files.items() for word in (f"--{kind}", str(path))]
    words = [*line.split()[1:], "--accelerator", "tcg", *options]
    code, output = command(own_state, *words)
    assert code == 0, output
    assert "model of 1 files" in output
    assert "4 of 4 records answered" in output and "20 records, 20 answered" in output
    assert "the team changed this program" not in output
    line = next(line for line in output.splitlines() if line.startswith("score OK"))
    assert line.split()[2] == "prioritised2025", line
    report = json.loads(files["json"].read_text())
    assert all(stage["usage"]["instructions"] > 10**5 for stage in report["stages"][1:4])
    assert (report["verdict"], report["counter"]["kind"]) == ("OK", "tcg")
    assert ">OK</strong>" in files["html"].read_text() and 'failures="0"' in files["junit"].read_text()

"""Training on a scripted sandbox: its commands, the model that is kept, and its readers."""

import hashlib
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import yaml

from evaluate.authoring.contract_samples import sample_challenge
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.contract import ContractName
from evaluate.config.challenge.types import Challenge, Kind
from evaluate.confine.ownership import remove_tree
from evaluate.core.codec import from_json
from evaluate.core.errors import ChallengeError, EntryError, SandboxFault
from evaluate.core.files import data_folder
from evaluate.core.model import Evaluation, Limits, Run, Stage, StageResult, TrainedModel, Usage, Verdict
from evaluate.receipts.issue import Registry
from evaluate.report.audience import for_organiser, for_team, policy_at_home
from evaluate.report.json import to_json
from evaluate.report.text import to_text
from evaluate.run.runner import _with_model
from evaluate.sandbox.base import HOME, Command
from evaluate.serve.entry_views import order_of
from evaluate.serve.site import Site
from evaluate.stages.contracts import contract_of
from evaluate.stages.job import PreparedEntry, TrialRules
from evaluate.stages.pipeline import evaluate_entry
from evaluate.stages.train import SEED, ready
from evaluate.store.db.rows import to_row
from evaluate.untrusted.archives import parse_model
from tests.conftest import CHECKOUT
from tests.support.challenges import with_training
from tests.support.commands import output_of, printed
from tests.support.documents import blocks
from tests.support.fake_sandbox import FakeHypervisor, Script, crashing, ended_well
from tests.support.queues import queue, submitted
from tests.support.scorers import written
from tests.support.scripted import evaluated, job_of
from tests.support.teams import write_entry
from tests.support.toys import answering, truth

pytestmark = pytest.mark.slow

MODEL = TrainedModel(sha256="a" * 64, files=2, bytes=30)
LINE = f"{MODEL.sha256} 2 30\n".encode()
TRAINER = ("/usr/bin/python3", "train_model.py", "/input", f"{HOME}/model")


@pytest.fixture
def challenge(tmp_path: Path) -> Challenge:
    return with_training(tmp_path / "toy")


def scripted(challenge: Challenge, train: Callable[[Command, Limits], Run] = ended_well) -> Script:
    """Answers truly, trains as said, and describes `MODEL`."""
    answers = answering(**truth(challenge))

    def script(command: Command, limits: Limits) -> Run:
        if "-I" in command.argv and command.argv[5:6] in (("empty",), ("fill",), ("describe",)):
            return replace(ended_well(command, limits), stdout=LINE)
        if command.argv == TRAINER:
            return train(command, limits)
        return answers(command, limits)

    return script


def of_sample(
    challenge: Challenge, folder: Path, script: Script, **changes: object
) -> tuple[Evaluation, FakeHypervisor]:
    return evaluated(challenge, challenge.folder / "sample_entry", folder, script, **changes)


def test_every_record_begins_with_the_disks_that_training_left(challenge: Challenge, tmp_path: Path) -> None:
    limits = {**challenge.limits, "train": replace(challenge.limits["train"], processors=4)}
    evaluation, hypervisor = of_sample(replace(challenge, limits=limits), tmp_path, scripted(challenge))
    assert [(stage.stage, stage.verdict) for stage in evaluation.stages] == [(stage, Verdict.OK) for stage in Stage]
    assert [machine.sizes.processors for machine in hypervisor.machines] == [1, 4, 1, 1]
    assert evaluation.stages[1].model == MODEL
    emptied, trains, described = hypervisor.sandboxes[1].commands
    assert [command.argv[5:] for command in (emptied, described)] == [
        (word, f"{HOME}/model") for word in ("empty", "describe")
    ]
    assert trains.argv == TRAINER and trains.keep and trains.mounts == {"/input": "0"}
    assert trains.env == {SEED: "7", "PYTHONHASHSEED": "7"}
    assert hypervisor.sandboxes[1].limits[1].instructions == 1_000_000
    prep, train = tmp_path / "work", tmp_path / "work" / "train"
    disks = [machine.prepared for machine in hypervisor.machines]
    assert disks[0] is None
    assert disks[1] is not None and [one.home.parent for one in disks[1].chain] == [prep]
    for one in disks[2:]:
        assert one is not None and [below.home.parent for below in one.chain] == [train, prep]
    media = [machine.records for machine in hypervisor.machines]
    assert [medium and medium.name for medium in media] == [None, "train.iso", "quiz.iso", "exam.iso"]
    stages = to_json(for_team(evaluation, challenge.limits, policy_at_home(challenge)))["stages"]
    assert [stage.get("model") for stage in stages] == [
        None,
        {"sha256": MODEL.sha256, "files": 2, "bytes": 30},
        *[None] * 3,
    ]
    assert from_json(StageResult, to_row(evaluation.outcomes[1])) == evaluation.stages[1]
    assert not any(b"LABELS" in (prep / f"{stage}.iso").read_bytes().upper() for stage in ("quiz", "exam"))


fails = crashing(printed=b"epoch 1\nValueError: no such class\n")


def test_failing_trainer_ends_the_evaluation_with_its_log(challenge: Challenge, tmp_path: Path) -> None:
    evaluation, hypervisor = of_sample(challenge, tmp_path, scripted(challenge, fails))
    result = evaluation.stages[-1]
    assert (result.stage, result.verdict) == (Stage.TRAIN, Verdict.RUNTIME_ERROR)
    assert result.message == "train_model.py: ended with exit code 1" and result.model is None
    assert result.usage.instructions == 1000
    assert len(hypervisor.machines) == 2
    assert not (tmp_path / "work" / "train" / "home.qcow2").exists()
    shown = to_text(for_team(evaluation, challenge.limits, policy_at_home(challenge)))
    assert "ValueError: no such class" in shown
    assert "training: 1.0e3 of 1.0e6 instructions" in shown
    alone = job_of(challenge, challenge.folder / "sample_entry", tmp_path / "alone", hypervisor)
    with pytest.raises(EntryError, match="cannot be trained: RUNTIME_ERROR"):
        ready(alone)  # for records alone


@pytest.mark.parametrize("what", ["empty", "describe"])
def test_folder_that_cannot_be_emptied_or_read_is_the_entrys_fault(
    challenge: Challenge, tmp_path: Path, what: str
) -> None:
    def script(command: Command, limits: Limits) -> Run:
        run = crashing(what, b"model/a: Permission denied\n")(command, limits)
        return scripted(challenge)(command, limits) if run.verdict.passed else run

    result = of_sample(challenge, tmp_path, script)[0].stages[-1]
    assert result.stage is Stage.TRAIN and result.message.endswith("model/a: Permission denied")


@pytest.mark.parametrize("optional", [True, False])
def test_model_that_the_entry_brings_is_used_where_the_challenge_says_so(tmp_path: Path, optional: bool) -> None:
    challenge = with_training(tmp_path / "toy", optional=optional)
    written(challenge.folder / "sample_entry", {"model/weights": "1 2 3\n"})
    evaluation, hypervisor = of_sample(challenge, tmp_path, scripted(challenge))
    assert evaluation.verdict is Verdict.OK
    assert evaluation.stages[1].model == MODEL
    ran = [command.argv for command in hypervisor.sandboxes[1].commands]
    assert (TRAINER in ran) is not optional
    assert ("brings a model" in evaluation.stages[1].message) is optional
    last = hypervisor.machines[-1].prepared
    assert last is not None and len(last.chain) == (1 if optional else 2)


def test_entry_needs_the_program_that_trains_it_unless_it_may_do_without(tmp_path: Path) -> None:
    challenge = with_training(tmp_path / "toy", optional=True)
    entry = challenge.folder / "sample_entry"
    (entry / "train_model.py").unlink()
    evaluation, _ = of_sample(challenge, tmp_path, scripted(challenge))
    assert evaluation.verdict is Verdict.INVALID_ENTRY
    assert "train_model.py" in evaluation.stages[0].message
    written(entry, {"model/weights": ""})
    assert of_sample(challenge, tmp_path / "again", scripted(challenge))[0].verdict is Verdict.OK


def test_model_of_ones_own_takes_the_place_of_training(challenge: Challenge, tmp_path: Path) -> None:
    model = written(tmp_path / "mine", {"deep/weights": "4\n"})
    evaluation, hypervisor = of_sample(challenge, tmp_path, scripted(challenge), trial=TrialRules(model=model))
    filled, described = hypervisor.sandboxes[1].commands
    assert filled.argv[5:] == ("fill", f"{HOME}/model", "/input") and filled.mounts == {"/input": "1"}
    assert described.argv[5] == "describe"
    last = hypervisor.machines[-1].prepared
    assert last is not None and len(last.chain) == 2
    assert str(model) in evaluation.stages[1].message


def test_entry_of_another_kind_is_not_trained(tmp_path: Path) -> None:
    challenge = replace(with_training(tmp_path / "toy"), kinds=(Kind.ANSWERS,))
    answers = {f"{record}.txt": label for record, label in truth(challenge).items()}
    entry = written(tmp_path / "answers", {**dict.fromkeys(challenge.required_files, "x\n"), **answers})
    job = job_of(challenge, entry, tmp_path / "work", FakeHypervisor(), image=None)
    evaluation = evaluate_entry(replace(job, hypervisor=None))
    assert evaluation.stages[1].stage is Stage.TRAIN and evaluation.stages[1].verdict is Verdict.OK
    assert evaluation.stages[1].model is None


def test_team_learns_nothing_of_hidden_training_records(tmp_path: Path) -> None:
    challenge = with_training(tmp_path / "toy", hidden_exam=True, hidden=True)
    policy, secret, n = policy_at_home(challenge), "patient 17 is ill", len(challenge.quiz.records)

    def leaking(command: Command, limits: Limits) -> Run:
        run = replace(fails(command, limits), exit_code=93, detail="ended with exit code 93")
        return replace(run, stderr=secret.encode(), usage=Usage(instructions=123456, wall_seconds=1.0))

    evaluation, _ = of_sample(challenge, tmp_path, scripted(challenge, leaking))
    team = for_team(evaluation, challenge.limits, policy)
    shown = to_json(team)["stages"][1]
    assert shown["verdict"] == "RUNTIME_ERROR" and shown["usage"]["instructions"] == 120000
    assert not any(text in to_text(team) + str(shown) for text in (secret, "exit code"))
    assert secret in to_text(for_organiser(evaluation, challenge.limits))
    evaluation, _ = of_sample(challenge, tmp_path / "again", scripted(challenge))
    stages = to_json(for_team(evaluation, challenge.limits, policy))["stages"]
    assert "model" not in stages[1] and stages[1]["message"] == "passed"
    assert (stages[2]["records"], stages[2]["message"]) == ([], f"{n} records, {n} answered")


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"records": "nowhere"}, "nowhere: no such folder"),
        ({"files": ["LABELS.txt"]}, "LABELS.txt: no such file"),
        ({"files": ["../LABELS.csv"]}, "expected a file name"),
        ({"model": "../model"}, "expected the name of a folder"),
        ({"seed": 2**32}, "expected a whole number below 2^32"),
        ({"limits": {"instructions": 5}}, "'wall_seconds' is missing"),
        ({"hidden": True}, "train.hidden: needs data.exam.hidden"),
    ],
)
def test_mistakes_in_the_section_are_named(tmp_path: Path, keys: dict[str, object], problem: str) -> None:
    with pytest.raises(ChallengeError, match=problem.replace(".", r"\.").replace("^", r"\^")):
        with_training(tmp_path / "toy", **keys)


def run_program(*words: str) -> subprocess.CompletedProcess[str]:
    program = data_folder("vm_images") / "guest" / "model_folder.py"
    argv = [sys.executable, "-I", "-S", "-c", program.read_text(), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def test_program_describes_a_folder_as_sha256sum_does(tmp_path: Path) -> None:
    folder = written(tmp_path / "model", {"b/one": "1", "z": "plain"})
    for name in ("a\nb", "a\rb", "a\\b", "B", "plain", b"\xff".decode(errors="surrogateescape")):
        (folder / name).write_bytes(os.fsencode(name)[:1])
    command = "LC_ALL=C; export LC_ALL; find * -type f -print0 | sort -z | xargs -0 sha256sum"
    listed = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=True).stdout
    (folder / "z").unlink()
    (folder / "z").symlink_to("plain")  # its target is its content
    described = parse_model(run_program("describe", str(folder)).stdout.encode())
    assert described == TrainedModel(sha256=hashlib.sha256(listed).hexdigest(), files=8, bytes=12)


def test_program_empties_and_fills_a_folder_of_any_content(tmp_path: Path) -> None:
    source, other = written(tmp_path / "source", {"deep/w": "w"}), written(tmp_path / "other", {"kept": ""})
    wanted = run_program("describe", str(source)).stdout
    written(tmp_path, {"full/old": "", "file": ""})
    (tmp_path / "link").symlink_to(other)
    for name in ("new", "full", "file", "link"):
        assert run_program("fill", str(tmp_path / name), str(source)).stdout == wanted
        assert run_program("empty", str(tmp_path / name)).stdout == run_program("describe", str(tmp_path / "no")).stdout
    assert (other / "kept").exists()
    (tmp_path / "again").symlink_to(other)
    failed = run_program("describe", str(tmp_path / "again"))
    assert failed.returncode == 1 and "is a link" in failed.stderr


def test_program_stays_below_another_root_and_loads_nothing_from_there(tmp_path: Path) -> None:
    modules = ("shutil.py", "encodings.py", "usr/lib/python3/shutil.py")
    files = {"app/model/w": "w", **dict.fromkeys(modules, "raise SystemExit('loaded')")}
    root = written(tmp_path / "root", files)
    (root / "here").symlink_to("/app")
    program = (data_folder("vm_images") / "guest" / "model_folder.py").read_text()
    words = ["-I", "-S", "-c", program, "in", root, "0", "0"]
    described = partial(output_of, "unshare", "--user", "--map-root-user", sys.executable, *words)
    model = described("describe", "/here/model")
    assert model == run_program("describe", str(root / "app" / "model")).stdout
    assert described("fill", "/here/model", "/here/model/../model") != model  # it is emptied first
    assert described("empty", "/here/new") == run_program("describe", str(tmp_path / "no")).stdout
    assert (root / "app" / "new").is_dir() and not (tmp_path / "app").exists()


def test_model_that_reading_would_not_end_with_is_refused_in_a_line(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    assert parse_model(run_program("describe", str(folder)).stdout.encode()).files == 0
    with (folder / "holes").open("wb") as file:
        file.truncate(1 << 40)
    found = run_program("describe", str(folder))
    assert (found.returncode, found.stdout) == (1, "") and "more bytes together than its disk" in found.stderr
    (tmp_path / "deep").mkdir()
    at = os.open(tmp_path / "deep", os.O_RDONLY)
    for _ in range(2100):  # deeper than a path can name
        os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=at))
        os.mkdir("d", dir_fd=at)
        above, at = at, os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(above)
    os.close(at)
    for what in ("describe", "empty"):
        found = run_program(what, str(tmp_path / "deep"))
        emptied = what == "empty" and found.stdout.endswith(" 0 0\n")  # as Python 3.13 can
        assert emptied or (found.returncode, found.stdout, found.stderr.count("\n")) == (1, "", 1)
    remove_tree(tmp_path / "deep")


@pytest.mark.parametrize("printed", [b"", b"a" * 64, LINE + b"x", LINE[1:], LINE.upper(), b"\xff" * 300])
def test_anything_but_the_line_is_a_fault(printed: bytes) -> None:
    assert parse_model(LINE) == MODEL
    with pytest.raises(SandboxFault, match="expected digest, files and bytes of a model"):
        parse_model(printed)


def test_commands_of_the_page_about_training_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = list(blocks(CHECKOUT / "docs" / "training.md"))
    folder = with_training(tmp_path / "hearts").folder
    entry = folder / "sample_entry"
    for block in page:
        if block.language == "python":
            (entry / block.text.partition("\n")[0].removeprefix("# ")).write_text(block.text)
    (section,) = [block.text for block in page if block.language == "yaml"]
    said = yaml.safe_load((folder / "challenge.yaml").read_text())
    (folder / "challenge.yaml").write_text(yaml.safe_dump(said | yaml.safe_load(section)))
    monkeypatch.chdir(tmp_path)
    written(tmp_path, {"mine/border.json": "1000000"})
    scores = []
    lines = [line for block in page if block.language == "sh" for line in block.commands]
    for line in lines:
        if "--no-train" in line:
            written(entry, {"model/border.json": "0"})
        words = [*shlex.split(line)[1:], "--runner", "plain", "--json", "report.json"]
        printed(tmp_path / "state", *words)
        report = json.loads(Path("report.json").read_text())
        scores.append(report["score"]["values"]["accuracy"])
        assert report["stages"][1]["model"]["files"] == 1
    assert len(lines) == 3 and scores[:2] == [1.0, 1.0] and scores[2] < 1.0


YEARS = (ContractName.PHYSIONET_2020, ContractName.PHYSIONET_2025, ContractName.PHYSIONET_2026)
"""Each form of a call, and a table beside the records; `tests/contract/test_physionet.py` trains all years."""


@pytest.mark.parametrize("contract", YEARS)
def test_contract_trains_by_its_own_call_with_labels(tmp_path: Path, contract: ContractName) -> None:
    challenge = load_challenge(str(sample_challenge(tmp_path, contract)))
    rules = contract_of(challenge)
    assert challenge.train is not None and challenge.train.optional
    work = tmp_path / "work"
    hypervisor = FakeHypervisor(lambda command, limits: replace(ended_well(command, limits), stdout=LINE))
    job = job_of(challenge, write_entry(tmp_path / "entry", contract), work, hypervisor)
    prepared, model = ready(job)
    assert (prepared.trained, model) == (work / "train", MODEL)
    emptied, trains, described = hypervisor.sandboxes[1].commands
    assert trains.argv == rules.command(rules.train, data="/input")
    assert rules.model in trains.argv and emptied.argv[-1] == described.argv[-1] == rules.model
    argv = ["xorriso", "-osirrox", "on", "-indev", work / "train" / "train.iso", "-extract", "/0", work / "data"]
    subprocess.run(argv, capture_output=True, check=True)
    shown, kept = (
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (work / "data", challenge.train.records.folder)
    )
    del kept[Path("RECORDS")]
    assert shown == kept


def test_page_of_an_entry_has_the_step_only_where_it_is_trained(tmp_path: Path, challenge: Challenge) -> None:
    with queue(tmp_path / "state") as store:
        names = submitted(store, "a", challenge=str(challenge.folder)) + submitted(store, "b")
        trained, other = (store.entry(name) for name in names)
        site = Site(state=tmp_path / "state", store=store)
        gone = replace(trained, challenge=str(tmp_path / "gone"))
        assert order_of(site, trained, ()) == ["queued", "prep", "train", "quiz", "exam", "score", "done"]
        assert order_of(site, other, ()) == ["queued", "prep", "quiz", "exam", "score", "done"]
        assert order_of(site, gone, ("prep", "train"))[2] == "train"
        assert "train" not in order_of(site, gone, ("prep",))


def test_seal_commits_to_training_data(tmp_path: Path, challenge: Challenge) -> None:
    registry = Registry(tmp_path / "state")
    registry.seal(challenge)
    now = registry.seal_now(challenge)
    assert now is not None and now.changed == ()
    for name in ("LABELS.csv", f"{challenge.quiz.records[0]}.txt"):
        file = challenge.folder / "sample_data" / "train" / name
        before = file.read_bytes()
        file.write_bytes(before + b"\n")
        changed = registry.seal_now(challenge)
        assert changed is not None and changed.changed == ("training",)
        file.write_bytes(before)


def test_stage_after_training_that_never_was_is_the_challenges_fault(tmp_path: Path, challenge: Challenge) -> None:
    prepared = PreparedEntry(kind=Kind.PYTHON, folder=tmp_path)
    with pytest.raises(ChallengeError, match="expected what training left, found nothing; rejudge the entry from prep"):
        _with_model(prepared, tmp_path / "train")
    written(tmp_path, {"train/result.json": ""})
    assert _with_model(prepared, tmp_path / "train").trained is None  # it was not trained, and uses its own model
    (tmp_path / "train" / "home.qcow2").touch()
    assert _with_model(prepared, tmp_path / "train").trained == tmp_path / "train"

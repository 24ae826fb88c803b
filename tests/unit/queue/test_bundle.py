"""A bundle has all that an entry needs to run again, nothing that is hidden, and no byte that may change."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluate.challenge.cache import load_challenge
from evaluate.challenge.types import Challenge, RecordSet
from evaluate.commands.main import main
from evaluate.config.types import Config
from evaluate.core.files import sha256_file
from evaluate.core.model import (
    CounterInfo,
    MachineInfo,
    RecordOutcome,
    Run,
    Stage,
    StageOutcome,
    StageResult,
    Usage,
    Verdict,
)
from evaluate.core.resources import data_folder
from evaluate.home import rerun
from evaluate.home.bundle import program_wheel, read_bundle
from evaluate.home.recount import InRooms
from evaluate.queue.db.outcomes import to_row
from evaluate.queue.db.reasons import ended_with
from evaluate.queue.db.rows import State
from evaluate.queue.storage.depot import SharedFolder
from evaluate.queue.storage.stage_folders import archive_of, work_folder
from evaluate.receipts.issue import Registry
from tests.support.queues import queue, sign, upload

DIGEST = "ab" * 32
IMAGE = f"bookworm-{DIGEST[:16]}"
MACHINE = MachineInfo(
    accelerator="tcg",
    image=f"sha256:{DIGEST}",
    counter=CounterInfo(kind="tcg", calibration_error=0.0),
    isolation="snapshot",
)


@pytest.fixture
def hearts(tmp_path: Path) -> Challenge:
    folder = Path(shutil.copytree(data_folder("challenges") / "cinc2017", tmp_path / "hearts"))
    file = folder / "challenge.yaml"
    file.write_text(re.sub(r"(\n  exam: \{folder: [^}]*)\}", r"\1, hidden: true}", file.read_text(), count=1))
    return load_challenge(str(folder))


def outcome(record: str) -> RecordOutcome:
    return RecordOutcome(record=record, verdict=Verdict.OK, usage=Usage(instructions=1000), answer="N")


@pytest.fixture
def bundle(tmp_path: Path, hearts: Challenge) -> Path:
    """The bundle of an entry that reached the quiz."""
    state = tmp_path / "state"
    state.mkdir()
    with queue(state) as store:
        content = tmp_path / "red.zip"
        content.write_bytes(b"an entry")
        store.submit([{**upload("red", 0, str(hearts.folder)), "sha256": sha256_file(content)}])
        (entry,) = store.next_entries(1)
        archive = archive_of(state, entry.sha256)
        archive.parent.mkdir(parents=True)
        shutil.copy(content, archive)
        prep = work_folder(state, entry) / "prep"
        prep.mkdir(parents=True)
        payload = {"layers": ["/elsewhere/k1.squashfs"], "expected": {}}
        (prep / "prepared.json").write_text(json.dumps({"kind": "scripts", "dry_run": False, "payload": payload}))
        for place, text in ((f"images/{IMAGE}/root.squashfs", "root"), ("layers/k1.squashfs", "layer")):
            (state / place).parent.mkdir(parents=True, exist_ok=True)
            (state / place).write_text(text)
        (state / "images" / IMAGE / "initrd-1.img").write_text("agent")
        records = tuple(map(outcome, hearts.quiz.records))
        for stage in (Stage.PREP, Stage.QUIZ):
            result = StageResult(stage=stage, verdict=Verdict.OK, records=records if stage is Stage.QUIZ else ())
            store.keep_result(entry.id, 1, stage.value, to_row(StageOutcome(result=result, machine=MACHINE)))
        store.move(entry.id, State.DONE, ended_with("OK"), attempt=1)
        done = store.entry(entry.id)
        sign(Registry(state), store, state, SharedFolder(state), Config(), done, "a:1")
    made = evaluate(state, "bundle", entry.id, tmp_path / "bundle")
    assert made.exit_code == 0, made.output
    return tmp_path / "bundle"


def evaluate(state: Path, *argv: str | Path) -> Result:
    return CliRunner().invoke(main, ["--state", str(state), *map(str, argv)])


def test_a_bundle_has_everything_but_what_is_hidden(bundle: Path, hearts: Challenge) -> None:
    found = read_bundle(bundle)
    names = set(found.files)
    assert {"entry/red-0.zip", f"images/{IMAGE}/root.squashfs", "layers/k1.squashfs", "recipe/recipe.yaml"} <= names
    assert {"receipt/receipt.json", "receipt/public.json", "challenge/hearts/challenge.yaml"} <= names
    assert not [name for name in names if "openings" in name or "initrd-" in name]
    for record in hearts.exam.records:
        assert not [name for name in names if record in name]
    assert [name for name in names if hearts.quiz.records[0] in name]
    assert len([name for name in names if name.startswith("code/") and name.endswith(".whl")]) == 1
    references = hearts.exam.references
    assert references is not None and sha256_file(references) not in {path.name for path in found.files.values()}


def test_bundle_has_the_image_of_the_entry_after_the_challenge_names_another(
    tmp_path: Path, bundle: Path, hearts: Challenge
) -> None:
    rules = hearts.folder / "challenge.yaml"
    rules.write_text(rules.read_text().replace("image: bookworm", "image: bookworm-2027"))
    with queue(tmp_path / "state") as store:
        (entry,) = store.entries()
    made = evaluate(tmp_path / "state", "bundle", entry.id, tmp_path / "again")
    assert made.exit_code == 0, made.output
    assert {f"images/{IMAGE}/root.squashfs", "recipe/recipe.yaml"} <= set(read_bundle(tmp_path / "again").files)


def test_an_entry_runs_again_from_its_bundle_in_a_fresh_state_directory(
    tmp_path: Path, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str] = []

    def in_rooms(
        entry: Path, challenge: Challenge, _stage: Stage, records: RecordSet, state: Path, *_: object, image: str
    ) -> InRooms:
        assert entry.read_bytes() == b"an entry" and all(
            path.is_file() for path in challenge.quiz.files("S00001").values()
        )
        assert (state / "images" / image / "root.squashfs").read_text() == "root"
        assert (state / "layers" / "k1.squashfs").read_text() == "layer"
        used.append(image)
        found = [outcome(name) for name in records.records]
        answered = tuple((one, Run(verdict=one.verdict, usage=one.usage)) for one in found)
        return InRooms(answered=answered, maps=(), machine=MACHINE)

    monkeypatch.setattr(rerun, "in_rooms", in_rooms)
    for _ in range(2):  # the second time image and layers are there
        done = evaluate(tmp_path / "fresh", "bundle", "run", bundle)
        assert done.exit_code == 0, done.output
        assert "On this machine the entry did with" in done.stdout
    assert used == [IMAGE, IMAGE]
    told = json.loads(evaluate(tmp_path / "fresh", "bundle", "run", bundle, "--only-verify", "--json").stdout)
    assert told["ok"] and told["digest"] == read_bundle(bundle).digest


@pytest.mark.parametrize("name", ["entry/red-0.zip", f"images/{IMAGE}/root.squashfs", "receipt/receipt.json"])
def test_a_byte_that_was_changed_is_named(tmp_path: Path, bundle: Path, name: str) -> None:
    path = read_bundle(bundle).files[name]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes() + b" ")
    done = evaluate(tmp_path / "fresh", "bundle", "run", bundle)
    assert done.exit_code == 2 and f"{name} was changed: expected SHA-256" in done.output
    path.unlink()
    assert f"{name} is missing" in evaluate(tmp_path / "fresh", "bundle", "run", bundle).output


def test_the_wheel_in_a_bundle_is_this_program(tmp_path: Path) -> None:
    name, content = program_wheel()
    assert (name, content) == program_wheel()
    wheel = tmp_path / name
    wheel.write_bytes(content)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
        assert archive.testzip() is None
    code = "import evaluate, evaluate.challenge.load as c; print(evaluate.__file__); print(*c.list_challenges())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "site", capture_output=True, text=True, check=True
    )
    assert str(tmp_path / "site") in done.stdout and "cinc2017" in done.stdout

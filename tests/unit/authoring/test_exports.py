"""A bundle of one of our challenges gives the numbers that we give, by the contract of Codabench."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
import yaml
from click.testing import CliRunner

from evaluate.authoring import exports
from evaluate.authoring.exports import export_codabench
from evaluate.authoring.imports.forms import import_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.challenge.cache import load_challenge
from evaluate.challenge.types import Kind
from evaluate.commands.main import main
from evaluate.config.load import load_config
from evaluate.config.terms import Phase, Terms
from evaluate.core.errors import UsageError
from evaluate.sandbox import plain
from evaluate.stages.score import score_answers
from tests.support import bundles
from tests.support.scorers import means

pytestmark = pytest.mark.slow


def test_exported_and_imported_again_a_challenge_gives_the_same_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_skeleton(tmp_path / "hearts", Kind.ANSWERS)
    (tmp_path / "hearts/sample_entry/t01.txt").write_text("N\n")
    before = load_challenge(str(tmp_path / "hearts"))
    ours = score_answers(before, before.exam, before.folder / "sample_entry").score
    assert ours is not None
    monkeypatch.chdir(tmp_path)
    words = ["--state", str(tmp_path / "state"), "challenge", "export", "codabench", "./hearts", "--to", "bundle"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "left out: intervals" in done.output
    # what the metric needs is a package of the image there; here it is beside the program
    site, walls = str(Path(numpy.__file__).parent.parent), plain._walls
    monkeypatch.setitem(plain._ENVIRONMENT, "PYTHONPATH", site)
    monkeypatch.setattr(plain, "_walls", lambda *a: [*walls(*a), "--ro-bind", site, site])
    found = import_challenge("codabench", tmp_path / "bundle", tmp_path / "again")
    (found.folder / "requirements.txt").write_text("")
    after = load_challenge(str(found.folder))
    theirs = score_answers(after, after.exam, found.folder / "sample_entry", means(tmp_path / "scratch")).score
    assert theirs is not None and theirs.primary == ours.primary
    assert {name: theirs.values[name] for name in ours.values} == dict(ours.values)


def test_a_bundle_that_was_imported_goes_back_as_it_came(tmp_path: Path) -> None:
    source = bundles.codabench(tmp_path / "source")
    found = import_challenge("codabench", source, tmp_path / "words")
    terms = Terms(phases=(Phase(name="Development", ends=0.0, attempts=5), Phase(name="Final", begins=0.0)))
    export_codabench(load_challenge(str(found.folder)), terms, (), tmp_path / "back")
    for name in ("scoring_program/score.py", "ingestion_program/run.py", "solution/model.py"):
        assert (tmp_path / "back" / name).read_text() == (source / name).read_text()
    said = yaml.safe_load((tmp_path / "back/competition.yaml").read_text())
    columns = said["leaderboards"][0]["columns"]
    assert [column["key"] for column in columns] == ["accuracy", "first", "second"]
    assert (columns[0]["computation"], columns[0]["computation_indexes"]) == ("avg", [1, 2])
    assert [phase["tasks"] for phase in said["phases"]] == [[0], [1]]
    again = import_challenge("codabench", tmp_path / "back", tmp_path / "again")
    scorers = [load_challenge(str(folder)).scorer for folder in (found.folder, again.folder)]
    assert scorers[0] is not None and scorers[1] is not None
    assert scorers[0].computed == scorers[1].computed and scorers[0].values == scorers[1].values


@pytest.mark.parametrize("tasks", [1, 2], ids=["a task", "tasks"])
def test_definition_is_the_same_after_export_and_import(tmp_path: Path, tasks: int) -> None:
    source = bundles.codabench(tmp_path / "bundle") if tasks == 1 else bundles.of_two_tasks(tmp_path / "bundle")
    first = import_challenge("codabench", source, tmp_path / "words").folder
    state = tmp_path / "state"
    state.mkdir()
    shutil.copyfile(first / "evaluate.yaml", state / "evaluate.yaml")
    text = (state / "evaluate.yaml").read_text().replace("folder: .", f"folder: {first}")
    (state / "evaluate.yaml").write_text(text)
    terms = load_config(state).terms(str(first))
    export_codabench(load_challenge(str(first)), terms, (), tmp_path / "back")
    again = import_challenge("codabench", tmp_path / "back", tmp_path / "again").folder

    def defined(folder: Path) -> tuple[Any, Any]:
        said = yaml.safe_load((folder / "challenge.yaml").read_text())
        board = yaml.safe_load((folder / "evaluate.yaml").read_text())["challenges"][folder.name]
        for phase in board["phases"]:
            phase["begins"] = str(phase.get("begins"))[:10]
            phase["ends"] = str(phase.get("ends"))[:10]
        return said, board

    assert defined(again) == defined(first)
    for name in ("scoring_program", "ingestion_program", "reference_data", "input_data", "sample_entry"):
        files = [
            {
                str(path.relative_to(folder)): path.read_bytes()
                for path in folder.joinpath(name).rglob("*")
                if path.is_file()
            }
            for folder in (first, again)
        ]
        assert files[0] and files[0] == files[1], name


def test_bundle_has_the_keys_that_codabench_reads(tmp_path: Path) -> None:
    """All that its schema asks for, and no other."""
    first = import_challenge("codabench", bundles.of_two_tasks(tmp_path / "bundle"), tmp_path / "words").folder
    export_codabench(load_challenge(str(first)), Terms(), (), tmp_path / "back")
    said = yaml.safe_load((tmp_path / "back/competition.yaml").read_text())
    assert said["version"] == 2 and set(said) <= {
        *("version", "title", "description", "docker_image", "terms", "pages", "tasks", "solutions", "phases"),
        "leaderboards",
    }
    for task in said["tasks"]:
        for key in ("scoring_program", "ingestion_program", "input_data", "reference_data"):
            assert (tmp_path / "back" / task[key]).is_dir()
        assert {"index", "name", "description"} <= set(task)
    known = {task["index"] for task in said["tasks"]}
    assert all({"index", "name", "description", "start"} <= set(phase) for phase in said["phases"])
    assert all(phase["tasks"] and set(phase["tasks"]) <= known for phase in said["phases"])
    (board,) = said["leaderboards"]
    rules = {"Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last", "Force_Latest_Multiple", "Force_Best"}
    assert board["title"] and board["key"] and board["submission_rule"] in rules
    assert [column["index"] for column in board["columns"]] == list(range(len(board["columns"])))
    for column in board["columns"]:
        assert column["sorting"] in ("asc", "desc") and column.get("computation", "sum") in ("sum", "avg", "min", "max")
    assert all((tmp_path / "back" / page["file"]).is_file() for page in said["pages"])


def test_only_challenges_of_answers_can_be_bundles(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="entries are of kind scripts"):
        export_codabench(load_challenge("cinc2017"), Terms(), (), tmp_path / "bundle")


def test_export_that_was_ended_leaves_nothing_and_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "deep" / "bundle"
    with monkeypatch.context() as patched:
        patched.setattr(exports, "_phases", lambda *_: sys.exit("Ctrl-C"))
        with pytest.raises(SystemExit):
            export_codabench(load_challenge("kits19"), Terms(), ("composite",), to)
    assert list(to.parent.iterdir()) == []
    export_codabench(load_challenge("kits19"), Terms(), ("composite",), to)
    assert (to / "competition.yaml").is_file()

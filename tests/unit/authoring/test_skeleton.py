"""`evaluate challenge new`, and metrics of an organiser's own file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.authoring.check import check_challenge
from evaluate.authoring.skeleton import write_skeleton
from evaluate.commands.main import main
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Kind
from evaluate.core.errors import UsageError
from evaluate.stages.score import score, score_answers
from tests.support.scorers import means


@pytest.mark.parametrize("kind", list(Kind))
def test_new_challenge_has_no_mistake(kind: Kind, tmp_path: Path) -> None:
    folder = tmp_path / "hearts"
    done = CliRunner().invoke(main, ["challenge", "new", str(folder), "--kind", kind.value])
    assert done.exit_code == 0, done.output
    assert check_challenge(folder) == []
    assert "hearts" in (folder / "README.md").read_text()
    assert "NAME" not in "".join(path.read_text() for path in folder.rglob("*.[ym]*") if path.suffix != ".py")
    paths = re.findall(r"(\S*hearts/\S+)", done.output)
    assert paths and all(Path(path).exists() for path in paths)


@pytest.mark.parametrize(("name", "expected"), [("My Hearts", "small letters"), ("../up/Hearts", "small letters")])
def test_name_that_is_not_valid_is_refused(name: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=expected):
        write_skeleton(tmp_path / name, Kind.SCRIPTS)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "hearts").mkdir()
    (tmp_path / "hearts" / "mine").touch()
    done = CliRunner().invoke(main, ["challenge", "new", str(tmp_path / "hearts")])
    assert done.exit_code == 2
    assert "already exists; nothing was changed" in done.output
    assert [p.name for p in tmp_path.rglob("*")] == ["hearts", "mine"]


def test_metric_of_a_file_scores_in_the_confined_process(tmp_path: Path) -> None:
    write_skeleton(tmp_path / "hearts", Kind.SCRIPTS)
    folder = tmp_path / "hearts"
    truth = folder / "sample_data" / "test" / "REFERENCE.csv"
    lines = truth.read_text().splitlines()
    (tmp_path / "answers.txt").write_text("\n".join(lines[:3]))
    outcome = score(str(folder / "accuracy.py"), truth, tmp_path / "answers.txt", None)
    result, numbers = outcome.result, outcome.score
    assert numbers is not None
    assert dict(numbers.values) == {"accuracy": 0.5, "missing": 3.0}
    low, high = numbers.intervals["accuracy"]
    assert low < 0.5 < high and len(numbers.resampled) == 1000
    (tmp_path / "answers.txt").write_text(lines[0].replace("P", "X").replace("N", "X"))
    outcome = score(str(folder / "accuracy.py"), truth, tmp_path / "answers.txt", None)
    result, numbers = outcome.result, outcome.score
    assert "expected one of P N, found 'X'" in result.message


@pytest.mark.slow
def test_challenge_with_a_scorer_of_its_own_works(tmp_path: Path) -> None:
    write_skeleton(tmp_path / "own", Kind.SCRIPTS, scorer=True)
    folder = tmp_path / "own"
    assert check_challenge(folder) == [] and not (folder / "accuracy.py").exists()
    assert len((folder / "challenge.yaml").read_text().splitlines()) <= 30
    challenge = load_challenge(str(folder))
    outcome = score_answers(challenge, challenge.exam, folder / "sample_entry", means(tmp_path / "scratch"))
    assert outcome.score is not None and dict(outcome.score.values) == {"accuracy": 1.0, "missing": 0.0}
    assert "accuracy" in outcome.score.intervals
    (folder / "sample_entry/t01.txt").write_text("X\n")
    refused = score_answers(challenge, challenge.exam, folder / "sample_entry", means(tmp_path / "scratch"))
    assert refused.result.message == "t01.txt: expected one of P N"

"""Definitions and archives that were written to harm, or by somebody who did not look, are refused by their names."""

import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluate.authoring.check import check_challenge
from evaluate.authoring.imports import base, import_challenge
from evaluate.authoring.imports.base import unpacked
from evaluate.config.challenge.cache import load_challenge
from evaluate.core.errors import ChallengeError, UsageError
from tests.support import bundles
from tests.support.scorers import written

pytestmark = pytest.mark.slow

GONE = object()


def refused(source: Path, tmp: Path, form: str = "codabench") -> str:
    """The words with which an import is refused; nothing is left."""
    with pytest.raises(ChallengeError) as error:
        import_challenge(form, source, tmp / "to" / "challenge")
    assert not list((tmp / "to").iterdir())
    return str(error.value)


def changed(folder: Path, keys: tuple[Any, ...], value: Any) -> Path:
    """The definition of a bundle with another value under these keys."""
    path = bundles.codabench(folder) / "competition.yaml"
    values = part = yaml.safe_load(path.read_text())
    for key in keys[:-1]:
        part = part[key]
    if value is GONE:
        del part[keys[-1]]
    else:
        part[keys[-1]] = value
    path.write_text(yaml.safe_dump(values, sort_keys=False))
    return path


@pytest.mark.parametrize(
    ("keys", "value", "wish"),
    [
        (("phases", 1, "index"), [1], "expected a whole number, found [1]"),
        (("phases", 1, "tasks"), True, "expected a list of indexes of tasks, found true"),
        (("phases", 1, "tasks"), GONE, "key 'tasks' is missing; expected a list of indexes of tasks"),
        (("phases", 1, "tasks"), ["7"], "expected the index of a task (0, 1), found '7'"),
        (("phases", 1, "execution_time_limit"), "nan", "expected a number, found 'nan'"),
        (("phases",), {"a": 1}, "expected a list of phases, found {'a': 1}"),
        (("leaderboards", 0, "columns", 0, "key"), GONE, "key 'key' is missing; expected a text"),
        (("leaderboards", 0, "columns", 0, "computation_indexes"), "1,x", "expected whole numbers, as"),
        (("tasks", 1, "scoring_program"), GONE, "expected the key scoring_program, which is missing"),
        (("tasks", 1, "scoring_program"), "nowhere", "nowhere: no such folder or zip in the bundle"),
        (("tasks", 1, "reference_data"), "../dev", "'../dev' leads out of bundle"),
        (("tasks", 1, "reference_data"), "final\\data", "expected / between folders"),
        (("tasks", 1, "reference_data"), ".", ".: no such folder or zip in the bundle"),
        (("pages", 0, "file"), "/etc/passwd", "'/etc/passwd' leads out of bundle"),
    ],
)
def test_wrong_value_is_refused_with_its_file_line_and_key_also_in_an_archive(
    tmp_path: Path, keys: tuple[Any, ...], value: Any, wish: str
) -> None:
    path = changed(tmp_path / "bundle", keys, value)
    words = [word for word in keys[-2:] if isinstance(word, str)]  # one of them is in the line that is named
    text = refused(tmp_path / "bundle", tmp_path)
    found = re.search(rf"{path.name}:(\d+): ", text)
    assert found is not None and wish in text, text
    line = path.read_text().splitlines()[int(found[1]) - 1]
    assert value is GONE or any(word in line for word in words) or "- " in line or line.strip() in ("{", "["), line
    shutil.make_archive(str(tmp_path / "bundle"), "zip", tmp_path / "bundle")
    assert refused(tmp_path / "bundle.zip", tmp_path).replace("bundle.zip", "bundle") == text


def test_all_mistakes_of_a_definition_are_named_at_once(tmp_path: Path) -> None:
    path = changed(tmp_path / "bundle", ("phases", 0, "tasks"), 1)
    path.write_text(path.read_text().replace("title: Small Words", "title: [a]"))
    text = refused(tmp_path / "bundle", tmp_path)
    assert re.search(r"yaml:2: title: expected a text(.|\n)*phases\[1\]\.tasks: expect", text)


LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        (
            "title: Old\nphases: {1: {label: First}}\nleaderboard: {columns: {}}\n",
            r"competition\.yaml:2: phases: is of CodaLab, version 1",
        ),
        (
            bundles.COMPETITION.replace("leaderboards:", "leaderboard:"),
            r"yaml:46: unknown key 'leaderboard'; did you mean 'leaderboards'\?",
        ),
        (bundles.COMPETITION.replace("key: accuracy", 'key: ""'), r"(?m)^challenge/challenge\.yaml:\d+: "),
        (LAUGHS + "title: *a59\n", r"title: expected a text, found \[\[\[\[\[\.\.\.\], "),
    ],
    ids=lambda given: str(given)[:20],
)
def test_definition_that_is_none_is_refused(tmp_path: Path, text: str, wish: str) -> None:
    assert re.search(wish, refused(bundles.codabench(tmp_path / "bundle", text), tmp_path))


def test_unknown_value_without_bound_is_named_in_a_few_words(tmp_path: Path) -> None:
    text = LAUGHS + bundles.COMPETITION.replace("    name: Final\n", "    name: Final\n    more: *a59\n")
    left_out = import_challenge("codabench", bundles.codabench(tmp_path / "bundle", text), tmp_path / "words").left_out
    assert any(each.what.startswith("more [[") and len(each.what) < 100 for each in left_out)


@pytest.mark.parametrize("member", ["/etc/cron.d/x", "../../x", "a/../../x"])
def test_member_of_an_archive_does_not_leave_its_folder(tmp_path: Path, member: str) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    shutil.make_archive(str(tmp_path / "bundle"), "zip", source)
    for archive, source_name in (("bundle.zip", "bundle.zip"), ("bundle/final/reference.zip", "bundle")):
        with zipfile.ZipFile(tmp_path / archive, "a") as file:
            file.writestr(member, "x")
        assert re.search(rf"{archive}: .*", refused(tmp_path / source_name, tmp_path))
    shutil.make_archive(str(tmp_path / "bundle"), "zip", source)
    assert "bundle.zip/final/reference.zip: " in refused(tmp_path / "bundle.zip", tmp_path), "named by both archives"
    assert not list(tmp_path.rglob("x")) and not list(tmp_path.parent.glob("x"))


def test_folder_that_somebody_makes_meanwhile_is_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two imports at once: one wins, the other changes nothing."""
    to, finish = tmp_path / "to", base.Draft.write

    def write(draft: base.Draft, name: str, text: str) -> None:
        written(to, {"own.txt": "mine"})
        finish(draft, name, text)

    monkeypatch.setattr(base.Draft, "write", write)
    with pytest.raises(UsageError, match="to: already exists; nothing was changed"):
        import_challenge("codabench", bundles.codabench(tmp_path / "bundle"), to)
    assert [path.name for path in to.iterdir()] == ["own.txt"]


@pytest.mark.parametrize("program", ["scoring_program", "ingestion_program"])
@pytest.mark.parametrize("text", [None, "", "commands: x\n", "description: no command\n"])
def test_program_without_a_command_is_named_before_its_first_entry(
    tmp_path: Path, program: str, text: str | None
) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    (path,) = (source / program).glob("metadata*")
    path.unlink() if text is None else path.write_text(text)
    wish = rf"competition\.yaml:\d+: tasks\[2\]\.{program}: {program}/?: expected metadata\.yaml with a line `command: "
    assert re.search(wish, refused(source, tmp_path))


def test_archive_that_unpacks_to_more_than_there_is_room_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(4 << 20))
    assert (tmp_path / "bomb.zip").stat().st_size < 1 << 14
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=4 << 20))
    with pytest.raises(ChallengeError, match=r"bomb\.zip: .*4 MiB or more; at most 2 are"):
        unpacked(tmp_path / "bomb.zip", tmp_path / "out", "bomb.zip")
    assert not list(tmp_path.glob("*out*"))


Files = dict[str, str | bytes | None]


PROGRAM = "import numpy as np\nfrom helper_code import *\n# evaluates models for the 2025 Challenge: Chagas\n"
LABEL, ANSWER = "r1 12 400 4000\n# Chagas label: True\n", "r1\n# Chagas label: True\n# Chagas probability: 0.9\n"


def evaluation(folder: Path, changes: Files | None = None) -> Path:
    """The program of 2025 with an organiser's own data, and these files in place of some; None takes one away."""
    files: Files = {
        "evaluate_model.py": PROGRAM,
        "helper_code.py": "",
        "labels/r1.hea": LABEL,
        "outputs/r1.txt": ANSWER,
    }
    return written(folder, {name: text for name, text in {**files, **(changes or {})}.items() if text is not None})


ONE = "expected one evaluation program, evaluate_12ECG_score.py or evaluate_model.py, found "


@pytest.mark.parametrize(
    ("files", "wishes"),
    [
        ({"evaluate_model.py": None, "team_code.py": ""}, [f"{ONE}none: import the repository evaluation-YEAR"]),
        ({"old/evaluate_model.py": ""}, [f"{ONE}evaluate_model.py, old/evaluate_model.py"]),
        ({"evaluate_model.py": "print 'a'\n"}, ["evaluate_model.py:1: expected Python 3: Missing parentheses in call"]),
        ({"evaluate_model.py": PROGRAM.encode("utf-16")}, ["evaluate_model.py: expected Python 3: "]),
        (
            {"evaluate_model.py": "x = 1\n"},
            ["evaluate_model.py: expected the evaluation program of a year from 2021 to"],
        ),
        (
            {"helper_code.py": None},
            ["evaluate_model.py:2: imports helper_code; expected helper_code.py beside it, from "],
        ),
        ({"requirements.txt": b"numpy # \xe4\n"}, ["requirements.txt:1: expected text in UTF-8 or UTF-16"]),
        (
            {"outputs/r1.txt": None, "outputs/r2.txt": ANSWER},
            ["outputs: expected an answer for each record of labels; 1 are missing, such as r1.txt"],
        ),
        (
            {"labels/r1.hea": None, "labels/r1.txt": LABEL},
            ["labels: expected files RECORD.hea, as 2025 has them, found"],
        ),
        ({"labels/r1.hea": None}, ["outputs: expected a folder labels beside it, found none"]),
        ({"outputs/r1.txt": None}, ["labels: expected a folder outputs beside it, found none"]),
        (
            {"evaluate_model.py": "# 2021 Challenge\ndef load_weights(): ...\n"},
            ["expected weights.csv beside", "outputs"],
        ),
        (
            {"helper_code.py": None, "labels/r2.hea": LABEL, "requirements.txt": b"\xff"},
            ["evaluate_model.py:2: ", "requirements.txt:1: ", "outputs: "],
        ),
    ],
    ids=lambda value: value[0][:40] if isinstance(value, list) else None,
)
def test_files_of_a_year_that_are_wrong_are_named_at_once(tmp_path: Path, files: Files, wishes: list[str]) -> None:
    lines = refused(evaluation(tmp_path / "evaluation", files), tmp_path, "physionet").splitlines()
    assert len(lines) == len(wishes) and all(wish in line for wish, line in zip(wishes, lines, strict=True)), lines
    assert all(line.startswith(str(tmp_path / "evaluation")) for line in lines)


@pytest.mark.parametrize("name", ["evaluate_model.py", "labels/r1.hea"])
def test_file_alone_is_no_year_and_links_of_one_are_not_followed_out(tmp_path: Path, name: str) -> None:
    source = evaluation(tmp_path / "evaluation")
    (line,) = refused(source / "evaluate_model.py", tmp_path, "physionet").splitlines()
    assert "evaluate_model.py: expected the folder of an evaluation program" in line
    (source / name).unlink()
    (source / name).symlink_to("/etc/hostname")
    (line,) = refused(source, tmp_path, "physionet").splitlines()
    assert f"{name}: is a link that leads out of evaluation" in line


def test_own_data_of_a_year_are_taken_with_files_of_windows(tmp_path: Path) -> None:
    bom = "\N{ZERO WIDTH NO-BREAK SPACE}"
    files: Files = {
        "evaluate_model.py": bom + PROGRAM.replace("\n", "\r\n"),
        "requirements.txt": f"{bom}numpy==2.0.2\r\n",
        "labels/r1.hea": LABEL.replace("\n", "\r\n"),
    }
    made = import_challenge("physionet", evaluation(tmp_path / "evaluation", files), tmp_path / "to")
    assert check_challenge(made.folder) == []
    assert (made.folder / "requirements.txt").read_text().split() == ["numpy==2.0.2"]
    assert (made.folder / "labels/r1.hea").read_bytes() == str(files["labels/r1.hea"]).encode()
    assert (made.folder / "sample_entry/r1.txt").read_text() == ANSWER
    assert load_challenge(str(made.folder)).exam.records == ("r1",)
    assert "labels and outputs beside the program: labels/ and sample_entry/" in made.carried
    assert not [item.what for item in made.left_out if "data of the year" in item.what]


def test_own_tables_of_2026_are_taken(tmp_path: Path) -> None:
    program, table = "def compute_reward(): ...  # prevalence\n", "SiteID\nS1\n"
    files = {"evaluate_model.py": program, "labels/labels.csv": table, "outputs/demographics.csv": table}
    made = import_challenge("physionet", written(tmp_path / "evaluation", files), tmp_path / "year")
    assert (made.folder / "labels/labels.csv").read_text() == table
    assert (made.folder / "sample_entry/demographics.csv").read_text() == table

"""Challenges of other platforms become folders that pass the check; docs/scorers.md is run, and read by the program."""

import json
import os
import shutil
import subprocess
import zipfile
from contextlib import nullcontext
from pathlib import Path

import pytest
import yaml

from evaluate.authoring.check import check_challenge
from evaluate.authoring.imports import FORMS, import_challenge
from evaluate.authoring.imports.base import Imported, modules_of
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.scorer import SCORER, Form
from evaluate.config.schema.document import Document
from evaluate.config.schema.keys import read
from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.model import StageOutcome, Verdict
from evaluate.sandbox import plain
from evaluate.stages.score import score_answers
from evaluate.stages.scorers.adapter import of_json
from tests.conftest import CHECKOUT
from tests.support import bundles
from tests.support.commands import command, printed
from tests.support.documents import blocks
from tests.support.scorers import means, scored, written

pytestmark = pytest.mark.slow


def scores(folder: Path, scratch: Path) -> dict[str, StageOutcome]:
    """What the sample entry scores in quiz and exam."""
    challenge = load_challenge(str(folder))
    sets = {"quiz": challenge.quiz, "exam": challenge.exam}
    scorable = {name: exam for name, exam in sets.items() if exam.references is not None}
    return {
        name: score_answers(challenge, exam, folder / "sample_entry", means(scratch)) for name, exam in scorable.items()
    }


def left(made: Imported) -> dict[str, str]:
    """What was left out -> where it was."""
    assert all(item.why for item in made.left_out)
    return {item.what: item.where for item in made.left_out}


def lines(made: Imported, source: Path) -> dict[str, str]:
    """What was left out -> the line of its file that is named."""
    named = {}
    for what, where in left(made).items():
        file, _, number = where.partition(":")
        path = next((folder / file for folder in (source, made.folder) if (folder / file).is_file()), None)
        assert path is not None, where
        named[what] = path.read_text().splitlines()[int(number) - 1].strip()
    return named


def test_codabench_bundle_is_imported_and_scores(tmp_path: Path) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    (source / "scoring_program" / "linked").symlink_to(source / "competition.yaml")
    made = import_challenge("codabench", source, tmp_path / "words")
    assert check_challenge(made.folder) == [] and (made.folder / "scoring_program/linked").is_file()
    outcomes = scores(made.folder, tmp_path / "scratch")
    quiz, exam = outcomes["quiz"].score, outcomes["exam"].score
    assert quiz is not None and dict(quiz.values) == {"accuracy": 1.0, "first": 1.0, "second": 1.0}
    assert exam is not None and dict(exam.values) == {"accuracy": 0.75, "first": 1.0, "second": 0.5}
    named = lines(made, source)
    assert named["docker_image codalab/codalab-legacy:py37"] == "docker_image: codalab/codalab-legacy:py37"
    assert named["strange_key 7"] == "strange_key: 7"
    assert named["page Gone"] == "- title: Gone"
    assert named["submission_rule Force_Last"] == "submission_rule: Force_Last"
    assert named["precision of column first"].startswith("- {title: First half")
    assert named["further columns as tie-breakers"] == "columns:"
    assert "hidden" in named["whether the exam is hidden"]
    phase = "phase Development (start 1-31-2026, end 2026-06-30, max_submissions 50, max_submissions_per_day 5)"
    assert named[phase] == "- index: 0"
    readme = (made.folder / "README.md").read_text()
    assert "Make words small." in readme and "docs/overview.md" in readme
    assert (made.folder / "starting_kit/model.py").is_file() and (made.folder / "docs/terms.md").is_file()


def test_unknown_keys_of_columns_and_folders_in_the_place_of_zips_are_named(tmp_path: Path) -> None:
    text = bundles.COMPETITION.replace("sorting: desc, precision: 3", "sorting: desc, colour: red")
    source = bundles.codabench(tmp_path / "bundle", text.replace("scoring_program/\n", "scoring_program.zip\n"))
    named = lines(import_challenge("codabench", source, tmp_path / "words"), source)
    assert named["colour of column first"].startswith("- {title: First half")
    assert named["scoring_program.zip"] == "scoring_program: scoring_program.zip"


@pytest.mark.parametrize("hidden", [False, True])
def test_wrong_path_in_an_ingestion_program_is_found_with_its_line_by_the_sample_entry(
    hidden: bool, tmp_path: Path
) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    program = source / "ingestion_program" / "run.py"
    program.write_text(program.read_text().replace("data.txt", "gone.txt"))
    folder = import_challenge("codabench", source, tmp_path / "words").folder
    if hidden:
        rules = yaml.safe_load((folder / "challenge.yaml").read_text())
        rules["data"]["exam"]["hidden"] = True
        (folder / "challenge.yaml").write_text(yaml.safe_dump(rules))
    problems = check_challenge(folder, means=lambda _: nullcontext(means(tmp_path / "means")))
    assert "sample_entry: the ingestion program" in problems[-1] and "/app/program/run.py, line 5" in problems[-1]
    assert "FileNotFoundError" in problems[-1] and "gone.txt" in problems[-1]


def test_a_zip_with_its_folder_is_the_same(tmp_path: Path) -> None:
    source = bundles.codabench(tmp_path / "bundle")
    with zipfile.ZipFile(tmp_path / "bundle.zip", "w") as archive:
        for path in sorted(source.rglob("*")):
            archive.write(path, f"bundle/{path.relative_to(source)}")
    whole = import_challenge("codabench", source, tmp_path / "one" / "words")
    zipped = import_challenge("codabench", tmp_path / "bundle.zip", tmp_path / "two" / "words")
    assert (zipped.carried, zipped.left_out) == (whole.carried, whole.left_out)
    subprocess.run(["diff", "-r", whole.folder, zipped.folder], check=True)


def test_predictions_fit_one_phase_of_which_a_solution_is_the_sample_and_no_code_that_nothing_runs(
    tmp_path: Path,
) -> None:
    text = "\n".join(line for line in bundles.COMPETITION.splitlines() if "ingestion_program" not in line)
    listed = "  - {path: code, tasks: [1]}\n  - {path: first, tasks: [0]}\n  - {path: last, tasks: [1]}\n"
    text = text.replace("  - index: 0\n    path: solution\n    tasks: [0, 1]\n", listed)
    source = bundles.codabench(tmp_path / "bundle", text)
    written(source, {"code/run.py": "", "first/answer.txt": "a b c d", "last/answer.txt": "e f g h"})
    made = import_challenge("codabench", source, tmp_path / "words")
    challenge = load_challenge(str(made.folder))
    assert challenge.quiz.references is None and challenge.scorer is not None and challenge.scorer.ingestion is None
    assert "the data of phase Development" in left(made)
    assert [path.name for path in (made.folder / "sample_entry").iterdir()] == ["answer.txt"]
    assert (made.folder / "sample_entry/answer.txt").read_text() == "e f g h"
    first = import_challenge("codabench", source, tmp_path / "first", 0)
    assert (first.folder / "reference_data/exam/truth.txt").read_text() == "a b c d"
    assert (first.folder / "sample_entry/answer.txt").read_text() == "a b c d"


def test_hidden_column_is_not_shown_to_teams(tmp_path: Path) -> None:
    """Some bundles have a private score in one."""
    text = bundles.COMPETITION.replace("key: second, index: 2,", "key: private, index: 3, hidden: true,")
    text = text.replace(
        "computation: avg, computation_indexes: [1, 2]", "computation: avg, computation_indexes: [1, 1]"
    )
    source = bundles.codabench(tmp_path / "bundle", text)
    program = (source / "scoring_program/score.py").read_text().replace('"second"', '"private"')
    written(source, {"scoring_program/score.py": program})
    made = import_challenge("codabench", source, tmp_path / "words")
    score = scores(made.folder, tmp_path / "scratch")["exam"].score
    assert score is not None and set(score.values) == {"accuracy", "first"}
    (why,) = [item.why for item in made.left_out if item.what == "column private hidden"]
    assert why.endswith("metric.values leaves this one out")


def test_folder_is_there_only_when_it_is_right_and_its_problems_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: list[bool] = []
    kind = f".words.{os.getpid()}.part/made/words"  # what a definition says is no place
    (tmp_path / "link").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path)
    to = tmp_path / "link" / "words"

    def check(folder: Path) -> list[str]:
        there.append((tmp_path / "words").exists())
        rules = folder / "challenge.yaml"
        rules.write_text(rules.read_text().replace("kind: answers", f"kind: {kind}"))
        return check_challenge(folder)

    monkeypatch.setattr("evaluate.authoring.imports.base.check_challenge", check)
    with pytest.raises(ChallengeError) as error:
        import_challenge("codabench", bundles.codabench(tmp_path / "bundle"), to)
    bundle, problem = str(error.value).splitlines()
    assert bundle == f"{tmp_path / 'bundle'}: what is made of it is no challenge yet:"
    assert problem.startswith("words/challenge.yaml:4: kind: ") and problem.endswith(f"found {kind!r}")
    assert there == [False] and not to.exists() and list(tmp_path.glob(".*")) == [] and Path.cwd() == tmp_path


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ("ln -s ../../home a", r"scoring_program/a: is a link that leads out of bundle"),
        ("ln -s ../../home/key a", r"scoring_program/a: is a link that leads out of bundle"),
        ("ln -sf ../home/key ../competition.yaml", r"competition\.yaml: is a link that leads out of bundle$"),
        ("ln -s . a; ln -s . b", r"scoring_program/a: is a link to a folder"),  # copied, 2^40 folders
        ("ln -s a a", r"scoring_program/a: is a link that leads nowhere"),
        ("mkfifo a", r"scoring_program/a: expected a file or a folder, found a pipe"),  # opened, it never ends
        (f"mkdir -p {'d/' * 200}", r"scoring_program has more than 128 folders in each other"),
    ],
)
def test_link_out_and_folder_that_copying_would_not_end_with_are_refused(
    tmp_path: Path, made: str, message: str
) -> None:
    """A repository of others may have links; programs and kits are shown to teams, and definitions are quoted."""
    written(tmp_path / "home", {"key": "private"})
    source = bundles.codabench(tmp_path / "bundle")
    subprocess.run(["/bin/sh", "-c", made], cwd=source / "scoring_program", check=True)
    with pytest.raises(ChallengeError, match=message):
        import_challenge("codabench", source, tmp_path / "words")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle", "home"]


YEARS = {
    2021: "def load_weights(): ...\n# 2021 Challenge\n",
    2022: "# functions for evaluating models for the 2022 Challenge: murmurs\n",
    2023: "# functions for evaluating models for the 2023 Challenge\n",
    2024: "def compute_snr(): ...\n",
    2025: "def compute_challenge_score(): ...\n",
    2026: "parser.add_argument('-p', '--prevalence')\ndef compute_reward(): ...\n",
}


@pytest.mark.parametrize("year", [2020, *YEARS])
def test_physionet_program_is_imported(tmp_path: Path, year: int) -> None:
    name = "evaluate_12ECG_score.py" if year == 2020 else "evaluate_model.py"
    program = {name: f"import numpy as np\n{YEARS.get(year, '')}", "helper_code.py": "", "weights.csv": ""}
    made = import_challenge("physionet", written(tmp_path / "evaluation", program), tmp_path / "year")
    assert check_challenge(made.folder) == []
    scorer = load_challenge(str(made.folder)).scorer
    assert scorer is not None and scorer.year == year
    assert (made.folder / "scorer/helper_code.py").is_file()
    assert "the data of the year" in left(made) and not (made.folder / "sample_entry").exists()
    packages = (made.folder / "requirements.txt").read_text().split()
    assert packages == (["numpy<2.1"] if year > 2022 else ["numpy>=1.23.2,<1.24"])


def test_versions_that_a_program_pins_are_kept(tmp_path: Path) -> None:
    program = {"evaluate_model.py": YEARS[2024], "requirements.txt": "numpy==1.26.2\nwfdb==4.1.2"}
    made = import_challenge("physionet", written(tmp_path / "evaluation", program), tmp_path / "year")
    packages = (made.folder / "requirements.txt").read_text().split()
    assert packages == ["numpy==1.26.2", "wfdb==4.1.2", "pandas<3"]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_definition_is_refused(tmp_path: Path, form: str) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        import_challenge(form, tmp_path / "nothing", tmp_path / "to")
    with pytest.raises(ChallengeError, match="expected"):
        import_challenge(form, written(tmp_path / "empty", {"a.txt": ""}), tmp_path / "to")


WITHOUT_SAMPLE = bundles.COMPETITION.replace("    starting_kit: solution\n", "").replace(
    "solutions:\n  - index: 0\n    path: solution\n    tasks: [0, 1]\n", ""
)


def test_command_says_what_was_carried_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundles.codabench(tmp_path / "bundle")
    monkeypatch.chdir(tmp_path)
    state, words = tmp_path / "state", ("challenge", "import", "codabench")
    output = printed(state, *words, "bundle")
    assert "left out: strange_key 7 (competition.yaml:7): there is nothing like it here" in output
    assert "next: evaluate challenge check small-words --runner plain" in output
    (bundles.codabench(tmp_path / "lines", WITHOUT_SAMPLE) / "solution").rename(tmp_path / "elsewhere")
    bare = printed(state, *words, "lines", "--to", "bare")
    assert "bare/sample_entry: missing; put the files of one submission there first" in bare
    document = json.loads(printed(state, *words, "bundle", "--to", "again", "--json"))
    assert set(document) == {"folder", "carried", "left_out"} and document["folder"] == "again"
    assert set(document["left_out"][0]) == {"what", "where", "why"}
    assert command(state, *words, "bundle")[0] == 2  # the folder exists


def test_packages_are_found_by_what_programs_import(tmp_path: Path) -> None:
    program = {
        "a.py": "import os, numpy.linalg\nfrom sklearn.metrics import x\nimport helper\nfrom . import y\n",
        "helper.py": "import yaml\n",
        "broken.py": "def (\n",
        "maybe.py": "try:\n    import pandas\nexcept ImportError:\n    install('pandas')\n",
    }
    modules = {"numpy": "a.py:1", "pandas": "maybe.py:2", "sklearn": "a.py:2", "yaml": "helper.py:1"}
    assert modules_of([written(tmp_path, program)]) == modules


def test_what_teams_upload_is_no_package(tmp_path: Path) -> None:
    """The index has a package `model` of strangers, which would be installed in its place."""
    source = bundles.codabench(tmp_path / "bundle", WITHOUT_SAMPLE)
    (source / "solution").rename(tmp_path / "solution")
    made = import_challenge("codabench", source, tmp_path / "words")
    assert "requirements" not in yaml.safe_load((made.folder / "challenge.yaml").read_text())["metric"]
    assert left(made)["package model"] == "run.py:4"


def test_first_task_of_a_phase_is_scored_and_others_are_left_out(tmp_path: Path) -> None:
    text = bundles.COMPETITION.replace("tasks: [1]", "tasks: [1, 0]")
    source = bundles.codabench(tmp_path / "bundle", text)
    made = import_challenge("codabench", source, tmp_path / "words")
    assert check_challenge(made.folder) == []
    score = scores(made.folder, tmp_path / "scratch")["exam"].score
    assert score is not None and dict(score.values) == {"accuracy": 0.75, "first": 1.0, "second": 0.5}
    assert lines(made, source)["task Development Task"] == "tasks: [1, 0]"


PAGE = CHECKOUT / "docs/scorers.md"
IN_A_MACHINE = {"evaluate challenge check words", "evaluate try words/sample_entry --challenge words"}


def shown(language: str) -> list[str]:
    return [block.text for block in blocks(PAGE) if block.language == language]


@pytest.mark.slow
def test_commands_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundles.codabench(tmp_path / "bundle")
    shutil.make_archive(str(tmp_path / "bundle"), "zip", tmp_path / "bundle")
    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks(PAGE) if block.language == "sh" for line in block.commands]
    assert set(lines) >= IN_A_MACHINE
    functional = (CHECKOUT / "tests/functional/test_scorers.py").read_text()
    for line in lines:
        if line in IN_A_MACHINE:
            assert line.removeprefix("evaluate ") in functional
            continue
        output = printed(tmp_path / "state", *line.split()[1:])
        if line.startswith("evaluate try"):
            assert "accuracy 0.7500" in output and "public score: accuracy 1.0000" in output


def test_yaml_and_json_of_the_page(tmp_path: Path) -> None:
    for text, form in zip(shown("yaml"), (Form.CODABENCH, Form.COMMAND), strict=True):
        document = Document(path=tmp_path / "challenge.yaml", value=yaml.safe_load(text)["metric"])
        for key in {"program", "requirements"} & document.value.keys():
            (tmp_path / document.value[key]).touch()
        value = read(document, SCORER)
        assert document.problems == [] and value is not None and value.form is form
    (numbers,) = (of_json(json.loads(text)) for text in shown("json"))
    assert numbers.values == {"F1": 0.83} and set(numbers.records) == {"A1", "A2"}


EVALAI = """
def evaluate(test_annotation_file, user_submission_file, phase_codename, **kwargs):
    truth, given = (open(path).read().split() for path in (test_annotation_file, user_submission_file))
    return {"result": [{"split1": {"score": sum(line in truth for line in given) / len(truth)}}]}
"""
KAGGLE = """
class ParticipantVisibleError(Exception):
    pass


def score(solution, submission, row_id_column_name):
    assert "Usage" not in solution and list(solution["id"]) == list(submission["id"])
    if (submission["value"] < 0).any():
        raise ParticipantVisibleError("values must be positive")
    return (solution["value"] - submission["value"]).abs().mean()
"""
PLACES = """
import json, sys
from pathlib import Path
places = dict(zip(sys.argv[-6::2], map(Path, sys.argv[-5::2])))
"""
VALIDATE = f"""{PLACES}
given = places["-p"].read_text()
status = "INVALID" if float(given) > 1 else "VALIDATED"
places["-o"].write_text(json.dumps({{"validation_status": status, "validation_errors": given}}))
"""
SCORE = f"""{PLACES}
(truth,) = places["-g"].iterdir()
score = float(truth.read_text()) - float(places["-p"].read_text())
places["-o"].write_text(json.dumps({{"score_status": "SCORED", "score": score}}))
"""
MEDPERF = f"""{PLACES}
(truth,) = places["--labels"].iterdir()
assert sys.argv[1] == "evaluate"
places["--output"].write_text(f"score: {{float(truth.read_text()) - float(places['--predictions'].read_text())}}")
"""
SOLUTION = "id,value,Usage\n1,1,Public\n2,2,Private\n4,4,Private\n"


@pytest.mark.parametrize(
    ("recipe", "program", "truth", "answer", "expected"),
    [
        (0, {"evaluation_script/__init__.py": EVALAI}, "a b c d", "a b c x", 0.75),
        (1, {"metric.py": KAGGLE}, SOLUTION, "id,value\n4,4.5\n1,7\n2,2\n", 0.25),
        (1, {"metric.py": KAGGLE}, SOLUTION, "id,value\n4,-1\n1,7\n2,2\n", "values must be positive"),
        (1, {"metric.py": KAGGLE}, SOLUTION, "id,value\n1,1\n", "expected each row of the solution once"),
        (2, {"synapse/validate.py": VALIDATE, "synapse/score.py": SCORE}, "0.75", "0.5", 0.25),
        (2, {"synapse/validate.py": VALIDATE}, "0.75", "7", "7"),
        (3, {"project/metrics.py": MEDPERF}, "0.75", "0.5", 0.25),
    ],
)
def test_recipe_of_the_page_calls_the_program_of_another_platform(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    recipe: int,
    program: dict[str, str],
    truth: str,
    answer: str,
    expected: float | str,
) -> None:
    site, before = str(Path(yaml.__file__).parent.parent), plain._walls
    monkeypatch.setattr(plain, "_walls", lambda *a: [*before(*a), "--ro-bind", site, site])
    monkeypatch.setitem(plain._ENVIRONMENT, "PYTHONPATH", site)
    keys = {
        key: value for key, value in yaml.safe_load(shown("yaml")[1])["metric"].items() if key in ("command", "primary")
    }
    files = {**program, "score.py": shown("python")[recipe]}
    outcome = scored(tmp_path, Form.COMMAND, files, {"truth": truth}, {"answer": answer}, **keys)
    if isinstance(expected, str):
        assert (outcome.result.verdict, outcome.result.message) == (Verdict.BAD_ANSWER, expected)
    else:
        assert outcome.score is not None and outcome.score.values == {"score": expected}

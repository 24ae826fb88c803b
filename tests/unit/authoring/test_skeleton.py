"""`evaluate challenge new` and `evaluate new`: challenges and entries that pass without a change."""

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import metrics
from evaluate.authoring.check import check_challenge
from evaluate.authoring.skeleton import LANGUAGES, languages, write_entry, write_skeleton
from evaluate.commands.trial import _LANGUAGES
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.load import list_challenges
from evaluate.config.challenge.types import Kind
from evaluate.core.errors import UsageError
from evaluate.stages.kinds.detection import handler
from evaluate.stages.score import score, score_answers
from tests.support.commands import command, printed, run
from tests.support.packing import pack_folder
from tests.support.scorers import means


@pytest.mark.parametrize("kind", list(Kind))
def test_new_challenge_has_no_mistake(kind: Kind, tmp_path: Path) -> None:
    folder = tmp_path / "hearts"
    code, output = command(None, "challenge", "new", folder, "--kind", kind.value)
    assert code == 0, output
    assert check_challenge(folder) == []
    assert "hearts" in (folder / "README.md").read_text()
    assert "NAME" not in "".join(path.read_text() for path in folder.rglob("*.[ym]*") if path.suffix != ".py")
    paths = re.findall(r"(\S*hearts/\S+)", output)
    assert paths and all(Path(path).exists() for path in paths)


@pytest.mark.parametrize("name", ["My Hearts", "../up/Hearts"])
def test_name_that_is_not_valid_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="small letters"):
        write_skeleton(tmp_path / name, Kind.SCRIPTS)


@pytest.mark.parametrize(
    "words", ["challenge new", "challenge new --template physionet-2022", "new --challenge cinc2017"]
)
def test_nothing_is_overwritten(words: str, tmp_path: Path) -> None:
    (tmp_path / "hearts").mkdir()
    (tmp_path / "hearts" / "mine").touch()
    done = run(None, *words.split(), tmp_path / "hearts")
    assert done.exit_code == 2
    assert "already exists; nothing was changed" in done.output
    assert [p.name for p in tmp_path.rglob("*")] == ["hearts", "mine"]


def test_metric_of_a_new_challenge_counts_what_is_missing_and_has_intervals(tmp_path: Path) -> None:
    write_skeleton(tmp_path / "hearts", Kind.SCRIPTS)
    truth = tmp_path / "hearts/sample_data/test/REFERENCE.csv"
    (tmp_path / "answers.txt").write_text("\n".join(truth.read_text().splitlines()[:3]))
    numbers = score(str(tmp_path / "hearts/accuracy.py"), truth, tmp_path / "answers.txt", None).score
    assert numbers is not None and dict(numbers.values) == {"accuracy": 0.5, "missing": 3.0}
    low, high = numbers.intervals["accuracy"]
    assert low < 0.5 < high and len(numbers.resampled) == 1000
    assert [picture.name for picture in numbers.pictures] == ["confusion"]


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


ALL: list[tuple[str, str | None]] = [
    *((name, language) for name in list_challenges() for language in languages(load_challenge(name))),
    *((name, None) for name in list_challenges() if Kind.ANSWERS in load_challenge(name).kinds),
]
"""Challenges, and the languages of their first entries; None: answers."""
CINC = load_challenge("cinc2017")
IMAGES = [name for name in list_challenges() if Kind.IMAGE in load_challenge(name).kinds]


@pytest.mark.parametrize(("name", "language"), ALL)
def test_new_entry_has_what_its_challenge_asks_for(name: str, language: str | None, tmp_path: Path) -> None:
    challenge = load_challenge(name)
    write_entry(tmp_path / "mine", challenge, language)
    kind = next(kind for kind in challenge.kinds if (kind is Kind.ANSWERS) is (language is None))
    if kind is not Kind.IMAGE:
        handler(kind).check(pack_folder(tmp_path / "mine", tmp_path / "mine.tar.gz"), challenge)
    readme = (tmp_path / "mine" / "README.md").read_text()
    assert f"--challenge {name}" in readme
    assert not [word for word in ("FOLDER", "PROGRAM", "TITLE", "CHALLENGE") if word in readme]
    assert os.access(next((tmp_path / "mine").glob("*.sh"), sys.executable), os.X_OK)


def test_answers_of_new_entries_are_those_of_their_programs(tmp_path: Path) -> None:
    starters, compiled = CINC.folder / "starters", tmp_path / "c"
    subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-o", compiled, starters / "c" / "classify.c"], check=True)
    for program in ([sys.executable, starters / "python" / "classify.py"], [compiled]):
        answers = [
            subprocess.run([*program, record], cwd=CINC.quiz.folder, capture_output=True, text=True, check=True).stdout
            for record in CINC.quiz.records
        ]
        assert "".join(answers) == (starters / "common" / "answers.txt").read_text()


@pytest.mark.parametrize("name", [*IMAGES, "cpsc2021"])
def test_programs_of_new_entries_give_answers_that_can_be_scored(name: str, tmp_path: Path) -> None:
    challenge = load_challenge(name)
    folder = challenge.folder / "starters" / "python"
    program = runpy.run_path(str(folder / ("answer.py" if name in IMAGES else challenge.run.program)))
    program["main"](challenge.quiz.folder, tmp_path)
    assert challenge.quiz.references is not None
    report = metrics.get(challenge.metric).score(challenge.quiz.references, tmp_path, records=challenge.quiz.records)
    assert 0 <= report.values[report.primary] <= 6.5


@pytest.mark.parametrize("kind", list(Kind))
def test_entry_for_a_new_challenge_is_its_sample_entry(kind: Kind, tmp_path: Path) -> None:
    write_skeleton(tmp_path / "hearts", kind)
    printed(None, "new", tmp_path / "mine", "--challenge", tmp_path / "hearts")
    sample = {p.name for p in (tmp_path / "hearts" / "sample_entry").iterdir()}
    assert sample < {p.name for p in (tmp_path / "mine").iterdir()}
    assert f"--challenge {tmp_path / 'hearts'}" in (tmp_path / "mine" / "README.md").read_text()


def test_commands_that_are_named_take_a_path_with_a_space(tmp_path: Path) -> None:
    entry, hearts = tmp_path / "my entry", tmp_path / "my challenges" / "hearts"
    hearts.parent.mkdir()
    lines = [*write_entry(entry, load_challenge("cinc2017")), *write_skeleton(hearts, Kind.SCRIPTS)]
    tried = [shlex.split(line) for line in lines if line.startswith("  evaluate try ")]
    expected = [(entry, "cinc2017"), (hearts / "sample_entry", hearts)]
    assert [(words[2], words[4]) for words in tried] == [tuple(map(str, words)) for words in expected]
    readme = (entry / "README.md").read_text()
    assert readme.startswith("# my entry, ") and "    evaluate try 'my entry' --challenge cinc2017\n" in readme


def test_the_command_offers_the_languages_there_are_and_refuses_others_with_those(tmp_path: Path) -> None:
    assert _LANGUAGES == languages(CINC) == LANGUAGES
    with pytest.raises(UsageError, match="cpsc2021 has no first entry in this language; there is python"):
        write_entry(tmp_path / "mine", load_challenge("cpsc2021"), "java")
    assert not (tmp_path / "mine").exists()


@pytest.mark.parametrize(
    ("works", "saved_by"),
    [
        (("docker", "podman"), "save --output entry.tar entry"),
        (("buildah",), "push entry docker-archive:entry.tar:entry:latest"),
    ],
)
def test_archive_is_made_by_whichever_tool_works(works: tuple[str, ...], saved_by: str, tmp_path: Path) -> None:
    write_entry(tmp_path / "mine", load_challenge("adaptor2021"))
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("dirname", "rm"):
        (tools / name).symlink_to(shutil.which(name) or "")
    for name in ("docker", "podman", "buildah"):
        script = 'echo "$0 $*" >>"$LOG"' if name in works else "exit 1"  # such as a docker whose service is not there
        (tools / name).write_text(f"#!/bin/sh\n{script}\n")
        (tools / name).chmod(0o755)
    log = tmp_path / "log"
    argv, env = ["/bin/sh", tmp_path / "mine" / "make_archive.sh"], {"PATH": str(tools), "LOG": str(log)}
    subprocess.run(argv, env=env, check=True, capture_output=True)
    assert log.read_text().splitlines()[1:] == [
        f"{tools}/{works[0]} build --platform linux/amd64 --tag entry .",
        f"{tools}/{works[0]} {saved_by}",
    ]
    for name in works:
        (tools / name).write_text("#!/bin/sh\nexit 1\n")
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "none of docker, podman and buildah works here" in done.stderr

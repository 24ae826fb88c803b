"""The command line: names, exit codes and messages that outside programs and people rely on."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evaluate.commands.main import main
from evaluate.core.files import data_folder
from evaluate.host.doctor import diagnose
from tests.conftest import CHECKOUT

CINC = data_folder("challenges") / "cinc2017"
REFERENCES = CINC / "sample_data" / "test" / "REFERENCE.csv"
README = CHECKOUT / "README.md"


def run(*argv: str, state: Path | None = None) -> Result:
    return CliRunner().invoke(main, [*(("--state", str(state)) if state else ()), *argv])


def test_score_prints_both_rules_side_by_side() -> None:
    found = run("score", "--challenge", "cinc2017", "--references", str(REFERENCES), "--answers", str(REFERENCES))
    assert found.exit_code == 0, found.output
    assert re.search(r"^F1 +1\.0000 +0\.779 to 1\.000 +1\.0000$", found.output, re.MULTILINE)


def test_score_as_json() -> None:
    found = run(
        "score", "--challenge", "cinc2017", "--references", str(REFERENCES), "--answers", str(REFERENCES), "--json"
    )
    report = json.loads(found.stdout)
    assert (report["verdict"], report["score"]["primary"]) == ("OK", "F1")
    assert report["score"]["values"]["F1"] == report["score"]["official"]["F1"] == 1.0


BOTH_DOORS = {
    "comparison": (["--against", "other.txt", "more.txt"], 0),
    "json": (["--json"], 0),
    "official rules of some records": (["--rules", "official", "--records", "RECORDS"], 0),
    "pictures": (["--plots", "pictures"], 0),
    "bad answers": (["--answers", "bad.txt", "--json"], 1),
    "bad references": (["--references", "bad.txt"], 2),
    "own metric that fails": (["--metric", "own.py"], 2),
    "no such metric": (["--metric", "cinc2071"], 2),
    "no such file": (["--against", "none.txt"], 2),
    "list": (["--list"], 0),
}


@pytest.mark.parametrize("case", BOTH_DOORS)
def test_score_and_the_metrics_alone_are_one_program(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from metrics.__main__ import main as alone

    monkeypatch.chdir(tmp_path)
    truth = REFERENCES.read_text()
    texts = {"truth.csv": truth, "other.txt": truth.replace(",A", ",N"), "more.txt": truth.replace(",O", ",N")}
    own = "class Own:\n    def score(self, *_, **__):\n        return {}['hearts']\nMETRIC = Own()\n"
    texts |= {"bad.txt": "T00001,AF\n", "RECORDS": "T00001\nT00002\n", "own.py": own}
    for name, text in texts.items():
        Path(name).write_text(text)
    words, code = BOTH_DOORS[case]
    argv = ["--metric", "cinc2017", "--references", "truth.csv", "--answers", "truth.csv", *words]
    found = run("score", *argv)
    try:
        ended = alone(argv)
    except SystemExit as e:
        ended = int(str(e.code))
    said = capsys.readouterr()
    assert (found.exit_code, found.stdout) == (code, said.out)
    assert found.stderr.splitlines()[-1:] == said.err.splitlines()[-1:]
    assert ended == code


def test_score_takes_a_folder_of_a_challenge() -> None:
    files = ["--references", str(REFERENCES), "--answers", str(REFERENCES)]
    found = run("score", "--challenge", str(CINC), *files)
    assert (found.exit_code, found.stdout.splitlines()[0].split()[0]) == (0, "cinc2017")


def test_score_of_bad_answers_is_the_entrys_fault(tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    answers.write_text("T00001,AF\n")
    found = run("score", "--challenge", "cinc2017", "--references", str(REFERENCES), "--answers", str(answers))
    assert found.exit_code == 1
    assert "record T00001" in found.output
    assert "'AF'" in found.output


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["score", "--challenge", "cinc2017", "--references", "no.csv", "--answers", "no.txt"], "no.csv"),
        (["try", "x.zip", "--challenge", "no-such"], "no challenge 'no-such'"),
        (["try", "x.zip"], "--challenge"),
        (["challenge", "check", "no-such"], "no challenge"),
        (["image", "build", "no-such"], "no image recipe 'no-such'"),
        (["nonsense"], "nonsense"),
    ],
)
def test_wrong_usage_exits_with_2_and_names_it(argv: list[str], message: str, tmp_path: Path) -> None:
    found = run(*argv, state=tmp_path)
    assert found.exit_code == 2
    assert message in found.output


def test_state_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = run("image", "list", state=tmp_path / "file" / "state")
    assert found.exit_code == 2
    assert "--state" in found.output


def test_image_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    found = run("image", "list", "bookworm", state=tmp_path)
    assert found.exit_code == 3
    assert "evaluate image build bookworm" in found.output


def test_challenges_are_listed_with_their_titles() -> None:
    found = run("challenge", "list")
    assert found.exit_code == 0
    assert re.search(r"^cinc2017 +AF classification", found.output, re.MULTILINE)


def test_check_knows_the_challenges_of_evaluate_yaml_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    (state / "evaluate.yaml").write_text("challenges:\n  hearts: {folder: ../own}\n")
    assert run("challenge", "new", str(tmp_path / "own"), "--kind", "answers").exit_code == 0
    monkeypatch.chdir("/")
    found = run("--state", str(state), "challenge", "check", "hearts")
    assert (found.exit_code, "own: no problems" in found.output) == (0, True), found.output


def test_check_of_a_spoiled_challenge_exits_with_2(tmp_path: Path) -> None:
    (tmp_path / "challenge.yaml").write_text("title: x\n")
    found = run("challenge", "check", str(tmp_path))
    assert found.exit_code == 2
    assert "key 'kind' is missing" in found.output


def test_doctor_names_a_command_for_each_program_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluate.host.doctor.TOOLS", {"no-such-program": "no-such-package"})
    (check, *_) = diagnose(tmp_path)
    assert not check.ok
    assert "no-such-program" in check.found
    assert check.remedy_text.endswith("apt-get install -y --no-install-recommends no-such-package")


def test_every_command_of_the_readme_exists() -> None:
    commands = re.findall(r"^\.venv/bin/evaluate (.+)$", README.read_text(), re.MULTILINE)
    assert len(commands) >= 8
    for command in commands:
        words = [word for word in command.split() if re.fullmatch(r"[a-z]+", word) and "." not in word]
        path = words[:2] if words[0] in ("image", "challenge") else words[:1]
        options = re.findall(r"--[a-z-]+", command)
        text = run(*path, "--help")
        assert text.exit_code == 0, command
        for option in options:
            assert option in text.output, command


def test_python_of_the_readme_runs(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    for name in ("REFERENCE.csv", "answers.txt"):
        (tmp_path / name).write_bytes(REFERENCES.read_bytes())
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert done.stdout.startswith("F1 1.0"), done.stderr


def test_refused_git_bundle_gets_every_form_of_the_report(tmp_path: Path) -> None:
    bundle = tmp_path / "\x1b[31mentry.bundle"
    bundle.write_bytes(b"# v2 git bundle\n" + b"0" * 40 + b" HEAD\n\nPACK")
    forms = {name: tmp_path / f"report.{name}" for name in ("json", "html", "junit")}
    options = [word for name, path in forms.items() for word in (f"--{name}", str(path))]
    found = run("try", str(bundle), "--challenge", "cpsc2021", *options, state=tmp_path / "state")
    assert found.exit_code == 1, found.output
    assert "INVALID_ENTRY" in found.stdout
    assert "\x1b" not in found.output
    report = json.loads(forms["json"].read_text())
    assert (report["verdict"], report["stages"][0]["stage"]) == ("INVALID_ENTRY", "prep")
    assert report["entry"]["bytes"] == bundle.stat().st_size
    for form in ("html", "junit"):
        assert "INVALID_ENTRY" in forms[form].read_text()


def test_full_disk_is_the_hosts_fault_in_every_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "entry.tar.gz")

    monkeypatch.setattr("evaluate.untrusted.archives.pack", full)
    found = run("try", str(CINC / "sample_entry"), "--challenge", "cinc2017", state=tmp_path / "state")
    assert (found.exit_code, "Traceback" in found.output) == (3, False)
    assert "entry.tar.gz: No space left on device" in found.output

"""The command line: names, exit codes and messages that outside programs and people rely on."""

import json
import re
from pathlib import Path

import pytest

from evaluate.core.files import data_folder
from metrics.__main__ import main as metrics_alone
from tests.support.commands import run

CINC = data_folder("challenges") / "cinc2017"
REFERENCES = CINC / "sample_data" / "test" / "REFERENCE.csv"


@pytest.mark.parametrize("challenge", ["cinc2017", str(CINC)])
def test_score_prints_both_rules_side_by_side_and_as_json(challenge: str) -> None:
    words = ["score", "--challenge", challenge, "--references", str(REFERENCES), "--answers", str(REFERENCES)]
    done = run(None, *words)
    assert done.exit_code == 0 and done.stdout.startswith("cinc2017"), done.output
    assert re.search(r"^F1 +1\.0000 +0\.779 to 1\.000 +1\.0000$", done.output, re.MULTILINE)
    report = json.loads(run(None, *words, "--json").stdout)
    assert (report["verdict"], report["score"]["primary"]) == ("OK", "F1")
    assert report["score"]["values"]["F1"] == report["score"]["official"]["F1"] == 1.0


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--against", "other.txt", "more.txt"], 0),
        (["--json"], 0),
        (["--rules", "official", "--records", "RECORDS"], 0),
        (["--plots", "pictures"], 0),
        (["--answers", "bad.txt"], 1),
        (["--answers", "bad.txt", "--json"], 1),
        (["--references", "bad.txt"], 2),
        (["--metric", "own.py"], 2),
        (["--metric", "cinc2071"], 2),
        (["--against", "none.txt"], 2),
        (["--list"], 0),
    ],
    ids=str,
)
def test_score_and_the_metrics_alone_are_one_program(
    words: list[str], code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    truth = REFERENCES.read_text()
    texts = {"truth.csv": truth, "other.txt": truth.replace(",A", ",N"), "more.txt": truth.replace(",O", ",N")}
    metric = "class Own:\n    def score(self, *_, **__):\n        return {}['hearts']\nMETRIC = Own()\n"
    texts |= {"bad.txt": "T00001,AF\n", "RECORDS": "T00001\nT00002\n", "own.py": metric}
    for name, text in texts.items():
        Path(name).write_text(text)
    argv = ["--metric", "cinc2017", "--references", "truth.csv", "--answers", "truth.csv", *words]
    done = run(None, "score", *argv)
    try:
        ended = metrics_alone(argv)
    except SystemExit as e:
        ended = int(str(e.code))
    printed = capsys.readouterr()
    assert (done.exit_code, ended, done.stdout) == (code, code, printed.out)
    assert done.stderr.splitlines()[-1:] == printed.err.splitlines()[-1:]
    if words == ["--answers", "bad.txt"]:
        assert "record T00001" in done.output and "'AF'" in done.output


def test_refused_git_bundle_gets_every_form_of_the_report(tmp_path: Path) -> None:
    bundle = tmp_path / "\x1b[31mentry.bundle"
    bundle.write_bytes(b"# v2 git bundle\n" + b"0" * 40 + b" HEAD\n\nPACK")
    forms = {name: tmp_path / f"report.{name}" for name in ("json", "html", "junit")}
    options = [word for name, path in forms.items() for word in (f"--{name}", str(path))]
    done = run(tmp_path / "state", "try", bundle, "--challenge", "cpsc2021", *options, code=1)
    assert "INVALID_ENTRY" in done.stdout
    assert "\x1b" not in done.output
    report = json.loads(forms["json"].read_text())
    assert (report["verdict"], report["stages"][0]["stage"]) == ("INVALID_ENTRY", "prep")
    assert report["entry"]["bytes"] == bundle.stat().st_size
    assert all("INVALID_ENTRY" in forms[form].read_text() for form in ("html", "junit"))

"""An entry in the form of a contract in real machines, from its training to its score."""

import json
from pathlib import Path

import pytest

from evaluate.config.challenge.contract import ContractName
from tests.support.commands import command
from tests.support.teams import write_entry

pytestmark = pytest.mark.vm


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

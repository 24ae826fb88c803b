"""An entry that was written for another platform, in a real machine and without a challenge."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from evaluate.commands.main import main
from evaluate.config.challenge.contract import ContractName
from tests.support.teams import write_entry

pytestmark = [pytest.mark.vm, pytest.mark.slow]


# that an entry with a model is not trained, `test_training.py` shows in a machine, too
@pytest.mark.parametrize("shipped", [pytest.param(True, marks=pytest.mark.long), False])
def test_repository_of_2025_is_tried_as_it_is(
    own_state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped: bool
) -> None:
    entry = write_entry(tmp_path / "entry", ContractName.PHYSIONET_2025, "wfdb == 4.1.2\npandas < 3\n")
    if shipped:
        (entry / "model").mkdir()
        (entry / "model/mean.txt").write_text("0.6\n")
    team = (entry / "team_code.py").read_text()
    (entry / "team_code.py").write_text(team.replace('record.endswith("r0102")', "False"))
    monkeypatch.chdir(entry)
    command = "evaluate try . --contract physionet-2025"
    done = CliRunner().invoke(main, ["--state", str(own_state), *command.split()[1:], "--accelerator", "tcg"])
    assert done.exit_code == 0, done.output
    assert ("because the entry brings a model" in done.output) is shipped
    assert "model of 1 files" in done.output
    assert "4 of 4 records answered" in done.output and "20 records, 20 answered" in done.output
    assert "the team changed this program" not in done.output
    line = next(line for line in done.output.splitlines() if line.startswith("score OK"))
    assert line.split()[2] == "prioritised2025", line

"""The commands and code in metrics/README.md are run unchanged."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import metrics
from metrics.__main__ import main
from metrics.generic import measures
from tests.conftest import CHECKOUT

pytestmark = pytest.mark.slow

TEXT = (CHECKOUT / "metrics" / "README.md").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    truth = [f"A{i},{'NAO~'[i % 4]}\n" for i in range(40)]
    (tmp_path / "REFERENCE.csv").write_text("".join(truth))
    (tmp_path / "answers.txt").write_text("".join(truth[:36]))
    (tmp_path / "others.txt").write_text("".join(line.replace("A\n", "N\n") for line in truth))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_python_of_the_readme_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL))
    exec(compile(code, "README.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"F1 0\.\d{4}", lines[0])
    assert "(('ours',), ('others',))" in lines
    assert lines[-2] in ("True", "False")
    assert 0 < float(lines[-1]) <= 1


@pytest.mark.parametrize("line", re.findall(r"^python -m metrics.*$", TEXT, re.MULTILINE))
def test_command_of_the_readme_runs(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)[3:]) == 0
    assert ("classification.f1" if "classification" in line else "cinc2017") in capsys.readouterr().out


def test_every_metric_and_measure_has_a_formula_and_a_place_in_the_readme() -> None:
    text = (CHECKOUT / "docs" / "metrics.md").read_text()
    assert [name for name in (*metrics.names(), *measures()) if f"`{name}`" not in text] == []
    names = [*metrics.names(), *(name.partition(".")[2] for name in measures())]
    assert [name for name in names if f"`{name}`" not in TEXT] == []

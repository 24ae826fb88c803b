"""What programs of others import of `metrics`; the commands and code in metrics/README.md are run unchanged."""

import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import metrics
from metrics import ranking, scoring
from metrics.__main__ import main
from metrics.generic import make, measures
from tests.conftest import CHECKOUT

TEXT = (CHECKOUT / "metrics" / "README.md").read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    truth = [f"A{i},{'NAO~'[i % 4]}\n" for i in range(40)]
    (tmp_path / "REFERENCE.csv").write_text("".join(truth))
    (tmp_path / "answers.txt").write_text("".join(truth[:36]))
    (tmp_path / "others.txt").write_text("".join(line.replace("A\n", "N\n") for line in truth))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_python_of_the_readme_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL))
    exec(compile(code, "README.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"F1 0\.\d{4}", lines[0])
    assert "(('ours',), ('others',))" in lines
    assert lines[-2] in ("True", "False")
    assert 0 < float(lines[-1]) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("line", re.findall(r"^python -m metrics.*$", TEXT, re.MULTILINE))
def test_command_of_the_readme_runs(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)[3:]) == 0
    assert ("classification.f1" if "classification" in line else "cinc2017") in capsys.readouterr().out


def test_every_metric_and_measure_has_a_formula_and_a_place_in_the_readme() -> None:
    text = (CHECKOUT / "docs" / "metrics.md").read_text()
    assert [name for name in (*metrics.names(), *measures()) if f"`{name}`" not in text] == []
    names = [*metrics.names(), *(name.partition(".")[2] for name in measures())]
    assert [name for name in names if f"`{name}`" not in TEXT] == []


def test_every_example_makes_a_metric() -> None:
    examples = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert len(examples) > 5 and all(make(yaml.safe_load(example)["metric"]) for example in examples)


@pytest.mark.parametrize("name", metrics.names())
def test_every_metric_has_a_module_of_its_name(name: str) -> None:
    module = importlib.import_module(f"metrics.{name}")
    assert module.METRIC is metrics.get(name)
    assert module.__doc__


def test_published_names_that_nothing_here_imports_are_there() -> None:
    assert all(map(callable, (scoring.score_all, scoring.table, ranking.Ranking)))


@pytest.mark.parametrize(
    "code",
    [
        "import metrics; metrics.names()",
        "import metrics.adapters, metrics.scoring",
        "from metrics.adapters import score_arrays as s; s({'measure': 'classification.auroc'}, [0, 1], [0.1, 0.2])",
        "from metrics.generic import make; make({'measure': 'classification.f1'}).score('r.csv', 'a.json')",
        "import metrics; metrics.get('cinc2017').score('r.csv', 'a.csv')",
    ],
)
def test_scores_of_arrays_and_tables_load_no_large_library(code: str, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("A1,N\nA2,A\n")
    (tmp_path / "a.csv").write_text("A1,N\nA2,A\n")
    (tmp_path / "a.json").write_text('{"A1": "N", "A2": "A"}')
    large = ("numpy",) * code.endswith("names()") + ("scipy", "pandas", "wfdb", "nibabel", "matplotlib", "sklearn")
    code += f"; import sys; print([name for name in {large} if name in sys.modules])"
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert shown.stdout.strip() == "[]"

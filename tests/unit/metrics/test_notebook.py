"""The notebooks of docs/ run from an empty kernel and give the outputs that are in them."""

from __future__ import annotations

import copy
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CHECKOUT

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (group test)")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed (group test)")
NOTEBOOKS = sorted((CHECKOUT / "docs").glob("*.ipynb"))


def outputs(notebook: Any) -> list[list[Any]]:
    """What each cell of code shows; what a kernel prints about itself is left out."""
    return [
        [
            {key: each.get(key) for key in ("data", "text")}
            for each in cell.outputs
            if each.output_type != "stream" or each.name == "stdout"
        ]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
@pytest.mark.filterwarnings("ignore")  # the kernel's client's own
def test_notebook_gives_the_outputs_that_are_in_it(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = nbformat.read(path, as_version=4)
    ran = copy.deepcopy(kept)
    monkeypatch.setenv("PYTHONPATH", os.fspath(CHECKOUT))
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    nbclient.NotebookClient(ran, timeout=120, resources={"metadata": {"path": os.fspath(tmp_path)}}).execute()
    assert outputs(ran) == outputs(kept)
    assert any(outputs(kept))


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS

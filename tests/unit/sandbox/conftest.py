from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.sandbox.qemu_walls import refused, starter
from tests.support.passable import let_pass


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shell behind the walls of QEMU."""
    folder = tmp_path_factory.mktemp("walls")
    let_pass(folder)
    program = starter(folder, "bash")
    if reason := refused(program, None):
        pytest.skip(f"no walls here: {reason}")
    return program

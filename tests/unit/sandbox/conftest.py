import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluate.sandbox.qemu_walls import VARIABLE, orders, refused, starter
from tests.support.passable import passable_folder

Walled = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def shell() -> Iterator[Path]:
    """A shell behind the walls of QEMU."""
    with passable_folder() as folder:
        program = starter(folder, "bash")
        if reason := refused(program, None):
            pytest.skip(f"no walls here: {reason}")
        yield program


@pytest.fixture
def walled(shell: Path) -> Walled:
    """Runs a script in that shell, with these orders; what it writes to standard error is in its output, too."""

    def run(script: str, **ordered: Any) -> subprocess.CompletedProcess[str]:
        env = {VARIABLE: orders(**{"reads": (), "writes": (), **ordered}), "PATH": "/usr/bin"}
        out = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        return subprocess.run([shell, "-c", script], text=True, check=False, env=env, **out)

    return run

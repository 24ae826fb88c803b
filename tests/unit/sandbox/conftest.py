from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluate.sandbox.qemu_walls import refused, starter
from tests.support.passable import passable_folder


@pytest.fixture(scope="module")
def shell() -> Iterator[Path]:
    """A shell behind the walls of QEMU."""
    with passable_folder() as folder:
        program = starter(folder, "bash")
        if reason := refused(program, None):
            pytest.skip(f"no walls here: {reason}")
        yield program

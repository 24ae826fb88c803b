"""Folders of tests that other users of this machine can enter."""

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT

_CLOSED = [
    path for path in (*CHECKOUT.parents, *Path(sys.executable).parents) if not path.stat().st_mode & stat.S_IXOTH
]

_REASON = f"other users cannot enter {_CLOSED[0]}, where these tests are" if _CLOSED else ""
AS_ANOTHER_USER = pytest.mark.skipif(
    os.geteuid() != 0 or bool(_CLOSED), reason=_REASON or "only root can be another user"
)
"""For what root starts as another user, who must find the program."""


def skip_where_closed() -> None:
    """Skip a test in which another user runs the program, where this checkout is in a closed folder."""
    if _CLOSED:
        pytest.skip(_REASON)


@contextmanager
def passable_folder() -> Iterator[Path]:
    """A folder that everybody can list; pytest's own are closed to others by each run of pytest that begins."""
    with tempfile.TemporaryDirectory(prefix="evaluate-tests-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)

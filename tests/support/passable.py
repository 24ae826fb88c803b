"""Folders of tests that other users of this machine can enter."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT

_CLOSED = [
    path for path in (*CHECKOUT.parents, *Path(sys.executable).parents) if not path.stat().st_mode & stat.S_IXOTH
]

AS_ANOTHER_USER = pytest.mark.skipif(
    os.geteuid() != 0 or bool(_CLOSED),
    reason=f"other users cannot enter {_CLOSED[0]}, where these tests are"
    if _CLOSED
    else "only root can be another user",
)
"""For what root starts as another user, who must find the program."""


def skip_where_closed() -> None:
    """Skip a test in which another user runs the program, where this checkout is in a closed folder."""
    if _CLOSED:
        pytest.skip(f"other users cannot enter {_CLOSED[0]}, where these tests are")


def let_pass(folder: Path) -> None:
    """Let everybody list a folder, and those above it that are this user's; modes only gain bits."""
    for above in (folder, *folder.parents):
        status = above.stat()
        if status.st_uid == os.geteuid():
            above.chmod(stat.S_IMODE(status.st_mode) | 0o055)

"""Folders of tests that other users of this machine can enter."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def let_pass(folder: Path) -> None:
    """Let everybody list a folder, and those above it that are this user's; modes only gain bits."""
    for one in (folder, *folder.parents):
        found = one.stat()
        if found.st_uid == os.geteuid():
            one.chmod(stat.S_IMODE(found.st_mode) | 0o055)

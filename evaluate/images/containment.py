"""Runs programs of packages on the host, confined: namespaces of their own, no network, no processes of others."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from evaluate.core.children import tool
from evaluate.core.errors import ImageFault


def remove_tree(path: Path) -> None:
    """Remove a folder whatever is in it, also files of the users of a user namespace."""
    try:
        shutil.rmtree(path)
    except PermissionError:
        tool(
            ["unshare", "--map-root-user", "--map-auto", "rm", "-rf", path], doing=f"removing {path}", fault=ImageFault
        )


def is_root() -> bool:
    """Whether this process may do as it likes."""
    return os.geteuid() == 0


def enclosed(argv: Sequence[str]) -> list[str]:
    """The same command in namespaces of its own: no network, no processes of others, mounts that end with it.

    For an ordinary user inside a user namespace in which it looks like root.
    """
    user = [] if is_root() else ["--map-root-user", "--map-auto"]
    return ["unshare", *user, "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child", *argv]

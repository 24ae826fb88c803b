"""Runs programs of packages on the host, confined: in their own namespaces, without network or other processes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from evaluate.confine import ownership
from evaluate.confine.children import tool
from evaluate.core.errors import ImageFault


def remove_tree(path: Path) -> None:
    """Remove a folder and everything in it, also files that belong to users of a user namespace."""
    try:
        ownership.remove_tree(path)
    except PermissionError:
        tool(
            ["unshare", "--map-root-user", "--map-auto", "rm", "-rf", path], doing=f"removing {path}", fault=ImageFault
        )


def is_root() -> bool:
    """Whether this process runs as root."""
    return os.geteuid() == 0


def enclosed(argv: Sequence[str]) -> list[str]:
    """The same command in its own namespaces: no network, no other processes, mounts that end with it.

    For an ordinary user, in a user namespace in which it appears as root.
    """
    user = [] if is_root() else ["--map-root-user", "--map-auto"]
    return ["unshare", *user, "--mount", "--pid", "--net", "--ipc", "--uts", "--fork", "--kill-child", *argv]

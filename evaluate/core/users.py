"""Numbers of users and groups that nobody on this machine has.

A process that runs under one of them owns nothing, and no other process of that user exists that could trace it, send
it signals, or read its files.
"""

from __future__ import annotations

import secrets
from pathlib import Path

_FIRST, _COUNT = 0x70000000, 1 << 27
"""Numbers that neither distributions, nor systemd, nor containers give to anyone (systemd: "Users, Groups, UIDs")."""
_ENOUGH = 1 << 15
"""With fewer numbers, two processes would soon get the same."""


def own_user() -> int:
    """A user number that nobody has, different for each process; also the number of its group."""
    first, count = _range()
    return first + secrets.randbelow(count)


def has_own_users() -> bool:
    """Whether this user may start processes as other users, and knows enough numbers of them."""
    return min(_mapped("uid_map"), _mapped("gid_map")) >= _ENOUGH


def _range() -> tuple[int, int]:
    known = min(_mapped("uid_map"), _mapped("gid_map"))
    if known > _FIRST + _COUNT:
        return _FIRST, _COUNT
    return known * 3 // 4, max(1, known // 8)


def _mapped(name: str) -> int:
    """How many users or groups this root knows: a container may have a few thousand only."""
    rows = [[int(word) for word in line.split()] for line in Path("/proc/self", name).read_text().splitlines()]
    return max(inside + count for inside, _, count in rows)

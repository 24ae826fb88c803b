"""Numbers of users and groups that nobody on this machine has.

A process that runs under one of them owns nothing, and no other process of that user exists that could trace it, send
it signals, or read its files.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from pathlib import Path

import psutil

_FIRST, _COUNT = 0x70000000, 1 << 27
"""Numbers that neither distributions, nor systemd, nor containers give to anyone (systemd: "Users, Groups, UIDs")."""
_FREE, _SUBORDINATES = 2_000_000, 1 << 16
"""Where `install.sh` begins, and how many there are for a user."""
_ENOUGH = 1 << 15
"""With fewer numbers, two processes would soon get the same."""


def own_user() -> int:
    """A user number that nobody has, different for each process; also the number of its group."""
    first, count = _range()
    return first + secrets.randbelow(count)


def unused(numbers: range) -> int:
    """One of these user numbers, drawn from those that no process has now."""
    processes = (one.info["uids"] for one in psutil.process_iter(["uids"]))
    taken = {user for users in processes if users is not None for user in users}
    return secrets.choice([number for number in numbers if number not in taken])


def has_own_users() -> bool:
    """Whether this user may start processes as other users, and knows enough numbers of them."""
    return min(_mapped("uid_map"), _mapped("gid_map")) >= _ENOUGH


def subordinate(user: str, files: Path = Path("/etc")) -> tuple[range, range] | None:
    """The numbers of users and of groups that an ordinary user may give to processes of its own; None if too few.

    ``files``: the folder with ``subuid`` and ``subgid``, of which newuidmap and newgidmap take them.
    """
    found = [_of_user(files / name, user) for name in ("subuid", "subgid")]
    return (found[0], found[1]) if found[0] is not None and found[1] is not None else None


def free_subordinates(files: Path = Path("/etc")) -> range:
    """Numbers that no user has yet in these files, as many as `subordinate` needs at least."""
    ends = [_FREE]
    for name in ("subuid", "subgid"):
        with suppress(OSError):
            rows = [line.split(":") for line in (files / name).read_text().splitlines()]
            ends += [int(row[1]) + int(row[2]) for row in rows if len(row) == 3]
    return range(max(ends), max(ends) + _SUBORDINATES)


def _of_user(file: Path, user: str) -> range | None:
    try:
        rows = [line.split(":") for line in file.read_text().splitlines()]
    except OSError:
        return None
    own = (range(int(row[1]), int(row[1]) + int(row[2])) for row in rows if len(row) == 3 and row[0] == user)
    return next((one for one in own if len(one) >= _ENOUGH), None)


def _range() -> tuple[int, int]:
    known = min(_mapped("uid_map"), _mapped("gid_map"))
    if known > _FIRST + _COUNT:
        return _FIRST, _COUNT
    return known * 3 // 4, max(1, known // 8)


def _mapped(name: str) -> int:
    """How many users or groups this root knows: a container may have a few thousand only."""
    rows = [[int(word) for word in line.split()] for line in Path("/proc/self", name).read_text().splitlines()]
    return max(inside + count for inside, _, count in rows)

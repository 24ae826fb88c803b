"""Puts the files of an unpacked entry to where its Dockerfile has them; an ordinary command of the sandbox.

    python3 -I -S -c PROGRAM STEPS

STEPS is a JSON list of ``["copy", FROM, TO]``, ``["folder", NAME]``, ``["executable", NAME]`` and
``["remove", NAME]``, in the folder where the entry was unpacked.  A failure is a line on standard error
and exit code 1.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable


def copy(source: str, target: str) -> None:
    """A file or a link."""
    os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
    if os.path.lexists(target):
        remove(target)
    shutil.copy2(source, target, follow_symlinks=False)


def folder(name: str) -> None:
    """An empty folder, or what is there."""
    os.makedirs(name, exist_ok=True)


def executable(name: str) -> None:
    """As ``chmod +x``."""
    os.chmod(name, os.stat(name).st_mode | 0o111)


def remove(name: str) -> None:
    """A file, a link or a whole folder; nothing if it is not there."""
    if os.path.isdir(name) and not os.path.islink(name):
        shutil.rmtree(name)
    elif os.path.lexists(name):
        os.remove(name)


STEPS: dict[str, Callable[..., None]] = {"copy": copy, "folder": folder, "executable": executable, "remove": remove}


def main() -> int:
    """Take the steps in order."""
    step: list[str] = []
    try:
        for step in json.loads(sys.argv[1]):
            STEPS[step[0]](*step[1:])
    except OSError as e:
        print(f"{' '.join(step)}: {e.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

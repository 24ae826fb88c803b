from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from metrics import Note, ScoreReport

TRIED: list[str] = []


def attempt(what: str, work: Callable[[], object]) -> None:
    """Ask whether something is allowed, by what changes nothing and keeps nothing; GOT says that it is."""
    try:
        work()
    except BaseException as e:
        TRIED.append(f"refused {what}: {type(e).__name__}")
    else:
        TRIED.append(f"GOT {what}")


class Hostile:
    name = "hostile"

    def score(
        self, references: Path, answers: Path, *, records: Sequence[str] | None = None, rules: str = "corrected"
    ) -> ScoreReport:
        attack(references, answers)
        return ScoreReport(
            metric=self.name, rules=rules, primary="x", values={"x": 0.5}, notes=tuple(map(Note, [*TRIED, "done"]))
        )


METRIC = Hostile()


def listed() -> list[str]:
    """The processes that can be seen."""
    return [name for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else []


def same(pid: str) -> bool:
    """Whether a process is this one or its parent."""
    return int(pid) in (os.getpid(), os.getppid())


def look_into(folder: str, given: Sequence[Path]) -> None:
    """Fails if nothing is in a folder but what leads to what the metric was given to read."""
    leading = {str(place) for path in given for place in (path, *path.parents)}
    with os.scandir(folder) as entries:
        if not any(entry.path not in leading for entry in entries):
            raise PermissionError(folder)


def attack(references: Path, answers: Path) -> None:
    given = [references, answers, *map(Path, (__file__, sys.prefix, sys.base_prefix, sys.executable, *sys.path))]
    for name in ("/etc/shadow", "/proc/1/environ", "/proc/kcore", "/dev/mem", "/dev/kvm"):
        attempt(f"opens {name}", lambda name=name: os.close(os.open(name, os.O_RDONLY)))
    for name in ("/root", "/var/lib/evaluate", "/var/lib/libvirt", "/home", "/etc/evaluate"):
        if os.path.exists(name):
            attempt(f"looks into {name}", lambda name=name: look_into(name, given))
    attempt("opens another entry's file", lambda: os.close(os.open(references.parent / "secret", os.O_RDONLY)))
    strangers = [pid for pid in listed() if int(pid) > 1 and not same(pid)]
    TRIED.append(f"GOT a look at {len(strangers)} other processes" if strangers else "refused other processes")

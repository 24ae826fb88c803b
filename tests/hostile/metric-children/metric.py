from __future__ import annotations

import os
import time
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


def attack(references: Path, answers: Path) -> None:
    children = []
    try:
        for _ in range(300):
            child = os.fork()
            if child == 0:
                time.sleep(20)
                os._exit(0)
            children.append(child)
        TRIED.append(f"GOT {len(children)} children")
    except OSError as e:
        TRIED.append(f"refused child {len(children)}: {type(e).__name__}")
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)

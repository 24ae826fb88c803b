from __future__ import annotations

import mmap
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
    held = [mmap.mmap(-1, 1 << 30) for _ in range(64)]
    TRIED.append(f"GOT {len(held)} GiB")

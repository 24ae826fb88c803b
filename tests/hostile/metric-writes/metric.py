from __future__ import annotations

import os
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
    for place in (references / "a.csv", answers / "a.csv", references.parent / "secret"):
        attempt(f"opens {place.name} for writing", lambda place=place: os.close(os.open(place, os.O_WRONLY)))
        attempt(f"renames {place.name}", lambda place=place: place.rename(place))
        attempt(f"changes the mode of {place.name}", lambda place=place: place.chmod(place.stat().st_mode & 0o777))
        attempt(f"links {place.name}", lambda place=place: os.link(place, answers.parent / "evaluate-escaped"))
    for name in ("/etc", "/usr", "/var/lib", str(answers.parent), str(answers)):
        # a file without a name, gone when it is closed
        attempt(f"creates a file in {name}", lambda name=name: os.close(os.open(name, os.O_TMPFILE | os.O_WRONLY)))

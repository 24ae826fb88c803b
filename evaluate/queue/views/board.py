"""The board of a challenge: the best of each team's attempts, phase by phase, equal scores sharing a rank.

Rules, as the challenges of this field have them.  A team has so many attempts in a phase; those are the first entries
that reached the exam, whatever came of them, and the best score among them counts.  Scores that are equal to the
challenge's number of decimals share a rank, the next rank is skipped, and of one team's equal attempts the earlier
counts. Next to the score are what the exam used, and the metric's confidence interval.  Teams whose order may be due to
chance share a letter, where the resampled scores were kept: those of all teams on the same draws, so that pairs are
compared.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluate.host.config import Phase
from evaluate.queue.store.attempts import Attempt, Rules, digest_of, in_order, letters_of

if TYPE_CHECKING:
    from evaluate.queue.store.entries import Store
    from evaluate.queue.store.reading import Reader as Looks

WHOLE = Phase(name="")
"""The one phase of a challenge without phases."""
_MOST_SHOWN = 4
"""Decimals of a score in the table."""
_WIDTH = 1000


@dataclass(frozen=True, kw_only=True)
class Place:
    """One line of the board."""

    phase: str
    rank: int
    team: str
    score: float | None
    """None: the metric gave no number."""
    low: float | None
    high: float | None
    tied: str
    """Teams with the same letter cannot be told apart; empty where that is not known."""
    instructions: int
    wall_seconds: float
    attempts: int
    """How many of the team's attempts in this phase were scored."""
    entry: str


Reader = Callable[[Sequence[Attempt]], Sequence[Attempt]]
"""Adds the resampled scores to the attempts that have a place; the others do not need theirs."""


def board(
    attempts: Iterable[Attempt],
    phases: Sequence[Phase] = (),
    most: int = 0,
    decimals: int = 12,
    reader: Reader = tuple,
) -> list[Place]:
    """The places of every phase, in the order of the phases and the ranks.

    Parameters
    ----------
    phases : sequence of Phase
        Empty: one without an end.
    most : int
        Attempts of a team in a phase that does not say so itself; 0: any number.
    decimals : int
        Scores that are equal to so many decimals share a rank.
    """
    known = sorted(attempts, key=lambda one: one.number)
    places: list[Place] = []
    for phase in sorted(phases, key=lambda phase: phase.begins) or [WHOLE]:
        within = [one for one in known if phase.begins <= one.submitted < phase.ends]
        allowed = _allowed(within, most if phase.attempts is None else phase.attempts)
        places += [replace(place, phase=phase.name) for place in ranked(allowed, decimals, reader)]
    return places


def _allowed(attempts: Sequence[Attempt], most: int) -> list[Attempt]:
    """The first ``most`` of each team."""
    counted: dict[str, int] = {}
    found = []
    for attempt in attempts:
        counted[attempt.team] = counted.get(attempt.team, 0) + 1
        if not most or counted[attempt.team] <= most:
            found.append(attempt)
    return found


def ranked(attempts: Iterable[Attempt], decimals: int = 12, reader: Reader = tuple) -> list[Place]:
    """The best attempt of each team, best first; of equal ones the earlier.  A team without a score has no place."""
    best: dict[str, Attempt] = {}
    tried: dict[str, int] = {}
    for attempt in in_order(attempts, decimals):
        best.setdefault(attempt.team, attempt)
        tried[attempt.team] = tried.get(attempt.team, 0) + 1
    order = list(reader([replace(one, scored=tried[team]) for team, one in best.items()]))
    return _placed(order, letters_of(order), decimals)


def _placed(order: Sequence[Attempt], letters: Mapping[str, str], decimals: int) -> list[Place]:
    """The places of the best attempts of the teams, in their order."""
    places: list[Place] = []
    for position, attempt in enumerate(order, 1):
        same = position > 1 and order[position - 2].rounded(decimals) == attempt.rounded(decimals)
        places.append(
            Place(
                phase="",
                rank=places[-1].rank if same else position,
                team=attempt.team,
                score=attempt.score if attempt.score is not None and math.isfinite(attempt.score) else None,
                low=attempt.low,
                high=attempt.high,
                tied=letters.get(attempt.entry, ""),
                instructions=attempt.instructions,
                wall_seconds=attempt.wall_seconds,
                attempts=attempt.scored,
                entry=attempt.entry,
            )
        )
    return places


def board_of(store: Store, challenge: str, phases: Sequence[Phase], most: int, decimals: int) -> list[Place]:
    """The board of a challenge."""
    from evaluate.queue.store.bests import best_attempts, letters  # noqa: PLC0415  # see `kept_board`

    places: list[Place] = []
    for name, rules in _rules(phases, most, decimals):
        order = store.reader.best_attempts(challenge, rules)
        if order is None:
            order = best_attempts(store, challenge, rules)
        found = _placed(order, letters(store, challenge, rules, order), decimals)
        places += [replace(place, phase=name) for place in found]
    return places


def kept_board(reader: Looks, challenge: str, phases: Sequence[Phase], most: int, decimals: int) -> list[Place] | None:
    """The board of a challenge, if all of it is kept, by a reader that needs not a tenth of what the store imports."""
    places: list[Place] = []
    for name, rules in _rules(phases, most, decimals):
        order = reader.best_attempts(challenge, rules)
        letters = None if order is None else reader.letters(challenge, rules, digest_of(order))
        if order is None or letters is None:
            return None
        places += [replace(place, phase=name) for place in _placed(order, letters, decimals)]
    return places


def _rules(phases: Sequence[Phase], most: int, decimals: int) -> Iterator[tuple[str, Rules]]:
    """Each phase with which attempts count in it."""
    for phase in sorted(phases, key=lambda phase: phase.begins) or [WHOLE]:
        allowed = most if phase.attempts is None else phase.attempts
        yield phase.name, Rules(begins=phase.begins, ends=phase.ends, most=allowed, decimals=decimals)


def as_csv(places: Sequence[Place]) -> str:
    """The board as CSV with a header."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(Place.__dataclass_fields__), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(place) for place in places)
    return text.getvalue()


def as_json(places: Sequence[Place], seal: Mapping[str, Any] | None = None) -> list[Mapping[str, Any]]:
    """The board as values of JSON; each place with what is said of the challenge's seal, if it has one."""
    return [{**asdict(place), **({"seal": seal} if seal else {})} for place in places]


def as_table(places: Sequence[Place], title: str, decimals: int = 12) -> Table:
    """One phase of the board for people; empty columns are left out."""
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    between = any(place.low is not None for place in places)
    tied = any(place.tied for place in places)
    for name, justify, there in _COLUMNS:
        if there is None or {"between": between, "tied": tied}[there]:
            table.add_column(name, justify=justify, no_wrap=True)
    shown = min(decimals, _MOST_SHOWN)
    for place in places:
        cells = [str(place.rank), place.team, "none" if place.score is None else f"{place.score:.{shown}f}"]
        if between:
            cells.append("" if place.low is None else f"{place.low:.3f} to {place.high:.3f}")
        if tied:
            cells.append(place.tied)
        cells += [f"{place.instructions:.2e}", f"{place.wall_seconds:.1f}", str(place.attempts), place.entry]
        table.add_row(*map(escape, cells))
    return table


def as_text(places: Sequence[Place], title: str = "", decimals: int = 12) -> str:
    """The table as plain text, as wide as it needs to be."""
    text = io.StringIO()
    Console(file=text, width=_WIDTH).print(as_table(places, title, decimals))
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def phases_as_text(name: str, phases: Sequence[str], places: Sequence[Place], decimals: int) -> str:
    """The table of each phase; ``phases`` is one empty name for a challenge without phases."""
    texts = []
    for phase in phases:
        within = [place for place in places if place.phase == phase]
        title = f"{name}, phase {phase}" if phase else name
        texts.append(as_text(within, title, decimals) if within else f"{title}: no entry has a score yet")
    return "\n".join(texts)


_COLUMNS: tuple[tuple[str, Any, str | None], ...] = (
    ("rank", "right", None),
    ("team", "left", None),
    ("score", "right", None),
    ("95 % interval", "right", "between"),
    ("tied", "left", "tied"),
    ("instructions", "right", None),
    ("seconds", "right", None),
    ("attempts", "right", None),
    ("entry", "left", None),
)

"""The board of a challenge: the best of each team's attempts, phase by phase, equal scores sharing a rank.

Rules, as the challenges of this field have them.  A team has so many attempts in a phase; those are the first entries
that reached the exam, with any outcome, and the best score among them counts.  Scores that are equal to the
challenge's number of decimals share a rank, the next rank is skipped, and of one team's equal attempts the earlier
counts.  What organisers mark as a baseline
stands where its score puts it, without rank or letter, and those of others are as if it were not there.  Next to the
score are the use of the exam, and the metric's confidence interval.  Teams whose order may be due to chance share a
letter, where the resampled scores were kept: those of all teams on the same draws, so that pairs are compared.

Where the organisers replace records, references or metric while entries count, scores of different data are not
compared: those of the newest are ranked, of each team that has one; the others stand below, without rank or letter.
"""

from __future__ import annotations

import csv
import io
import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import sqlalchemy as sa
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluate.config.terms import Phase
from evaluate.config.types import Config
from evaluate.core.sanitize import for_spreadsheet
from evaluate.report.words import MOST_DECIMALS, decimals_of
from evaluate.store.db.tables import ENTRIES, SCORES
from evaluate.store.entries.best_attempts import (
    Attempt,
    best_attempts,
    data_of_scores,
    letters_of,
    on_board,
    with_resampled,
)

if TYPE_CHECKING:
    from evaluate.config.challenge.types import Challenge
    from evaluate.store.entries.store import Store

WHOLE = Phase(name="")
"""The one phase of a challenge without phases."""
UNKNOWN = "unknown"
_WIDTH = 1000
_AT_ONCE = 500


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """A row of the leaderboard."""

    __pydantic_config__ = {"use_attribute_docstrings": True}  # the API describes these attributes  # noqa: RUF012
    phase: str
    """Name of the phase; empty if the challenge has none."""
    rank: int | None
    """Rank in the phase; None: a baseline, or judged by other data than the rows with a rank, so not comparable."""
    team: str
    """Name of the team."""
    score: float | None
    """Primary score of the team's best attempt; None: the metric gave no number."""
    low: float | None
    """Lower bound of the 95 % interval; None: no interval."""
    high: float | None
    """Upper bound of the 95 % interval; None: no interval."""
    tied: str
    """Teams that share a letter do not differ significantly; empty where that is not known."""
    instructions: int
    """Instructions that the exam used."""
    wall_seconds: float
    """Elapsed time of the exam, in seconds."""
    attempts: int
    """Number of the team's attempts in this phase that were scored, by the same data."""
    entry: str
    """Id of the entry."""
    data: str = ""
    """Data that it was judged by: their number in order of appearance, or `unknown`; empty if all by the same."""
    baseline: bool = False
    """True if the organiser marked it as a baseline, which has no rank."""


Column = tuple[str, Literal["left", "right"], Sequence[str]]
"""Head, alignment and cells of a column."""


def board(
    attempts: Iterable[Attempt],
    phases: Sequence[Phase] = (),
    most: int = 0,
    decimals: int = 12,
    baselines: Collection[str] = (),
) -> list[BoardRow]:
    """The rows of every phase, in the order of the phases and the ranks; without a score there is none.

    * ``attempts``: with their resampled scores.
    * ``phases``: empty: one without an end.
    * ``most``: attempts of a team in a phase that does not say so itself; 0: any number.
    * ``decimals``: scores that are equal to so many decimals share a rank.
    * ``baselines``: teams that are marked as baselines.
    """
    ordered = sorted(attempts, key=lambda attempt: attempt.number)
    rows: list[BoardRow] = []
    for phase in in_time(phases):
        within = [attempt for attempt in ordered if phase.begins <= attempt.submitted < phase.ends]
        data = _Data.of(within, baselines)
        of_teams: dict[str, list[Attempt]] = {}
        for attempt in within:
            of_teams.setdefault(attempt.team, []).append(attempt)
        counting = (attempts[: phase.allowed(most) or None] for attempts in of_teams.values())
        order = on_board(counting, data.judged, decimals, baselines)
        letters = letters_of([attempt for attempt in order if not attempt.baseline and data.ranks(attempt)])
        rows += _rows(phase.name, order, letters, decimals, data)
    return rows


def in_time(phases: Sequence[Phase]) -> Sequence[Phase]:
    """The phases of a challenge by their beginnings; of a challenge without phases the one that never ends."""
    return sorted(phases, key=lambda phase: phase.begins) or [WHOLE]


@dataclass(frozen=True)
class _Data:
    """The data that scores of a phase were given by."""

    every: Sequence[str]
    """Their digests, the newest last."""
    judged: str | None
    """Digest of the data whose scores are ranked, if there are several: the newest of a score that is no baseline's."""

    @classmethod
    def of(cls, attempts: Iterable[Attempt], baselines: Collection[str]) -> _Data:
        newest: dict[str, float] = {}
        newest_ranked: dict[str, float] = {}
        for attempt in attempts:
            if attempt.score is not None:
                for times in (newest, *([] if attempt.team in baselines else [newest_ranked])):
                    times[attempt.judged] = max(times.get(attempt.judged, 0.0), attempt.judged_at)
        return cls.of_digests(*(sorted(times, key=lambda digest: times[digest]) for times in (newest, newest_ranked)))

    @classmethod
    def of_digests(cls, every: Sequence[str], ranked: Sequence[str]) -> _Data:
        """Choose from the digests of all scores, and of those that are no baselines'."""
        return cls(every, None if len(every) < 2 else (ranked or every)[-1])

    def ranks(self, attempt: Attempt) -> bool:
        """True if the score of the attempt is compared with the others."""
        return self.judged is None or attempt.judged == self.judged

    def name(self, attempt: Attempt) -> str:
        """Number of the data of an attempt in order of appearance."""
        return str(self.every.index(attempt.judged) + 1) if attempt.judged else UNKNOWN


def _rows(
    phase: str, order: Sequence[Attempt], letters: Mapping[str, str], decimals: int, data: _Data
) -> list[BoardRow]:
    """The rows of a phase for its attempts, in their order; below, those that are not compared with them."""
    others = [attempt for attempt in order if not data.ranks(attempt)]
    name = data.name if others else lambda _attempt: ""
    rows: list[BoardRow] = []
    before, rank, position = None, 0, 0
    for attempt in filter(data.ranks, order):
        if attempt.baseline:
            rows.append(_row(phase, attempt, name(attempt)))
            continue
        position += 1
        if before is None or before.rounded(decimals) != attempt.rounded(decimals):
            rank = position
        before = attempt
        rows.append(_row(phase, attempt, name(attempt), rank, letters.get(attempt.entry, "")))
    others.sort(key=lambda attempt: -data.every.index(attempt.judged))
    return [*rows, *(_row(phase, attempt, name(attempt)) for attempt in others)]


def _row(phase: str, attempt: Attempt, data: str, rank: int | None = None, tied: str = "") -> BoardRow:
    return BoardRow(
        phase=phase,
        rank=rank,
        team=attempt.team,
        score=attempt.score if attempt.score is not None and math.isfinite(attempt.score) else None,
        low=attempt.low,
        high=attempt.high,
        tied=tied,
        instructions=attempt.instructions,
        wall_seconds=attempt.wall_seconds,
        attempts=attempt.scored,
        entry=attempt.entry,
        data=data,
        baseline=attempt.baseline,
    )


def board_of(
    store: Store,
    challenge: str,
    phases: Sequence[Phase],
    most: int,
    decimals: int,
    *,
    hides: Callable[[str], bool] = lambda _exam: False,
) -> list[BoardRow]:
    """The board of a challenge.

    ``hides``: says of the name of an exam that it is hidden: until a phase of it ends, only attempts count whose
    scores their teams were shown.
    """
    rows: list[BoardRow] = []
    for phase in in_time(phases):
        asked = (store, challenge, phase.begins, phase.ends)
        given, of_ranked = [digest for digest, _ in data_of_scores(*asked)], list[str]()
        if len(given) > 1:
            of_ranked = [digest for digest, _ in data_of_scores(*asked, ranked=True)]
        data = _Data.of_digests(given, of_ranked)
        order = best_attempts(
            store,
            challenge,
            phase,
            most=phase.allowed(most),
            decimals=decimals,
            judged=data.judged,
            shown=hides(phase.data) and time.time() < phase.ends,
        )
        ranked = [attempt for attempt in order if not attempt.baseline and data.ranks(attempt)]
        rows += _rows(phase.name, order, letters_of(with_resampled(store, ranked)), decimals, data)
    return rows


@dataclass(frozen=True, kw_only=True)
class MixedBoard:
    """The board of a phase whose entries were judged by different data."""

    challenge: str
    """Name in the configuration."""
    phase: str
    others: int
    """Number of scores that were given by other data than the newest."""
    scores: int

    def __str__(self) -> str:
        where = self.challenge + (f", phase {self.phase}" if self.phase else "")
        return (
            f"{where}: {self.others} of {self.scores} scores were given by other data (records, references or metric) "
            f"than the newest, and are not compared with them; {rejudging_advice(self.challenge)}"
        )


def rejudging_advice(challenge: str) -> str:
    """Advice where entries were judged by different data."""
    command = f"evaluate rejudge start --challenge {challenge}"
    return (
        f"judge all by the same: {command} --from exam, or {command} --metric-only if records and their files are as "
        "they were"
    )


def mixed_boards(store: Store, config: Config) -> list[MixedBoard]:
    """Every board whose entries were judged by different data."""
    boards = []
    for challenge in store.challenges():
        for phase in config.terms(challenge).phases or [WHOLE]:
            data = data_of_scores(store, challenge, phase.begins, phase.ends)
            if len(data) > 1:
                counts = [n for _, n in data]
                boards.append(
                    MixedBoard(
                        challenge=config.name_of(challenge) or challenge,
                        phase=phase.name,
                        others=sum(counts[:-1]),
                        scores=sum(counts),
                    )
                )
    return boards


def data_in_words(rows: Sequence[BoardRow]) -> str:
    """Return the words at the head of a board whose entries were judged by different data; else empty."""
    others = sum(row.rank is None and not row.baseline for row in rows)
    if not others:
        return ""
    return (
        f"{others} of {len(rows)} places have no rank: their entries were judged by other data (records, references "
        "or metric) than the newest, and scores of different data are not compared"
    )


def rules_in_words(challenge: Challenge) -> str:
    """A sentence below a board that ranks by the official rules of a metric; else empty."""
    if challenge.rules != "official" or challenge.scorer is not None:
        return ""
    return "ranked by the official rules: an entry on which the organisers' program stops has no score"


def as_csv(rows: Sequence[BoardRow]) -> str:
    """The board as CSV with a header, the columns of `BoardRow`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(BoardRow.__dataclass_fields__)
    for row in rows:
        cells = (("yes" if value else "") if isinstance(value, bool) else value for value in asdict(row).values())
        writer.writerow([for_spreadsheet(cell) if isinstance(cell, str) else cell for cell in cells])
    return text.getvalue()


def as_json(rows: Sequence[BoardRow], seal: Mapping[str, Any] | None = None) -> list[Mapping[str, Any]]:
    """The board as values of JSON; each place with the challenge's seal, if there is one."""
    return [{**asdict(row), **({"seal": seal} if seal else {})} for row in rows]


def as_text(rows: Sequence[BoardRow], title: str = "", decimals: int = 12) -> str:
    """A phase of the board as plain text, as wide as it needs to be; empty columns are left out."""
    shown = decimals_of((row.score for row in rows), min(decimals, MOST_DECIMALS))
    columns: list[Column] = [
        ("rank", "right", ["–" if row.rank is None else str(row.rank) for row in rows]),
        ("team", "left", [row.team + (" (baseline)" if row.baseline else "") for row in rows]),
        ("score", "right", ["none" if row.score is None else f"{row.score:.{shown}f}" for row in rows]),
        ("95 % interval", "right", ["" if row.low is None else f"{row.low:.3f} to {row.high:.3f}" for row in rows]),
        ("tied", "left", [row.tied for row in rows]),
        ("instructions", "right", [f"{row.instructions:.2e}" for row in rows]),
        ("seconds", "right", [f"{row.wall_seconds:.1f}" for row in rows]),
        ("attempts", "right", [str(row.attempts) for row in rows]),
        ("entry", "left", [row.entry for row in rows]),
        ("data", "left", [row.data for row in rows]),
    ]
    return plain_table(title, [column for column in columns if any(column[-1])])


def plain_table(title: str, columns: Sequence[Column]) -> str:
    """A table as plain text."""
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for head, justify, _ in columns:
        table.add_column(escape(head), justify=justify, no_wrap=True)
    for cells in zip(*(cells for *_, cells in columns), strict=True):
        table.add_row(*map(escape, cells))
    text = io.StringIO()
    Console(file=text, width=_WIDTH).print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def phases_as_text(name: str, phases: Sequence[str], rows: Sequence[BoardRow], decimals: int) -> str:
    """The tables of each phase; ``phases`` is one empty name for a challenge without phases."""
    texts = []
    for phase in phases:
        within = [row for row in rows if row.phase == phase]
        title = f"{name}, phase {phase}" if phase else name
        if (note := data_in_words(within)) and title:
            texts.append(f"{title}: {note}")
        texts.append(as_text(within, title, decimals) if within else f"{title}: no entry has a score yet")
    return "\n".join(texts)


def scored_attempts(store: Store, places: Sequence[BoardRow]) -> tuple[dict[str, str], list[Attempt]]:
    """The name of the primary measure of each entry that has one, and of each place the attempt that counts."""
    same = (SCORES.c.entry == ENTRIES.c.id) & (SCORES.c.attempt == ENTRIES.c.attempt)
    query = sa.select(ENTRIES.c.id, ENTRIES.c.attempt, ENTRIES.c.submitted, SCORES.c.key).join(SCORES, same)
    rows: dict[str, Any] = {}
    with store.engine.connect() as connection:
        for first in range(0, len(places), _AT_ONCE):
            asked = [row.entry for row in places[first : first + _AT_ONCE]]
            rows |= {row.id: row for row in connection.execute(query.where(ENTRIES.c.id.in_(asked)))}
    attempts = []
    for board_row in places:
        row = rows.get(board_row.entry)
        number, submitted = (1, 0.0) if row is None else (row.attempt, row.submitted)
        attempts.append(
            Attempt(
                entry=board_row.entry,
                team=board_row.team,
                number=0,
                submitted=submitted,
                score=board_row.score,
                attempt=number,
            )
        )
    return {entry: row.key for entry, row in rows.items()}, attempts

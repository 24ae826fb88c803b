"""The board of a challenge: the best of each team's attempts, phase by phase, equal scores sharing a rank.

Rules, as the challenges of this field have them.  A team has so many attempts in a phase; those are the first entries
that reached the exam, whatever came of them, and the best score among them counts.  Scores that are equal to the
challenge's number of decimals share a rank, the next rank is skipped, and of one team's equal attempts the earlier
counts.  What organisers mark as a baseline
stands where its score puts it, without rank or letter, and those of others are as if it were not there.  Next to the
score are what the exam used, and the metric's confidence interval.  Teams whose order may be due to chance share a
letter, where the resampled scores were kept: those of all teams on the same draws, so that pairs are compared.

Where the organisers replace records, references or metric while entries count, scores of different data are not
compared: those of the newest are ranked, of each team that has one; the others stand below, without rank or letter.
"""

from __future__ import annotations

import csv
import io
import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from evaluate.config.load import name_of
from evaluate.config.terms import Phase
from evaluate.config.types import Config
from evaluate.core.sanitize import for_spreadsheet
from evaluate.report.words import MOST_DECIMALS, decimals_of
from evaluate.store.db.attempts import Attempt, CountingRules, in_order, letters_of, on_board
from evaluate.store.entries.best_attempts import best_attempts, with_resampled

if TYPE_CHECKING:
    from evaluate.config.challenge.types import Challenge
    from evaluate.store.db.reader import Reader as Looks
    from evaluate.store.entries.store import Store
    from metrics.display import GroupLine

WHOLE = Phase(name="")
"""The one phase of a challenge without phases."""
UNKNOWN = "unknown"
_WIDTH = 1000


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """One row of the leaderboard."""

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
    """Which data it was judged by: their number in order of appearance, or `unknown`; empty if all by the same."""
    baseline: bool = False
    """True if the organiser marked it as a baseline, which has no rank."""


Groups = Mapping[str, Sequence["GroupLine"]]
"""Entry -> the scores of its subgroups (`evaluate.views.board_groups`)."""
_NO_GROUPS: Groups = {}
Reader = Callable[[Sequence[Attempt]], Sequence[Attempt]]
"""Adds the resampled scores to the attempts that have a place; the others do not need theirs."""


def board(
    attempts: Iterable[Attempt],
    phases: Sequence[Phase] = (),
    most: int = 0,
    decimals: int = 12,
    reader: Reader = tuple,
    baselines: Collection[str] = (),
) -> list[BoardRow]:
    """The places of every phase, in the order of the phases and the ranks.

    * ``phases``: empty: one without an end.
    * ``most``: attempts of a team in a phase that does not say so itself; 0: any number.
    * ``decimals``: scores that are equal to so many decimals share a rank.
    * ``baselines``: teams all of whose attempts are.
    """
    known = sorted(attempts, key=lambda one: one.number)
    places: list[BoardRow] = []
    for phase in sorted(phases, key=lambda phase: phase.begins) or [WHOLE]:
        within = [one for one in known if phase.begins <= one.submitted < phase.ends]
        allowed = _allowed(within, phase.allowed(most))
        found = ranked(allowed, decimals, reader, _Data.of(within, baselines), baselines)
        places += [replace(place, phase=phase.name) for place in found]
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


def ranked(
    attempts: Iterable[Attempt],
    decimals: int = 12,
    reader: Reader = tuple,
    data: _Data | None = None,
    baselines: Collection[str] = (),
) -> list[BoardRow]:
    """The attempt of each team that counts, best first; of equal ones the earlier.  Without a score there is no place.

    ``data``: what scores of the phase were given by; by default those of the attempts.
    """
    known = list(attempts)
    data = _Data.of(known, baselines) if data is None else data
    of_teams: dict[str, list[Attempt]] = {}
    for attempt in known:
        of_teams.setdefault(attempt.team, []).append(attempt)
    shown = [one for ones in of_teams.values() for one in on_board(ones, data.judged, decimals)]
    order = in_order((replace(one, baseline=one.baseline or one.team in baselines) for one in shown), decimals)
    drawn = {one.entry: one for one in reader([one for one in order if not one.baseline and data.ranks(one)])}
    whole = [drawn.get(one.entry, one) for one in order]
    return _placed(whole, letters_of(list(drawn.values())), decimals, data)


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
        for one in attempts:
            if one.score is not None:
                for known in (newest, *([] if one.baseline or one.team in baselines else [newest_ranked])):
                    known[one.judged] = max(known.get(one.judged, 0.0), one.judged_at)
        return cls.found(*(sorted(known, key=lambda digest: known[digest]) for known in (newest, newest_ranked)))

    @classmethod
    def found(cls, every: Sequence[str], ranked: Sequence[str]) -> _Data:
        """Choose from the digests of all scores, and of those that are no baselines'."""
        return cls(every, None if len(every) < 2 else (ranked or every)[-1])

    def ranks(self, one: Attempt) -> bool:
        return self.judged is None or one.judged == self.judged


def _placed(order: Sequence[Attempt], letters: Mapping[str, str], decimals: int, data: _Data) -> list[BoardRow]:
    """The places of the attempts of the teams, in their order; below, those that are not compared with them."""
    places: list[BoardRow] = []
    compared = [one for one in order if data.ranks(one)]
    before, rank, position = None, 0, 0
    for attempt in compared:
        if attempt.baseline:
            places.append(_place(attempt, None, ""))
            continue
        position += 1
        if before is None or before.rounded(decimals) != attempt.rounded(decimals):
            rank = position
        before = attempt
        places.append(_place(attempt, rank, letters.get(attempt.entry, "")))
    others = [one for one in order if not data.ranks(one)]
    if not others:
        return places
    names = {digest: str(number) if digest else UNKNOWN for number, digest in enumerate(data.every, 1)}
    others.sort(key=lambda one: -data.every.index(one.judged))
    places += [_place(one, None, "") for one in others]
    return [replace(place, data=names[one.judged]) for place, one in zip(places, [*compared, *others], strict=True)]


def _place(attempt: Attempt, rank: int | None, tied: str) -> BoardRow:
    return BoardRow(
        phase="",
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

    ``hides``: whether the exam of a name is hidden: until a phase of it ends, only attempts count whose scores their
    teams were shown.
    """
    places: list[BoardRow] = []
    for name, rules, data in _rules(store.reader, challenge, phases, most, decimals, hides=hides):
        order = best_attempts(store, challenge, rules)
        tied = letters_of(with_resampled(store, [one for one in order if rules.compares(one)]))
        places += [replace(place, phase=name) for place in _placed(order, tied, decimals, data)]
    return places


def _rules(
    reader: Looks, challenge: str, phases: Sequence[Phase], most: int, decimals: int, *, hides: Callable[[str], bool]
) -> Iterator[tuple[str, CountingRules, _Data]]:
    """Each phase with which attempts count in it, and the data that they were judged by."""
    several = challenge in reader.judged()
    for phase in sorted(phases, key=lambda phase: phase.begins) or [WHOLE]:
        allowed = phase.allowed(most)
        shown = hides(phase.data) and time.time() < phase.ends
        rules = CountingRules(begins=phase.begins, ends=phase.ends, most=allowed, decimals=decimals, shown=shown)
        given = [
            [digest for digest, _ in reader.data(challenge, phase.begins, phase.ends, ranked=ranked)] if several else []
            for ranked in (False, True)
        ]
        data = _Data.found(*given)
        yield phase.name, replace(rules, judged=data.judged), data


@dataclass(frozen=True, kw_only=True)
class Mixed:
    """The board of a phase whose entries were judged by different data."""

    challenge: str
    """As the configuration names it."""
    phase: str
    others: int
    """Scores that were given by other data than the newest."""
    scores: int

    def __str__(self) -> str:
        where = self.challenge + (f", phase {self.phase}" if self.phase else "")
        return (
            f"{where}: {self.others} of {self.scores} scores were given by other data (records, references or metric) "
            f"than the newest, and are not compared with them; {same_data(self.challenge)}"
        )


def same_data(challenge: str) -> str:
    """Return the advice on what to do where entries were judged by different data."""
    command = f"evaluate rejudge start --challenge {challenge}"
    return (
        f"judge all by the same: {command} --from exam, or {command} --metric-only if records and their files are as "
        "they were"
    )


def mixed(reader: Looks, config: Config) -> list[Mixed]:
    """Every board whose entries were judged by different data."""
    found = []
    for known in reader.judged():
        for phase in config.terms(known).phases or [WHOLE]:
            data = reader.data(known, phase.begins, phase.ends)
            if len(data) > 1:
                counts = [n for _, n in data]
                found.append(
                    Mixed(
                        challenge=name_of(known, config), phase=phase.name, others=sum(counts[:-1]), scores=sum(counts)
                    )
                )
    return found


def data_in_words(places: Sequence[BoardRow]) -> str:
    """Return the words at the head of a board whose entries were judged by different data; else empty."""
    others = sum(place.rank is None and not place.baseline for place in places)
    if not others:
        return ""
    return (
        f"{others} of {len(places)} places have no rank: their entries were judged by other data (records, references "
        "or metric) than the newest, and scores of different data are not compared"
    )


def rules_in_words(challenge: Challenge) -> str:
    """A sentence below a board that ranks by the official rules of a metric; else empty."""
    if challenge.rules != "official" or challenge.scorer is not None:
        return ""
    return "ranked by the official rules: an entry on which the organisers' program stops has no score"


def as_csv(places: Sequence[BoardRow], groups: Groups = _NO_GROUPS) -> str:
    """The board as CSV with a header; behind the columns of `BoardRow` those of subgroups, if there are some."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads, cells = _groups_of(places, groups)
    writer.writerow([*BoardRow.__dataclass_fields__, *map(for_spreadsheet, heads)])
    for place, own in zip(places, cells, strict=True):
        fields = (("yes" if one else "") if isinstance(one, bool) else one for one in asdict(place).values())
        row = [*fields, *("" if _is_nan(cell) else cell for cell in own)]
        writer.writerow([for_spreadsheet(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def _is_nan(cell: float | str) -> bool:
    return isinstance(cell, float) and math.isnan(cell)


def as_json(
    places: Sequence[BoardRow], seal: Mapping[str, Any] | None = None, groups: Groups = _NO_GROUPS
) -> list[Mapping[str, Any]]:
    """The board as values of JSON; each place with its subgroups and the challenge's seal, if there are some."""
    return [
        {
            **asdict(place),
            **({"groups": [group_as_json(line) for line in groups[place.entry]]} if place.entry in groups else {}),
            **({"seal": seal} if seal else {}),
        }
        for place in places
    ]


def group_as_json(line: GroupLine) -> Mapping[str, Any]:
    """The score of one subgroup as values of JSON."""
    score = line.value if math.isfinite(line.value) else None
    return {"column": line.column, "group": line.group, "score": score, "worst": line.worst}


def _groups_of(places: Sequence[BoardRow], groups: Groups) -> tuple[tuple[str, ...], list[tuple[float | str, ...]]]:
    if not groups:  # then nobody needs to wait for the import
        return (), [()] * len(places)
    from metrics.display import group_table  # noqa: PLC0415

    return group_table([groups.get(place.entry, ()) for place in places])


def as_table(places: Sequence[BoardRow], title: str, decimals: int = 12) -> Table:
    """One phase of the board for people; empty columns are left out."""
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    between = any(place.low is not None for place in places)
    tied = any(place.tied for place in places)
    data = any(place.data for place in places)
    for name, justify, there in _COLUMNS:
        if there is None or {"between": between, "tied": tied, "data": data}[there]:
            table.add_column(name, justify=justify, no_wrap=True)
    shown = decimals_of((place.score for place in places), min(decimals, MOST_DECIMALS))
    for place in places:
        cells = [
            "–" if place.rank is None else str(place.rank),
            place.team + (" (baseline)" if place.baseline else ""),
            "none" if place.score is None else f"{place.score:.{shown}f}",
        ]
        if between:
            cells.append("" if place.low is None else f"{place.low:.3f} to {place.high:.3f}")
        if tied:
            cells.append(place.tied)
        cells += [f"{place.instructions:.2e}", f"{place.wall_seconds:.1f}", str(place.attempts), place.entry]
        cells += [place.data] if data else []
        table.add_row(*map(escape, cells))
    return table


def as_text(places: Sequence[BoardRow], title: str = "", decimals: int = 12) -> str:
    """The table as plain text, as wide as it needs to be."""
    return _plain(as_table(places, title, decimals))


def groups_as_text(places: Sequence[BoardRow], groups: Groups, title: str, decimals: int) -> str:
    """The scores of subgroups as plain text, as wide as they need to be; empty if there are none."""
    heads, cells = _groups_of(places, groups)
    if not heads:
        return ""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold")
    table.add_column("team", no_wrap=True)
    for head in heads:
        table.add_column(escape(head), justify="left" if head.startswith("worst ") else "right", no_wrap=True)
    numbers = (cell for own in cells for cell in own if not isinstance(cell, str))
    shown = decimals_of(numbers, min(decimals, MOST_DECIMALS))
    for place, own in zip(places, cells, strict=True):
        texts = [cell if isinstance(cell, str) else "" if _is_nan(cell) else f"{cell:.{shown}f}" for cell in own]
        table.add_row(*map(escape, [place.team, *texts]))
    return _plain(table)


def _plain(table: Table) -> str:
    text = io.StringIO()
    Console(file=text, width=_WIDTH).print(table)
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def phases_as_text(
    name: str, phases: Sequence[str], places: Sequence[BoardRow], decimals: int, groups: Groups = _NO_GROUPS
) -> str:
    """The tables of each phase; ``phases`` is one empty name for a challenge without phases."""
    texts = []
    for phase in phases:
        within = [place for place in places if place.phase == phase]
        title = f"{name}, phase {phase}" if phase else name
        if (said := data_in_words(within)) and title:
            texts.append(f"{title}: {said}")
        texts.append(as_text(within, title, decimals) if within else f"{title}: no entry has a score yet")
        if of_groups := groups_as_text(within, groups, f"{title}, subgroups", decimals):
            texts.append(of_groups)
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
    ("data", "left", "data"),
)

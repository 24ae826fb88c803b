"""Certainty of the places of a board, for its page: from the scores on resamples that are kept with every entry."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluate.config.challenge.types import Challenge
from evaluate.report.audience import Policy, measures_on_board
from evaluate.report.board_page import BoardLine, BoardSection
from evaluate.report.words import MOST_DECIMALS
from evaluate.store.entries.best_attempts import Attempt, with_resampled
from evaluate.store.entries.store import Store
from evaluate.views.board import BoardRow, data_in_words, groups_of, rules_in_words, scored_attempts


def standing(
    title: str, places: Sequence[BoardRow], attempts: Mapping[str, Attempt], decimals: int = 12
) -> BoardSection:
    """A phase of the board with the stability of its ranks.

    * ``places``: the rows of one phase, best first.
    * ``attempts`` (mapping of entry to Attempt): with the resampled scores.
    * ``decimals``: see `evaluate.views.board.board`.
    """
    plain = tuple(
        BoardLine(
            rank=row.rank,
            team=row.team,
            entry=row.entry,
            score=row.score,
            low=row.low,
            high=row.high,
            tied=row.tied,
            attempts=row.attempts,
            data=row.data,
            baseline=row.baseline,
        )
        for row in places
    )
    if head := data_in_words(places):
        return BoardSection(title=title, lines=plain, head=head)
    everything, places = plain, [row for row in places if not row.baseline]
    plain = tuple(line for line in plain if not line.baseline)
    drawn = [attempts[row.entry].resampled for row in places]
    if len(places) < 2 or len({len(resampled) for resampled in drawn}) > 1 or not drawn[0]:
        unknown = "no resampled scores of all teams are kept, so how ranks change is not known"
        return BoardSection(title=title, lines=everything, notes=(unknown,) if len(places) > 1 else ())
    import numpy as np  # noqa: PLC0415  # most commands of the queue need not wait for it

    from metrics.ranking import ranking_of  # noqa: PLC0415

    values = np.array(drawn, np.float64)
    scores = [math.nan if row.score is None else row.score for row in places]
    clusters = attempts[places[0].entry].clusters
    ranking = ranking_of([row.entry for row in places], scores, values, clusters=clusters, decimals=decimals)
    known_lines = {
        line.entry: replace(
            line,
            rank_low=ranking.rank_intervals[i][0],
            rank_high=ranking.rank_intervals[i][1],
            mean_rank=ranking.mean_ranks[i],
            frequencies=tuple(ranking.frequencies[i].tolist()),
        )
        for i, line in enumerate(plain)
    }
    lines = tuple(known_lines.get(line.entry, line) for line in everything)
    return BoardSection(title=title, lines=lines, kendall_tau=ranking.kendall_tau, notes=tuple(map(str, ranking.notes)))


def section_of(
    store: Store,
    challenge: Challenge,
    title: str,
    places: Sequence[BoardRow],
    *,
    hidden: bool,
    most: float = math.inf,
) -> BoardSection:
    """`standing` with all measures and subgroups; nothing that would tell of a hidden exam.

    * ``hidden``: the exam of its phase is hidden.
    * ``most``: teams whose ranks are compared at most.
    """
    decimals = challenge.board.decimals
    keys, attempts = scored_attempts(store, places)
    by_entry = {attempt.entry: attempt for attempt in (attempts if hidden else with_resampled(store, attempts))}
    if hidden or len(places) > most:
        plain = {entry: replace(attempt, resampled=()) for entry, attempt in by_entry.items()}
        why = "the exam is hidden" if hidden else f"there are more than {most} teams"
        section = replace(standing(title, places, plain, decimals), notes=(f"how ranks change is not shown: {why}",))
    else:
        section = standing(title, places, by_entry, decimals)
    policy, groups = Policy(hidden_exam=hidden), groups_of(store, challenge, places)
    lines = tuple(
        replace(
            line,
            submitted=by_entry[line.entry].submitted or None,
            values=measures_on_board(by_entry[line.entry].values, policy),
            groups=groups.get(line.entry, ()),
        )
        for line in section.lines
    )
    return replace(
        section,
        lines=lines,
        measure=next(iter(keys.values()), ""),
        notes=(*section.notes, *filter(None, [rules_in_words(challenge)])),
        most_decimals=min(decimals, MOST_DECIMALS),
    )

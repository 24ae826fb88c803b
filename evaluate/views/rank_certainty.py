"""Certainty of the places of a board, for its page: from the scores on resamples that are kept with every entry."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaluate.config.challenge.types import Challenge
from evaluate.report.audience import Policy, measures_on_board
from evaluate.report.board_page import BoardLine, BoardSection
from evaluate.report.words import MOST_DECIMALS
from evaluate.store.db.attempts import Attempt
from evaluate.store.entries.best_attempts import with_resampled
from evaluate.store.entries.store import Store
from evaluate.views.board import BoardRow, data_in_words, rules_in_words
from evaluate.views.board_groups import groups_of, scored_attempts


def standing(
    title: str, places: Sequence[BoardRow], attempts: Mapping[str, Attempt], decimals: int = 12
) -> BoardSection:
    """One phase of the board with the stability of its ranks.

    * ``places``: of one phase, best first.
    * ``attempts`` (mapping of entry to Attempt): with the resampled scores.
    * ``decimals``: as for `evaluate.views.board.board`.
    """
    plain = tuple(
        BoardLine(
            rank=place.rank,
            team=place.team,
            entry=place.entry,
            score=place.score,
            low=place.low,
            high=place.high,
            tied=place.tied,
            attempts=place.attempts,
            data=place.data,
            baseline=place.baseline,
        )
        for place in places
    )
    if head := data_in_words(places):
        return BoardSection(title=title, lines=plain, head=head)
    everything, places = plain, [place for place in places if not place.baseline]
    plain = tuple(line for line in plain if not line.baseline)
    drawn = [attempts[place.entry].resampled for place in places]
    if len(places) < 2 or len({len(one) for one in drawn}) > 1 or not drawn[0]:
        unknown = "no resampled scores of all teams are kept, so how ranks change is not known"
        return BoardSection(title=title, lines=everything, notes=(unknown,) if len(places) > 1 else ())
    import numpy as np  # noqa: PLC0415  # what most commands of the queue need not wait for

    from metrics.ranking import ranking_of  # noqa: PLC0415

    values = np.array(drawn, np.float64)
    scores = [math.nan if place.score is None else place.score for place in places]
    clusters = attempts[places[0].entry].clusters
    found = ranking_of([place.entry for place in places], scores, values, clusters=clusters, decimals=decimals)
    known = np.where(np.isnan(values), -np.inf, values)
    known_lines = {
        line.entry: replace(
            line,
            rank_low=found.rank_intervals[i][0],
            rank_high=found.rank_intervals[i][1],
            mean_rank=found.mean_ranks[i],
            frequencies=tuple(found.frequencies[i].tolist()),
            ahead=tuple(((known[i] > known).mean(axis=1) + (known[i] == known).mean(axis=1) / 2).tolist()),
        )
        for i, line in enumerate(plain)
    }
    lines = tuple(known_lines.get(line.entry, line) for line in everything)
    return BoardSection(title=title, lines=lines, kendall_tau=found.kendall_tau, notes=tuple(map(str, found.notes)))


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

    * ``hidden``: whether the exam of its phase is.
    * ``most``: teams whose ranks are compared at most.
    """
    decimals = challenge.board.decimals
    keys, attempts = scored_attempts(store, places)
    known = {one.entry: one for one in (attempts if hidden else with_resampled(store, attempts))}
    if hidden or len(places) > most:
        plain = {entry: replace(one, resampled=()) for entry, one in known.items()}
        why = "the exam is hidden" if hidden else f"there are more than {most} teams"
        found = replace(standing(title, places, plain, decimals), notes=(f"how ranks change is not shown: {why}",))
    else:
        found = standing(title, places, known, decimals)
    policy, groups = Policy(hidden_exam=hidden), groups_of(store, challenge, places)
    lines = tuple(
        replace(
            line,
            submitted=known[line.entry].submitted or None,
            values=measures_on_board(known[line.entry].values, policy),
            groups=groups.get(line.entry, ()),
        )
        for line in found.lines
    )
    return replace(
        found,
        lines=lines,
        measure=next(iter(keys.values()), ""),
        notes=(*found.notes, *filter(None, [rules_in_words(challenge)])),
        most_decimals=min(decimals, MOST_DECIMALS),
    )

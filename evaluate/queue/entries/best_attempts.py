"""The best attempt of each team, asked of the database, and kept until something about the team's entries changes.

Theory of operation.  What a board needs of a challenge is one attempt of each team.  Each is found once, by looks into
indexes, and kept as a row of `BESTS`; a trigger on entries, scores and results removes the rows of a team in the
transaction that changes what they follow from.  So a board reads a row for each team, and looks again
only at teams with news, however much is over.  The letters of ties are kept with the digest of what they follow from.
`verify` compares both with what is found again.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from evaluate.challenge.types import Show
from evaluate.core.errors import Fault
from evaluate.queue.db.attempts import (
    Attempt,
    CountingRules,
    digest_of,
    letters_from,
    letters_of,
    on_board,
    order_of,
    rules_from,
    text_of,
)
from evaluate.queue.db.database import ReadOnly
from evaluate.queue.db.reader import BASELINE, Ask, bests_of
from evaluate.queue.db.rows import State
from evaluate.queue.db.tables import ACCOUNTS, BESTS, ENTRIES, RESULTS, SCORES, SETTINGS, SHADOWS, TIES, insert
from evaluate.queue.db.texts import reference
from evaluate.queue.entries.store import Store

_AT_ONCE = 20
"""Teams that are looked at in one transaction, for which writers wait."""
_ASKED_AT_ONCE = 500
_Read = tuple[tuple[float, ...], int, Mapping[str, float]]
"""Of a score: on resamples, of how many clusters, all measures."""
_DRAWN: dict[str, _Read] = {}
_MOST_DRAWN = 2000
"""Scores whose resampled values are remembered; some 30 KB each."""


def best_attempts(store: Store, challenge: str, rules: CountingRules) -> list[Attempt]:
    """The best attempt of each team that has a score, best first; what was not kept is kept now."""
    try:
        texts = _kept(store, challenge, rules)
    except (sa.exc.OperationalError, ReadOnly):  # a full disk: answers need not be kept
        with store.database.snapshot() as connection:
            texts = _best(connection, challenge, rules, list(bests_of(_ask(connection), challenge, rules)))
    return order_of(texts.values(), store.reader.baseline_teams(), rules.decimals)


def _kept(store: Store, challenge: str, rules: CountingRules) -> dict[str, str]:
    """Team -> its best attempt as text, all as they are at one moment."""
    while True:
        with store.change() as connection:
            known = bests_of(_ask(connection), challenge, rules)
            missing = [team for team, text in known.items() if text is None]
            found = _best(connection, challenge, rules, missing[:_AT_ONCE])
            if found:
                row = {"challenge": challenge, "rules": rules.text}
                connection.execute(
                    sa.insert(BESTS), [{**row, "team": team, "attempt": text} for team, text in found.items()]
                )
        if len(missing) <= _AT_ONCE:
            return {team: text for team, text in {**known, **found}.items() if text is not None}


def letters(store: Store, challenge: str, rules: CountingRules, order: Sequence[Attempt]) -> Mapping[str, str]:
    """Entry -> letter of the best attempts of teams, in their order; kept if they were not."""
    digest = digest_of(order)
    known = store.reader.letters(challenge, rules, digest)
    if known is not None:
        return known
    found = letters_of(with_resampled(store, order))
    same = {"digest": digest, "letters": json.dumps(found)}
    row = {"challenge": challenge, "rules": rules.text, **same}
    with suppress(sa.exc.OperationalError, ReadOnly), store.change() as connection:  # a full disk: it need not be kept
        statement = insert(connection, TIES).values(row)
        connection.execute(statement.on_conflict_do_update(index_elements=["challenge", "rules"], set_=same))
    return found


def wrong(store: Store) -> Iterator[tuple[str, str]]:
    """Kept answers that do not follow from the tables: where, and what was found."""
    with store.database.snapshot() as connection:
        rows = connection.execute(sa.select(BESTS).order_by(BESTS.c.challenge, BESTS.c.rules)).all()
        ties = connection.execute(sa.select(TIES)).all()
        for (challenge, text), ones in groupby(rows, key=lambda row: (row.challenge, row.rules)):
            kept = {row.team: row.attempt for row in ones}
            try:
                expected = _best(connection, challenge, rules_from(text), list(kept))
            except Fault as e:
                yield f"bests {challenge}", str(e)
                continue
            for team, one in kept.items():
                if one != expected[team]:
                    found, right = one or "no score", expected[team] or "no score"
                    yield f"bests {challenge} {team}", f"kept is {found}, the tables say {right}"
    for row in ties:
        try:
            order = store.reader.best_attempts(row.challenge, rules_from(row.rules))
            order = [one for one in order or () if rules_from(row.rules).compares(one)]
            if digest_of(order) != row.digest:
                continue  # of an earlier board, which nobody is shown
            known, letters = letters_from(row.letters), letters_of(with_resampled(store, order))
        except Fault as e:
            yield f"ties {row.challenge}", str(e)
            continue
        if known != letters:
            yield f"ties {row.challenge}", f"kept is {json.dumps(known)}, the tables say {json.dumps(letters)}"


def forget(connection: sa.Connection) -> None:
    """Keep no answer any more."""
    for table in (BESTS, TIES):
        connection.execute(sa.delete(table))


def _ask(connection: sa.Connection) -> Ask:
    return lambda statement, parameters: connection.execute(sa.text(statement), parameters).mappings().all()


def marked(connection: sa.Connection, mark: str, challenge: str, teams: Sequence[str] | None = None) -> frozenset[str]:
    """The entries to a challenge, of some teams or of all, that have a mark."""
    after = mark[:-1] + chr(ord(mark[-1]) + 1)
    those = sa.select(sa.func.substr(SETTINGS.c.key, len(mark) + 1).label("entry"))
    those = those.where(SETTINGS.c.key >= mark, SETTINGS.c.key < after, SETTINGS.c.value != "")
    with_mark = those.subquery()
    query = sa.select(ENTRIES.c.id).join(with_mark, with_mark.c.entry == ENTRIES.c.id)
    query = query.where(ENTRIES.c.challenge == challenge)
    return frozenset(connection.scalars(query if teams is None else query.where(ENTRIES.c.team.in_(teams))))


def attempts_of(store: Store, challenge: str, *, instead: str = "", before: bool = False) -> list[Attempt]:
    """Every entry of a challenge that reached the exam and ended, without its resampled scores.

    * ``instead``: take the shadow attempts of this purpose, where there are any, for those that count.
    * ``before``: take the attempts that those are based on, which counted before they were adopted.
    """
    exam = sa.select(RESULTS).where(RESULTS.c.stage == "exam").subquery()
    which = (SHADOWS.c.base if before else SHADOWS.c.attempt).label("attempt")
    beside = sa.select(SHADOWS.c.entry, which).where(SHADOWS.c.purpose == instead)
    if not before:  # an excluded attempt never counts
        beside = beside.where(SHADOWS.c.state != State.CANCELLED.value)
    taken = beside.subquery()
    same = (ENTRIES.c.id, sa.func.coalesce(taken.c.attempt, ENTRIES.c.attempt))
    query = (
        sa.select(ENTRIES.c.id, same[1].label("attempt"), ENTRIES.c.team, ENTRIES.c.number, ENTRIES.c.submitted)
        .add_columns(SCORES.c.entry.label("has"), SCORES.c.value, SCORES.c.low, SCORES.c.high)
        .add_columns(SCORES.c.judged, SCORES.c.at.label("judged_at"))
        .add_columns(exam.c.instructions, exam.c.wall_seconds)
        .select_from(ENTRIES)
        .outerjoin(taken, taken.c.entry == ENTRIES.c.id)
        .outerjoin(SCORES, (SCORES.c.entry == same[0]) & (SCORES.c.attempt == same[1]))
        .outerjoin(exam, (exam.c.entry == same[0]) & (exam.c.attempt == same[1]))
        .where(ENTRIES.c.challenge == challenge, ENTRIES.c.state == State.DONE.value, ENTRIES.c.charged)
    )
    with store.engine.connect() as connection:
        found = [_attempt(row, has=row.has is not None) for row in connection.execute(query)]
        baselines = marked(connection, BASELINE, challenge)
    return [replace(one, baseline=one.entry in baselines) for one in found]


def _attempt(row: Any, *, has: bool = True) -> Attempt:
    return Attempt(
        entry=row.id,
        team=row.team,
        number=row.number,
        submitted=row.submitted,
        score=None if not has else math.nan if row.value is None else row.value,
        low=row.low,
        high=row.high,
        attempt=row.attempt,
        instructions=row.instructions or 0,
        wall_seconds=row.wall_seconds or 0.0,
        judged=row.judged or "",
        judged_at=row.judged_at or 0.0,
    )


def with_resampled(store: Store, attempts: Sequence[Attempt]) -> list[Attempt]:
    """The attempts with their resampled scores and all measures."""
    kept: dict[tuple[str, int], str] = {}
    with store.engine.connect() as connection:
        for first in range(0, len(attempts), _ASKED_AT_ONCE):
            entries = SCORES.c.entry.in_([one.entry for one in attempts[first : first + _ASKED_AT_ONCE]])
            rows = connection.execute(sa.select(SCORES.c.entry, SCORES.c.attempt, SCORES.c.score).where(entries))
            kept |= {(row.entry, row.attempt): row.score for row in rows}
    return [
        replace(attempt, resampled=drawn, clusters=clusters, values=values)
        for attempt, (drawn, clusters, values) in zip(
            attempts, _drawn(store, [kept.get((one.entry, one.attempt), "{}") for one in attempts]), strict=True
        )
    ]


def _drawn(store: Store, kept: Sequence[str]) -> list[_Read]:
    """What boards need of scores, from their texts of scores as the database keeps them.

    A reference always stands for the same text, so what was read is remembered: a site makes its boards often.
    """
    found = {one: known for one in kept if (known := _DRAWN.get(one)) is not None}
    new = [one for one in dict.fromkeys(kept) if one not in found]
    for one, text in zip(new, store.details.texts(new), strict=True):
        score = json.loads(text)
        resampled = tuple(math.nan if value is None else value for value in score.get("resampled", ()))
        values = {key: math.nan if value is None else value for key, value in score.get("values", {}).items()}
        found[one] = resampled, score.get("clusters", 0), values
        if one != text:
            _DRAWN[one] = found[one]
    while len(_DRAWN) > _MOST_DRAWN:
        _DRAWN.pop(next(iter(_DRAWN)), None)
    return [found[one] for one in kept]


def _best(connection: sa.Connection, challenge: str, rules: CountingRules, teams: Sequence[str]) -> dict[str, str]:
    """Team -> its best attempt as text, empty if it has no score.

    The database leaves out what cannot be a team's best when rounded: few rows are read.
    """
    number = sa.func.row_number().over(partition_by=ENTRIES.c.team, order_by=ENTRIES.c.number).label("nth")
    within = (ENTRIES.c.challenge == challenge) & ENTRIES.c.team.in_(teams)
    within &= (ENTRIES.c.state == State.DONE.value) & ENTRIES.c.charged
    for limit, later in ((rules.begins, True), (rules.ends, False)):
        if math.isfinite(limit):
            within &= ENTRIES.c.submitted >= limit if later else ENTRIES.c.submitted < limit
    columns = (ENTRIES.c.id, ENTRIES.c.attempt, ENTRIES.c.team, ENTRIES.c.number, ENTRIES.c.submitted)
    unshown = (
        sa.exists().where(ACCOUNTS.c.entry == ENTRIES.c.id, ACCOUNTS.c.show == Show.VERDICT.value).label("unshown")
    )
    more = [*([number] if rules.most else []), *([unshown] if rules.shown else [])]
    every = sa.select(*columns, *more).where(within)
    # this index has all of it in the order of the teams; SQLite takes another, whose rows lie all over the file
    chosen = every.with_hint(ENTRIES, "INDEXED BY entries_by_challenge", "sqlite").subquery()
    same = (SCORES.c.entry == chosen.c.id) & (SCORES.c.attempt == chosen.c.attempt)
    among = [chosen.c.nth <= rules.most] if rules.most else []
    among += [sa.not_(chosen.c.unshown)] if rules.shown else []
    baselines = marked(connection, BASELINE, challenge, teams)
    top = sa.func.max(SCORES.c.value).label("top")
    # attempts of a team are compared that were judged by the same data
    of = (chosen.c.team,) if rules.judged is None else (chosen.c.team, SCORES.c.judged)
    tops = sa.select(*of, top, sa.func.count().label("scored")).join_from(chosen, SCORES, same)
    best = tops.where(*among, chosen.c.id.not_in(baselines)).group_by(*of).subquery()
    alike = best.c.team == chosen.c.team
    if rules.judged is not None:
        alike &= best.c.judged == SCORES.c.judged
    near = sa.or_(best.c.top.is_(None), SCORES.c.value >= best.c.top - 2 * 10.0**-rules.decimals)
    near |= chosen.c.id.in_(baselines)
    scored = (
        sa.select(*(chosen.c[column.name] for column in columns), SCORES.c.value, SCORES.c.low, SCORES.c.high)
        .add_columns(SCORES.c.score, SCORES.c.judged, SCORES.c.at.label("judged_at"), best.c.scored)
        .join_from(chosen, SCORES, same)
        .outerjoin(best, alike)  # a team may have nothing but baselines
        .where(near, *among)
        .subquery()
    )
    exam = (RESULTS.c.entry == scored.c.id) & (RESULTS.c.attempt == scored.c.attempt) & (RESULTS.c.stage == "exam")
    query = sa.select(scored, RESULTS.c.instructions, RESULTS.c.wall_seconds).outerjoin(RESULTS, exam)
    found: dict[str, list[Attempt]] = {team: [] for team in teams}
    for row in connection.execute(query) if teams else ():
        one = replace(_attempt(row), baseline=row.id in baselines)
        found[row.team].append(replace(one, scored=row.scored or 0, kept=reference(row.score)))
    return {team: text_of(on_board(ones, rules.judged, rules.decimals)) for team, ones in found.items()}

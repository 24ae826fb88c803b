"""How many attempts it takes to read hidden labels out of the feedback, by changing one answer after the other.

A budget of bits holds back labels only if it is smaller than what the labels hold (`entropy`): 12 records of four
labels hold 24 bits at most.  `climb` plays the simplest attack by the rules as they are (`evaluate.report.leaks`), with
a score that is the share of right labels; other attacks, and programs that send out what they see, need fewer attempts,
but never less than the bits.  `holding` finds rules under which it recovers next to nothing.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evaluate.report.leaks import Feedback, LeakTerms, Level

MOST = 2000
"""Attempts after which a climb gives up."""
_SEEDS = 20
_NEXT_TO_NOTHING = 0.1
"""Of the labels that the first attempt had wrong."""


@dataclass(frozen=True, kw_only=True)
class Climb:
    """What an attack came to, on average over some orders of the labels."""

    attempts: int
    """Fewest and ``most`` attempts until nothing more could be learned."""
    most: int
    recovered: float
    """The share of the labels that the first attempt had wrong and the last one has right."""
    bits: float
    """That all attempts revealed."""

    @property
    def whole(self) -> bool:
        """Whether every label was recovered every time."""
        return self.recovered == 1.0


def entropy(labels: Sequence[str]) -> float:
    """The bits that labels hold for somebody who knows how frequent each is, and nothing else."""
    shares = [n / len(labels) for n in Counter(labels).values()]
    return -len(labels) * sum(share * math.log2(share) for share in shares)


def climb(terms: LeakTerms, labels: Sequence[str]) -> Climb:
    """An attack on hidden labels, one for each record."""
    found = [_Climber(terms, labels, seed).climb() for seed in range(_SEEDS)]
    return Climb(
        attempts=min(one.number for one in found),
        most=max(one.number for one in found),
        recovered=sum(one.recovered for one in found) / len(found),
        bits=max(one.used for one in found),
    )


def holding(terms: LeakTerms, labels: Sequence[str]) -> LeakTerms | None:
    """Rules with many attempts under which a climb recovers next to nothing; None: it does not anyway."""
    if climb(terms, labels).recovered <= _NEXT_TO_NOTHING:
        return None
    return next(one for one in _stricter(terms) if climb(one, labels).recovered <= _NEXT_TO_NOTHING)


def words(terms: LeakTerms) -> str:
    """The keys that set such rules."""
    attempts = f"`board: {{attempts: {terms.attempts}}}`, " if terms.attempts else ""
    return f"{attempts}`feedback: {{bits: {terms.rules.bits}, step: {terms.rules.step:g}}}`"


def advice(terms: LeakTerms, labels: Sequence[str]) -> str:
    """What the feedback of a hidden exam may reveal of its labels, and which rules hold; for its organiser."""
    held, found, better = entropy(labels), climb(terms, labels), holding(terms, labels)
    attempts = f"{found.attempts}" if found.attempts == found.most else f"{found.attempts} to {found.most}"
    share = "all" if found.whole else f"{found.recovered:.0%}"
    text = (
        f"the hidden labels hold {held:.0f} bits, and the feedback of a phase may reveal {terms.rules.bits}; a climb, "
        f"one label after the other, recovers {share} of the labels it had wrong in {attempts} attempts"
    )
    if better is not None:
        text += f"; {words(better)} would hold against it"
    if terms.rules.bits >= held:
        text += "; against a program that sends labels out, only `feedback: {bits: 1}` (verdicts alone) would"
    return text


def _stricter(terms: LeakTerms) -> Iterator[LeakTerms]:
    """Terms with the Ladder alone, from loose to strict; at last verdicts alone."""
    steps = [terms.rules.step, *(math.ceil(100 * many / terms.records) / 100 for many in (2, 3, 5, 10))]
    for attempts in sorted({terms.attempts or 20, 20, 10, 5, 3}, reverse=True):
        if terms.attempts and attempts > terms.attempts:
            continue
        for step in sorted({step for step in steps if step <= 0.2}):
            one = replace(terms, attempts=attempts, rules=replace(terms.rules, step=step))
            ladder = attempts * sum(one.sizes(Level.LADDER).values())
            yield replace(one, rules=replace(one.rules, bits=math.ceil(ladder)))
    yield replace(terms, rules=replace(terms.rules, bits=1))


class _Climber:
    """Submits the most frequent label for all records, then changes a few of them, and keeps what scores better."""

    def __init__(self, terms: LeakTerms, labels: Sequence[str], seed: int) -> None:
        self._terms, self._chance = terms, random.Random(seed)
        self._kinds = [label for label, _ in Counter(labels).most_common()]
        self._truth = self._chance.sample(list(labels), len(labels))
        self._answers = [self._kinds[0]] * len(labels)
        self._right = sum(one == self._kinds[0] for one in self._truth)
        self._before = self._right
        self._best: float | None = None
        self._last: float | None = None
        self.number, self.used = 0, 0.0
        self._shown: float | None = None
        self._level = Level.FULL

    @property
    def recovered(self) -> float:
        """See `Climb.recovered`; labels that are still open count as wrong."""
        wrong = len(self._truth) - self._before
        return (self._right - self._before) / wrong if wrong else 0.0

    def climb(self) -> _Climber:
        """Go on until nothing is to be learned."""
        self._submit({})
        order = self._chance.sample(range(len(self._truth)), len(self._truth))
        while order and self._goes_on():
            together = self._together()
            if together == 1:
                self._settle(order.pop())
            else:
                chosen = self._chance.sample(order, min(together, len(order)))
                if self._better({n: self._chance.choice(self._kinds) for n in chosen}):
                    order = [n for n in order if n not in chosen]
        return self

    def _settle(self, record: int) -> None:
        """Try the labels of one record until one is better, or the one it has is seen to be right."""
        for label in self._kinds:
            if label == self._answers[record] or not self._goes_on():
                continue
            before = self._shown
            if self._better({record: label}):
                return
            if self._level is Level.FULL and before is not None and self._last is not None and self._last < before:
                return  # it was right

    def _goes_on(self) -> bool:
        over = self._terms.attempts and self.number >= self._terms.attempts
        return self._level is not Level.VERDICT and not over and self.number < MOST

    def _together(self) -> int:
        """How many labels have to become right at once for the score to be seen to be better."""
        rules = self._terms.rules
        visible = 10.0**-rules.digits if self._level is Level.FULL else rules.step
        return max(1, math.ceil(visible * len(self._truth) - 1e-9))

    def _better(self, changes: dict[int, str]) -> bool:
        """Submit the answers with changes; keep those if the score is seen to be better."""
        before = self._shown
        gained = sum((self._truth[n] == label) - (self._truth[n] == self._answers[n]) for n, label in changes.items())
        self._last = self._submit(changes, gained)
        if self._last is None or (before is not None and self._last <= before):
            return False
        for n, label in changes.items():
            self._answers[n] = label
        self._right += gained
        self._shown = self._last
        return True

    def _submit(self, changes: dict[int, str], gained: int = 0) -> float | None:
        """What the team is shown of the score."""
        self.number += 1
        feedback: Feedback = replace(self._terms.decide(self.number, self.used), best=self._best)
        self.used += feedback.bits
        self._level = feedback.level
        shown = feedback.score_shown((self._right + gained) / len(self._truth))
        if shown is not None and (self._best is None or shown > self._best):
            self._best = shown
        if not changes:
            self._shown = shown
        return shown

"""The attack on hidden labels: what it needs by the rules, and the rules that hold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluate.challenge.types import FeedbackRules
from evaluate.report.climb import MOST, advice, climb, entropy, holding
from tests.benchmarks.climb import Endless, labels, lines, terms
from tests.conftest import CHECKOUT


@pytest.mark.parametrize(("records", "fewest", "most"), [(12, 20, 28), (40, 77, 94)])
def test_by_a_ladder_without_an_end_all_labels_are_recovered(records: int, fewest: int, most: int) -> None:
    found = climb(Endless(**vars(terms(records))), labels(records))
    assert found.whole and fewest <= found.attempts <= found.most <= most


@pytest.mark.parametrize("records", [12, 40, 300])
@pytest.mark.parametrize("attempts", [0, 100])
def test_the_budget_ends_a_climb_and_the_proposed_rules_hold(records: int, attempts: int) -> None:
    asked, hidden = terms(records, FeedbackRules(bits=900), attempts), labels(records)
    found, better = climb(asked, hidden), holding(asked, hidden)
    assert not found.whole and found.most < MOST and found.bits <= 900 + 100 * 15
    assert climb(better or asked, hidden).recovered <= 0.1


def test_what_labels_hold_follows_from_how_frequent_they_are() -> None:
    assert entropy("NAO~" * 3) == pytest.approx(24)
    assert entropy("NNNNNNNNNA") == pytest.approx(4.69, abs=0.01)
    assert entropy("NNN") == 0


def test_the_advice_names_attempts_bits_and_rules() -> None:
    text = advice(terms(12), labels(12))
    assert "hold 24 bits, and the feedback of a phase may reveal 4000" in text
    assert "in 14 attempts" in text and "would hold against it" in text and "`feedback: {bits: 1}`" in text
    held = advice(replace(terms(1000), rules=FeedbackRules(bits=1000)), labels(1000))
    assert "would hold" not in held and "bits: 1" not in held


def test_the_documentation_has_the_table_as_it_is_calculated() -> None:
    assert "\n".join(lines()) in (CHECKOUT / "docs" / "receipts.md").read_text()

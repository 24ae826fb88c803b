"""Dates and quotas that organisers change at the site are those of every process, and in the journal."""

from __future__ import annotations

import json
import math

import pytest

from evaluate.config.terms import Phase, Terms
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.queue.entries.store import Store
from evaluate.queue.people.edited_terms import KEY, EditedTerms, edit_terms, edited, terms_from

CONFIG = Config(challenges={"kits19": Terms(attempts=3, charge_dry_runs=True), "cinc2017": Terms()})
PHASES = (Phase(name="first", ends=100.0, attempts=2), Phase(name="last", begins=100.0))


def test_change_counts_until_it_is_taken_back_and_the_journal_has_both(store: Store) -> None:
    edit_terms(store.settings, CONFIG, "kits19", EditedTerms(phases=PHASES, attempts=5))
    found = edited(CONFIG, store.settings.under(KEY)).terms("kits19")
    assert (found.phases, found.attempts, found.charge_dry_runs) == (PHASES, 5, True)
    assert edited(CONFIG, store.reader.settings(KEY)).terms("kits19") == found
    edit_terms(store.settings, CONFIG, "kits19", None)
    assert edited(CONFIG, store.settings.under(KEY)) is CONFIG
    lines = [line.data for line in store.lines() if line.event == "set"]
    assert [line["value"] == "" for line in lines] == [True, False]
    assert json.loads(lines[1]["value"])["attempts"] == 5


def test_terms_are_kept_with_times_that_are_not_finite() -> None:
    wanted = EditedTerms(phases=PHASES, attempts=None)
    assert terms_from(wanted.text) == wanted and "Infinity" not in wanted.text


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (EditedTerms(phases=(Phase(name="a", begins=5.0, ends=5.0),), attempts=None), "phase a: expected an end after"),
        (EditedTerms(phases=(Phase(name=""),), attempts=None), "expected a name"),
        (EditedTerms(phases=(Phase(name="a"), Phase(name="a", begins=1.0)), attempts=None), "'a' appears twice"),
        (
            EditedTerms(phases=(Phase(name="a"), Phase(name="b", begins=1.0)), attempts=None),
            "'b' begins before 'a' ends",
        ),
        (EditedTerms(phases=(), attempts=-1), "0 or more attempts"),
    ],
)
def test_terms_that_make_no_sense_are_refused_and_nothing_is_kept(store: Store, wanted: EditedTerms, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        edit_terms(store.settings, CONFIG, "kits19", wanted)
    assert store.settings.under(KEY) == {}


def test_challenge_that_evaluate_yaml_does_not_name_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match=r"expected a challenge that evaluate\.yaml names"):
        edit_terms(store.settings, CONFIG, "cpsc2021", None)
    assert edited(CONFIG, {"cpsc2021": EditedTerms(phases=(), attempts=1).text}) is CONFIG
    assert math.isinf(PHASES[1].ends)

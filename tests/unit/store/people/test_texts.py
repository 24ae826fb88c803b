"""Rules and questions that organisers write at the site, and who accepted them."""

from __future__ import annotations

import pytest

from evaluate.core.errors import UsageError
from evaluate.store.entries.store import Store
from evaluate.store.people.site_settings import TextKind, accept_rules, has_accepted, keep_text, text_of


def test_rules_are_accepted_as_they_are_and_asked_again_when_they_change(store: Store) -> None:
    settings = store.settings
    assert has_accepted(settings, "hearts", "ann@example.org")
    keep_text(settings, TextKind.RULES, "hearts", "Be *fair*.\r\n")
    assert text_of(settings, TextKind.RULES, "hearts") == "Be *fair*."
    assert not has_accepted(settings, "hearts", "ann@example.org")
    accept_rules(settings, "hearts", "ann@example.org")
    assert has_accepted(settings, "hearts", "ann@example.org")
    assert not has_accepted(settings, "hearts", "bob@example.org")
    keep_text(settings, TextKind.RULES, "hearts", "Be fairer.")
    assert not has_accepted(settings, "hearts", "ann@example.org")


def test_journal_has_the_text_and_of_a_person_no_address(store: Store) -> None:
    keep_text(store.settings, TextKind.RULES, "hearts", "Be fair.")
    accept_rules(store.settings, "hearts", "ann@example.org")
    lines = [line.data for line in store.lines() if line.event == "set"]
    assert {"key": "text:rules:hearts", "value": "Be fair."} in lines
    assert len(lines) == 2 and "ann" not in str(lines)


def test_text_that_is_too_long_is_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="at most 30000 characters, found 30001"):
        keep_text(store.settings, TextKind.QUESTIONS, "hearts", "x" * 30_001)

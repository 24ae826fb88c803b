"""Teams: every spelling and alias leads to one team, and the journal alone gives them back."""

from __future__ import annotations

import pytest

from evaluate.core.errors import UsageError
from evaluate.store.entries.store import Store
from evaluate.store.people.teams import Member, Role, Team, teams
from evaluate.store.people.uploads import Upload, begin_upload, uploads_of
from tests.support.queues import ONE_DATABASE, keep_team, submitted, upload


def registered(store: Store) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    return [(team.name, team.aliases, team.addresses) for team in teams(store.database)]


ANN = Member(address="ann@example.org", name="Ann", role=Role.OWNER)


@pytest.mark.parametrize("other", ["delta", "DELTA", "Ｄｅｌｔａ", "de\N{LATIN SMALL LETTER L}ta"])
def test_every_spelling_is_the_team_of_the_first_entry(store: Store, other: str) -> None:
    (first, again) = store.submit([upload("Delta", 1), {**upload("Delta", 1), "team": other}])
    assert again == (first[0], False), "the same archive is the same entry"
    (another,) = submitted(store, other)
    assert {store.entry(entry).team for entry in (first[0], another)} == {"Delta"}
    assert registered(store) == [("Delta", (), ())]


def test_uploads_of_a_team_that_becomes_part_of_another_are_its_own_also_if_they_begin_then(store: Store) -> None:
    before, then = (Upload(address="a@b.c", team="Delta", challenge="kits19", name=name) for name in "ab")
    submitted(store, "Delta")
    begin_upload(store.database, before)
    keep_team(store.database, Team(name="Echo", aliases=("Delta",)))
    assert begin_upload(store.database, then).team == "Echo"
    assert {upload.id for upload in uploads_of(store.database, ("Echo",))} == {before.id, then.id}


def test_name_of_a_registered_team_is_not_taken_away(store: Store) -> None:
    keep_team(store.database, Team(name="Delta", members=(ANN,)))
    keep_team(store.database, Team(name="Echo", aliases=("E",)))
    before = store.journal_length()
    for team in (Team(name="Foxtrot", aliases=("delta",)), Team(name="e"), Team(name="DELTA")):
        with pytest.raises(UsageError, match="is a name of team"):
            keep_team(store.database, team)
    assert store.journal_length() == before


@ONE_DATABASE
@pytest.mark.parametrize(
    ("team", "problem"),
    [
        (Team(name=" x"), "--team: expected a name of 1 to 100 printable characters"),
        (Team(name="x", aliases=("",)), "--team: expected a name"),
        (Team(name="x", members=(Member(address="nobody"),)), "team x: expected a mail address, found 'nobody'"),
        (Team(name="x", members=(ANN, Member(address="ANN@example.org"))), "team x: an address appears twice"),
    ],
)
def test_what_is_not_valid_is_named(store: Store, team: Team, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        keep_team(store.database, team)
    assert registered(store) == []


@ONE_DATABASE
@pytest.mark.parametrize(
    ("first", "name", "problem"),
    [
        ("Delta", "De1ta", "looks like"),
        ("coco", "\u0441\u043e\u0441\u043e", "looks like"),  # all of it Cyrillic
        ("\u0441\u043e\u0441\u043e", "coco", "looks like"),
        ("Team O", "Team 0", "looks like"),
        *(("", name, "the id of an entry") for name in ("e0123456789ab", "E0123456789AB", "\uff450123456789ab")),
        ("", "Delta\ufe0f", "can be seen, found U\\+FE0F"),
        ("", "De\u034flta", "found U\\+034F"),
        ("", "D\u0435lta", "letters of one script, found CYRILLIC, LATIN"),
        ("", "\u0391lpha", "letters of one script, found GREEK, LATIN"),
        ("", "Del\u200dta", "printable"),
    ],
)
def test_name_that_may_be_taken_for_another_an_id_or_nothing_is_refused(
    store: Store, first: str, name: str, problem: str
) -> None:
    submitted(store, *([first] if first else []))
    before = store.journal_length()
    for act in (
        lambda: submitted(store, name),
        lambda: keep_team(store.database, Team(name=name)),
        lambda: keep_team(store.database, Team(name="Echo", aliases=(name,))),
    ):
        with pytest.raises(UsageError, match=problem):
            act()
    assert store.journal_length() == before
    if first:
        keep_team(store.database, Team(name=first, aliases=(name,)))  # its own name may be written so


@ONE_DATABASE
def test_names_in_any_one_script_are_names(store: Store) -> None:
    names = ["Größe 3", "Łódź", "Москва", "東京 AI ラボ", "서울 Lab", "القاهرة", "Ελλάδα", "naïve-bayes_2"]
    submitted(store, *names)
    assert sorted(team.name for team in teams(store.database)) == sorted(names)

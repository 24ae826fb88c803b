"""Teams: every spelling and alias leads to one team, and the journal alone gives them back."""

import json
import time
from pathlib import Path

import pytest

from evaluate.config.terms import Phase, Terms
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.operate.audit.verify import whole
from evaluate.store.entries import fair_turns
from evaluate.store.entries.store import Store
from evaluate.store.people.logins import LinkKind, link_subject, make_link
from evaluate.store.people.site_settings import Extension, allow_late, baseline_teams, mark_baseline, running
from evaluate.store.people.teams import Member, Role, Team, bar, barred, own_name, teams
from evaluate.store.people.uploads import Upload, begin_upload, uploads_of
from evaluate.store.repositories import claims, public_key
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


def test_all_that_is_kept_of_a_team_follows_it_and_a_later_team_of_its_name_has_none_of_it(
    store: Store, tmp_path: Path
) -> None:
    database, phase = store.database, Phase(name="only", ends=5.0)
    config = Config(challenges={"kits19": Terms(phases=(phase,))})

    def kept(name: str) -> tuple[object, ...]:
        with store.change() as connection:
            return (
                own_name(connection, link_subject(database, LinkKind.INVITE, link) or "") == name,
                name in baseline_teams(database),
                barred(connection, name),
                fair_turns.enter(connection, "train", name),
                running(connection, "kits19", (phase,), [name], time.time()).get(name) is not None,
                [claim.team for claim in claims(store.settings)] == [name],
                len(uploads_of(database, (name,))),
            )

    before, later = (Upload(address="a@b.c", team="red", challenge="kits19", name=name) for name in "ab")
    keep_team(database, Team(name="red"))
    (identity,) = submitted(store, "red")
    begin_upload(database, before)
    claim = json.dumps({"repository": "git.example.org/red", "team": "red", "since": 1.0})
    store.settings.keep("repository:git.example.org/red", claim)
    link, key = make_link(database, LinkKind.INVITE, "red", 60.0), public_key(database, tmp_path, "red")
    mark_baseline(database, "red")
    allow_late(
        database, config, Extension(challenge="kits19", team="red", phase="only", until=time.time() + 900, reason="x")
    )
    with store.change() as connection:
        bar(connection, "red", "why")
        fair_turns.enter(connection, "train", "red", 7.0)
    assert kept("red") == (True, True, "why", 7.0, True, True, 1)
    for team in (Team(name="crimson", aliases=("red",)), Team(name="crimson"), Team(name="red")):
        keep_team(database, team)
        if team.aliases:
            assert begin_upload(database, later).team == "crimson"
        assert kept("crimson")[:3] == (True, True, "why") and kept("crimson")[4:] == (True, True, 2)
    assert kept("red") == (False, False, "", 0.0, False, False, 0) and store.entry(identity).team == "crimson"
    other = public_key(database, tmp_path, "red")
    assert other != key == public_key(database, tmp_path, "crimson")
    keep_team(database, Team(name="crimson", aliases=("red",)))
    assert public_key(database, tmp_path, "red") == key, "hosts of its own repositories know that one"
    assert list(whole(database)) == []


def test_name_of_a_registered_team_is_not_taken_away(store: Store) -> None:
    keep_team(store.database, Team(name="Delta", members=(ANN,)))
    keep_team(store.database, Team(name="Echo", aliases=("E",)))
    before = store.database.position().line
    for team in (Team(name="Foxtrot", aliases=("delta",)), Team(name="e"), Team(name="DELTA")):
        with pytest.raises(UsageError, match="is a name of team"):
            keep_team(store.database, team)
    assert store.database.position().line == before


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
    before = store.database.position().line
    for act in (
        lambda: submitted(store, name),
        lambda: keep_team(store.database, Team(name=name)),
        lambda: keep_team(store.database, Team(name="Echo", aliases=(name,))),
    ):
        with pytest.raises(UsageError, match=problem):
            act()
    assert store.database.position().line == before
    if first:
        keep_team(store.database, Team(name=first, aliases=(name,)))  # its own name may be written so


@ONE_DATABASE
def test_names_in_any_one_script_are_names(store: Store) -> None:
    names = ["Größe 3", "Łódź", "Москва", "東京 AI ラボ", "서울 Lab", "القاهرة", "Ελλάδα", "naïve-bayes_2"]
    submitted(store, *names)
    assert sorted(team.name for team in teams(store.database)) == sorted(names)

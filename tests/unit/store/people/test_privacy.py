"""Rules are accepted as they are; a person gets all that is kept of it, and is forgotten."""

import json

import pytest

from evaluate.core.errors import UsageError
from evaluate.operate.audit.verify import whole
from evaluate.store.entries.store import Store
from evaluate.store.people import logins
from evaluate.store.people.logins import LinkKind, Scope, forget_person, personal_data
from evaluate.store.people.site_settings import TextKind, accept_rules, has_accepted, keep_text, text_of
from evaluate.store.people.teams import Member, Role, Team
from evaluate.store.people.uploads import Upload, begin_upload, uploads_of
from tests.support.queues import keep_team, submitted

ANN = "ann@example.org"


def test_person_gets_what_is_kept_and_no_secret_and_is_then_forgotten(store: Store) -> None:
    database = store.database
    keep_team(database, Team(name="red", members=(Member(address=ANN, role=Role.OWNER),)))
    (entry,) = submitted(store, "red")
    submitted(store, "blue")
    _token, secret = logins.make_token(database, ANN, "laptop", (Scope.READ,), 9.0)
    link = logins.make_link(database, LinkKind.LOGIN, ANN, 900.0)
    begin_upload(database, Upload(address=ANN, team="red", challenge="kits19", name="half.zip", bytes=10))
    keep_text(store.settings, TextKind.RULES, "kits19", "Be fair.")
    accept_rules(store.settings, "kits19", ANN)
    logins.let_organise(database, ANN, "kits19")
    session = logins.begin_session(database, ANN)

    data = personal_data(database, ANN)
    assert [row["id"] for row in data["entries of the teams"]] == [entry]
    assert [row["name"] for row in data["tokens"]] == ["laptop"] and data["teams"][0]["role"] == "owner"
    assert len(data["settings"]) == 2 and data["uploads"][0]["name"] == "half.zip"
    assert secret not in json.dumps(data) and session not in json.dumps(data)

    forget_person(database, ANN)
    assert (logins.session_of(database, session), logins.token_of(database, secret)) == (None, None)
    assert logins.link_subject(database, LinkKind.LOGIN, link) is None
    assert logins.organised_by(database, ANN) == () and not has_accepted(store.settings, "kits19", ANN)
    assert [row.address for row in uploads_of(database, ("red",))] == [""]
    assert personal_data(database, ANN)["settings"] == {}
    assert next(line.data["value"] for line in store.lines() if line.event == "set") == ""
    assert list(whole(database)) == []


def test_rules_are_accepted_as_they_are_and_asked_again_when_they_change(store: Store) -> None:
    settings = store.settings
    assert has_accepted(settings, "hearts", ANN)
    keep_text(settings, TextKind.RULES, "hearts", "Be *fair*.\r\n")
    assert text_of(settings, TextKind.RULES, "hearts") == "Be *fair*."
    assert not has_accepted(settings, "hearts", ANN)
    accept_rules(settings, "hearts", ANN)
    assert has_accepted(settings, "hearts", ANN) and not has_accepted(settings, "hearts", "bob@example.org")
    lines = [line.data for line in store.lines() if line.event == "set"]
    assert {"key": "text:rules:hearts", "value": "Be *fair*."} in lines
    assert len(lines) == 2 and "ann" not in str(lines), "the journal has no address"
    keep_text(settings, TextKind.RULES, "hearts", "Be fairer.")
    assert not has_accepted(settings, "hearts", ANN)
    with pytest.raises(UsageError, match="at most 30000 characters, found 30001"):
        keep_text(settings, TextKind.QUESTIONS, "hearts", "x" * 30_001)

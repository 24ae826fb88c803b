"""A challenge is its name in evaluate.yaml: its entries follow it wherever its folder moves."""

import shutil
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.config.terms import Phase, Scores, Terms
from evaluate.config.types import Config
from evaluate.core.errors import UsageError
from evaluate.core.model import Stage
from evaluate.operate.audit.verify import whole
from evaluate.operate.upkeep import missing_challenges
from evaluate.receipts.issue import LOG
from evaluate.store.entries.best_attempts import best_attempts
from evaluate.store.entries.challenges import rename, settle
from evaluate.store.entries.quota import Quota, counted
from evaluate.store.entries.rejudge_attempts import begin_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.people.logins import let_organise, organised_by
from evaluate.store.people.site_settings import (
    Extension,
    TextKind,
    accept_rules,
    allow_late,
    announce,
    announcements,
    deadlines,
    has_accepted,
    keep_text,
    release_key,
    release_scores,
    scores_released,
    text_of,
)
from evaluate.store.people.uploads import Upload, begin_upload, find_upload
from evaluate.store.schedule.faults import FaultReport, FaultyPart, ended_well, record, stopped_challenges
from evaluate.views.board import WHOLE
from evaluate.views.rejudging import rejudgings
from tests.support.commands import command
from tests.support.queues import judged, queue, upload


def challenge(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "challenge.yaml").write_text("title: own\n")
    return folder


def configured(**folders: Path) -> Config:
    withheld = Scores.WITHHELD
    return Config(challenges={name: Terms(folder=folder, scores=withheld) for name, folder in folders.items()})


def entered(store: Store, state: Path, folder: Path) -> str:
    (identity,) = judged(store, state, {"red": 0.7}, str(folder))
    return identity


def test_board_quota_release_rejudgings_fault_and_seal_follow_a_folder_that_moves(store: Store, tmp_path: Path) -> None:
    old, new = challenge(tmp_path / "old" / "hearts"), challenge(tmp_path / "new" / "hearts")
    settle(store, configured(hearts=old))
    identity = entered(store, tmp_path, old)
    begin_rejudging(store, [store.entry(identity)], "r1", Stage.SCORE)
    release_scores(store.settings, str(old))
    name, moved = str(old), list[tuple[str, str]]()
    report = FaultReport(part=FaultyPart.CHALLENGE, name=name, stage="score", message="no scorer", challenge=name)
    with store.change() as connection:
        record(connection, identity, 1, report, 1)
    before = best_attempts(store, str(old), WHOLE, decimals=4)
    shutil.rmtree(old)  # else another host could still have it there
    config = configured(hearts=new)
    assert settle(store, config, lambda old, new: moved.append((old, new))) == {str(old): str(new)}
    assert (settle(store, config), moved) == ({}, [(str(old), str(new))])
    assert best_attempts(store, str(new), WHOLE, decimals=4) == before
    assert best_attempts(store, str(old), WHOLE, decimals=4) == []
    with store.engine.connect() as connection:
        assert [quota.used for quota in counted(connection, str(new), "red", [Quota()])] == [1]
    assert scores_released(config, store.settings, str(new)) and not store.settings.get(release_key(str(old)))
    assert [row.challenge for row in rejudgings(store)] == [str(new)]
    # the same archive is the same entry, although ids are made of the place
    assert store.submit([upload("red", 0, str(new))]) == [(identity, False)]
    assert list(whole(store.database)) == []
    assert stopped_challenges(store.database) == {str(new): False}
    with store.change() as connection:
        ended_well(connection, identity, "host", str(new), "score")
    assert stopped_challenges(store.database) == {}
    ((second, fresh),) = store.submit([upload("red", 1, str(new))])
    assert (fresh, store.entry(second).challenge) == (True, str(new))


def test_two_challenges_may_change_places(store: Store, tmp_path: Path) -> None:
    first_folder, second_folder = challenge(tmp_path / "one"), challenge(tmp_path / "two")
    settle(store, configured(a=first_folder, b=second_folder))
    first, second = entered(store, tmp_path, first_folder), entered(store, tmp_path, second_folder)
    if store.database.shared:  # both are there, and other hosts may have them where they were
        assert settle(store, configured(a=second_folder, b=first_folder)) == {}
        return
    settle(store, configured(a=second_folder, b=first_folder))
    assert (store.entry(first).challenge, store.entry(second).challenge) == (str(second_folder), str(first_folder))
    assert list(whole(store.database)) == []


def test_a_moved_challenge_of_an_earlier_release_is_named_and_given_back_by_renaming(
    store: Store, tmp_path: Path
) -> None:
    new = challenge(tmp_path / "new" / "hearts")
    identity = entered(store, tmp_path, Path("/gone/hearts"))
    config = configured(hearts=new)
    assert settle(store, config) == {}
    (missing,) = missing_challenges(store)
    assert (missing.where, missing.message[:35]) == ("/gone/hearts", "1 entries belong to this challenge,")
    with pytest.raises(UsageError, match="no entry belongs to such a challenge; those of entries are /gone/hearts"):
        rename(store, config, "lungs", "hearts")
    assert rename(store, config, "/gone/hearts", "hearts") == 1
    assert store.entry(identity).challenge == str(new)
    assert list(missing_challenges(store)) == []
    settle(store, config)
    cardio = configured(cardio=challenge(tmp_path / "cardio"))
    assert settle(store, cardio) == {}, "name and folder changed at once"
    assert rename(store, cardio, "hearts", "cardio") == 1
    assert store.entry(identity).challenge == str(tmp_path / "cardio")
    assert list(whole(store.database)) == []


@pytest.mark.parametrize("by", ["name", "place"])
def test_all_that_the_site_keeps_by_a_name_follows_a_renaming(store: Store, tmp_path: Path, by: str) -> None:
    database, settings, phase = store.database, store.settings, Phase(name="only", ends=5.0)
    rules, ann, late = TextKind.RULES, "ann@example.org", time.time() + 9

    def named(name: str, folder: Path) -> Config:
        return Config(challenges={name: Terms(folder=folder, phases=(phase,))})

    hearts = named("hearts", Path(shutil.copytree(load_challenge("kits19").folder, tmp_path / "hearts")))
    settle(store, hearts)
    entered(store, tmp_path, tmp_path / "hearts")
    keep_text(settings, rules, "hearts", "be fair")
    keep_text(settings, TextKind.QUESTIONS, "hearts", "old?")
    keep_text(settings, TextKind.QUESTIONS, "cardio", "new?")
    accept_rules(settings, "hearts", ann)
    announce(settings, "soon", "hearts")
    let_organise(database, ann, "hearts")
    allow_late(database, hearts, Extension(challenge="hearts", team="red", phase="only", until=late, reason="x"))
    cardio = named("cardio", challenge(tmp_path / "cardio"))
    rename(store, cardio, "hearts" if by == "name" else str(tmp_path / "hearts"), "cardio")
    assert (text_of(settings, rules, "cardio"), text_of(settings, rules, "hearts")) == ("be fair", "")
    assert [text_of(settings, TextKind.QUESTIONS, name) for name in ("cardio", "hearts")] == ["new?", ""]
    assert has_accepted(settings, "cardio", ann)
    assert [news.challenge for news in announcements(settings)] == ["cardio"]
    assert organised_by(database, ann) == ("cardio",)
    assert [extension.team for extension in deadlines(settings, cardio, "cardio")] == ["red"]
    assert list(whole(database)) == []
    keep_text(settings, rules, "hearts", "be fair")
    assert not has_accepted(settings, "hearts", ann), "it is another challenge"


def test_uploads_that_wait_have_the_name_at_the_site(store: Store, tmp_path: Path) -> None:
    begun = begin_upload(store.database, Upload(address="a@b.c", team="red", challenge="kits19", name="x"))
    settle(store, Config(challenges={"kits19": Terms()}))
    entered(store, tmp_path, Path("kits19"))
    settle(store, configured(kits19=challenge(tmp_path / "kits19")))
    assert find_upload(store.database, begun.id) == begun, "no folder of the server"
    cardio = configured(cardio=challenge(tmp_path / "cardio"))
    rename(store, cardio, "kits19", "cardio")
    assert find_upload(store.database, begun.id) == replace(begun, challenge="cardio")


def test_commands_follow_it_and_name_what_is_lost(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()

    run = partial(command, state)
    folder = challenge(tmp_path / "three")
    seals = state / LOG / "seals"
    seals.mkdir(parents=True)
    (seals / "three.json").touch()
    with queue(state) as store:
        entered(store, state, folder)
    (state / "evaluate.yaml").write_text(f"challenges: {{own: {folder}}}\n")
    assert "done 1" in run("status")[1] and "is not there" not in run("verify-state")[1]
    folder.rename(tmp_path / "four")
    (state / "evaluate.yaml").write_text("slots: 1\n")
    code, text = run("verify-state")
    assert code == 3 and f"evaluate challenge rename {folder} NAME" in text
    (state / "evaluate.yaml").write_text(f"challenges: {{own: {tmp_path / 'four'}}}\n")
    assert f"the challenge at {folder} is now at {tmp_path / 'four'}" in run("status")[1]
    assert [file.name for file in seals.iterdir()] == ["four.json"], "a seal is named as its folder"
    assert run("status", "--challenge", "own")[1].startswith("queued 0")
    assert "done 1" in run("status", "--challenge", "own")[1]
    assert run("challenge", "rename", "own", "cinc2017") == (0, "1 entry of own belongs to cinc2017 now\n")
    assert [file.name for file in seals.iterdir()] == ["cinc2017.json"]
    assert "done 1" in run("status", "--challenge", "cinc2017")[1]

"""Only what a rule allows goes, and nothing that is still needed."""

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evaluate.config.terms import PruneRules, Terms
from evaluate.config.types import Config
from evaluate.core.model import Stage
from evaluate.operate.prune import Item, carry_out, plan, sweep
from evaluate.operate.upkeep import uploads
from evaluate.sandbox.run_folders import RunFolders
from evaluate.store.db.rows import State
from evaluate.store.entries.rejudge_attempts import adopt_rejudging, begin_rejudging, discard_rejudging
from evaluate.store.entries.store import Store
from evaluate.store.files.archives import pruned
from evaluate.store.files.depot import SharedFolder
from evaluate.store.files.stage_folders import EVIDENCE, archive_of, discard, share_products, sweep_parts, work_folder
from evaluate.views.rejudging import start
from tests.support.commands import printed
from tests.support.queues import CHALLENGE, ONE_DATABASE, at_fault, queue, run_stages, submitted, upload

DAY = 86400.0


def rules(**days: float) -> Config:
    return Config(challenges={CHALLENGE: Terms(prune=PruneRules(**days))})


def due(store: Store, state: Path, config: Config, days: float = 0.0) -> list[Item]:
    """What may be removed in so many days."""
    return plan(store, state, state, config, time.time() + days * DAY)


def archived(store: Store, state: Path, identity: str) -> Path:
    """The archive of an entry, which is there."""
    archive = archive_of(state, store.entry(identity).sha256)
    archive.parent.mkdir(parents=True, exist_ok=True)
    archive.write_text("an archive")
    return archive


def judged(store: Store, state: Path, *teams: str) -> list[str]:
    ids = submitted(store, *teams)
    for entry in store.next_entries(len(teams)):
        archived(store, state, entry.id)
        run_stages(store, state, entry)
    return ids


def test_prepared_disks_go_when_their_time_has_come_and_the_entry_can_be_rejudged_from_prep(
    store: Store, tmp_path: Path
) -> None:
    (identity,) = judged(store, tmp_path, "a")
    work = work_folder(tmp_path, store.entry(identity))
    (work / "prep" / "disk.qcow2").write_bytes(b"x" * 10_000)
    (work / "train").mkdir()
    (work / "train" / "home.qcow2").write_bytes(b"x" * 10_000)
    assert due(store, tmp_path, Config(), 10_000) == [], "without a rule nothing goes"
    assert due(store, tmp_path, rules(prepared_days=30), 29) == []
    items = due(store, tmp_path, rules(prepared_days=30), 31)
    assert [item.path for item in items] == [work / "prep", work / "train"]
    for item in items:
        assert (item.kind, item.entry, item.bytes >= 10_000) == ("prepared", identity, True)
        assert item.consequence == "it can be rejudged from prep only"
    assert carry_out(store, items) == sum(item.bytes for item in items)
    assert start(store, SharedFolder(tmp_path), CHALLENGE, Stage.PREP)[1:] == (1, [])
    assert not (work / "prep").exists() and not (work / "train").exists() and (work / "exam").exists()


def test_work_of_an_entry_that_has_not_ended_or_is_rejudged_stays(store: Store, tmp_path: Path) -> None:
    judged(store, tmp_path, "a")
    submitted(store, "a", "late")
    config = rules(prepared_days=0, superseded_days=0)
    start(store, SharedFolder(tmp_path), CHALLENGE, Stage.SCORE)
    assert due(store, tmp_path, config, 1) == []
    discard_rejudging(store, "r1")
    assert [item.kind for item in due(store, tmp_path, config, 1)] == ["prepared"]


@pytest.mark.parametrize("kind", ["prepared", "superseded"])
@pytest.mark.parametrize("since", ["begun", "applied", "discarded", "removed"])
def test_what_a_rejudging_may_build_on_that_began_since_the_plan_stays(
    store: Store, tmp_path: Path, kind: str, since: str
) -> None:
    (identity,) = judged(store, tmp_path, "a")
    earlier = work_folder(tmp_path, store.entry(identity)).with_name("0") / "prep"
    earlier.mkdir(parents=True)
    for folder in (earlier, work_folder(tmp_path, store.entry(identity)) / "prep"):
        (folder / "disk.qcow2").write_bytes(b"x" * 10_000)
    (item,) = due(store, tmp_path, rules(**{f"{kind}_days": 0}), 1)
    assert item.kind == kind
    if since == "removed":
        carry_out(store, [item])  # by another process
        assert not item.path.exists()
    else:
        start(store, SharedFolder(tmp_path), CHALLENGE, Stage.EXAM)
    if since == "applied":
        (attempt,) = store.next_rejudging_attempts(1)
        run_stages(store, tmp_path, attempt, first=Stage.EXAM)
        adopt_rejudging(store, "r1")
    if since == "discarded":
        discard_rejudging(store, "r1")
    assert carry_out(store, [item]) == (item.bytes if since == "discarded" else 0)
    assert item.path.exists() == (since in ("begun", "applied"))


def test_rejudging_starts_again_without_what_was_removed_while_it_began(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = judged(store, tmp_path, "a", "b")
    items = due(store, tmp_path, rules(prepared_days=0), 1)

    def after(*words: Any, **named: Any) -> int:
        monkeypatch.setattr("evaluate.views.rejudging.begin_rejudging", begin_rejudging)
        carry_out(store, [item for item in items if item.entry == first])
        return begin_rejudging(*words, **named)

    monkeypatch.setattr("evaluate.views.rejudging.begin_rejudging", after)
    identity, count, gone = start(store, SharedFolder(tmp_path), CHALLENGE, Stage.EXAM)
    assert (count, gone) == (1, [first])
    assert [attempt.id for attempt in store.rejudging_attempts(identity)] == [second]
    assert {attempt.state for attempt in store.rejudging_attempts() if attempt.purpose != identity} == {State.CANCELLED}


def test_superseded_attempts_go_but_for_what_the_counting_one_shares(store: Store, tmp_path: Path) -> None:
    (identity,) = judged(store, tmp_path, "a")
    start(store, SharedFolder(tmp_path), CHALLENGE, Stage.EXAM)
    (beside,) = store.next_rejudging_attempts(1)
    share_products(tmp_path, beside, 1, [Stage.PREP, Stage.QUIZ], SharedFolder(tmp_path))
    run_stages(store, tmp_path, beside, first=Stage.EXAM)
    adopt_rejudging(store, "r1")
    items = due(store, tmp_path, rules(superseded_days=0), 1)
    assert sorted(str(item.path.relative_to(tmp_path / "work" / identity)) for item in items) == ["1/exam", "1/score"]
    carry_out(store, items)
    assert (work_folder(tmp_path, store.entry(identity)) / "prep" / "result.json").is_file()


def test_refused_and_cancelled_uploads_go_at_once_and_are_not_taken_for_lost(store: Store, tmp_path: Path) -> None:
    refused, cancelled, fine, dry, shared = submitted(store, "refused", "cancelled", "fine", "dry", "shared")
    store.next_entries(5)
    for identity, words in (
        (refused, {"last": Stage.PREP, "verdict": "INVALID_ENTRY"}),
        (fine, {}),
        (dry, {"last": Stage.QUIZ, "verdict": "DRY_RUN"}),
    ):
        run_stages(store, tmp_path, store.entry(identity), **words)
    for identity in (refused, cancelled, fine, dry, shared):
        archived(store, tmp_path, identity)
    store.submit([{**upload("shared", 4), "team": "another team, which still needs it"}])
    store.cancel(cancelled)
    store.cancel(shared)
    items = due(store, tmp_path, rules(uploads_days=0))
    assert {item.entry for item in items} == {refused, cancelled}
    carry_out(store, items)
    gone = {store.entry(identity).sha256 for identity in (refused, cancelled)}
    assert pruned(store) == gone
    assert not any(archive_of(tmp_path, digest).exists() for digest in gone)
    messages = [finding.message for finding in uploads(store, tmp_path, SharedFolder(tmp_path))]
    assert len(messages) == 3 and all(
        "was changed" in message for message in messages
    )  # not the digests of these texts


def test_archive_whose_removal_was_killed_after_its_folder_moved_is_not_taken_for_lost(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (identity,) = submitted(store, "red")
    archive, rename = archived(store, tmp_path, identity), Path.rename
    store.cancel(identity)
    items = due(store, tmp_path, rules(uploads_days=0))

    def killed(path: Path, target: Path) -> None:
        rename(path, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(KeyboardInterrupt):
        carry_out(store, items)
    assert not archive.exists() and pruned(store) == {archive.parent.name}


def test_entry_that_still_needs_its_upload_is_named_when_that_is_missing(store: Store, tmp_path: Path) -> None:
    first, second = submitted(store, "a", "b")
    for identity in (first, second):
        store.settings.keep(f"pruned:{store.entry(identity).sha256}", "1")
    store.cancel(second)
    (finding,) = uploads(store, tmp_path, SharedFolder(tmp_path))
    assert f"the upload of {first}, which still needs it, is missing" in finding.message
    store.next_entries(1)
    assert len(list(uploads(store, tmp_path, SharedFolder(tmp_path)))) == 1


def test_images_layers_and_caches_that_nothing_names_and_nobody_used_for_long_go(store: Store, tmp_path: Path) -> None:
    (identity,) = judged(store, tmp_path, "a")
    prep = work_folder(tmp_path, store.entry(identity)) / "prep"
    (prep / "prepared.json").write_text('{"layers": ["layers/used.squashfs"]}')
    (prep / "result.json").write_text('{"machine": {"image": "sha256:00aa00aa00aa00aaffff"}}')
    for name in ("plain-00aa00aa00aa00aa", "plain-11bb11bb11bb11bb", "plain-22cc22cc22cc22cc"):
        (tmp_path / "images" / name).mkdir(parents=True)
    (tmp_path / "images" / "plain").symlink_to("plain-22cc22cc22cc22cc")
    (tmp_path / "layers").mkdir()
    for name in ("used.squashfs", "used.json", "old.squashfs"):
        (tmp_path / "layers" / name).touch()
    for name in ("old", "new"):
        (tmp_path / "cache" / name).mkdir(parents=True)
    os.utime(tmp_path / "cache" / "new", (time.time() + 2 * DAY,) * 2)
    items = due(store, tmp_path, Config(unused_days=7), 8)
    assert [(item.kind, item.path.name) for item in items] == [
        ("image", "plain-11bb11bb11bb11bb"),
        ("layer", "old.squashfs"),
        ("cache", "old"),
    ]
    assert due(store, tmp_path, Config(unused_days=7), 6) == []


@ONE_DATABASE
def test_plan_leaves_out_what_another_pruning_removes_meanwhile(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (identity,) = judged(store, tmp_path, "a")
    prep = work_folder(tmp_path, store.entry(identity)) / "prep"
    (prep / "prepared.json").write_text("{}")
    for name in ("layers/old.squashfs", "cache/old/part", f"{EVIDENCE}/{identity}/log"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    terms = Terms(prune=PruneRules(prepared_days=0.0, evidence_days=0.0))
    config = Config(challenges={CHALLENGE: terms}, unused_days=0.0)
    assert [item.kind for item in due(store, tmp_path, config, 1)] == ["prepared", "evidence", "layer", "cache"]
    listed, walked = Path.glob, os.walk

    def listed_and_gone(folder: Path, pattern: str) -> Iterator[Path]:
        for path in list(listed(folder, pattern)):
            discard(path)
            yield path

    def walked_and_gone(top: Path) -> list[Any]:
        inside = list(walked(top))
        discard(top)
        return inside

    monkeypatch.setattr(Path, "glob", listed_and_gone)
    monkeypatch.setattr(os, "walk", walked_and_gone)
    assert [(item.kind, item.bytes) for item in due(store, tmp_path, config, 1)] == [("evidence", 0)]


def test_evidence_of_faults_goes_when_its_time_has_come(store: Store, tmp_path: Path) -> None:
    (ended,) = judged(store, tmp_path, "a")
    (parked,) = submitted(store, "b")
    store.move(parked, State.PARKED, at_fault("no guest"))
    for identity in (ended, parked):
        (tmp_path / EVIDENCE / identity / "1").mkdir(parents=True)
    items = due(store, tmp_path, rules(evidence_days=30), 31)
    assert [(item.kind, item.path) for item in items] == [("evidence", tmp_path / EVIDENCE / ended)]
    assert due(store, tmp_path, rules(evidence_days=30), 29) == []
    carry_out(store, items)
    assert [path.name for path in (tmp_path / EVIDENCE).iterdir() if path.suffix != ".part"] == [parked]


@ONE_DATABASE
def test_dry_run_says_what_and_how_much_and_removes_nothing_and_what_was_half_removed_is_swept(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (identity,) = judged(store, tmp_path, "a")
    (tmp_path / "evaluate.yaml").write_text(f"challenges: {{{CHALLENGE}: {{prune: {{prepared_days: 0}}}}}}\n")

    run = partial(printed, tmp_path, "prune")
    assert f"of {identity}: it can be rejudged from prep only" in run("--dry-run")
    assert "would be freed: 1 things" in run("--dry-run")
    monkeypatch.setattr("evaluate.operate.prune.discard", lambda *_, **__: None)  # killed here
    assert "were freed: 1 things" in run()
    monkeypatch.undo()
    work = work_folder(tmp_path, store.entry(identity))
    assert not (work / "prep").exists() and list(work.glob("prep.*.part"))
    assert sweep_parts(tmp_path, list) == 1
    assert "0.0 MiB were freed: 0 things" in run()


# What killed processes left goes by itself; what may be somebody's stays.


WEEK = 7 * 86400.0
LEFT = (
    "receipt-log/receipts/.build-abc/receipt.json",
    "entries/00ff.pruned.1a2b.part/archive",
    "images/bookworm-1.pruned.1a2b.part/vmlinuz",
    "layers/k.squashfs.pruned.1a2b.part",
    "evidence/e1.pruned.1a2b.part/fault.json",
    "cache/wheels.pruned.1a2b.part/one",
)


@pytest.mark.parametrize("age", [WEEK, 0.0])
def test_unfinished_things_go_a_day_later_and_folders_of_submissions_that_were_killed_at_once(
    tmp_path: Path, age: float
) -> None:
    stays = ("receipt-log/receipts/7/receipt.json", "images/bookworm-1/vmlinuz", "layers/k.squashfs")
    at = time.time() - age
    with queue(tmp_path) as store:
        for name in (*LEFT, *stays):
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
            for changed in (path, path.parent):
                os.utime(changed, (at, at))
        assert sweep(store, tmp_path, tmp_path) == (len(LEFT) if age else 0)
    assert {name for name in LEFT if (tmp_path / name).exists()} == (set() if age else set(LEFT))
    assert all((tmp_path / name).exists() for name in stays)
    runs = RunFolders(tmp_path / "runs")
    for name in ("submission-dead", "recount-dead"):  # one may have a machine, which others end first
        (tmp_path / "runs" / name).mkdir()
        (tmp_path / "runs" / name / "owner.lock").touch()
    with queue(tmp_path) as store, runs.new("submission") as alive:
        assert sweep(store, tmp_path, tmp_path) == 1
        assert alive.is_dir()
        assert not (tmp_path / "runs" / "submission-dead").exists()
        assert (tmp_path / "runs" / "recount-dead").exists()

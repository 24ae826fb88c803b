"""`evaluate try --watch`: when it tries again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.authoring.skeleton import write_entry
from evaluate.config.challenge.cache import load_challenge
from evaluate.config.challenge.types import Isolation
from evaluate.core.model import RecordOutcome, Stage, Verdict
from evaluate.home import watch
from evaluate.home.trial import TryOptions
from evaluate.home.watch import KeptMedia, changes, medium_bytes, session, stamp_of
from evaluate.sandbox.disks import medium
from evaluate.sandbox.persistent_guest import KeptHypervisor
from evaluate.stages.job import Lines, NullMonitor
from tests.support.fake_sandbox import FakeHypervisor

CHALLENGE = load_challenge("cinc2017")
PLAIN = TryOptions(plain=True)


def test_a_change_is_tried_when_the_files_have_come_to_rest() -> None:
    states = iter([0, 0, 0, 1, 2, 2, 2, 3, 3, 3])
    looked: list[int] = []

    def look(_: Path) -> int:
        looked.append(next(states))
        return looked[-1]

    found = changes(Path(), look, lambda _: None)
    next(found)
    assert looked == [0]
    next(found)
    assert looked == [0, 0, 0, 1, 2, 2, 2]
    next(found)
    assert looked[-2:] == [3, 3]


def test_files_that_are_restored_to_what_they_were_run_nothing() -> None:
    states = iter([0, 0, 1, 0, 0, 0, 2, 2, 2])
    found = changes(Path(), lambda _: next(states), lambda _: None)
    assert [next(found) for _ in range(2)] == [None, None] and list(states) == []


def test_only_files_that_matter_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "next.sh").write_text("one")
    before = stamp_of(tmp_path)
    for name in (".git", "__pycache__"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").touch()
    (tmp_path / "next.sh~").touch()
    assert stamp_of(tmp_path) == before
    (tmp_path / "next.sh").write_text("longer")
    assert stamp_of(tmp_path) != before
    (tmp_path / "next.sh").write_text("one")
    assert stamp_of(tmp_path) == before
    assert stamp_of(tmp_path / "next.sh") != {}


def test_a_medium_is_written_again_only_where_its_files_have_changed(tmp_path: Path) -> None:
    made: list[str] = []

    def make(target: Path, files: Mapping[str, Path | bytes]) -> Path:
        made.append(target.name)
        target.write_bytes(b"".join(one if isinstance(one, bytes) else one.read_bytes() for one in files.values()))
        return target

    media, record, job = KeptMedia(tmp_path, make), tmp_path / "a.mat", tmp_path / "gone"
    record.write_bytes(b"one")
    for name in ("quiz.iso", "exam.iso", "quiz.iso"):
        assert media(job / name, {"a.hea": b"head ", "a.mat": record}).read_bytes() == b"head one"
    assert made == ["quiz.iso", "exam.iso"]
    record.write_bytes(b"other")
    assert media(job / "quiz.iso", {"a.hea": b"head ", "a.mat": record}).read_bytes() == b"head other"
    assert media(job / "exam.iso", {"a.hea": b"", "a.mat": record}).read_bytes() == b"other"
    assert made == ["quiz.iso", "exam.iso"] * 2


@pytest.mark.parametrize("name", ["cinc2017", "kits19"])
def test_size_of_a_medium_is_known_before_it_is_made(name: str, tmp_path: Path) -> None:
    part = load_challenge(name).exam
    files = {path.name: path for record in part.records for path in part.files(record).values()}
    made = medium(tmp_path / "records.iso", files).stat().st_size
    assert made - (1 << 20) < medium_bytes(part) < 2 * made + (1 << 20)


def test_records_too_large_for_a_machine_that_stays_are_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(watch, "MOST_BYTES", 1 << 10)
    monkeypatch.setattr(watch, "check_libvirt", lambda: None)
    monkeypatch.setattr(watch, "build_image", lambda *_: None)
    monkeypatch.setattr(watch, "open_hypervisor", lambda *_: FakeHypervisor())
    with session(tmp_path, load_challenge("cinc2017"), tmp_path, Lines(said.append)) as tries:
        assert isinstance(tries._hypervisor, FakeHypervisor)
    assert "every try boots machines of its own" in said[0]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    write_entry(tmp_path / "mine", CHALLENGE, "c")
    return tmp_path / "mine"


class Order(NullMonitor):
    """Keeps the records in the order in which they end."""

    def __init__(self) -> None:
        self.records: list[str] = []

    def record_ended(self, stage: Stage, outcome: RecordOutcome, printed: str = "") -> None:
        self.records.append(outcome.record)


@pytest.mark.slow
def test_only_what_a_change_affects_runs_again_and_what_failed_runs_first(mine: Path, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    answers, script, program = mine / "answers.txt", mine / "next.sh", mine / "classify.c"
    with session(mine, CHALLENGE, tmp_path, NullMonitor(), plain=True) as tries:
        kept = tries._hypervisor
        assert isinstance(kept, KeptHypervisor)

        def once(options: TryOptions = PLAIN) -> tuple[Verdict, int, list[str]]:
            order = Order()
            found = tries.once(order, options)
            return found.verdict, kept.ran, order.records

        assert once()[:2] == (Verdict.OK, 2 + 8 + 12)
        answers.write_text(answers.read_text().replace("S00003,A", "S00003,N"))
        assert once()[:2] == (Verdict.MISMATCH, 0)
        answers.write_text(answers.read_text().replace("S00003,N", "S00003,A"))
        script.write_text(f"{script.read_text()}# changed\n")
        verdict, ran, order = once()
        assert (verdict, ran, order[:2]) == (Verdict.OK, 2 + 8 + 12, ["S00003", "S00001"])
        program.write_text(program.read_text().replace("'A' : 'N'", "'N' : 'A'"))
        assert once()[:2] == (Verdict.MISMATCH, 2 + 8)
        program.write_text(program.read_text().replace("'N' : 'A'", "'A' : 'N'"))
        assert once()[:2] == (Verdict.OK, 2 + 8 + 12)


@pytest.mark.slow
def test_records_share_the_machine_that_stays_whatever_the_challenge_says(mine: Path, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    said: list[str] = []
    rules = replace(CHALLENGE, isolation=Isolation.SNAPSHOT)
    with session(mine, rules, tmp_path, Lines(said.append), plain=True) as tries:
        assert tries.once(NullMonitor(), PLAIN).verdict is Verdict.OK
    assert said == ["--watch runs all records in one machine; without it each has a machine of its own"]

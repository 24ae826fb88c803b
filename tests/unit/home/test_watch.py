"""`evaluate try --watch`: when it tries again."""

from pathlib import Path

import pytest

from evaluate.authoring.skeleton import write_entry
from evaluate.config.challenge.cache import load_challenge
from evaluate.core.model import RecordOutcome, Stage, Verdict
from evaluate.home.trial import Trial, TryOptions
from evaluate.home.watch import Session, changes, stamp_of
from evaluate.stages.job import NullMonitor

CHALLENGE = load_challenge("cinc2017")
PLAIN = TryOptions(plain=True)


@pytest.mark.parametrize(
    ("states", "left"),
    [([0, 0, 0, 1, 2, 2, 2, 3, 3, 3], [9, 3, 0]), ([0, 0, 1, 0, 0, 0, 2, 2, 2], [8, 0])],
    ids=["a change is tried", "what was restored is not"],
)
def test_files_are_tried_at_first_and_when_those_that_changed_have_come_to_rest(
    states: list[int], left: list[int]
) -> None:
    found = changes(Path(), lambda _: states.pop(0), lambda _: None)
    for count in left:
        next(found)
        assert len(states) == count


def test_only_files_that_matter_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "next.sh").write_text("one")
    before = stamp_of(tmp_path)
    for name in (".git", "__pycache__"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").touch()
    for name in ("next.sh~", "README.md"):
        (tmp_path / name).touch()
    assert stamp_of(tmp_path) == before
    (tmp_path / "next.sh").write_text("longer")
    assert stamp_of(tmp_path) != before
    (tmp_path / "next.sh").write_text("one")
    assert stamp_of(tmp_path) == before
    assert stamp_of(tmp_path / "next.sh") != {}


class Order(NullMonitor):
    """Keeps the records in the order in which they end."""

    def __init__(self) -> None:
        self.records: list[str] = []

    def record_ended(self, stage: Stage, outcome: RecordOutcome, printed: str = "") -> None:
        self.records.append(outcome.record)


@pytest.mark.slow
def test_what_failed_runs_first(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    write_entry(tmp_path / "mine", CHALLENGE, "c")
    answers = tmp_path / "mine" / "answers.txt"
    tries = Session(Trial(tmp_path / "mine", CHALLENGE, tmp_path, NullMonitor()), plain=True)

    def once() -> tuple[Verdict, list[str]]:
        order = Order()
        return tries.once(order, PLAIN).verdict, order.records

    assert once()[0] is Verdict.OK
    answers.write_text(answers.read_text().replace("S00003,A", "S00003,N"))
    assert once()[0] is Verdict.MISMATCH
    answers.write_text(answers.read_text().replace("S00003,N", "S00003,A"))
    verdict, order = once()
    assert (verdict, order[:2]) == (Verdict.OK, ["S00003", "S00001"])

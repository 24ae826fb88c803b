"""`evaluate try --watch`: when it tries again."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.challenge.cache import load_challenge
from evaluate.home import watch
from evaluate.home.watch import changes, medium_bytes, seen, session
from evaluate.sandbox.disks import medium
from evaluate.stages.monitor import NullMonitor


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


def test_only_files_that_matter_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "next.sh").write_text("one")
    before = seen(tmp_path)
    for name in (".git", "__pycache__"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x").touch()
    (tmp_path / "next.sh~").touch()
    assert seen(tmp_path) == before
    (tmp_path / "next.sh").write_text("longer")
    assert seen(tmp_path) != before
    assert seen(tmp_path / "next.sh") != {}


@pytest.mark.parametrize("name", ["cinc2017", "kits19"])
def test_size_of_a_medium_is_known_before_it_is_made(name: str, tmp_path: Path) -> None:
    part = load_challenge(name).exam
    files = {path.name: path for record in part.records for path in part.files(record).values()}
    made = medium(tmp_path / "records.iso", files).stat().st_size
    assert made - (1 << 20) < medium_bytes(part) < 2 * made + (1 << 20)


def test_records_too_large_for_a_machine_that_stays_are_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Monitor(NullMonitor):
        def say(self, text: str) -> None:
            said.append(text)

    said: list[str] = []
    monkeypatch.setattr(watch, "MOST_BYTES", 1 << 10)
    monkeypatch.setattr(watch, "build_image", lambda *_: None)
    monkeypatch.setattr(watch, "LibvirtHypervisor", str)
    monkeypatch.setattr(watch, "open_hypervisor", lambda *_: "boots machines for every try")
    with session(tmp_path, load_challenge("cinc2017"), tmp_path, Monitor()) as tries:
        assert tries._hypervisor == "boots machines for every try"  # type: ignore[comparison-overlap]
    assert "every try boots machines of its own" in said[0]

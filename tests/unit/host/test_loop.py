"""`evaluate try --watch`: when it tries again."""

from __future__ import annotations

from pathlib import Path

from evaluate.host.loop import changes, seen


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

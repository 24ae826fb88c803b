"""What is left of stages that were interrupted."""

from __future__ import annotations

from pathlib import Path

from evaluate.queue.work import part_of, sweep_parts


def test_what_dead_processes_left_unfinished_is_removed(tmp_path: Path) -> None:
    work, evidence = tmp_path / "work" / "e1" / "1", tmp_path / "evidence" / "e1" / "1"
    for folder in (work, evidence):
        folder.mkdir(parents=True)
    living, dead = part_of(work, "prep", "a1"), part_of(work, "exam-0", "b2")
    for folder in (living, dead):
        folder.mkdir()
        (folder / "half").touch()
    half = part_of(evidence, "prep.1", "b2")
    half.touch()
    (evidence / "prep.2.json").touch()
    assert sweep_parts(tmp_path, lambda: {"a1"}) == 2
    assert sorted(path.name for path in (*work.iterdir(), *evidence.iterdir())) == sorted([living.name, "prep.2.json"])

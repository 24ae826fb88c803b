"""What a folder takes, however deep it is, and without following a link."""

import os
from pathlib import Path

from evaluate.confine.trees import MOST_DEPTH, holds_at_most


def test_space_is_what_the_disk_gave_and_not_a_length(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as f:
        f.truncate(1 << 40)
    with (tmp_path / "reserved").open("wb") as f:
        os.posix_fallocate(f.fileno(), 0, 1 << 20)
        f.truncate(0)
        os.posix_fallocate(f.fileno(), 0, 1 << 20)
    (tmp_path / "link").symlink_to("/")
    assert holds_at_most(tmp_path, 2 << 20, most_files=3) and not holds_at_most(tmp_path, 1 << 19)
    assert not holds_at_most(tmp_path, 2 << 20, most_files=2)


def test_what_is_too_deep_holds_too_much(tmp_path: Path) -> None:
    Path(tmp_path, *"d" * (MOST_DEPTH - 1)).mkdir(parents=True)
    assert holds_at_most(tmp_path, 1 << 30)
    Path(tmp_path, *"d" * (MOST_DEPTH + 2)).mkdir(parents=True)
    assert not holds_at_most(tmp_path, 1 << 30)

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.guest_modules import guest_module

container = guest_module("container")


@pytest.fixture
def disks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of the disks that a plan looks at."""
    (tmp_path / "home/kept").mkdir(parents=True)
    monkeypatch.setattr(container, "DISKS", str(tmp_path))
    monkeypatch.setattr(container, "LAYERS", "/layer")
    return tmp_path


def done(steps: list[Any], what: str) -> dict[str, tuple[Any, ...]]:
    """Path -> arguments of the steps of one kind."""
    return {path: tuple(arguments) for kind, path, *arguments in steps if kind == what}


def mounts(place: Any) -> dict[str, tuple[str, str]]:
    """Where what is mounted, below the root: target -> source, options."""
    found = done(place.root(), "mount")
    return {target.removeprefix(container.ROOT): (source, text) for target, (source, _, _, text) in found.items()}


def options(mounted: tuple[str, str]) -> dict[str, str]:
    return dict(option.partition("=")[::2] for option in mounted[1].split(","))


def test_record_writes_to_a_scratch_layer_above_what_was_kept(disks: Path) -> None:
    place = container.Place(keep=False, n_layers=2)
    made = done(place.folders(), "mkdir")
    seen = mounts(place)
    root, home = options(seen[""]), options(seen["/home/challenge"])
    assert root["lowerdir"] == f"{disks}/root/kept:/layer/0:/layer/1:/"
    assert root["upperdir"] == f"{disks}/root/run/upper"
    assert home["lowerdir"] == f"{disks}/home/kept"
    assert home["upperdir"] == f"{disks}/home/run/upper"
    assert "volatile" in root and "volatile" in home
    for upper in (root["upperdir"], home["upperdir"], root["workdir"], home["workdir"]):
        assert any(upper.startswith(f"{scratch}/") for scratch in place.scratch)
        assert upper in made


def test_kept_command_writes_to_the_kept_layer(disks: Path) -> None:
    place = container.Place(keep=True, n_layers=0)
    seen = mounts(place)
    root = options(seen[""])
    assert (root["lowerdir"], root["upperdir"]) == ("/", f"{disks}/root/kept")
    assert "volatile" not in root
    assert seen["/home/challenge"][0] == f"{disks}/home/kept"
    assert place.scratch == [f"{disks}/tmp/run"]


@pytest.mark.parametrize("keep", [False, True])
def test_temporary_folders_are_new_and_for_everybody(disks: Path, keep: bool) -> None:
    place = container.Place(keep=keep, n_layers=0)
    made, seen = done(place.folders(), "mkdir"), mounts(place)
    for target in ("/tmp", "/var/tmp"):
        folder = Path(seen[target][0])
        assert folder.parent == disks / "tmp/run"
        assert made[str(folder)] == (0o1777,)


def test_scratch_home_has_the_mode_that_the_entry_gave_its_home(disks: Path) -> None:
    (disks / "home/kept").chmod(0o700)
    made = done(container.Place(keep=False, n_layers=0).folders(), "mkdir")
    assert made[f"{disks}/home/run/upper"] == (0o700,)


def test_folders_are_bound_at_the_top_level_only() -> None:
    assert [step[0] for step in container._bind("/medium/x", "/input")] == ["top", "mount"]
    with pytest.raises(OSError, match="top level"):
        container._bind("/medium/x", "/home/challenge/input")


def test_plan_refuses_a_name_that_the_kernel_would_cut_short() -> None:
    assert container._field("ä") == b"\x02\0\0\0\xc3\xa4\0"
    assert container._field(b"\0\0") == b"\x02\0\0\0\0\0\0"
    with pytest.raises(ValueError, match="zero byte"):
        container._field("/etc/passwd\0.txt")


def test_output_says_what_is_left_out_between_its_beginning_and_its_end() -> None:
    assert container.Output(6, b"abc", b"def").kept() == b"abcdef"
    assert container.Output(16, b"abc", b"def").kept() == "abc\n[… 10 bytes left out …]\ndef".encode()


def test_work_aside_is_waited_for_and_its_failure_is_told(tmp_path: Path) -> None:
    container.aside((tmp_path / "done").touch)
    assert (tmp_path / "done").exists()
    with pytest.raises(OSError, match=r"FileNotFoundError: .*absent"):
        container.aside((tmp_path / "absent").unlink)

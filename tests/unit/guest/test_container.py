from __future__ import annotations

import os
import sys
from collections.abc import Callable
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


def test_counters_of_the_machine_are_shown_as_they_were_at_the_boot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proc = tmp_path / "proc"
    proc.mkdir()
    (proc / "stat").write_text("processes 90\n")
    monkeypatch.setattr(container, "FROZEN", str(tmp_path / "frozen"))
    frozen = container.freeze_counters(str(proc))
    assert frozen == ["stat"]
    (proc / "stat").write_text("processes 91\n")
    assert mounts(container.Place(keep=True, n_layers=0, frozen=frozen))["/proc/stat"][0] == f"{tmp_path}/frozen/stat"
    assert (tmp_path / "frozen/stat").read_text() == "processes 90\n"


def test_entrys_files_are_forgotten_where_the_next_command_must_not_learn_of_them(disks: Path) -> None:
    steps = container.Place(keep=False, n_layers=0, forgets=True).after
    assert [step[:2] for step in steps] == [("forget", f"{disks}/{disk}/kept") for disk in ("root", "home")]
    (step,) = container.Place(keep=False, n_layers=1, base=False, forgets=True).after
    assert step[:2] == ("write", "/proc/sys/vm/drop_caches")
    assert container.Place(keep=False, n_layers=0).after == []


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


FAKE_KEEPER = """#!{python}
import os, struct, sys
def field(data):
    os.write(102, struct.pack("<I", len(data)) + data)
{body}
"""


@pytest.fixture
def keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Starts a program in the place of the keeper."""

    def start(body: str) -> Any:
        program = tmp_path / "keeper"
        program.write_text(FAKE_KEEPER.format(python=sys.executable, body=body))
        program.chmod(0o755)
        monkeypatch.setattr(container, "KEEPER", str(program))
        with Path(os.devnull).open() as port:
            return container.Keeper(b"the plan", port.fileno())

    return start


WELL = """
assert os.read(100, 100) == b"" or os.pread(100, 100, 0) == b"the plan"
os.write(101, b"ok"); os.close(101); field(b"42")
sent, heard = struct.unpack("<QQ", os.read(103, 16))
for value in (b"%d" % (sent + 1), b"%d" % heard, b"unread", bytes(4)):
    field(value)
for value in (b"5", b"out", b"ut", b"0", b"", b"", b"+A01,N", b"missing"):
    field(value)
os.close(102)
assert os.read(103, 1) == b""
"""


def test_keeper_is_followed_from_its_plan_to_its_end(keeper: Callable[[str], Any]) -> None:
    running = keeper(WELL)
    running.prepare()
    assert running.init == 42
    report = running.watch(7, 3)
    assert (report.sent, report.heard, report.unread, report.status) == (8, 3, b"unread", bytes(4))
    assert report.stdout.kept() == b"outut"
    assert list(report.files) == [b"+A01,N", b"missing"]
    running.finish()


def test_keeper_that_cannot_start_a_command_says_why(keeper: Callable[[str], Any]) -> None:
    with pytest.raises(OSError, match="cannot be started: mount at /x: No such device"):
        keeper("os.write(101, b'mount at /x: No such device')").prepare()
    with pytest.raises(OSError, match="no reason given"):
        keeper("").prepare()


def test_keeper_that_dies_is_noticed(keeper: Callable[[str], Any]) -> None:
    running = keeper("os.write(101, b'ok'); os.close(101); field(b'42'); sys.exit(70)")
    running.prepare()
    with pytest.raises((EOFError, BrokenPipeError)):
        running.watch(0, 0)
    with pytest.raises(OSError, match="0x4600"):
        running.finish()

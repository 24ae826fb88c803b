from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.guest_modules import guest_module

container = guest_module("container")


@pytest.fixture
def disks(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where they are mounted; the layers are at a shorter place."""
    monkeypatch.setattr(container, "LAYERS", "/layer")
    return Path(container.DISKS)


def done(steps: list[Any], what: str) -> dict[str, tuple[Any, ...]]:
    """Path -> arguments of the steps of one kind."""
    return {path: tuple(arguments) for kind, path, *arguments in steps if kind == what}


def mounts(place: Any) -> dict[str, tuple[str, str]]:
    """What a command mounts for itself."""
    return mounted(place.root())


def mounted(steps: list[Any]) -> dict[str, tuple[str, str]]:
    """Where what is mounted, below the root: target -> source, options."""
    found = done(steps, "mount")
    return {target.removeprefix(container.ROOT): (source, text) for target, (source, _, _, text) in found.items()}


def options(mounted: tuple[str, str]) -> dict[str, str]:
    return dict(option.partition("=")[::2] for option in mounted[1].split(","))


NOTHING, EVERYTHING = container.Mounted(), container.Mounted(root=True, home=())


def test_record_writes_to_layers_above_what_was_kept(disks: Path) -> None:
    place = container.Place(keep=False, n_layers=2)
    seen = mounted(place.shared(NOTHING))
    root, home = options(seen[""]), options(seen["/home/challenge"])
    assert root["lowerdir"] == f"{disks}/root/kept:/layer/0:/layer/1:/"
    assert root["upperdir"] == container.SHARED_UPPER
    assert (home["lowerdir"], home["upperdir"]) == (f"{disks}/home/kept", container.SHARED_HOME)
    assert "volatile" in root and "volatile" in home


def test_records_share_folders_until_one_leaves_them_different(disks: Path) -> None:
    place = container.Place(keep=False, n_layers=0)
    assert place.mounted == EVERYTHING
    assert place.shared(EVERYTHING) == []
    assert not {"", "/home/challenge", "/tmp", "/var/tmp", "/dev", "/run"} & mounts(place).keys()
    assert place.watched == [container.SHARED_UPPER, f"{container.SHARED_WORK}/work"]
    home_again = place.shared(container.Mounted(root=True))
    assert home_again == place.shared(NOTHING)[-len(home_again) :]
    held = [container._mount(*container.HELD), container._mount(*container.HELD_HOME)]
    for state, expected in ((EVERYTHING, held), (container.Mounted(root=True), held[:1])):
        unmount, *others = state.unmounted()
        assert unmount == ("unmount", container.ROOT)
        assert [step for step in others if step[0] != "empty"] == expected
        emptied = [path for kind, path in others[len(expected) :]]
        assert emptied == [container.SHARED_UPPER, container.SHARED_WORK, f"{disks}/home/shared", f"{disks}/tmp/shared"]
    assert EVERYTHING.home_unmounted()[:2] == [("unmount", f"{container.ROOT}/home/challenge"), held[1]]
    assert NOTHING.unmounted() == NOTHING.home_unmounted() == []
    setup = container.Place(keep=True, n_layers=0)
    assert setup.shared(EVERYTHING) == EVERYTHING.unmounted()  # what is below it must not change
    assert setup.watched == setup.restored == setup.restored_home == setup.shared(NOTHING) == []
    assert setup.mounted == NOTHING


def test_files_that_each_record_removes_are_hidden_in_a_layer(disks: Path) -> None:
    answers = container.masks(["/home/challenge/answers.txt", "/home/challenge/a/b", "/tmp/x", "/home/challenge/.."])
    assert answers == ("answers.txt",)
    place = container.Place(keep=False, n_layers=0, masks=answers)
    steps = place.shared(NOTHING)
    assert options(mounted(steps)["/home/challenge"])["lowerdir"] == f"{container.MASKS}:{disks}/home/kept"
    assert done(steps, "mask") == {f"{container.MASKS}/answers.txt": (f"{disks}/home/kept/answers.txt",)}
    others = place.shared(EVERYTHING)
    assert others[:2] == EVERYTHING.home_unmounted()[:2]
    assert "" not in mounted(others) and "/home/challenge" in mounted(others)


def test_program_beside_a_container_has_the_machines_root_and_finds_the_containers_below(disks: Path) -> None:
    place = container.Place(keep=True, n_layers=1, base=False, beside=True, mounts=(("/input", "1"),))
    found = mounts(place)
    own, below = options(found[""]), options(found["/home/challenge"])
    assert own["lowerdir"] == "/" and "volatile" in own
    assert (below["lowerdir"], below["upperdir"]) == ("/layer/0", f"{disks}/root/kept")
    assert own["upperdir"] in done(place.folders(), "mkdir") and ("remove", own["upperdir"]) in place.after
    assert own["workdir"] in container.SCRATCH and ("empty", own["workdir"]) in place.after
    assert "/home/challenge/input" in found and "/input" not in found


def test_container_has_a_root_of_its_own_for_each_command(disks: Path) -> None:
    place = container.Place(keep=False, n_layers=1, base=False)
    upper = options(mounts(place)[""])["upperdir"]
    assert str(Path(upper).parent) in container.SCRATCH
    assert ("remove", upper) in place.after
    assert place.watched == []


def test_kept_command_writes_to_the_kept_layer(disks: Path) -> None:
    place = container.Place(keep=True, n_layers=0)
    seen = mounts(place)
    root = options(seen[""])
    assert (root["lowerdir"], root["upperdir"]) == ("/", f"{disks}/root/kept")
    assert "volatile" not in root
    assert seen["/home/challenge"][0] == f"{disks}/home/kept"
    assert not any(path.startswith(f"{disks}/home") for path in done(place.folders(), "mkdir"))


def test_temporary_folders_are_for_everybody(disks: Path) -> None:
    place = container.Place(keep=False, n_layers=0)
    steps = place.shared(NOTHING)
    for target in ("/tmp", "/var/tmp"):
        folder = mounted(steps)[target][0]
        assert folder in place.restored
        assert done(steps, "folder")[folder] == (0o1777, 0, 0, container.UNWRITTEN)


@pytest.mark.parametrize("place", [{"keep": True}, {"keep": False, "base": False}])
def test_temporary_folders_that_are_not_shared_are_new(disks: Path, place: dict[str, bool]) -> None:
    place = container.Place(**place, n_layers=1)
    made, seen = done(place.folders(), "mkdir"), mounts(place)
    for target in ("/tmp", "/var/tmp"):
        folder = Path(seen[target][0])
        assert str(folder.parent) in container.SCRATCH
        assert ("remove", str(folder)) in place.after
        assert made[str(folder)] == (0o1777,)


def test_shared_home_has_the_mode_that_the_entry_gave_its_home() -> None:
    steps = container.Place(keep=False, n_layers=0, home=(0o700, 1000, 1001)).shared(NOTHING)
    assert done(steps, "folder")[container.SHARED_HOME] == (0o700, 1000, 1001, container.UNWRITTEN)


def test_counters_of_the_machine_are_shown_as_they_were_at_the_boot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proc = tmp_path / "proc"
    proc.mkdir()
    (proc / "stat").write_text("processes 90\n")
    (proc / "zoneinfo").touch(0o444)
    monkeypatch.setattr(container, "FROZEN", str(tmp_path / "frozen"))
    frozen = container.freeze_counters(str(proc))
    assert frozen == ("stat",)
    assert (proc / "zoneinfo").stat().st_mode & 0o777 == 0o400
    (proc / "stat").write_text("processes 91\n")
    assert mounts(container.Place(keep=True, n_layers=0, frozen=frozen))["/proc/stat"][0] == f"{tmp_path}/frozen/stat"
    assert (tmp_path / "frozen/stat").read_text() == "processes 90\n"


def test_entrys_files_are_forgotten_where_the_next_command_must_not_learn_of_them(disks: Path) -> None:
    def forgotten(**values: Any) -> list[tuple[str, str]]:
        steps = container.Place(keep=False, n_layers=1, **values).after
        return [step[:2] for step in steps if step[0] not in ("remove", "empty")]

    assert forgotten(forgets=True) == [("forget", f"{disks}/{disk}/kept") for disk in ("root", "home")]
    assert forgotten(forgets=True, base=False) == [("write", "/proc/sys/vm/drop_caches")]
    assert forgotten() == []


def test_folders_are_bound_at_the_top_level_only() -> None:
    assert [step[0] for step in container._bind("/medium/x", "/input", container.ROOT)] == ["top", "mount"]
    with pytest.raises(OSError, match="top level"):
        container._bind("/medium/x", "/home/challenge/input", container.ROOT)


def test_plan_refuses_a_name_that_the_kernel_would_cut_short() -> None:
    assert container._field("ä") == b"\xc3\xa4\0"
    assert container._field("\udcff") == b"\xff\0"
    assert container._field(b"\0\0") == b"\x02\0\0\0\0\0"
    assert container._texts(["", "b", "1"]) == b"\0b\x001\0"
    with pytest.raises(ValueError, match=r"zero byte in a name, found '/etc/passwd\\x00\.txt'"):
        container._texts(["/a", "/etc/passwd\0.txt"])


def test_output_says_what_is_left_out_between_its_beginning_and_its_end() -> None:
    assert container.Output(6, b"abc", b"def").kept() == b"abcdef"
    assert container.Output(16, b"abc", b"def").kept() == "abc\n[… 10 bytes left out …]\ndef".encode()


def test_work_aside_is_waited_for_and_its_failure_is_told(tmp_path: Path) -> None:
    container.aside((tmp_path / "done").touch)
    assert (tmp_path / "done").exists()
    with pytest.raises(OSError, match=r"FileNotFoundError: .*absent"):
        container.aside((tmp_path / "absent").unlink)


def test_what_a_command_sets_takes_the_place_of_the_usual_environment() -> None:
    def plan(record: str, **place: Any) -> bytes:
        task = container.Task(argv=("./next.sh", record), cwd="/", env={"LANG": record[:1]}, inputs={}, remove=())
        found: bytes = container.plan_of_task(container.Place(keep=False, n_layers=0, **place), task)
        return found

    assert b"LANG=A\0" in plan("A01") and b"LANG=C.UTF-8" not in plan("A01")
    assert plan("A01").replace(b"A01", b"A02") == plan("A02")
    assert b"PATH=" in plan("A01") and b"PATH=" not in plan("A01", user=(0, 0))


FAKE_KEEPER = """#!/usr/bin/python3
import os, struct, sys
def heard(n):
    data = b""
    while len(data) < n:
        data += os.read(100, n - len(data)) or sys.exit("the agent has ended")
    return data
def report(*fields):
    content = b"".join(struct.pack("<I", len(one)) + one for one in fields)
    os.write(101, struct.pack("<I", len(content)) + content)
def part():
    return heard(*struct.unpack("<I", heard(4)))
assert part() == b"the place"
{body}
"""


@pytest.fixture
def precedence(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What was wanted of it; this process takes none."""
    wanted: list[bool] = []
    monkeypatch.setattr(container, "take_precedence", wanted.append)
    return wanted


@pytest.fixture
def keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, precedence: list[bool]) -> Iterator[Callable[[str], Any]]:
    """Starts a program in the place of the keeper."""
    started = []

    def start(body: str) -> Any:
        program = tmp_path / "keeper"
        program.write_text(FAKE_KEEPER.format(body=body))
        program.chmod(0o755)
        monkeypatch.setattr(container, "KEEPER", str(program))
        with Path(os.devnull).open() as port:
            started.append(container.Keeper(port.fileno()))
        return started[-1]

    yield start
    for one in started:  # or this process would soon have open what the next one gives its keeper
        os.close(one._orders)
        os.close(one._report)


WELL = """
assert part() == b"the task"
report(b"ok", b"42")
sent, heard_before, waits, at_once, kill = struct.unpack("<QQQQQ", heard(40))
assert (waits, at_once, kill) == (1, 0, 0)
report(
    *(b"%d" % (sent + 1), b"%d" % heard_before, b"unread", bytes(4), b"1"),
    *(b"5", b"out", b"ut", b"0", b"", b"", b"0", b"3", b"4096", b"+A01,N", b"missing"),
)
assert heard(1) == b"f"
report({left})
"""


@pytest.mark.parametrize(
    ("left", "mounted"),
    [("", EVERYTHING), ("b'root'", NOTHING), ("b'home'", container.Mounted(root=True))],
)
def test_keeper_is_followed_from_its_plan_to_its_end(
    keeper: Callable[[str], Any], precedence: list[bool], left: str, mounted: Any
) -> None:
    running = keeper(WELL.format(left=left))
    assert running.prepare(b"the place", b"the task") == 42
    assert precedence == []
    report = running.watch(7, 3)
    assert precedence == [True, False]
    assert (report.sent, report.heard, report.unread, report.status) == (8, 3, b"unread", bytes(4))
    assert report.stdout.kept() == b"outut"
    assert report.counted is True
    assert (report.oom_kills, report.forks_refused, report.memory_peak) == (0, 3, 4096)
    assert list(report.files) == [b"+A01,N", b"missing"]
    assert running.finish(EVERYTHING) == mounted


def test_place_is_ready_before_there_is_a_task(keeper: Callable[[str], Any]) -> None:
    running = keeper(
        """assert part() == b""; report(b"ok", b"42"); assert part() == b"the task"; report(b"ok", b"42")"""
    )
    running.make_place(b"the place")
    assert running.prepare(b"", b"the task") == 42


def test_place_that_cannot_be_made_is_said_before_there_is_a_task(keeper: Callable[[str], Any]) -> None:
    with pytest.raises(OSError, match="cannot be started: mount at /x: No such device"):
        keeper("report(b'mount at /x: No such device', b'42')").make_place(b"the place")


HELD = """
assert part() == b"the task"
report(b"ok", b"42")
assert struct.unpack("<QQQQQ", heard(40)) == (7, 3, 1, 0, 0)
report(b"2", b"1", b"unread")
turn = [b"%d" % number for number in struct.unpack("<QQQQQ", heard(40))]
report(*turn[:2], b"", bytes(4), b"0", *[b"0", b"", b""] * 2, *turn[3:], turn[2])
"""


@pytest.mark.parametrize(("at_once", "kill"), [(False, False), (True, False), (True, True)])
def test_keeper_says_that_a_server_holds_and_hears_how_it_goes_on(
    keeper: Callable[[str], Any], at_once: bool, kill: bool
) -> None:
    running = keeper(HELD)
    running.prepare(b"the place", b"the task")
    assert running.watch(7, 3) == container.Held(2, 1, b"unread")
    report = running.watch(9, 4, waits=not at_once, at_once=at_once, kill=kill)
    assert (report.sent, report.heard, report.counted) == (9, 4, False)
    assert (report.memory_peak, report.oom_kills, report.forks_refused) == (not at_once, at_once, kill)


def test_server_has_an_empty_folder_that_it_cannot_write_to(disks: Path) -> None:
    place = container.Place(keep=False, n_layers=1, base=False, inbox="/input")
    assert ("mkdir", container.INBOX, 0o755) in place.folders()
    assert not any(step[:2] == ("chown", container.INBOX) for step in place.folders())
    (bound,) = (
        i for i, step in enumerate(place.root()) if step[:3] == ("mount", f"{container.ROOT}/input", container.INBOX)
    )
    assert place.root()[bound + 1][4] & container.MS_RDONLY
    assert ("remove", container.INBOX) in place.after


def test_keeper_that_cannot_start_a_command_says_why(keeper: Callable[[str], Any]) -> None:
    with pytest.raises(OSError, match="cannot be started: mount at /x: No such device"):
        keeper("report(b'mount at /x: No such device')").prepare(b"the place", b"the task")
    with pytest.raises(OSError, match="no reason given"):
        keeper("report(b'', b'42')").prepare(b"the place", b"the task")


def test_keeper_that_cannot_go_on_says_why(keeper: Callable[[str], Any]) -> None:
    running = keeper("report(b'ok', b'42'); heard(40); report(b'opening memory.peak: No such file or directory')")
    running.prepare(b"the place", b"the task")
    with pytest.raises(OSError, match=r"not followed to its end: opening memory\.peak"):
        running.watch(0, 0)
    running = keeper(WELL.format(left="b'removing /x: Busy'"))
    running.prepare(b"the place", b"the task")
    running.watch(0, 0)
    with pytest.raises(OSError, match="cannot be removed: removing /x: Busy"):
        running.finish(NOTHING)


def test_keeper_that_dies_is_noticed(keeper: Callable[[str], Any]) -> None:
    with pytest.raises((EOFError, BrokenPipeError)):
        keeper("sys.exit(70)").prepare(b"the place", b"the task")
    running = keeper("report(b'ok', b'42'); sys.exit(70)")
    running.prepare(b"the place", b"the task")
    with pytest.raises((EOFError, BrokenPipeError)):
        running.watch(0, 0)

import os
import struct
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.guest_modules import GUEST, guest_module

container = guest_module("container")


def test_plan_refuses_a_name_that_the_kernel_would_cut_short() -> None:
    assert container._field("\udcff") == b"\xff\0"
    with pytest.raises(ValueError, match=r"zero byte in a name, found '/etc/passwd\\x00\.txt'"):
        container._texts(["/a", "/etc/passwd\0.txt"])


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
def keeper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Starts a program in the place of the keeper."""
    monkeypatch.setattr(container, "take_precedence", lambda _: None)  # this process takes none
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


STARTS = "part(); report(b'ok', b'42'); heard(40)\n"
WELL = "report(b'1', b'0', b'', bytes(4), b'1', b'5', b'out', b'ut', b'0', b'', b'', b'0', b'3', b'4096'); heard(1)\n"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("report(b'mount at /x: No such device')", "cannot be started: mount at /x: No such device"),
        ("report(b'', b'42')", "no reason given"),
        (f"{STARTS}report(b'opening memory.peak: No such file')", r"not followed to its end: opening memory\.peak"),
        (f"{STARTS}{WELL}report(b'removing /x: Busy')", "cannot be removed: removing /x: Busy"),
    ],
    ids=["starts", "starts without a reason", "is followed", "is removed"],
)
def test_keeper_that_cannot_do_its_part_says_why(keeper: Callable[[str], Any], body: str, problem: str) -> None:
    running = keeper(body)
    with pytest.raises(OSError, match=problem):
        running.prepare(b"the place", b"the task")
        running.watch(0, 0)
        running.finish(container.Mounted())


def test_keeper_that_dies_is_noticed(keeper: Callable[[str], Any]) -> None:
    with pytest.raises((EOFError, BrokenPipeError)):
        keeper("sys.exit(70)").prepare(b"the place", b"the task")
    running = keeper("report(b'ok', b'42'); sys.exit(70)")
    running.prepare(b"the place", b"the task")
    with pytest.raises((EOFError, BrokenPipeError)):
        running.watch(0, 0)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Program that calls functions of the keeper; the whole is tested in a real guest."""
    program = tmp_path_factory.mktemp("calls") / "calls"
    source = Path(__file__).parents[2] / "support" / "keeper_calls.c"
    flags = ("-static", "-O1", "-Wall", "-Wno-unused-function", f"-I{GUEST}")
    subprocess.run(["gcc", *flags, "-o", program, source], check=True)
    return program


def test_command_that_prints_without_end_is_seen_to_print_too_much(calls: Path) -> None:
    done = subprocess.run([calls], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (0, b"16\n")


def test_link_in_the_place_of_a_top_level_folder_is_refused(calls: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    (tmp_path / "input").symlink_to("/etc")
    content = container._field(container._encoded([("top", tmp_path / "input")]))
    plan.write_bytes(struct.pack("<I", len(content)) + content)
    done = subprocess.run([calls, plan], capture_output=True, check=False)
    assert done.returncode == 70
    assert done.stderr.startswith(b"not a folder of the top level: ")

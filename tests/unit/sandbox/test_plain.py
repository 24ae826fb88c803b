"""An entry on this host, without a virtual machine."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from evaluate.core.errors import EntryError, SandboxFault, UsageError
from evaluate.core.model import MIB, Limits, Verdict
from evaluate.core.waiting import Deadline
from evaluate.home import plain_job
from evaluate.home.plain_job import PlainLayers, forget
from evaluate.sandbox.base import HOME, Command, Machine
from evaluate.sandbox.disks import folder_medium
from evaluate.sandbox.plain import PlainHypervisor, PlainSandbox
from evaluate.stages.job import NullMonitor

LIMITS = Limits(instructions=1, wall_seconds=120, output_bytes=MIB)
IMAGE: Any = None


def sh(text: str, **options: Any) -> Command:
    return Command(argv=("/bin/sh", "-c", text), **options)


@pytest.fixture
def sandbox(tmp_path: Path) -> Any:
    medium = folder_medium(tmp_path / "medium", {"0/r1.dat": b"signal", "0/RECORDS": b"r1\n"})
    with PlainHypervisor(tmp_path).boot(Machine(image=IMAGE, records=medium)) as found:
        yield found


def printed(sandbox: PlainSandbox, text: str, **options: Any) -> str:
    run = sandbox.run(sh(text, **options), LIMITS)
    assert run.verdict is Verdict.OK, run
    return run.stdout.decode().strip()


def test_command_finds_the_user_home_and_mounts_of_a_guest(sandbox: PlainSandbox) -> None:
    assert printed(sandbox, "id -un; pwd; echo $HOME; echo $PYTHONHASHSEED").split() == ["challenge", HOME, HOME, "0"]
    run = sandbox.run(sh("echo $OMP_NUM_THREADS"), replace(LIMITS, processors=4))
    assert run.stdout == b"4\n"
    options = {"mounts": {"/input": "0"}, "output": "/output"}
    assert printed(sandbox, "cat /input/RECORDS; ls /output", **options) == "r1"
    assert printed(sandbox, "cat r1.dat", inputs={f"{HOME}/r1.dat": "0/r1.dat"}) == "signal"


def test_command_reaches_no_network_and_nothing_of_the_host(sandbox: PlainSandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("CANARY")
    for what in (f"cat {tmp_path}/secret", "ls /root", "ls /var/lib/evaluate", "cat /etc/shadow", "touch /usr/x"):
        assert sandbox.run(sh(what), LIMITS).verdict is Verdict.RUNTIME_ERROR, what
    interfaces = printed(sandbox, "cat /proc/net/dev").splitlines()[2:]
    assert [line.split(":")[0].strip() for line in interfaces] in ([], ["lo"])
    assert int(printed(sandbox, "ls /proc | grep -c '^[0-9]'")) < 9


def test_record_leaves_nothing_to_the_next_and_setup_does(sandbox: PlainSandbox) -> None:
    printed(sandbox, "echo made > made", keep=True)
    assert printed(sandbox, "cat made; echo changed > made; echo more > more; echo x > /tmp/x") == "made"
    assert printed(sandbox, "cat made; ls /tmp; ls") == "made\nmade"


def test_time_and_output_are_limited_and_all_processes_end(sandbox: PlainSandbox) -> None:
    short = Limits(instructions=1, wall_seconds=0.5, output_bytes=MIB)
    mark = f"9{os.getpid()}"
    run = sandbox.run(sh(f"(setsid sleep {mark}) & sleep {mark}"), short)
    assert (run.verdict, run.detail) == (Verdict.WALL_LIMIT, "ran for more than 0 s")
    deadline = Deadline(60)
    while left := [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", mark]]:
        assert not deadline.passed, left
    run = sandbox.run(sh("yes"), LIMITS)
    assert (run.verdict, run.detail) == (Verdict.OUTPUT_LIMIT, "printed more than 1 MiB")
    assert b"bytes left out" in run.stdout and len(run.stdout) < 70_000


def test_fault_of_the_walls_is_no_text_of_the_entry(sandbox: PlainSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    run = sandbox.run(sh("echo 'bwrap: Creating new namespace failed' >&2; exit 1"), LIMITS)
    assert (run.verdict, run.stderr) == (Verdict.RUNTIME_ERROR, b"bwrap: Creating new namespace failed\n")
    monkeypatch.setattr("evaluate.sandbox.plain._OF_HOST", ())
    with pytest.raises(SandboxFault, match=r"^bwrap: .*evaluate doctor says what this computer refuses"):
        sandbox.run(sh("true"), LIMITS)


def test_collected_files_are_regular_and_of_the_home(sandbox: PlainSandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("CANARY")
    text = (
        f"echo answer > good; ln -s {tmp_path}/secret link; mkfifo pipe; head -c 2000000 /dev/zero > large; mkdir -p d"
    )
    names = tuple(f"{HOME}/{name}" for name in ("good", "link", "pipe", "large", "absent", "d"))
    run = sandbox.run(sh(text, collect=names), LIMITS)
    assert dict(run.files) == {f"{HOME}/good": b"answer\n"}
    assert set(run.problems) == {f"{HOME}/{name}" for name in ("link", "pipe", "large", "d")}


def test_link_in_the_way_of_an_input_is_not_followed(sandbox: PlainSandbox, tmp_path: Path) -> None:
    (tmp_path / "target").write_text("mine")
    printed(sandbox, f"ln -s {tmp_path}/target r1.dat; ln -s {tmp_path} folder", keep=True)
    assert printed(sandbox, "cat r1.dat", inputs={f"{HOME}/r1.dat": "0/r1.dat"}) == "signal"
    assert (tmp_path / "target").read_text() == "mine"
    with pytest.raises(SandboxFault, match="a link in its way"):
        sandbox.run(sh("true", inputs={f"{HOME}/folder/x": "0/r1.dat"}), LIMITS)


def test_answers_are_gathered_as_far_as_they_are_allowed_under_names_that_a_guest_delivers(
    sandbox: PlainSandbox, tmp_path: Path
) -> None:
    odd = "echo x > \"$(printf 'a\\nb')\"; echo x > \"$(printf '\\377')\"; mkfifo p"
    text = f"cd /output; mkdir d; echo 1 > d/a; ln -s /etc/passwd b; {odd}"
    printed(sandbox, text, output="/output", gather=tmp_path / "g")
    assert [str(path.relative_to(tmp_path / "g")) for path in (tmp_path / "g").rglob("*") if path.is_file()] == ["d/a"]
    few = Limits(instructions=1, wall_seconds=60, answers_bytes=10)
    run = sandbox.run(sh("echo 12345678901 > /output/a", output="/output", gather=tmp_path / "h"), few)
    assert run.verdict is Verdict.OUTPUT_LIMIT


def test_what_needs_the_virtual_machine_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(UsageError, match="container images"),
        PlainHypervisor(tmp_path).boot(Machine(image=IMAGE, container=True)),
    ):
        raise AssertionError("it was booted")


_NESTED = "python3 -c 'import os; [(os.mkdir(chr(100) * 40), os.chdir(chr(100) * 40)) for _ in range(150)]'"


def test_folders_in_each_other_beyond_what_a_path_can_name_are_the_entrys_mistake_and_go(tmp_path: Path) -> None:
    with PlainHypervisor(tmp_path).boot(Machine(image=IMAGE)) as sandbox:
        run = sandbox.run(sh(f"cd /output; {_NESTED}", output="/output", gather=tmp_path / "answers"), LIMITS)
        assert (run.verdict, run.detail.partition(" in each")[0]) == (
            Verdict.OUTPUT_LIMIT,
            "left more than 128 folders",
        )
        printed(sandbox, f"cd /tmp; {_NESTED}; cd {HOME}; {_NESTED}", keep=True)
        with pytest.raises(EntryError, match=r"left its home folder that cannot be copied: .*File name too long"):
            sandbox.run(sh("true"), LIMITS)
    assert [path.name for path in tmp_path.iterdir()] == ["answers"]


@pytest.mark.parametrize("reason", ["No space left on device", "Input/output error", "Disk quota exceeded"])
def test_copy_that_the_host_cannot_make_is_no_mistake_of_the_entry(
    sandbox: PlainSandbox, tmp_path: Path, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cp = tmp_path / "programs/cp"
    cp.parent.mkdir()
    cp.write_text(f"#!/bin/sh\n[ $LC_ALL = C ] && echo 'cp: error writing x: {reason}' >&2; exit 1\n")
    cp.chmod(0o755)
    monkeypatch.setenv("PATH", f"{cp.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(SandboxFault, match=f"its home folder cannot be copied: .*{reason}"):
        sandbox.run(sh("true"), LIMITS)


def test_record_starts_from_what_is_no_file_as_well(sandbox: PlainSandbox) -> None:
    printed(sandbox, "mkfifo pipe; ln -s /nowhere link; mkdir closed; echo x > closed/f; chmod 500 closed", keep=True)
    assert printed(sandbox, "ls; readlink link; cat closed/f") == "closed\nlink\npipe\n/nowhere\nx"
    printed(sandbox, "chmod 0 closed/f", keep=True)
    if os.geteuid() != 0:
        with pytest.raises(EntryError, match=r"cannot be copied: .*closed/f.*Permission denied"):
            sandbox.run(sh("true"), LIMITS)


def test_packages_that_no_run_has_used_for_a_month_go_and_what_killed_runs_left(tmp_path: Path) -> None:
    for name, age in (("used", 1), ("unused", 31)):
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.txt").touch()
        for path in (tmp_path / name, tmp_path / f"{name}.json"):
            path.touch()
            os.utime(path, (time.time() - 40 * 86400,) * 2)
        os.utime(tmp_path / f"{name}.txt", (time.time() - age * 86400,) * 2)
    (tmp_path / ".part-now").mkdir()
    forget(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".part-now", "used", "used.json", "used.txt"]


def test_two_runs_at_once_install_the_same_packages_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, twice, downloads = threading.Event(), threading.Event(), list[Path]()

    def download(_asked: Any, _version: str, work: Path, **_: Any) -> list[Path]:
        (twice if downloads else begun).set()
        downloads.append(work)
        twice.wait(0.5)
        return [work / "a-1-py3-none-any.whl"]

    def tool(argv: list[str], **_: Any) -> bytes:
        if "--target" in argv:
            Path(argv[argv.index("--target") + 1]).mkdir()
        return b"Python 3.11.2"

    monkeypatch.setattr(plain_job, "download", download)
    monkeypatch.setattr(plain_job, "tool", tool)
    layers = PlainLayers(tmp_path, NullMonitor())
    with ThreadPoolExecutor(2) as runs:
        first = runs.submit(layers.wheels, b"a==1")
        assert begun.wait(600)
        assert runs.submit(layers.wheels, b"a==1").result() == first.result()
    assert len(downloads) == 1

"""Saved machines in real guests: what every start from one must keep, and what a room of its own closes."""

import mmap
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB, Limits, Sizes, Verdict
from evaluate.counters.base import probe_instructions
from evaluate.home.recount import agreement, recount
from evaluate.images.image import Image
from evaluate.protocol.guest import PROBE
from evaluate.sandbox import running
from evaluate.sandbox.base import HOME, Command, Machine, Prepared, Sandbox
from evaluate.sandbox.connection import monitor, qemu_pid
from evaluate.sandbox.disks import medium
from evaluate.sandbox.libvirt import LibvirtHypervisor, _digest
from evaluate.sandbox.memory_medium import NUMBER
from evaluate.sandbox.snapshots import MEMORY, STATE, sparse_copy
from evaluate.stages.job import NullMonitor
from tests.conftest import CHECKOUT
from tests.functional.conftest import bash
from tests.support.commands import printed
from tests.support.counted_programs import PROGRAMS, SCRIPTS, write_program

pytestmark = pytest.mark.vm
LIMITS = Limits(instructions=10**11, wall_seconds=120, memory_bytes=512 * MIB)
TRUE = Command(argv=("/bin/true",))
SAME = f"""date +%F.%N; cat /proc/uptime /proc/interrupts; head -c 8 /dev/urandom | od -x; cat /proc/self/stat
cat /proc/sys/kernel/random/boot_id; hostname; seq 3000 | sort -r | md5sum
{SCRIPTS["Python threads"]}"""
"""Shows what tells machines apart, and does some work in several processes and threads."""


@pytest.fixture(scope="module")
def prepared(hypervisor: LibvirtHypervisor, image: Image, folder: Path) -> Prepared:
    with hypervisor.boot(Machine(image=image)) as guest:
        assert guest.run(bash("echo kept >here", keep=True), LIMITS).verdict is Verdict.OK
        return guest.freeze(folder)


@pytest.fixture(scope="module")
def discs(folder: Path) -> dict[str, Path]:
    """The media of two records."""
    return {name: medium(folder / f"{name}.iso", {f"{name}.dat": name.encode() * 1000}) for name in ("A1", "A2")}


@pytest.fixture(scope="module")
def rooms(hypervisor: LibvirtHypervisor, image: Image, prepared: Prepared, discs: dict[str, Path]) -> Iterator[Sandbox]:
    # what every room does, so all that it reads is in memory
    sample = bash(SAME, medium=discs["A1"], inputs={f"{HOME}/A1.dat": "A1.dat"})
    with hypervisor.rooms(Machine(image=image, prepared=prepared), sample, LIMITS) as rooms:
        yield rooms


def test_room_closes_every_way_from_one_record_to_the_next(rooms: Sandbox) -> None:
    """Those of the hostile cases, which try them in namespaces of one machine too."""
    cases = (CHECKOUT / "tests" / "hostile").glob("carry-*")
    programs = [(case / "attack.py").read_text() for case in cases if "steps:" in (case / "expect.yaml").read_text()]
    said = []
    for step in ("leave", "look"):
        script = f'for program; do python3 -c "$program" {step}; done'
        run = rooms.run(Command(argv=("/bin/bash", "-c", script, "bash", *programs)), LIMITS)
        assert run.verdict is Verdict.OK, run.stderr
        said.append(run.stdout.decode())
    assert "GOT" not in said[1] and said[1].count("done") == len(programs) > 5, said


def test_room_has_its_own_record_and_no_other(rooms: Sandbox, discs: dict[str, Path]) -> None:
    for name, other in (("A1", "A2"), ("A2", "A1")):
        script = f"head -c 2 {name}.dat; ls {HOME}/*.dat; ! grep -aq {other}{other} {HOME}/*.dat"
        inputs = {f"{HOME}/{name}.dat": f"{name}.dat"}
        run = rooms.run(bash(script, inputs=inputs, medium=discs[name]), LIMITS)
        assert run.stdout.decode() == f"{name}{HOME}/{name}.dat\n"


def test_rooms_are_the_same_machine_on_the_same_day_and_count_the_same(rooms: Sandbox, discs: dict[str, Path]) -> None:
    command = bash(SAME, medium=discs["A1"], inputs={f"{HOME}/A1.dat": "A1.dat"})
    runs = [rooms.run(command, LIMITS) for _ in range(3)]
    assert runs[0].stdout.startswith(b"2026-01-02.")
    assert len({run.stdout for run in runs}) == 1
    counts = {run.usage.instructions for run in runs}
    assert len(counts) == 1
    assert min(counts) > 10**6


def test_room_writes_to_no_disk(rooms: Sandbox, discs: dict[str, Path]) -> None:
    """A disk answers when the host is ready, and the record takes another course each time."""
    script = "for folder in . /tmp; do head -c 20000000 /dev/zero >$folder/new; done"
    with ExitStack() as stack:
        room = rooms.restore(stack)  # type: ignore[attr-defined]
        run = room.run_alone(bash(script, medium=discs["A1"], inputs={f"{HOME}/A1.dat": "A1.dat"}), LIMITS)
        disks = monitor(room.handle, "query-blockstats")
    assert run.verdict is Verdict.OK
    assert len(disks) > 3
    assert {disk["qdev"]: disk["stats"]["wr_operations"] for disk in disks if disk["stats"]["wr_operations"]} == {}


def test_room_has_little_memory_of_its_own_and_cannot_change_what_the_others_begin_with(
    rooms: Sandbox, hypervisor: LibvirtHypervisor
) -> None:
    """The means of a QEMU that was taken over: its descriptors, one of which is open for writing."""
    if not hypervisor._starter.hands_memory_over:
        pytest.skip("each room has a copy of the memory: this host builds no walls around QEMU, as in a chroot")
    waiting = [room.result()[1] for room in rooms._waiting]  # type: ignore[attr-defined]
    for room in waiting:
        process = Path("/proc", str(qemu_pid(room.handle.name())))
        pages = dict(line.split()[:2] for line in (process / "smaps_rollup").read_text().splitlines()[1:])
        assert int(pages["Private_Dirty:"]) <= 64 << 10, pages
        assert not (room.folder / MEMORY).exists()
        with (process / "fd" / str(NUMBER)).open("r+b", buffering=0) as memory:
            with pytest.raises(PermissionError):
                memory.write(b"other")
            with pytest.raises(PermissionError):
                memory.truncate(0)


def test_program_has_its_true_count_whatever_its_record_is_called(rooms: Sandbox, discs: dict[str, Path]) -> None:
    """Nothing before its command is counted, and the rest is the same for all."""
    counts: dict[int, set[int]] = {}
    for name in ("A1", "Z9", "a-much-longer-name_of.a-record", "S00001"):
        for loops in (1, 2, 5):
            inputs, env = {f"{HOME}/{name}.dat": "A1.dat"}, {"RECORD": name}
            command = Command(argv=(PROBE, str(loops)), cwd="/", inputs=inputs, env=env, medium=discs["A1"])
            run = rooms.run(command, LIMITS)
            assert run.verdict is Verdict.OK, run
            counts.setdefault(loops, set()).add(run.usage.instructions)
    assert counts == {loops: {probe_instructions(loops)} for loops in (1, 2, 5)}


def test_saved_machine_has_the_key_of_every_room(
    hypervisor: LibvirtHypervisor, image: Image, prepared: Prepared, rooms: Sandbox
) -> None:
    """Without it numpy would count differently in another saved machine, by the numbers that it draws when imported."""
    shown = rooms.run(bash("grep -m1 -v '^0* ' /proc/kallsyms; head -1 /proc/kallsyms"), LIMITS)
    assert shown.stdout.startswith(b"0000000000000000 "), "an entry may not see where things are"
    key = hypervisor._key_of_entry(Machine(image=image, prepared=prepared, exact=True), Command(argv=("",)), LIMITS)
    path = hypervisor._snapshots.path / key / MEMORY
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as pages:
        assert pages.find(running.KEY) > 0


def test_limits_hold_in_a_room(rooms: Sandbox) -> None:
    for script, verdict in (
        ("while :; do :; done", Verdict.INSTRUCTION_LIMIT),
        ("python3 -c 'bytearray(1 << 30)'", Verdict.MEMORY_LIMIT),
        ("exit 3", Verdict.RUNTIME_ERROR),
    ):
        run = rooms.run(bash(script), replace(LIMITS, instructions=3 * 10**8))
        assert run.verdict is verdict


def test_room_refuses_a_command_with_another_user_or_other_limits_than_its_machine_was_saved_for(
    rooms: Sandbox,
) -> None:
    for command, limits in ((TRUE, replace(LIMITS, processes=3)), (replace(TRUE, output="/answers"), LIMITS)):
        with pytest.raises(SandboxFault, match="expected the user, folders and limits for which"):
            rooms.run(command, limits)
    assert rooms.run(TRUE, LIMITS).verdict is Verdict.OK


@pytest.mark.long
def test_room_of_an_entry_that_has_filled_a_disk_says_so(hypervisor: LibvirtHypervisor, image: Image) -> None:
    """Its machine is saved without a place, which could not be made."""
    small = Machine(image=image, sizes=Sizes(home_bytes=8 * MIB))
    with hypervisor.runs.new("test") as folder:
        with hypervisor.boot(small) as guest:
            guest.run(bash("head -c 1G /dev/zero >full", keep=True), LIMITS)
            full = guest.freeze(folder)
        with hypervisor.rooms(replace(small, prepared=full), TRUE, LIMITS) as rooms:
            run = rooms.run(TRUE, LIMITS)
    assert (run.verdict, run.detail) == (Verdict.DISK_LIMIT, "filled up /home")
    assert run.stderr == b"nothing can be written: /home filled up\n"


def test_damaged_snapshot_is_noticed_and_the_guest_boots(
    hypervisor: LibvirtHypervisor, image: Image, cold_state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    cold = LibvirtHypervisor(state=cold_state, counter=hypervisor._counter, accelerator="tcg", say=lines.append)
    machine = Machine(image=image)
    key = _digest(cold._facts(machine))
    with hypervisor.boot(machine):  # so that there is a snapshot
        (cold._snapshots.path / key).mkdir()
        for path in (hypervisor._snapshots.path / key).iterdir():
            sparse_copy(path, cold._snapshots.path / key / path.name)
    path = cold._snapshots.path / key / STATE
    path.chmod(0o644)
    path.write_bytes(b"something else")
    with ExitStack() as stack:
        stack.enter_context(cold.boot(machine)).run(Command(argv=("/bin/true",)), LIMITS)
    assert any("is unusable, so this guest boots" in line and "expected" in line for line in lines)
    assert not path.exists()


CINC = load_challenge("cinc2017")


@pytest.mark.long
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_of_the_page_about_clean_rooms_count_the_same_in_every_room(
    name: str, state: Path, hypervisor: object, tmp_path: Path
) -> None:
    if name.endswith(".cpp") and shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    entry = tmp_path / "entry"
    shutil.copytree(CINC.folder / "sample_entry", entry)
    write_program(entry, name)
    rooms = recount(entry, CINC, CINC.quiz.records[0], state, NullMonitor(), times=20)
    assert {run.verdict for _, run in rooms.answered} == {Verdict.OK}
    assert agreement(rooms.counts) == "20 of 20 equal"


@pytest.mark.long
def test_commands_of_the_page_about_clean_rooms_count_the_same_twice(
    hypervisor: LibvirtHypervisor, own_state: Path
) -> None:
    page = (CHECKOUT / "docs" / "clean-room.md").read_text()
    commands = re.findall(r"^evaluate (recount .+)$", page, re.MULTILINE)
    entry = CINC.folder / "sample_entry"
    queued = printed(own_state, "submit", entry, "--challenge", "cinc2017", "--team", "alpha").strip()
    counts = []
    for command in commands:
        words = command.replace("entry.zip", str(entry)).replace(" ID ", f" {queued} ").replace("A00001", "S00001")
        output = printed(own_state, *words.split())
        counts.append(set(re.findall(r"(\d+) instructions", output)))
        assert "3 of 3 equal" in output
    assert [len(different) for different in counts] == [1] * len(commands) == [1, 1]

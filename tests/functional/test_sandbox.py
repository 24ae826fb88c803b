"""Possibilities and limits of a command in a real guest."""

import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from evaluate.confine.ownership import may_pass
from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB, Limits, Sizes, Verdict
from evaluate.images.image import Image
from evaluate.sandbox.base import HOME, Command, Machine
from evaluate.sandbox.connection import qemu_pid
from evaluate.sandbox.disks import medium
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.starting import users_here
from tests.chaos.audit import wait_until
from tests.functional.conftest import bash

pytestmark = pytest.mark.vm
LIMITS = Limits(instructions=10**11, wall_seconds=60, memory_bytes=256 * MIB)


def test_guests_at_the_same_time_are_different_users_and_reach_no_file_of_each_other(
    hypervisor: LibvirtHypervisor, image: Image, state: Path
) -> None:
    if reason := users_here(state, hypervisor.accelerator)[0].sharing.because:
        pytest.skip(f"guests cannot have users of their own: {reason}")
    with hypervisor.boot(Machine(image=image)) as one, hypervisor.boot(Machine(image=image)) as other:
        group = (one.folder / "home.qcow2").stat().st_gid
        guests = [one, other]
        users = [psutil.Process(qemu_pid(guest.handle.name())).uids().real for guest in guests]
        assert len(set(users)) == 2 and 0 not in users
        for guest, user, stranger in zip(guests, users, reversed(users), strict=True):
            disk = guest.folder / "home.qcow2"
            assert disk.stat().st_uid == user
            assert may_pass(guest.folder, (user, group))
            assert not may_pass(guest.folder, (stranger, group))
            reads = ["setpriv", f"--reuid={stranger}", f"--regid={group}", "--clear-groups", "cat"]
            assert subprocess.run([*reads, str(disk)], capture_output=True, check=False).returncode != 0


def test_prepared_disks_carry_over_and_are_not_written_and_a_fault_destroys_their_guest(
    hypervisor: LibvirtHypervisor, image: Image
) -> None:
    with hypervisor.runs.new("test") as folder:
        with hypervisor.boot(Machine(image=image)) as first:
            first.run(bash("echo made >here", keep=True), LIMITS)
            prepared = first.freeze(folder)
        before = prepared.home.read_bytes()
        with pytest.raises(SandboxFault), hypervisor.boot(Machine(image=image, prepared=prepared)) as second:
            run = second.run(bash("cat here; echo more >there", keep=True), LIMITS)
            name = second.handle.name()
            raise SandboxFault("as if")
        assert run.stdout == b"made\n"
        assert prepared.home.read_bytes() == before
    with pytest.raises(SandboxFault, match=f"no QEMU process of domain {name}"):
        qemu_pid(name)
    assert wait_until(lambda: name not in [domain.name() for domain in hypervisor._connection.listAllDomains()], 60)
    assert not (hypervisor.runs.path / name.removeprefix("evaluate-")).exists()


THREADS = r"""
#include <pthread.h>
static void *work(void *nothing)
{
    for (volatile int i = 0; i < 10000000; i++)
        ;
    return nothing;
}
int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
}
"""


def test_count_and_limit_are_those_of_all_processors_together(
    hypervisor: LibvirtHypervisor, image: Image, folder: Path, tmp_path: Path
) -> None:
    """Four threads on four processors, also in a room, count as they do on one."""
    program = tmp_path / "threads"
    subprocess.run(["gcc", "-O1", "-pthread", "-xc", "-", "-o", program], check=True, input=THREADS, text=True)
    four_threads = medium(folder / "records.iso", {"threads": program})
    script = "chmod u+x threads; ./threads; nproc; grep -c ^processor /proc/cpuinfo"
    command = bash(script, inputs={f"{HOME}/threads": "threads"})
    counts = []
    for n in (1, 4):
        limits, machine = replace(LIMITS, processors=n), Machine(image=image, sizes=Sizes(processors=n))
        with hypervisor.boot(replace(machine, records=four_threads)) as guest:
            run = guest.run(command, limits)
            assert guest.run(command, replace(limits, instructions=10**8)).verdict is Verdict.INSTRUCTION_LIMIT
        assert (run.verdict, run.stdout) == (Verdict.OK, f"{n}\n{n}\n".encode())
        counts.append(run.usage.instructions)
    alone = replace(command, medium=four_threads)
    with hypervisor.rooms(machine, alone, limits) as rooms:
        counts += [rooms.run(alone, limits).usage.instructions for _ in range(2)]
        begin, clock = int(time.time()), rooms.run(Command(argv=("/bin/date", "+%s")), limits)
        assert begin <= int(clock.stdout) <= time.time(), "the clock of the host, though it was saved some time ago"
    assert counts[0] > 4 * 10**7 * 3
    assert counts == pytest.approx([counts[0]] * 4, rel=1e-4)


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_qemu_that_is_killed_or_frozen_while_a_program_runs_is_a_fault(
    hypervisor: LibvirtHypervisor, image: Image, number: signal.Signals
) -> None:
    with hypervisor.boot(Machine(image=image)) as guest:
        process = psutil.Process(qemu_pid(guest.handle.name()))
        with ThreadPoolExecutor() as pool:
            running = pool.submit(guest.run, Command(argv=("/bin/sleep", "600")), replace(LIMITS, wall_seconds=5))
            time.sleep(2)
            process.send_signal(number)
            with pytest.raises(SandboxFault):
                running.result()
        with suppress(psutil.NoSuchProcess):
            process.kill()

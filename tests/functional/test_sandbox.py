"""What a command can do in a real guest, and what it cannot."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from evaluate.confine.acl import may_pass
from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB, Limits, Run, Verdict
from evaluate.images.image import Image
from evaluate.sandbox.base import HOME, Command, Machine
from evaluate.sandbox.connection import qemu_pid
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.qemu_users import shared_users
from evaluate.sandbox.running import LibvirtSandbox
from tests.chaos.audit import wait_until

pytestmark = pytest.mark.vm
LIMITS = Limits(instructions=10**11, wall_seconds=60, memory_bytes=256 * MIB)


@pytest.fixture
def bash(sandbox: LibvirtSandbox) -> Callable[..., Run]:
    def run(script: str, limits: Limits = LIMITS, **options: object) -> Run:
        return sandbox.run(Command(argv=("/bin/bash", "-c", script), **options), limits)  # type: ignore[arg-type]

    return run


def test_guest_has_no_network_card(sandbox: LibvirtSandbox, bash: Callable[..., Run]) -> None:
    found = bash("ls /sys/class/net 2>/dev/null; cat /proc/net/dev | tail -n +3 | cut -d: -f1")
    assert found.stdout.split() == [b"lo"]
    refused = bash("exec 3<>/dev/tcp/127.0.0.1/80")
    assert refused.verdict is Verdict.RUNTIME_ERROR


def test_guests_at_the_same_time_are_different_users_and_reach_no_file_of_each_other(
    sandbox: LibvirtSandbox, hypervisor: LibvirtHypervisor, image: Image, state: Path
) -> None:
    if reason := shared_users(state, hypervisor.accelerator).because:
        pytest.skip(f"guests cannot have users of their own: {reason}")
    group = (sandbox.folder / "home.qcow2").stat().st_gid
    with hypervisor.boot(Machine(image=image)) as other:
        guests = [sandbox, other]
        users = [psutil.Process(qemu_pid(guest.handle.name())).uids().real for guest in guests]
        assert len(set(users)) == 2 and 0 not in users
        for guest, user, stranger in zip(guests, users, reversed(users), strict=True):
            disk = guest.folder / "home.qcow2"
            assert disk.stat().st_uid == user
            assert may_pass(guest.folder, (user, group))
            assert not may_pass(guest.folder, (stranger, group))
            reads = ["setpriv", f"--reuid={stranger}", f"--regid={group}", "--clear-groups", "cat"]
            assert subprocess.run([*reads, str(disk)], capture_output=True, check=False).returncode != 0


SERVICE, FIRST, NUMBERS = 64500, 200_000_000, 65_536
"""A user of its own for a test, and its subordinate numbers."""
# the home is longer than libvirt's own place for sockets allows
AS_SERVICE = """
set -e
mount --make-rprivate /
for file in passwd group; do cp /etc/$file .; done
echo "service-test:x:$1:$1::$PWD/firstname.last:/bin/sh" >>passwd
echo "service-test:x:$1:" >>group
for file in subuid subgid; do echo "service-test:$2:$3" >$file; [ -e /etc/$file ] || exit 4; done
for file in passwd group subuid subgid; do chmod 644 $file; mount --bind $file /etc/$file; done
mkdir -m 700 firstname.last run
mkdir -p state/images state/layers
chown -R $1:$1 firstname.last run state
for folder in images layers; do mount --bind "$4/$folder" state/$folder; done
exec setpriv --reuid $1 --regid $1 --init-groups env HOME=$PWD/firstname.last XDG_RUNTIME_DIR=$PWD/run \
    "$5" -m tests.support.two_guests $PWD/state
"""


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a user with subordinate numbers")
def test_two_guests_of_a_service_user_have_two_of_its_subordinate_numbers(state: Path, image: Image) -> None:
    del image  # it is there
    with tempfile.TemporaryDirectory(prefix="ev-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        numbers = [str(number) for number in (SERVICE, FIRST, NUMBERS)]
        argv = ["unshare", "--mount", "sh", "-c", AS_SERVICE, "sh", *numbers, str(state), sys.executable]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        environment.pop("EVALUATE_STATE", None)
        done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        for process in psutil.process_iter(["uids"]):  # the libvirt daemon of this user
            if process.info["uids"] is not None and process.info["uids"].real == SERVICE:
                process.terminate()
    assert done.returncode == 0, done.stdout + done.stderr
    (first, *passes), (second, *others) = [json.loads(line) for line in done.stdout.splitlines()]
    assert first != second
    assert {first, second} <= set(range(FIRST + NUMBERS // 2, FIRST + NUMBERS))
    assert passes == others == [True, False], "each passes its own folder, and not the other's"


def test_calibration_error_is_within_the_tolerance(sandbox: LibvirtSandbox) -> None:
    assert sandbox.counter.kind == "tcg"
    assert abs(sandbox.counter.calibration_error) < 1e-3


def test_command_runs_as_challenge_in_a_world_of_its_own(bash: Callable[..., Run]) -> None:
    found = bash("id -un; pwd; ls /proc | grep -c '^[0-9]'; ls -A /run /sys /mnt; ls /dev/vport* /dev/vd* 2>&1; exit 3")
    assert (found.verdict, found.exit_code) == (Verdict.RUNTIME_ERROR, 3)
    lines = found.stdout.decode().splitlines()
    assert lines[:2] == ["challenge", HOME]
    assert int(lines[2]) <= 5  # init, bash, ls, grep
    assert lines[3:9] == ["/mnt:", "", "/run:", "", "/sys:"] or "/run:" in lines
    assert "cannot access '/dev/vport*'" in found.stdout.decode()
    assert "cannot access '/dev/vd*'" in found.stdout.decode()


@pytest.mark.parametrize(
    "attempt",
    [
        "mknod /tmp/disk b 254 0",
        "mount -t tmpfs none /mnt",
        "unshare -U true",
        "unshare -n true",
        "echo b >/proc/sysrq-trigger",
        "echo 1 >/proc/sys/kernel/randomize_va_space",
        "cat /proc/kmsg",
        "dmesg",
        "chroot / true",
        "cat /proc/1/environ",
        "ls /proc/1/root/",
        "cat /etc/shadow",
        "touch /etc/here",
        "su -c true",
        "cp /bin/bash /tmp/b && chmod 4755 /tmp/b && /tmp/b -p -c '[ $EUID -eq 0 ]'",
    ],
)
def test_what_needs_a_right_is_refused(bash: Callable[..., Run], attempt: str) -> None:
    assert bash(attempt).verdict is Verdict.RUNTIME_ERROR


def test_killing_everything_kills_only_the_command(bash: Callable[..., Run]) -> None:
    assert bash("kill -9 -1").verdict in (Verdict.OK, Verdict.RUNTIME_ERROR)
    assert bash("true").verdict is Verdict.OK


def test_background_process_that_holds_standard_output_delays_nothing(bash: Callable[..., Run]) -> None:
    found = bash("trap '' TERM HUP; (sleep 1000) & disown; echo done")
    assert (found.verdict, found.stdout) == (Verdict.OK, b"done\n")
    assert found.usage.wall_seconds < 30


def test_record_leaves_nothing_behind_and_setup_stays(bash: Callable[..., Run]) -> None:
    assert bash("echo kept >from_setup; touch /tmp/from_setup", keep=True).verdict is Verdict.OK
    wrote = bash("cat from_setup; echo changed >from_setup; touch new /tmp/new /var/tmp/new /dev/shm/new")
    assert wrote.stdout == b"kept\n"
    left = bash("cat from_setup; ls /tmp /var/tmp /dev/shm; ls new")
    assert left.stdout == b"kept\n/dev/shm:\n\n/tmp:\n\n/var/tmp:\n"
    assert left.verdict is Verdict.RUNTIME_ERROR


@pytest.mark.parametrize(
    ("script", "verdict"),
    [
        (":(){ :|:& };: ; wait; sleep 60", Verdict.PROCESS_LIMIT),
        ("python3 -c 'bytearray(1 << 30)'", Verdict.MEMORY_LIMIT),
        ("sh -c 'python3 -c \"bytearray(1 << 30)\"; true'", Verdict.MEMORY_LIMIT),
        ("yes", Verdict.OUTPUT_LIMIT),
        ("yes >&2", Verdict.OUTPUT_LIMIT),
        ("sleep 60", Verdict.WALL_LIMIT),
        ("while :; do :; done", Verdict.INSTRUCTION_LIMIT),
        ("while :; do :; done & sleep 60", Verdict.INSTRUCTION_LIMIT),
        ("dd if=/dev/zero of=/tmp/big bs=1M", Verdict.DISK_LIMIT),
        ("kill -SEGV $$", Verdict.RUNTIME_ERROR),
        ("no_such_program", Verdict.RUNTIME_ERROR),
    ],
)
def test_each_limit_has_its_verdict(bash: Callable[..., Run], script: str, verdict: Verdict) -> None:
    limits = {
        Verdict.WALL_LIMIT: replace(LIMITS, wall_seconds=5),
        Verdict.INSTRUCTION_LIMIT: replace(LIMITS, instructions=2 * 10**9, wall_seconds=600),
    }
    assert bash(script, limits.get(verdict, LIMITS)).verdict is verdict


def test_overshoot_of_the_instruction_limit_is_bounded(bash: Callable[..., Run]) -> None:
    limit = 2 * 10**9
    found = bash("while :; do :; done", Limits(instructions=limit, wall_seconds=1800))
    assert limit < found.usage.instructions < 1.25 * limit


def test_count_of_the_same_command_repeats(bash: Callable[..., Run]) -> None:
    counts = [bash("for i in {1..20000}; do :; done").usage.instructions for _ in range(3)]
    assert (max(counts) - min(counts)) / min(counts) < 1e-3


def test_long_output_keeps_its_beginning_and_its_end(bash: Callable[..., Run]) -> None:
    found = bash("seq 1 200000")
    assert found.stdout.startswith(b"1\n2\n")
    assert found.stdout.endswith(b"\n200000\n")
    assert "bytes left out" in found.stdout.decode()
    assert len(found.stdout) < 70_000
    assert found.usage.output_bytes == 1288895


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("ln -s /etc/passwd answers.txt", "not a regular file"),
        ("mkfifo answers.txt", "not a regular file"),
        ("mkdir answers.txt", "not a regular file"),
        ("head -c 2000000 /dev/zero >answers.txt", "larger than 1048576 bytes"),
        ("echo x >answers.txt; chmod 000 answers.txt", "Permission denied"),
    ],
)
def test_answer_that_is_no_small_regular_file_is_not_fetched(
    bash: Callable[..., Run], script: str, problem: str
) -> None:
    path = f"{HOME}/answers.txt"
    found = bash(script, collect=(path,))
    assert (dict(found.files), dict(found.problems)) == ({}, {path: problem})


def test_collected_and_missing_files(bash: Callable[..., Run]) -> None:
    found = bash("printf 'A,N' >a", collect=(f"{HOME}/a", f"{HOME}/b"))
    assert (dict(found.files), dict(found.problems)) == ({f"{HOME}/a": b"A,N"}, {})


def test_entry_may_ruin_its_own_world_only(bash: Callable[..., Run]) -> None:
    for script in (
        "rm -rf ~ 2>/dev/null; cd /; rmdir ~; true",
        "chmod 000 ~",
        "cd ~; mkdir -p $(printf 'd/%.0s' {1..1500})",
    ):
        bash(script, remove=(f"{HOME}/answers.txt",), collect=(f"{HOME}/answers.txt",))
    assert bash("echo fine").stdout == b"fine\n"


def test_prepared_disks_carry_over_and_are_not_written(
    hypervisor: LibvirtHypervisor, image: Image, tmp_path: Path
) -> None:
    with hypervisor.runs.new("test") as folder:
        with hypervisor.boot(Machine(image=image)) as first:
            first.run(Command(argv=("/bin/bash", "-c", "echo made >here"), keep=True), LIMITS)
            prepared = first.freeze(folder)
        before = prepared.home.read_bytes()
        with hypervisor.boot(Machine(image=image, prepared=prepared)) as second:
            found = second.run(Command(argv=("/bin/bash", "-c", "cat here; echo more >there"), keep=True), LIMITS)
        assert found.stdout == b"made\n"
        assert prepared.home.read_bytes() == before


def test_same_command_in_fresh_guests_counts_the_same(hypervisor: LibvirtHypervisor, image: Image) -> None:
    counts = []
    for _ in range(2):
        with hypervisor.boot(Machine(image=image)) as guest:
            command = Command(argv=("/usr/bin/python3", "-c", "print(sum(i * i for i in range(20000)))"))
            counts.append(guest.run(command, LIMITS).usage.instructions)
    assert abs(counts[0] - counts[1]) / counts[0] < 1e-3


def test_fault_destroys_the_guest(hypervisor: LibvirtHypervisor, image: Image) -> None:
    with pytest.raises(SandboxFault), hypervisor.boot(Machine(image=image)) as guest:
        name = guest.live_xml.split("<name>")[1].split("</name>")[0]
        raise SandboxFault("as if")
    with pytest.raises(SandboxFault, match=f"no QEMU process of domain {name}"):
        qemu_pid(name)
    assert wait_until(lambda: name not in [one.name() for one in hypervisor._connection.listAllDomains()], 60)
    assert not (hypervisor.runs.path / name.removeprefix("evaluate-")).exists()

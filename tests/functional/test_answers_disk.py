"""Folders in and out of a real guest: records mounted read-only, answers by a disk, containers under their own root."""

import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tarfile import DIRTYPE

import pytest

from evaluate.core.model import MIB, Limits, User, Verdict
from evaluate.images.image import Image
from evaluate.sandbox.base import Command, Machine
from evaluate.sandbox.disks import medium
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.running import LibvirtSandbox
from tests.functional.conftest import bash
from tests.support.oci_images import layer, special, squashed

pytestmark = pytest.mark.vm
LIMITS = Limits(instructions=10**12, wall_seconds=300, memory_bytes=256 * MIB, answers_bytes=256 * MIB)
BIG = os.urandom(1 << 20) * 100


@pytest.fixture(scope="module")
def records(folder: Path) -> Path:
    volume = folder / "volume"
    volume.write_bytes(BIG)
    files: dict[str, Path | bytes] = {"0/RECORDS": b"p1/a\np1/b\n", "0/p1/a.txt": b"first", "0/p1/b.txt": b"second"}
    return medium(folder / "records.iso", {**files, "1/volume": volume})


@pytest.fixture(scope="module")
def guest(hypervisor: LibvirtHypervisor, image: Image, records: Path) -> Iterator[LibvirtSandbox]:
    with hypervisor.boot(Machine(image=image, records=records, answers_bytes=LIMITS.answers_bytes)) as sandbox:
        yield sandbox


def shell(script: str, folder: Path, batch: str = "0") -> Command:
    return bash(script, mounts={"/input": batch}, output="/output", gather=folder / "answers")


def test_records_are_there_and_answers_come_back_as_regular_files_none_of_which_leads_away(
    guest: LibvirtSandbox, tmp_path: Path
) -> None:
    script = r"""
        cd /input; for r in $(cat RECORDS); do mkdir -p /output/${r%/*}; rev $r.txt >/output/$r.out; done
        cd /output; ln -s /etc/passwd link; ln -s /etc folder; mkfifo pipe
        echo line >$'new\nline'; echo back >$'back\x01'; echo umlaut >$'\xff'; : >.hidden
    """
    run = guest.run(shell(script, tmp_path), LIMITS)
    assert run.verdict is Verdict.OK, run.stderr
    texts = {str(p.relative_to(tmp_path / "answers")): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert texts == {"p1/a.out": b"tsrif", "p1/b.out": b"dnoces", ".hidden": b""}


def test_input_is_read_only_and_alone_and_a_volume_of_100_mb_goes_in_and_out_unchanged_and_is_bounded(
    guest: LibvirtSandbox, tmp_path: Path
) -> None:
    """And what the command before has answered is gone."""
    script = "ls /input; touch /input/x && exit 9; mount | grep -c volume; ls -A /output; cp /input/volume /output"
    run = guest.run(shell(script, tmp_path, "1"), LIMITS)
    assert run.stdout.split() == [b"volume", b"0"]
    assert run.verdict is Verdict.OK and b"Read-only file system" in run.stderr
    with (tmp_path / "answers" / "volume").open("rb") as f:
        assert hashlib.file_digest(f, "sha256").digest() == hashlib.sha256(BIG).digest()
    run = guest.run(shell(script, tmp_path, "1"), replace(LIMITS, answers_bytes=MIB))
    assert (run.verdict, run.detail) == (Verdict.OUTPUT_LIMIT, "left more than 1 MiB in its folder of answers")


BUSYBOX = shutil.which("busybox", path="/bin:/usr/bin")


@pytest.fixture(scope="module")
def container(hypervisor: LibvirtHypervisor, image: Image, records: Path, folder: Path) -> Iterator[LibvirtSandbox]:
    """A guest whose root is a tree with nothing but a static busybox, its owners shifted as for a container."""
    if BUSYBOX is None or subprocess.run(["ldd", BUSYBOX], check=False, capture_output=True).returncode == 0:
        pytest.skip("no static busybox (Debian package busybox-static)")
    folders = [(name, None) for name in ("bin", "dev", "proc", "var", "run", "input", "output", "root")]
    common = [special(name, DIRTYPE, mode=0o1777, uid=100_000, gid=100_000) for name in ("tmp", "var/tmp")]
    trees = (
        layer(("secret", b"of root"), mode=0o600, uid=100_000),
        layer(("hers", b"of 1001"), mode=0o600, uid=101_001),
        layer(*folders, ("bin/busybox", Path(BUSYBOX).read_bytes()), extra=common, uid=100_000),
    )
    layers = [squashed(folder / f"{n}.squashfs", tree) for n, tree in enumerate(trees)]
    machine = Machine(image=image, layers=layers, records=records, container=True, answers_bytes=LIMITS.answers_bytes)
    with hypervisor.boot(machine) as sandbox:
        yield sandbox


def in_container(script: str, folder: Path, user: User) -> Command:
    env, argv = {"PATH": "/nowhere:/bin", "GREETING": "hello"}, ("busybox", "sh", "-c", script)
    return replace(shell("", folder), argv=argv, env=env, cwd="/", user=user)


def test_container_runs_as_its_own_root_and_has_no_right_outside(container: LibvirtSandbox, tmp_path: Path) -> None:
    script = """
        busybox id -u; busybox cat secret; echo; busybox chown 5:5 /root; busybox cat /input/RECORDS
        busybox mount -t tmpfs x /tmp && exit 8
        busybox unshare -U true && exit 9
        busybox mknod /tmp/disk b 254 0 && exit 10
        busybox ls /home /usr /lib && exit 11
        echo $GREETING $HOME >/output/said; busybox touch /here
    """
    run = container.run(in_container(script, tmp_path, User(uid=0, gid=0)), LIMITS)
    assert run.verdict is Verdict.RUNTIME_ERROR or run.verdict is Verdict.OK, run.detail
    assert run.stdout.decode().splitlines() == ["0", "of root", "p1/a", "p1/b"], run.stderr
    assert (tmp_path / "answers" / "said").read_text() == "hello\n"


def test_container_runs_as_the_user_that_the_image_names(container: LibvirtSandbox, tmp_path: Path) -> None:
    script = "busybox id -u; busybox id -g; busybox cat hers; busybox cat secret; "
    script += "echo mine >/output/mine; busybox chown 0 /output/mine"
    run = container.run(in_container(script, tmp_path, User(uid=1001, gid=1002)), LIMITS)
    assert run.stdout.decode().split() == ["1001", "1002", "of", "1001"], run.stderr
    assert run.verdict is Verdict.RUNTIME_ERROR
    assert (tmp_path / "answers" / "mine").read_text() == "mine\n"

"""What all processes of a guest or a reader use together is bounded, where the host lets this program make groups."""

import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from evaluate.confine import control_groups
from evaluate.confine.control_groups import GroupLimits, group_of
from tests.support.commands import output_of

LIMITS = GroupLimits(memory_bytes=256 << 20, processes=20, processors=1)
SHOWS = "grep ^0:: /proc/self/cgroup"
BEGIN = f"""
import os, subprocess, sys
from pathlib import Path
from evaluate.confine.control_groups import GroupLimits, bound, delegated, group_of, own_group
from evaluate.confine import children
LIMITS = {LIMITS!r}
"""


@pytest.fixture
def delegation() -> Iterator[Path]:
    """A group that looks to whoever is in it as if systemd had delegated it."""
    try:
        own = group_of()
        assert own is not None
        mount = next(folder for folder in (own, *own.parents) if not (folder / "cgroup.type").exists())
        top = mount / f"evaluate-test-{secrets.token_hex(4)}"
        top.mkdir()
        os.setxattr(top, "user.delegate", b"1")
    except (OSError, AssertionError) as e:
        pytest.skip(f"this machine has no control groups (v2) in which this user may make one: {e}")
    for name in control_groups.CONTROLLERS:
        with suppress(OSError):
            (mount / "cgroup.subtree_control").write_text(f"+{name}")
    yield top
    (top / "cgroup.kill").write_text("1")
    for folder, _, _ in os.walk(top, topdown=False):
        while Path(folder).exists():
            with suppress(OSError):
                Path(folder).rmdir()


def inside(top: Path, code: str) -> list[str]:
    """What Python code prints that begins in a group."""
    enter = 'echo 0 >"$0" && exec "$@"'
    return output_of("sh", "-c", enter, top / "cgroup.procs", sys.executable, "-c", BEGIN + code).splitlines()


def test_process_runs_in_a_group_of_its_own_and_is_killed_with_it(delegation: Path) -> None:
    own, path, supervisor, bounded, end = inside(
        delegation,
        "with own_group('guest', LIMITS) as group:\n"
        f"    print(subprocess.run([*group.entering, 'sh', '-c', '{SHOWS}'], stdout=-1, text=True).stdout.strip())\n"
        "    print(group.path)\n"
        "    left = subprocess.Popen([*group.entering, 'setsid', 'sleep', '600'])\n"
        "    while (group.path / 'cgroup.procs').read_text() == '': pass\n"
        f"print(subprocess.run(['sh', '-c', '{SHOWS}'], stdout=-1, text=True).stdout.strip())\n"
        f"argv, env = ['sh', '-c', '{SHOWS}'], dict(os.environ)\n"
        "print(children.run(argv, env=env, cwd=Path('/'), seconds=20, most_bytes=1 << 20).stdout.strip())\n"
        "print(left.wait(), group.path.exists(), group.ran_out_of_memory)\n",
    )
    assert own == f"0::/{delegation.name}/{Path(path).name}" and Path(path).name.startswith("guest-")
    assert supervisor == f"0::/{delegation.name}/supervisor", "beside it"
    assert bounded.startswith(f"0::/{delegation.name}/reader-"), "bounded children, too"
    assert end == "-9 False False"


@pytest.mark.parametrize("own", ["machine.slice/machine-qemu\\x2d1.scope", "machine/qemu-1-guest.libvirt-qemu"])
def test_group_of_one_guest_is_bounded_and_none_above_where_others_will_be(delegation: Path, own: str) -> None:
    lines = inside(
        delegation,
        f"inner = delegated() / {own!r} / 'libvirt/emulator'\n"
        "inner.mkdir(parents=True)\n"
        "argv = ['sh', '-c', 'echo 0 >\"$0\" && exec sleep 600', str(inner / 'cgroup.procs')]\n"
        "one = subprocess.Popen(argv)\n"
        "while (inner / 'cgroup.procs').read_text() == '': pass\n"
        "written = []\n"
        "from evaluate.confine import control_groups\n"
        "control_groups._set = lambda file, value: written.append(file)\n"
        "bound(one.pid, LIMITS)\n"
        "one.kill()\n"
        "print({file.parent.name for file in written})\n",
    )
    assert lines == [str({Path(own).name})]


@pytest.mark.parametrize("controller", control_groups.CONTROLLERS)
def test_limits_are_those_of_the_kernel(delegation: Path, controller: str) -> None:
    if controller not in (delegation / "cgroup.controllers").read_text().split():
        pytest.skip(f"this machine has the controller {controller} not in v2")
    wanted = {name: value for name, value in LIMITS.settings.items() if name.startswith(f"{controller}.")}
    lines = inside(
        delegation,
        "with own_group('guest', LIMITS) as group:\n"
        f"    for name in {list(wanted)}:\n"
        "        if (group.path / name).exists(): print(name, (group.path / name).read_text().strip(), sep='=')\n",
    )
    assert lines and all(wanted[name] == value for name, _, value in (line.partition("=") for line in lines))


def test_memory_of_several_processes_is_bounded_together(delegation: Path) -> None:
    if "memory" not in (delegation / "cgroup.controllers").read_text().split():
        pytest.skip("this machine has the controller memory not in v2")
    lines = inside(
        delegation,
        "eats = 'import time; x = bytearray(100 << 20); x[::4096] = bytes(len(x[::4096])); time.sleep(600)'\n"
        "with own_group('reader', LIMITS) as group:\n"
        "    many = [subprocess.Popen([*group.entering, sys.executable, '-c', eats]) for _ in range(4)]\n"
        "    print({one.wait() for one in many}, group.ran_out_of_memory)\n",
    )
    assert lines == ["{-9} True"]


def test_nothing_is_made_where_nothing_is_delegated(delegation: Path) -> None:
    os.removexattr(delegation, "user.delegate")
    assert inside(delegation, "with own_group('guest', LIMITS) as group: print(group)") == ["None"]
    assert [path for path in delegation.iterdir() if path.is_dir()] == []

"""What a process behind QEMU's walls reaches: a shell in QEMU's place."""

import subprocess
from pathlib import Path

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.sandbox.qemu_walls import VARIABLE, orders, refused, starter
from tests.unit.sandbox.conftest import Walled


def test_only_what_is_ordered_is_there_and_only_as_it_is_ordered(walled: Walled, tmp_path: Path) -> None:
    for name in ("read", "write", "other"):
        (tmp_path / name).write_text(f"of {name}\n")
    paths = {"reads": [tmp_path / "read"], "writes": [tmp_path / "write"], "shows": [tmp_path]}
    script = f"cd {tmp_path}; cat read; echo x >read; cat write; echo changed >write; cat other; ls; : >new"
    lines = walled(f"{script}; cat /etc/passwd", **paths).stdout.splitlines()
    assert [line for line in lines if line.startswith("of")] == ["of read", "of write"]
    assert sum("denied" in line for line in lines) == 4 and "No such file" in lines[-1]
    assert (tmp_path / "write").read_text() == "changed\n"
    assert (tmp_path / "read").read_text() == "of read\n" and not (tmp_path / "new").exists()


def test_it_has_namespaces_of_its_own_no_right_and_its_process_number(shell: Path) -> None:
    with subprocess.Popen(
        [str(shell), "-c", "echo; read line"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={VARIABLE: "", "PATH": "/usr/bin"},
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        process.stdout.readline()
        own = Path(f"/proc/{process.pid}")
        for name in ("user", "mnt", "net", "ipc", "uts", "cgroup"):
            assert (own / "ns" / name).readlink() != Path("/proc/self/ns", name).readlink()
        interfaces = (own / "net" / "dev").read_text().splitlines()[2:]
        assert [line.split(":")[0].strip() for line in interfaces] == ["lo"]
        status = dict(line.split(":\t") for line in (own / "status").read_text().splitlines() if ":\t" in line)
        assert status["NoNewPrivs"] == "1"
        process.stdin.close()


def test_it_enters_its_control_group_first(walled: Walled, tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").write_text("\n")
    done = walled("echo well", group=tmp_path)
    assert (done.returncode, done.stdout, (tmp_path / "cgroup.procs").read_text()[:1]) == (0, "well\n", "0")
    done = walled("echo well", group=tmp_path / "gone")
    assert done.returncode != 0 and "gone/cgroup.procs: No such file" in done.stdout


_CALLS = """
import ctypes, socket
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_NETLINK, socket.AF_VSOCK):
    try:
        socket.socket(family).close()
        print(int(family), "opened")
    except OSError as e:
        print(int(family), e.strerror)
libc = ctypes.CDLL(None, use_errno=True)
for number in (425, 426, 427):
    libc.syscall(number, 1, 0)
    print(number, ctypes.get_errno())
"""


def test_it_opens_sockets_of_the_file_system_alone(walled: Walled, tmp_path: Path) -> None:
    """Those of virtual machines are in no namespace, and io_uring opens them beside a filter."""
    (tmp_path / "calls.py").write_text(_CALLS)
    lines = walled(f"/usr/bin/python3 -I {tmp_path}/calls.py", reads=[tmp_path]).stdout.splitlines()
    refused_ones = [f"{int(family)} Operation not permitted" for family in (2, 16, 40)]
    assert lines == ["1 opened", *refused_ones, "425 1", "426 1", "427 1"]


def test_without_orders_it_is_the_program_itself_and_a_wall_that_cannot_be_built_ends_it(shell: Path) -> None:
    done = subprocess.run([str(shell), "-c", "cat /etc/passwd"], capture_output=True, text=True, check=False)
    assert "root:" in done.stdout
    numbers_of_nobody = (5, 5)
    assert "the walls of this guest: a user number of its own" in refused(shell, None, numbers_of_nobody)


def test_path_that_would_be_another_order_and_a_program_that_is_not_there_are_refused(tmp_path: Path) -> None:
    for name in ("a|write /etc", "a\nb"):
        with pytest.raises(SandboxFault, match="choose another --state"):
            orders(reads=[tmp_path / name], writes=())
    with pytest.raises(SandboxFault, match="no-such-qemu is not installed"):
        starter(tmp_path, "no-such-qemu")

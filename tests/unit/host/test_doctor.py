"""What the doctor finds out about this machine, its walls, and settings that an attacker could use."""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluate.confine.ownership import opens
from evaluate.core.errors import Fault
from evaluate.host import doctor, isolation
from evaluate.host.doctor import chroot_check, diagnose, gpus_check, users_check
from evaluate.host.finding import Check
from evaluate.host.isolation import exposures, in_chroot, walls_check
from evaluate.host.state import daemon_check
from evaluate.sandbox.qemu_walls import Sharing
from tests.support.commands import output_of, run
from tests.support.passable import AS_ANOTHER_USER

PROBE = """
import sys
from evaluate.host import doctor
doctor.default_uri, doctor._REAPED_SECONDS = lambda: "qemu:///session", float(sys.argv[1])
(check,) = doctor.orphans_check()
assert check.ok or "--init" in check.found
print(check.ok)
"""


@pytest.mark.parametrize(("reaper", "reaps", "seconds"), [(("tini", "-s", "--"), True, "60"), ((), False, "1")])
def test_process_one_that_reaps_no_orphans_is_named(reaper: tuple[str, ...], reaps: bool, seconds: str) -> None:
    """Process 1 of the namespace is the probe itself, which reaps nothing, unless a reaper stands in between."""
    if reaper and shutil.which(reaper[0]) is None:
        pytest.skip("no tini on this machine (Debian package tini)")
    alone = ("unshare", "--pid", "--fork", "--mount-proc", *(() if os.geteuid() == 0 else ("--map-root-user",)))
    assert output_of(*alone, *reaper, sys.executable, "-c", PROBE, seconds) == f"{reaps}\n"


_IN_CHROOT = """
from evaluate.host.doctor import chroot_check
from evaluate.host.isolation import walls_check
print(*(check.found for check in chroot_check()), walls_check().found, sep="\\n")
"""
_BOUND = 'mount --rbind / "$0" && exec chroot "$0" "$@"'


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can change its root")
@pytest.mark.parametrize("who", ["root", pytest.param("nobody", marks=AS_ANOTHER_USER)])
def test_chroot_is_named_where_it_refuses_namespaces(who: str, tmp_path: Path) -> None:
    """One that is a mount point, as those of schroot and sbuild are."""
    become = () if who == "root" else ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")
    alone = ("unshare", "--mount", "--propagation", "private", "sh", "-c", _BOUND, str(tmp_path))
    told = output_of(*alone, *become, sys.executable, "-c", _IN_CHROOT)
    assert "in a chroot (schroot, sbuild) the kernel gives ordinary users no namespaces" in told


def test_machine_that_is_no_chroot_is_not_called_one() -> None:
    if not in_chroot():
        assert chroot_check() == []
        assert "chroot" not in walls_check().found


def test_shared_user_comes_with_the_command_that_ends_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    sharing = Sharing("there are no numbers", ("usermod", "--add-subuids", "2000000-2065535", "evaluate"))
    monkeypatch.setattr("evaluate.host.doctor.users_here", lambda *_: (SimpleNamespace(sharing=sharing), []))
    check = users_check(tmp_path)
    assert (check.ok, check.needed, check.by_hand) == (False, False, True)
    assert check.found.endswith("there are no numbers")
    assert check.remedy_text.endswith("usermod --add-subuids 2000000-2065535 evaluate")


def test_gpu_that_guests_cannot_get_is_named(tmp_path: Path) -> None:
    assert gpus_check(tmp_path) == []
    (tmp_path / "evaluate.yaml").write_text('gpus: ["0fff:65:00.0"]\n')
    (check,) = gpus_check(tmp_path)
    assert not check.ok and check.found.startswith("GPU 0fff:65:00.0: there is no such PCI device")


def test_daemon_that_would_be_root_is_named(tmp_path: Path) -> None:
    check = daemon_check(tmp_path)
    assert check.ok == (os.geteuid() != 0)
    if not check.ok:
        assert str(tmp_path) in check.found and check.remedy_text.endswith(f"chown -R evaluate: {tmp_path}")


def test_a_missing_binding_is_found_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("evaluate.host.doctor.importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr("evaluate.sandbox.connection.libvirt", None)
    checks = diagnose(tmp_path)
    (binding,) = [one for one in checks if not one.ok and "libvirt-python" in one.found]
    assert binding.name == "binding"
    compiled, installed = binding.remedy
    assert {"gcc", "libc6-dev", "libvirt-dev", "pkg-config", "python3-dev"} <= set(compiled)
    assert installed[0] == sys.executable  # with pipx, `pip` belongs to the system, which refuses it


def test_doctor_is_short_for_a_participant_and_whole_for_a_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = [
        Check(name="libvirt", ok=True, found="there"),
        Check(name="kvm", ok=False, needed=False, found="no /dev/kvm"),
        Check(name="images", ok=False, found="none", remedy=(("evaluate", "demo"),)),
    ]
    monkeypatch.setattr("evaluate.host.doctor.diagnose", lambda _: checks)
    monkeypatch.setattr("evaluate.host.doctor.repair", lambda _: None)

    def lines(*words: str) -> list[str]:
        return run(tmp_path, "doctor", *words).stdout.splitlines()

    short = lines()
    assert [line.split()[0] for line in short] == ["miss", "repair:", "evaluate"]
    assert lines("--fix") == short  # as at the end of ./run setup
    assert [line.split()[0] for line in lines("--all")] == ["ok", "note", "miss", "repair:"]
    (tmp_path / "evaluate.yaml").write_text("host: green\n")
    assert lines() == lines("--all")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can open a file as another user")
@pytest.mark.parametrize(
    ("mode", "owner", "group", "may"),
    [
        (0o660, 0, 993, True),
        (0o660, 0, 994, False),
        (0o666, 0, 0, True),
        (0o600, 64055, 0, True),
        (0o606, 0, 993, False),
    ],
)
def test_kvm_is_judged_by_what_the_user_of_qemu_really_opens(mode: int, owner: int, group: int, may: bool) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        device = Path(folder) / "kvm"
        device.touch()
        os.chown(device, owner, group)
        device.chmod(mode)
        assert opens(device, 64055, 64055, [993]) is may


@pytest.mark.parametrize(
    ("said", "status", "ok", "meaning"),
    [
        ("254321,,instructions:u,200000,100.00,,", 0, True, "the processor counts: 254321"),
        (
            "<not counted>,,cpu_atom/instructions:u/,0,0.00,,\n54321,,cpu_core/instructions:u/,9,100.00,,",
            0,
            True,
            "the processor counts: 54321",
        ),
        ("<not supported>,,instructions:u,0,100.00,,", 0, False, "guests are emulated"),
        ("Error: No permission to enable instructions:u event.", 0, False, "perf may not count"),
        # Ubuntu's perf is a script that ends with 2 where the package of the running kernel is not installed
        ("WARNING: perf not found for kernel", 2, False, "does not run on this kernel"),
    ],
)
def test_finding_about_the_processors_counters_says_what_it_means(
    tmp_path: Path, said: str, status: int, ok: bool, meaning: str
) -> None:
    perf = tmp_path / "perf"
    perf.write_text(f"#!/bin/sh\nprintf '%s\\n' '{said}' >&2\nexit {status}\n")
    perf.chmod(0o755)
    check = doctor.pmu_check(str(perf))
    assert (check.ok, check.needed, meaning in check.found) == (ok, False, True)
    assert status == 0 or check.remedy[0][-1] == f"linux-tools-{os.uname().release}"
    assert doctor.pmu_check("no-such-perf").found.startswith("unknown")


def test_walls_are_tried_for_real() -> None:
    check = isolation.walls_check()
    assert check.ok and check.needed, check.found
    assert "walled in" in check.found


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that refuses the walls."""

    def refused(*_: object) -> None:
        raise Fault("trying the walls: no process can be walled in on this machine")

    monkeypatch.setattr(isolation, "isolated", refused)


@pytest.mark.usefixtures("refusing")
def test_host_that_refuses_gets_the_repair(tmp_path: Path) -> None:
    for name, value, remedy in (
        ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "apparmor_parser -r /etc/apparmor.d/bwrap"),
    ):
        setting = tmp_path / "proc/sys" / name
        setting.parent.mkdir(parents=True, exist_ok=True)
        setting.write_text(f"{value}\n")
        check = isolation.walls_check(tmp_path)
        assert (check.ok, check.found) == (False, "trying the walls: no process can be walled in on this machine")
        assert remedy in check.remedy_text
        setting.write_text("7\n")
        assert isolation.walls_check(tmp_path).remedy == ()


@pytest.mark.usefixtures("refusing")
@pytest.mark.parametrize("marker", [".dockerenv", "run/.containerenv"])
def test_a_container_is_told_what_it_must_be_allowed(tmp_path: Path, marker: str) -> None:
    (tmp_path / marker).parent.mkdir(exist_ok=True)
    (tmp_path / marker).touch()
    found = isolation.walls_check(tmp_path).found
    assert "--security-opt seccomp=unconfined" in found and "unmask=ALL" in found
    written = (Path(__file__).parents[3] / "docs" / "container.md").read_text()
    options = [word for word in found.replace(",", " ").split() if "=" in word]
    assert len(options) == 4 and all(option in written for option in options)


@pytest.mark.parametrize(
    ("known", "service", "found", "command"),
    [
        ("cpuset cpu io memory pids", "cpu io memory pids", "in evaluate.service", ""),
        ("cpuset cpu io memory pids", "", "nobody has delegated any", "systemctl restart evaluate.service"),
        ("cpu pids", "", "no control groups of version 2 with io, memory", ""),
    ],
)
def test_groups_of_the_service_or_what_is_missing_for_them_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, known: str, service: str, found: str, command: str
) -> None:
    monkeypatch.setattr(isolation, "delegated", lambda: None)
    monkeypatch.setattr(isolation, "mounted", lambda: tmp_path)
    (tmp_path / "cgroup.controllers").write_text(known)
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    (tmp_path / "systemctl").write_text(f"#!/bin/sh\n[ $4 = evaluate.service ] && echo {service}\n")
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    check = isolation.groups_check(tmp_path)
    assert (check.ok, check.needed, found in check.found) == (bool(service), bool(service), True)
    assert check.remedy_text.endswith(command) and bool(check.remedy) == bool(command)
    monkeypatch.setattr(isolation, "delegated", lambda: tmp_path)
    (tmp_path / "cgroup.controllers").write_text("cpu io memory pids")
    assert isolation.groups_check(tmp_path).ok, "in a part of the tree of its own"


def test_places_of_a_fixed_size_are_made_by_root_or_the_helper(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for loops, helper, ok, found, command in (
        (True, False, True, "", ""),
        (False, True, True, "", ""),
        (False, False, False, "install.sh has a helper", ""),
        (False, False, False, "the helper does not answer", "systemctl enable --now evaluate-helper.socket"),
    ):
        monkeypatch.setattr(isolation, "has_loops", lambda loops=loops: loops)
        monkeypatch.setattr(isolation, "has_helper", lambda helper=helper: helper)
        if command:
            (tmp_path / "etc/systemd/system/evaluate-helper.socket").mkdir(parents=True)
        check = isolation.places_check(tmp_path)
        assert (check.ok, check.needed, found in check.found) == (ok, ok, True)
        assert check.remedy_text.endswith(command)


SWAPS = "Filename Type Size Used Priority"
SETTINGS = {
    "sys/devices/system/cpu/smt/active": ("1", "0"),
    "sys/module/kvm_intel/parameters/nested": ("Y", "N"),
    "sys/module/kvm_amd/parameters/nested": ("0", "0"),
    "sys/devices/system/cpu/vulnerabilities/mds": ("Vulnerable: no microcode", "Not affected"),
    "sys/kernel/mm/ksm/run": ("1", "0"),
    "proc/swaps": (f"{SWAPS}\n/dev/sda2 partition 1 0 -2", SWAPS),
    "proc/sys/kernel/yama/ptrace_scope": ("0", "1"),
    "proc/sys/kernel/core_pattern": ("|/usr/lib/systemd/systemd-coredump %P", "core"),
    "proc/cmdline": ("quiet mitigations=off", "quiet"),
}
"""File -> its text on an exposed host, and on a safe one."""
NAMES = ["smt", "nested", "mitigations", "ksm", "swap", "ptrace", "core"]


def host(folder: Path, safe: bool) -> Path:
    for name, texts in SETTINGS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{texts[safe]}\n")
    return folder


def test_each_exposed_setting_is_named_with_its_repair_which_only_a_person_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = exposures(host(tmp_path, safe=False))
    assert not any(check.needed for check in found)
    monkeypatch.setattr(doctor, "_machine", lambda: found)
    doctor.repair(pytest.fail)
    assert [check.name for check in found if not check.ok and check.remedy_text] == NAMES
    told = " ".join(check.found for check in found)
    for detail in ("kvm_intel", "mds", "mitigations=off", "/dev/sda2", "systemd-coredump"):
        assert detail in told


def test_safe_host_has_no_finding_nor_does_one_that_tells_nothing(tmp_path: Path) -> None:
    assert [check.name for check in exposures(host(tmp_path / "safe", safe=True)) if check.ok] == NAMES
    assert [check.name for check in exposures(tmp_path / "nothing") if not check.ok] == ["ptrace"]

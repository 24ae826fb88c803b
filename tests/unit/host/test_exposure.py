"""What `evaluate doctor` says of the host's own settings."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from evaluate.confine.acl import opens
from evaluate.host import doctor
from evaluate.host.isolation import exposures

EXPOSED = {
    "sys/devices/system/cpu/smt/active": "1",
    "sys/module/kvm_intel/parameters/nested": "Y",
    "sys/devices/system/cpu/vulnerabilities/mds": "Vulnerable: no microcode",
    "sys/kernel/mm/ksm/run": "1",
    "proc/swaps": "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2",
    "proc/sys/kernel/yama/ptrace_scope": "0",
    "proc/sys/kernel/core_pattern": "|/usr/lib/systemd/systemd-coredump %P",
    "proc/cmdline": "quiet mitigations=off",
}
SAFE = {
    "sys/devices/system/cpu/smt/active": "0",
    "sys/module/kvm_amd/parameters/nested": "0",
    "sys/devices/system/cpu/vulnerabilities/mds": "Not affected",
    "sys/kernel/mm/ksm/run": "0",
    "proc/swaps": "Filename Type Size Used Priority",
    "proc/sys/kernel/yama/ptrace_scope": "1",
    "proc/sys/kernel/core_pattern": "core",
    "proc/cmdline": "quiet",
}
NAMES = ["smt", "nested", "mitigations", "ksm", "swap", "ptrace", "core"]


def host(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text + "\n")
    return folder


def test_each_exposed_setting_is_named_with_its_repair_which_only_a_person_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = exposures(host(tmp_path, EXPOSED))
    assert not any(check.needed for check in found)
    monkeypatch.setattr(doctor, "_machine", lambda: found)
    doctor.repair(pytest.fail)
    assert [check.name for check in found if not check.ok and check.remedy_text] == NAMES
    told = " ".join(check.found for check in found)
    for detail in ("kvm_intel", "mds", "mitigations=off", "/dev/sda2", "systemd-coredump"):
        assert detail in told


def test_safe_host_has_no_finding_nor_does_one_that_tells_nothing(tmp_path: Path) -> None:
    assert [check.name for check in exposures(host(tmp_path / "safe", SAFE)) if check.ok] == NAMES
    assert [check.name for check in exposures(tmp_path / "nothing") if not check.ok] == ["ptrace"]


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

"""Findings of the doctor about walls, and about settings of the host that an attacker could use."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.core.errors import Fault
from evaluate.host import doctor, isolation
from evaluate.host.isolation import exposures


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

"""The finding "walls" of the doctor."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluate.core.errors import Fault
from evaluate.host import isolation
from evaluate.host.finding import Check


def test_walls_are_tried_for_real() -> None:
    check = isolation.walls_check()
    assert check.ok and check.needed, check.found
    assert "walled in" in check.found


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=15000"),
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "apparmor_parser -r /etc/apparmor.d/bwrap"),
    ],
)
def test_host_that_refuses_gets_the_repair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str, remedy: str
) -> None:
    def refused(*_: object) -> None:
        raise Fault("trying the walls: no process can be walled in on this machine")

    monkeypatch.setattr(isolation, "isolated", refused)
    setting = tmp_path / "proc/sys" / name
    setting.parent.mkdir(parents=True)
    setting.write_text(f"{value}\n")
    check = isolation.walls_check(tmp_path)
    assert (check.ok, check.found) == (False, "trying the walls: no process can be walled in on this machine")
    assert remedy in check.remedy_text
    setting.write_text("7\n")
    assert isolation.walls_check(tmp_path).remedy == ()


@pytest.mark.parametrize("marker", [".dockerenv", "run/.containerenv"])
def test_a_container_is_told_what_it_must_be_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marker: str
) -> None:
    def refused(*_: object) -> None:
        raise Fault("trying the walls: no process can be walled in on this machine")

    monkeypatch.setattr(isolation, "isolated", refused)
    (tmp_path / marker).parent.mkdir(exist_ok=True)
    (tmp_path / marker).touch()
    found = isolation.walls_check(tmp_path).found
    assert "--security-opt seccomp=unconfined" in found and "unmask=ALL" in found
    written = (Path(__file__).parents[3] / "docs" / "container.md").read_text()
    options = [word for word in found.replace(",", " ").split() if "=" in word]
    assert len(options) == 4 and all(option in written for option in options)


def groups(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, known: str, service: str) -> Check:
    """What is found where the kernel knows some controllers, and the service has some."""
    monkeypatch.setattr(isolation, "delegated", lambda: None)
    monkeypatch.setattr(isolation, "mounted", lambda: tmp_path)
    (tmp_path / "cgroup.controllers").write_text(known)
    (tmp_path / "run/systemd/system").mkdir(parents=True)
    (tmp_path / "systemctl").write_text(f"#!/bin/sh\n[ $4 = evaluate.service ] && echo {service}\n")
    (tmp_path / "systemctl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return isolation.groups_check(tmp_path)


def test_service_with_groups_of_its_own_is_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    check = groups(monkeypatch, tmp_path, "cpuset cpu io memory pids", "cpu io memory pids")
    assert check.ok and "evaluate.service" in check.found


@pytest.mark.parametrize(
    ("known", "reason", "command"),
    [
        ("cpuset cpu io memory pids", "nobody has delegated any", "systemctl restart evaluate.service"),
        ("cpu pids", "no control groups of version 2 with io, memory", ""),
    ],
)
def test_what_is_missing_for_groups_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, known: str, reason: str, command: str
) -> None:
    check = groups(monkeypatch, tmp_path, known, "")
    assert not check.ok and not check.needed and reason in check.found
    assert check.remedy_text.endswith(command) and bool(check.remedy) == bool(command)


def test_process_in_a_part_of_the_tree_of_its_own_is_well(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu io memory pids")
    monkeypatch.setattr(isolation, "delegated", lambda: tmp_path)
    assert isolation.groups_check(tmp_path).ok


@pytest.mark.parametrize(("loops", "helper"), [(True, False), (False, True)])
def test_places_of_a_fixed_size_are_made_by_root_or_the_helper(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, loops: bool, helper: bool
) -> None:
    monkeypatch.setattr(isolation, "has_loops", lambda: loops)
    monkeypatch.setattr(isolation, "has_helper", lambda: helper)
    assert isolation.places_check(tmp_path).ok


def test_helper_that_does_not_answer_gets_the_command_that_starts_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("has_loops", "has_helper"):
        monkeypatch.setattr(isolation, name, lambda: False)
    assert "install.sh has a helper" in isolation.places_check(tmp_path).found
    unit = tmp_path / "etc/systemd/system/evaluate-helper.socket"
    unit.parent.mkdir(parents=True)
    unit.touch()
    check = isolation.places_check(tmp_path)
    assert (check.ok, check.needed) == (False, False)
    assert check.remedy_text.endswith("systemctl enable --now evaluate-helper.socket")

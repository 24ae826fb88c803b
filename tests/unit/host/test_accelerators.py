"""Which hypervisor is opened for which request, with KVM that works or does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import Fault
from evaluate.host import accelerators
from evaluate.host.finding import Check
from evaluate.sandbox.cross_checked import CheckedHypervisor
from tests.unit.stages.test_stages import IMAGE


class Opened:
    """In the place of `LibvirtHypervisor`."""

    swept: tuple[str, ...] = ()

    def __init__(self, *, accelerator: str, counter: Any, **_given: Any) -> None:
        self.accelerator = accelerator
        self.kind = counter.kind


@pytest.fixture
def kvm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """Counter -> why KVM does not work with it; empty: it works."""
    problems: dict[str, str] = {}
    monkeypatch.setattr(accelerators, "LibvirtHypervisor", Opened)
    monkeypatch.setattr(accelerators, "kvm_check", lambda: Check(name="kvm", ok=True, found=""))
    monkeypatch.setattr(accelerators, "build_plugin", lambda cache: cache / "plugin.so")
    monkeypatch.setattr(accelerators, "_kvm_problem", lambda _state, _image, counter, _say: problems.get(counter.kind))
    return problems


def opened(accelerator: str, tmp_path: Path) -> tuple[str, str, bool, str]:
    """Accelerator, counter, whether it is checked by emulation, and what is said."""
    said: list[str] = []
    found: Any = accelerators.open_hypervisor(tmp_path, IMAGE, accelerator, said.append)
    first = found._first if isinstance(found, CheckedHypervisor) else found
    return first.accelerator, first.kind, found is not first, " ".join(said)


def test_kvm_that_counts_is_taken_and_checked_by_emulation(kvm: dict[str, str], tmp_path: Path) -> None:
    for accelerator in ("auto", "kvm"):
        assert opened(accelerator, tmp_path)[:3] == ("kvm", "perf", True)


def test_without_counters_auto_emulates_and_says_why(kvm: dict[str, str], tmp_path: Path) -> None:
    kvm["perf"] = "this machine has no PMU"
    *found, said = opened("auto", tmp_path)
    assert found == ["tcg", "tcg", False]
    assert "this machine has no PMU" in said
    with pytest.raises(Fault, match="no PMU"):
        opened("kvm", tmp_path)


def test_uncounted_kvm_is_asked_for_by_name_and_never_called_counted(kvm: dict[str, str], tmp_path: Path) -> None:
    kvm["perf"] = "this machine has no PMU"
    *found, said = opened("kvm-uncounted", tmp_path)
    assert found == ["kvm", "uncounted", True]
    assert "uncounted" in said and "instructions counted" not in said
    kvm["uncounted"] = "no guest boots"
    with pytest.raises(Fault, match="no guest boots"):
        opened("kvm-uncounted", tmp_path)


def test_emulation_is_taken_when_it_is_asked_for(kvm: dict[str, str], tmp_path: Path) -> None:
    assert opened("tcg", tmp_path)[:3] == ("tcg", "tcg", False)

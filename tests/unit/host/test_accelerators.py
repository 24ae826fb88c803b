"""Which hypervisor is opened for which request, with KVM that works or does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pytest

from evaluate.core.errors import BootFault, Fault
from evaluate.counters.base import NoCounter
from evaluate.host import accelerators
from evaluate.host.finding import Check
from evaluate.images.image import Image
from evaluate.sandbox.cross_checked import CheckedHypervisor
from tests.support.scripted import IMAGE


class Opened:
    """In the place of `LibvirtHypervisor`."""

    swept: tuple[str, ...] = ()

    def __init__(self, *, accelerator: str, counter: Any, saves: bool | None = None, **_given: Any) -> None:
        self.accelerator, self.saves = accelerator, saves
        self.kind = counter.kind


@pytest.fixture
def kvm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """Counter -> why KVM does not work with it; ``saved`` -> why no guest can be restored; empty: it works."""
    problems: dict[str, str] = {}
    monkeypatch.setattr(accelerators, "LibvirtHypervisor", Opened)
    monkeypatch.setattr(accelerators, "kvm_check", lambda: Check(name="kvm", ok=True, found=""))
    monkeypatch.setattr(accelerators, "build_plugin", lambda cache: cache / "plugin.so")

    def trial(_state: Path, _image: Image, counter: Any, _say: Any) -> Any:
        return accelerators._Trial(problem=problems.get(counter.kind, ""), unsaved=problems.get("saved", ""))

    monkeypatch.setattr(accelerators, "_trial", trial)
    return problems


def opened(accelerator: str, tmp_path: Path) -> tuple[str, str, bool, str]:
    """Accelerator, counter, whether it is checked by emulation, and what is said."""
    said: list[str] = []
    found: Any = accelerators.open_hypervisor(tmp_path, IMAGE, accelerator, said.append)
    first = found._wrapped if isinstance(found, CheckedHypervisor) else found
    return first.accelerator, first.kind, found is not first, " ".join(said)


@pytest.mark.parametrize(
    ("accelerator", "problems", "expected", "words"),
    [
        ("auto", {}, ("kvm", "perf", True), "instructions counted by the processor"),
        ("kvm", {}, ("kvm", "perf", True), "instructions counted by the processor"),
        ("tcg", {}, ("tcg", "tcg", False), "as requested"),
        ("auto", {"perf": "this machine has no PMU"}, ("tcg", "tcg", False), "not KVM: this machine has no PMU"),
        ("kvm", {"perf": "this machine has no PMU"}, None, "no PMU"),
        ("kvm-uncounted", {"perf": "this machine has no PMU"}, ("kvm", "uncounted", True), "KVM, uncounted; "),
        ("kvm-uncounted", {"uncounted": "no guest boots"}, None, "no guest boots"),
    ],
)
def test_best_accelerator_that_works_is_opened_and_why_is_said(
    accelerator: str,
    problems: dict[str, str],
    expected: tuple[str, str, bool] | None,
    words: str,
    kvm: dict[str, str],
    tmp_path: Path,
) -> None:
    kvm |= problems
    if expected is None:
        with pytest.raises(Fault, match=words):
            opened(accelerator, tmp_path)
        return
    *found, text = opened(accelerator, tmp_path)
    assert (tuple(found), words in text) == (expected, True), text
    assert expected[1] != "uncounted" or "instructions counted" not in text


def test_guests_start_from_saved_machines_where_kvm_has_restored_some(kvm: dict[str, str], tmp_path: Path) -> None:
    said: list[str] = []
    for unsaved in ("", "its clock stands still"):
        kvm["saved"] = unsaved
        found: Any = accelerators.open_hypervisor(tmp_path, IMAGE, "kvm", said.append)
        assert found._wrapped.saves is (not unsaved)
    assert [text for text in said if "its clock stands still" in text] == [said[-1]]


class Tried(Opened):
    """Boots a guest, or fails to."""

    tried: ClassVar[list[str]] = []
    boots: str = ""
    unsaved: str = ""

    @contextmanager
    def boot(self, machine: Any) -> Iterator[None]:
        self.tried.append("boot")
        if self.boots:
            raise BootFault(self.boots)
        yield

    def reason_not_to_save(self, image: Any) -> str:
        self.tried.append("restore")
        return self.unsaved


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> type[Tried]:
    """What a host with ``/dev/kvm`` is asked, once."""
    monkeypatch.setattr(Tried, "tried", [])
    monkeypatch.setattr(accelerators, "LibvirtHypervisor", Tried)
    monkeypatch.setattr(accelerators, "_DEVICE", Path("/dev/null"))
    monkeypatch.setattr(accelerators, "qemu_version", lambda: "QEMU emulator version 7.2")
    monkeypatch.setattr(accelerators, "default_uri", lambda: "qemu:///session")
    return Tried


def asked(state: Path) -> Any:
    return accelerators._trial(state, IMAGE, NoCounter(), lambda _: None)


def test_user_who_may_not_open_kvm_reads_which_group_lacks_and_nothing_is_tried(
    tried: type[Tried], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accelerators.os, "access", lambda *_: False)
    problem = asked(tmp_path).problem
    assert "may not open /dev/null: sudo usermod -aG root " in problem and problem.endswith("then log in again")
    assert tried.tried == []


def test_what_works_or_does_not_is_kept_with_its_reason(
    tried: type[Tried], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        assert asked(tmp_path) == accelerators._Trial()
    monkeypatch.setattr(tried, "unsaved", "its clock stands still")
    for _ in range(2):
        assert asked(tmp_path / "a") == accelerators._Trial(unsaved="its clock stands still")
    monkeypatch.setattr(tried, "boots", "no word from the guest")
    for _ in range(2):
        assert asked(tmp_path / "b") == accelerators._Trial(problem="no word from the guest")
    assert tried.tried == ["boot", "restore"] * 2 + ["boot"], "each host is asked once"


def test_answer_of_an_older_version_is_not_believed(tried: type[Tried], tmp_path: Path) -> None:
    asked(tmp_path)
    kept = tmp_path / "cache" / "kvm-uncounted.json"
    older = json.loads(kept.read_text())
    del older["unsaved"]
    for text in (json.dumps(older), "[]", "{}", ""):
        kept.write_text(text)
        assert asked(tmp_path) == accelerators._Trial()
    assert tried.tried == ["boot", "restore"] * 5

"""Which hypervisor is opened for which request, with KVM that works or does not."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import BootFault, Fault
from evaluate.host import accelerators
from evaluate.host.finding import Check
from tests.support.scripted import IMAGE


class Opened:
    """In the place of `LibvirtHypervisor`: its guests boot under KVM, or fail to."""

    swept: tuple[str, ...] = ()
    problem = ""
    boots = 0

    def __init__(self, *, accelerator: str, counter: Any, **_given: Any) -> None:
        self.accelerator, self.kind = accelerator, counter.kind

    @contextmanager
    def boot(self, machine: Any) -> Iterator[None]:
        type(self).boots += 1
        if self.problem:
            raise BootFault(self.problem)
        yield


@pytest.fixture(autouse=True)
def host(monkeypatch: pytest.MonkeyPatch) -> type[Opened]:
    """A host with ``/dev/kvm``."""
    monkeypatch.setattr(Opened, "boots", 0)
    monkeypatch.setattr(accelerators, "LibvirtHypervisor", Opened)
    monkeypatch.setattr(accelerators, "kvm_check", lambda: Check(name="kvm", ok=True, found=""))
    monkeypatch.setattr(accelerators, "build_plugin", lambda cache: cache / "plugin.so")
    monkeypatch.setattr(accelerators, "_DEVICE", Path("/dev/null"))
    monkeypatch.setattr(accelerators, "qemu_version", lambda: "QEMU emulator version 7.2")
    monkeypatch.setattr(accelerators, "default_uri", lambda: "qemu:///session")
    return Opened


def opened(accelerator: str, state: Path) -> tuple[str, str, str]:
    """Accelerator, counter, and what is said."""
    said: list[str] = []
    found: Any = accelerators.open_hypervisor(state, IMAGE, accelerator, said.append)
    return found.accelerator, found.kind, " ".join(said)


@pytest.mark.parametrize(
    ("accelerator", "problem", "expected", "words"),
    [
        ("auto", "", ("kvm", "perf"), "instructions counted by the processor"),
        ("kvm", "", ("kvm", "perf"), "instructions counted by the processor"),
        ("tcg", "", ("tcg", "tcg"), "as requested"),
        ("auto", "this machine has no PMU", ("tcg", "tcg"), "not KVM: this machine has no PMU"),
        ("kvm", "this machine has no PMU", None, "no PMU"),
    ],
)
def test_best_accelerator_that_works_is_opened_and_why_is_said(
    accelerator: str,
    problem: str,
    expected: tuple[str, str] | None,
    words: str,
    host: type[Opened],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(host, "problem", problem)
    for _ in range(3):
        if expected is None:
            with pytest.raises(Fault, match=words):
                opened(accelerator, tmp_path)
            continue
        *found, text = opened(accelerator, tmp_path)
        assert (tuple(found), words in text) == (expected, True), text
    tries = 0 if accelerator == "tcg" else 2 if problem else 1
    assert host.boots == tries, "KVM is tried once, or twice if it fails, and the answer is kept with its reason"


def test_failure_of_kvm_that_passes_is_not_kept(
    host: type[Opened], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "problem", "the guest did not come up")
    assert opened("auto", tmp_path)[0] == "tcg"
    monkeypatch.setattr(host, "problem", "")
    assert [opened("auto", tmp_path)[0] for _ in range(2)] == ["kvm", "kvm"] and host.boots == 2


def test_user_who_may_not_open_kvm_reads_which_group_lacks_and_nothing_is_tried(
    host: type[Opened], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accelerators.os, "access", lambda *_: False)
    text = opened("auto", tmp_path)[-1]
    assert "may not open /dev/null: sudo usermod -aG kvm " in text and text.endswith("then log in again")
    assert host.boots == 0


def test_kept_answer_of_another_form_is_not_believed(host: type[Opened], tmp_path: Path) -> None:
    opened("kvm", tmp_path)
    kept = tmp_path / "cache" / "kvm.json"
    older = json.loads(kept.read_text())
    del older["problem"]
    for text in (json.dumps(older), "[]", "{}", ""):
        kept.write_text(text)
        assert opened("kvm", tmp_path)[0] == "kvm"
    assert host.boots == 5

"""A guest's state goes out of one QEMU and into another: as recorded, under emulation, and under KVM if there is one.

No guest boots: the processors stand still.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from evaluate.sandbox.channel import Channel
from evaluate.sandbox.memory_medium import load, save
from tests.support.bare_guest import QEMU
from tests.support.qmp import Qmp, Recorded

DIALOGUES = Path(__file__).parents[1] / "data" / "qmp"
SIZE = 32 << 20
MARK, MARK_AT = b"in the file of the memory", 16 << 20
RECORDED_STATE = b"state" * 100_000

Monitors = Callable[[str], Any]


@contextmanager
def _qemu(folder: Path, accelerator: str, name: str) -> Iterator[Qmp]:
    """A QEMU with its memory in a file; ``name``: ``saved``, or ``restored``, which waits for a state."""
    share, waiting = ("on", ()) if name == "saved" else ("off", ("-incoming", "defer"))
    memory, agent, monitor = folder / "memory", folder / f"{name}.agent", folder / f"{name}.qmp"
    argv = [
        *(QEMU, "-nodefaults", "-no-user-config", "-display", "none", "-S", "-M", "q35", "-accel", accelerator),
        *("-m", f"{SIZE >> 20}", "-nic", "none", "-machine", "memory-backend=evaluate", *waiting),
        *("-object", f"memory-backend-file,id=evaluate,size={SIZE},mem-path={memory},share={share}"),
        *("-device", "virtio-serial-pci", "-chardev", f"socket,id=agent,path={agent},server=on,wait=off"),
        *("-device", "virtserialport,chardev=agent,name=agent", "-qmp", f"unix:{monitor},server=on,wait=off"),
    ]
    with ExitStack() as stack:
        process = stack.enter_context(subprocess.Popen(argv))
        stack.callback(process.kill)
        found = Qmp(monitor)
        stack.callback(found.close)
        stack.callback(Channel.connect(agent).close)
        yield found


def _regular(said: dict[str, Any]) -> dict[str, Any]:
    """What was said, without what is of this machine and this moment."""
    if said["execute"] == "query-chardev":
        return {**said, "return": [{"filename": one["filename"].partition(":")[0]} for one in said["return"]]}
    if said["execute"] == "query-migrate":
        return {**said, "return": {"status": said["return"]["status"]} if said["return"] else {}}
    return said


def _kept(said: list[dict[str, Any]]) -> str:
    """A dialogue, in which a question that is asked again has its last answer only."""
    lines = [_regular(each) for each in said]
    last = [a for a, b in zip(lines, [*lines[1:], {}], strict=True) if a["execute"] != b.get("execute")]
    return "".join(json.dumps(line) + "\n" for line in last)


@pytest.fixture(params=["recorded", "tcg", "kvm"])
def monitors(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Monitors]:
    """A monitor of the QEMU ``saved`` and of the QEMU ``restored``."""
    kind = request.param
    regenerate = kind == "tcg" and request.config.getoption("--regenerate")
    if kind != "recorded" and shutil.which(QEMU) is None:
        pytest.skip(f"no {QEMU} on this machine (Debian package qemu-system-x86)")
    if kind == "kvm" and not _runs_kvm():
        pytest.skip("no KVM on this machine that QEMU can use")
    with (tmp_path / "memory").open("wb") as file:
        file.truncate(SIZE)
        file.seek(MARK_AT)
        file.write(MARK)
    with ExitStack() as stack:

        def monitor(name: str) -> Any:
            if kind == "recorded":
                recorded = Recorded(DIALOGUES / f"{name}.jsonl", RECORDED_STATE)
                stack.callback(recorded.close)
                return recorded
            found = stack.enter_context(_qemu(tmp_path, kind, name))
            if regenerate:
                stack.callback(lambda: (DIALOGUES / f"{name}.jsonl").write_text(_kept(found.said)))
            return found

        yield monitor


def _runs_kvm() -> bool:
    """True if QEMU starts with it: that the device can be opened says little."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    asked = b'{"execute": "qmp_capabilities"}{"execute": "quit"}'
    argv = (QEMU, "-nodefaults", "-display", "none", "-S", "-M", "q35", "-accel", "kvm", "-qmp", "stdio")
    return subprocess.run(argv, input=asked, capture_output=True, check=False).returncode == 0


def test_state_of_one_machine_is_that_of_another(monitors: Monitors, tmp_path: Path) -> None:
    """And its memory is what is in the file, of which nothing is in the stream."""
    state = tmp_path / "state"
    save(monitors("saved"), state)
    assert 1000 < state.stat().st_size < 4 << 20
    assert MARK not in state.read_bytes()
    restored = monitors("restored")
    load(restored, state)
    if isinstance(restored, Recorded):
        return
    there = tmp_path / "there"
    restored("pmemsave", val=MARK_AT, size=len(MARK), filename=str(there))
    assert there.read_bytes() == MARK
    restored.said.pop()  # what is recorded is of `load` alone

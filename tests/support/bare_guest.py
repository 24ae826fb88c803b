"""A guest in its own QEMU process, without libvirt: for tests of the agent and as a baseline of speed.

Everything the guest gets is on the command line below; the conversation is that of `evaluate.protocol.messages`, one
message at a time, so that a test can also send what it must not.
"""

import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from evaluate.core.errors import SandboxFault
from evaluate.core.model import MIB
from evaluate.images.image import Image
from evaluate.protocol import messages
from evaluate.protocol.guest import HOME, PORT
from evaluate.sandbox import disks
from evaluate.sandbox.channel import Channel
from evaluate.sandbox.domain import KERNEL_LINE

QEMU = "qemu-system-x86_64"
LIMITS = messages.Limits(
    memory_bytes=512 * MIB, processes=64, output_bytes=MIB, answer_bytes=4096, answers_bytes=64 * MIB
)
_SECONDS = 600.0


@dataclass(frozen=True, kw_only=True)
class Ended:
    """The last message of a command, with the values that tests need most often."""

    facts: messages.Ended
    stdout: str
    stderr: str
    files: Mapping[str, bytes]
    problems: Mapping[str, str]
    """Reasons why files could not be fetched."""

    @property
    def exit_code(self) -> int | None:
        return self.facts.exit_code


class BareGuest:
    """One booted guest."""

    def __init__(self, process: subprocess.Popen[bytes], channel: Channel) -> None:
        self.process, self.channel = process, channel

    def hello(self, **values: Any) -> None:
        """Greet, and wait until it is ready."""
        usual = {"layers": 0, "container": False, "entry": False, "records": False, "answers": False}
        self.channel.send(messages.Hello(**{**usual, "licence": (), "fresh": True, **values}))
        self.channel.expect(messages.Ready, _SECONDS)

    def order(self, argv: Sequence[str], **values: Any) -> messages.Run:
        """Send a ``Run``."""
        limits = replace(LIMITS, **values.pop("limits", {}))
        usual = {"cwd": HOME, "env": {}, "inputs": {}, "mounts": {}}
        order = messages.Run(argv=tuple(argv), limits=limits, **{**usual, **values})
        self.channel.send(order)
        return order

    def run(self, argv: Sequence[str], *, kill_after: float | None = None, **values: Any) -> Ended:
        """One command from its order to its report; killed after some seconds on request."""
        order = self.order(argv, **values)
        self.channel.expect(messages.Started, _SECONDS)
        self.channel.send(messages.Go())
        if kill_after is not None:
            assert self.channel.receive(kill_after) is None, "the command ended before it was to be killed"
            self.channel.send(messages.Kill())
        while isinstance(message := self.channel.receive(_SECONDS), messages.Busy):  # it may be silent for minutes
            pass
        assert isinstance(message, messages.Exited), f"expected 'exited', found {message}"
        self.channel.send(messages.Counted())
        facts = self.channel.expect(messages.Ended, _SECONDS)
        files = dict(zip(order.collect, facts.files, strict=True))
        return Ended(
            facts=facts,
            stdout=facts.stdout.decode(errors="replace"),
            stderr=facts.stderr.decode(errors="replace"),
            files={path: file.data for path, file in files.items() if file.data is not None},
            problems={path: file.problem for path, file in files.items() if file.problem},
        )

    def sh(self, script: str, **values: Any) -> Ended:
        """One line of bash."""
        return self.run(["/bin/bash", "-c", script], **values)

    def finish(self) -> None:
        """Make it power off cleanly."""
        self.channel.send(messages.Finish())
        self.channel.expect(messages.Finished, _SECONDS)
        self.process.wait(_SECONDS)


@contextmanager
def bare_guest(
    image: Image,
    folder: Path,
    *,
    disk_bytes: Mapping[str, int],
    kept: Mapping[str, Path] | None = None,
    entry: Path | None = None,
    records: Path | None = None,
    layers: Sequence[Path] = (),
    arguments: Sequence[str] = (),
    accelerator: str = "tcg",
) -> Iterator[BareGuest]:
    """Boot; the guest is killed when the context ends.

    ``disk_bytes``: sizes of ``root``, ``home`` and ``tmp``.  ``kept``: disks of an earlier guest to continue with;
    new ones are left in ``folder`` as ``root.qcow2`` and so on.  The calling test is skipped where QEMU is missing.
    """
    if shutil.which(QEMU) is None:
        pytest.skip(f"no {QEMU} on this machine (Debian package qemu-system-x86)")
    folder.mkdir(exist_ok=True)
    media = {"base": image.root, **{f"layer{i}": layer for i, layer in enumerate(layers)}}
    if entry is not None:
        media["entry"] = disks.raw_disk(folder / "entry.raw", entry)
    if records is not None:
        media["records"] = records
    drives = [_drive(serial, path, "format=raw,read-only=on") for serial, path in media.items()]
    for serial, size in disk_bytes.items():
        below = (kept or {}).get(serial) or disks.blank_disk(folder.parent / "blank", size, serial)
        drives.append(_drive(serial, disks.overlay(folder / f"{serial}.qcow2", below), "format=qcow2"))
    socket = folder / "agent.sock"
    argv = [
        *(QEMU, "-name", "bare,debug-threads=on", "-nodefaults", "-no-user-config", "-display", "none", "-M", "q35"),
        *("-accel", accelerator, "-no-reboot"),
        *("-cpu", ",-".join((image.cpu_model, *image.cpu_disabled)), "-m", "2048", "-nic", "none"),
        *("-kernel", str(image.kernel), "-initrd", str(image.initrd), "-append", KERNEL_LINE),
        *("-serial", f"file:{folder / 'console.log'}", "-device", "virtio-serial-pci"),
        *("-chardev", f"socket,id=agent,path={socket},server=on,wait=off"),
        *("-device", f"virtserialport,chardev=agent,name={PORT}"),
        *(word for drive in drives for word in drive),
        *arguments,
    ]
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL)
    try:
        channel = _connected(socket, process)
        try:
            yield BareGuest(process, channel)
        finally:
            channel.close()
    finally:
        process.kill()
        process.wait()


def _drive(serial: str, path: Path, options: str) -> tuple[str, ...]:
    return (
        *("-drive", f"if=none,id={serial},file={path},{options}"),
        *("-device", f"virtio-blk-pci,drive={serial},serial={serial}"),
    )


def _connected(socket: Path, process: subprocess.Popen[bytes]) -> Channel:
    deadline = time.monotonic() + _SECONDS
    while True:
        try:
            return Channel.connect(socket)
        except SandboxFault:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.02)

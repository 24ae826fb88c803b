"""Do two boots of an image have the same memory?  By hand: ``python -m tests.chaos.boots``, some minutes.

Each boot is stopped at the same numbers of instructions, and the pages of its memory are compared with those of the
other.  With ``--as-booted`` the kernel lies where it likes, and the processor does not wait for devices.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import socket
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from evaluate.host.state import default_state
from evaluate.images.image import load_image
from evaluate.protocol.guest import PORT, RECORDS_BYTES
from evaluate.sandbox.domain import KERNEL_LINE

_PAGE, _CHUNK = 4096, 1 << 22
_SECONDS = 600.0
_MEMORY = (2 << 30) + RECORDS_BYTES


@dataclass(frozen=True)
class Stop:
    """A boot after some instructions."""

    path: tuple[int, int, int]
    """Instructions, the address of the last one, and a hash over the addresses of all."""
    pages: dict[int, bytes]
    """Digest of each page that is not zero."""


def pages(memory: Path) -> dict[int, bytes]:
    found = {}
    with memory.open("rb", buffering=0) as file:
        at = 0
        while at < _MEMORY:
            try:
                at = os.lseek(file.fileno(), at, os.SEEK_DATA) // _PAGE * _PAGE
            except OSError:
                break  # a hole to the end
            data = os.pread(file.fileno(), _CHUNK, at)
            for begin in range(0, len(data), _PAGE):
                page = data[begin : begin + _PAGE]
                if page.count(0) != len(page):
                    found[(at + begin) // _PAGE] = hashlib.blake2b(page, digest_size=8).digest()
            at += len(data)
    return found


def boot(folder: Path, plugin: Path, step: int, stops: int, *, as_booted: bool) -> list[Stop]:
    folder.mkdir()
    image, memory = load_image("bookworm", default_state()), folder / "memory"
    with memory.open("wb") as file:
        file.truncate(_MEMORY)
    line = KERNEL_LINE if as_booted else f"{KERNEL_LINE} nokaslr"
    argv = [
        *("qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-accel", "tcg", "-no-reboot"),
        *("-object", f"memory-backend-file,id=m,mem-path={memory},size={_MEMORY},share=on", "-nic", "none"),
        *("-M", "q35,memory-backend=m", "-m", str(_MEMORY >> 20), "-cpu"),
        ",-".join((image.cpu_model, *image.cpu_disabled)),
        *("-kernel", str(image.kernel), "-initrd", str(image.initrd), "-append", line),
        *("-serial", f"file:{folder / 'console'}", "-device", "virtio-serial-pci,ioeventfd=off"),
        *("-chardev", f"socket,id=agent,path={folder / 'agent'},server=on,wait=off"),
        *("-device", f"virtserialport,chardev=agent,name={PORT}"),
        *("-drive", f"if=none,id=base,file={image.root},format=raw,read-only=on"),
        *("-device", "virtio-blk-pci,drive=base,serial=base,ioeventfd=off"),
        *("-icount", "shift=1,sleep=off,align=off", "-rtc", "base=2026-01-01T00:00:00,clock=vm"),
        *("-uuid", "11111111-2222-3333-4444-555555555555", *(() if as_booted else ("-seed", "1"))),
        *("-plugin", f"{plugin},socket={folder / 'plugin'},step={step},waits={int(not as_booted)}"),
    ]
    found: list[Stop] = []
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "plugin"))
        listening.listen(1)
        listening.settimeout(_SECONDS)
        with subprocess.Popen(argv, stdin=subprocess.DEVNULL) as process:
            try:
                end, _ = listening.accept()
                with end:
                    end.settimeout(_SECONDS)
                    while len(found) < stops:
                        path = struct.unpack("=3Q", end.recv(24, socket.MSG_WAITALL))
                        found.append(Stop(path, pages(memory)))
                        end.send(b"g")
            finally:
                process.kill()
    memory.unlink()
    return found


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--step", type=float, default=4e7, help="instructions between two stops")
    asked.add_argument("--stops", type=int, default=10)
    asked.add_argument("--as-booted", action="store_true")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="boots-") as name:
        folder = Path(name)
        plugin = folder / "boots.so"
        source = Path(__file__).with_suffix(".c")
        subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-o", plugin, source], check=True)
        one, other = (
            boot(folder / each, plugin, int(given.step), given.stops, as_booted=given.as_booted) for each in "ab"
        )
    for first, second in zip(one, other, strict=True):
        all_pages = first.pages.keys() | second.pages.keys()
        differ = sum(first.pages.get(page) != second.pages.get(page) for page in all_pages)
        way = "the same" if first.path == second.path else "another"
        print(f"{first.path[0]:>12} instructions, {way} path, {differ} of {len(all_pages)} pages differ")


if __name__ == "__main__":
    main()

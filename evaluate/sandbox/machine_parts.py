"""What a machine consists of: the one list of all that may change a count, besides disks and their sizes."""

from __future__ import annotations

import platform
import shutil
from functools import cache
from pathlib import Path

from evaluate.confine.children import tool
from evaluate.core.errors import SandboxFault
from evaluate.core.files import sha256_kept
from evaluate.core.model import MachineParts
from evaluate.counters.base import Counter
from evaluate.images.image import Image
from evaluate.sandbox.domain import KERNEL_LINE

QEMU = "qemu-system-x86_64"
_PROCESSORS = Path("/proc/cpuinfo")


def parts_of(image: Image, accelerator: str, counter: Counter, libvirt: int) -> MachineParts:
    """The parts of machines of an image on this host. Raises SandboxFault if QEMU cannot be run."""
    program = shutil.which(QEMU)
    return MachineParts(
        image=image.digest,
        agent=image.agent,
        kernel_line=KERNEL_LINE,
        qemu=qemu_version(),
        qemu_sha256=sha256_kept(Path(program)) if program else "",
        libvirt=libvirt,
        accelerator=accelerator,
        cpu_model=image.cpu_model,
        cpu_disabled=tuple(image.cpu_disabled),
        counter=counter.kind,
        counter_version=counter.version,
        tolerance=counter.tolerance,
    )


def qemu_version() -> str:
    """The first line of what QEMU says of itself; a SandboxFault if it cannot be run."""
    program = shutil.which(QEMU)
    status = Path(program).stat() if program else None
    return _said(program, status and (status.st_ino, status.st_size, status.st_mtime_ns))


@cache  # it is asked in every stage, and starts slowly; an upgrade leaves another file
def _said(program: str | None, file: object) -> str:
    del program, file
    text = tool([QEMU, "--version"], doing="asking QEMU for its version", fault=SandboxFault)
    return text.decode().partition("\n")[0]


@cache
def processor() -> str:
    """The processor of this host as the kernel calls it."""
    lines = _PROCESSORS.read_text().splitlines() if _PROCESSORS.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())

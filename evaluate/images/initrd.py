"""The initial file system: one archive built with the image, and one with the guest agent of this version.

The kernel unpacks both from one file, so a new agent needs no new image, and the image's digest does not depend on
the agent.  The agent gets the package `evaluate.protocol` as it is, and imports it under the same name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from evaluate import protocol
from evaluate.core.compiled import compiled
from evaluate.core.errors import ImageFault
from evaluate.core.files import write_file
from evaluate.core.resources import data_folder
from evaluate.images import cpio

BASE = "modules.cpio"
PROBE = "probe"
_AGENT = ("agent.py", "container.py", "kernel.py", "licence.py")
_CC = ("gcc", "-static", "-O2", "-Wall", "-Wextra", "-Werror", "-Wl,--build-id=none,--strip-all")
_APPLETS = ("cp", "cut", "grep", "insmod", "mount", "poweroff", "sh", "switch_root", "usleep")


def base_archive(init: bytes, busybox: bytes, modules: Mapping[str, bytes]) -> bytes:
    """The kernel modules in load order, and the program that finds and mounts the root."""
    return cpio.archive(
        [
            *(cpio.folder(path) for path in ("dev", "proc", "sys", "newroot")),
            cpio.character_device("dev/console", 5, 1),
            cpio.regular("init", init, 0o755),
            cpio.regular("bin/busybox", busybox, 0o755),
            *(cpio.symlink(f"bin/{applet}", "busybox") for applet in _APPLETS),
            cpio.regular("modules/order", "".join(f"{name}\n" for name in modules).encode()),
            *(cpio.regular(f"modules/{name}.ko", data) for name, data in modules.items()),
        ]
    )


def keeper(cache: Path) -> Path:
    """The agent's helper `keeper.c`, compiled; ImageFault if there is no compiler or static C library."""
    return compiled(data_folder("vm_images") / "guest" / "keeper.c", cache, "keeper", _CC, ImageFault)


def agent_archive(probe: bytes, keeper: bytes) -> bytes:
    """The guest agent, what it imports and starts, and the probe."""
    guest = data_folder("vm_images") / "guest"
    shared = sorted(Path(protocol.__file__).parent.glob("*.py"))
    return cpio.archive(
        [
            *(cpio.regular(f"evaluate/{name}", (guest / name).read_bytes()) for name in _AGENT),
            cpio.regular("evaluate/evaluate/__init__.py", b""),
            *(cpio.regular(f"evaluate/evaluate/protocol/{p.name}", p.read_bytes()) for p in shared),
            cpio.regular("evaluate/probe", probe, 0o755),
            cpio.regular("evaluate/keeper", keeper, 0o755),
        ]
    )


def with_agent(folder: Path) -> Path:
    """The file with both archives for the image in ``folder``; made if it does not exist yet."""
    agent = agent_archive((folder / PROBE).read_bytes(), keeper(folder).read_bytes())
    path = folder / f"initrd-{hashlib.sha256(agent).hexdigest()[:16]}.img"
    base = (folder / BASE).read_bytes()
    if not path.is_file() or path.stat().st_size != len(base) + len(agent):
        write_file(path, base + agent)
    return path

"""Small container images made of Debian packages, without any container tool: each package is a layer."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from tests.support.oci_images import docker_save, layer, oci_layout

BUSYBOX = ("busybox-static",)
PYTHON = (
    *("libc6", "libcrypt1", "zlib1g", "libexpat1", "libssl3", "libffi8", "libbz2-1.0", "liblzma5"),
    *("libpython3.11-minimal", "libpython3.11-stdlib", "python3.11-minimal"),
)
_TOOLS = ("sh", "cat", "chown", "cp", "dd", "echo", "env", "id", "ls", "mkdir", "mv", "rm", "sleep", "test", "wget")
_MERGED = layer(
    *((name, None) for name in ("usr", "usr/bin", "usr/lib", "usr/sbin", "tmp", "proc", "dev", "run", "var", "etc")),
    *((name, f"usr/{name}") for name in ("bin", "lib", "sbin")),
    ("usr/lib64", None),
    ("lib64", "usr/lib64"),
    ("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"),
)
"""Debian's tree, in which packages still put files below ``/lib``."""


def packages(names: tuple[str, ...], folder: Path) -> list[bytes]:
    """The file trees of packages as plain tars."""
    folder.mkdir(parents=True, exist_ok=True)
    for update in (False, True):  # a machine may have no package lists yet
        if update:
            subprocess.run(["apt-get", "update", "-qq"], check=True, capture_output=True)
        done = subprocess.run(
            ["apt-get", "download", "-q", *names], cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            break
    assert done.returncode == 0, done.stderr
    trees = []
    for name in names:
        (deb,) = folder.glob(f"{name}_*.deb")
        trees.append(subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], check=True, capture_output=True).stdout)
    return trees


def busybox_image(target: Path, program: bytes, scratch: Path) -> Path:
    """An archive of ``docker save``: a static busybox with the program ``/bin/landmark_detection``, no entry point."""
    links = layer(*((f"bin/{name}", "busybox") for name in ("sh", "mkdir", "echo", "cat", "ls", "id")))
    program_layer = layer(("usr/local/bin/landmark_detection", program))
    layers = [layer(("bin", None)), *packages(BUSYBOX, scratch), links, program_layer]
    return docker_save(target, layers, {"Entrypoint": None, "Cmd": ["/bin/sh"]}, compress=True)


def python_image(target: Path, program: bytes, scratch: Path, **config: Any) -> Path:
    """An OCI layout of Debian's Python that runs as ``nobody`` in its own folder; ``config`` adds to its settings."""
    program_layer = layer(("app/run.py", program), ("usr/bin/python3", "python3.11"))
    return oci_layout(
        target,
        [_MERGED, *packages(PYTHON, scratch), program_layer],
        {
            "Entrypoint": ["python3", "/app/run.py"],
            "Env": ["PATH=/usr/bin:/bin", "LANG=C.UTF-8"],
            "WorkingDir": "/app",
            "User": "nobody",
            **config,
        },
    )


def base_image(target: Path, scratch: Path) -> Path:
    """An archive of ``docker save`` for Dockerfiles to begin with: Debian's Python and make with a static busybox."""
    links = layer(
        *((name, None) for name in ("tmp", "etc", "root", "home", "var", "opt")),
        *((f"bin/{name}", "busybox") for name in _TOOLS),
        ("usr/bin/python3", "python3.11"),
        ("etc/passwd", b"root:x:0:0:root:/root:/bin/sh\n"),
        ("etc/group", b"root:x:0:\n"),
    )
    config = {"Entrypoint": None, "Cmd": ["python3"], "Env": ["PATH=/usr/local/bin:/usr/bin:/bin"]}
    return docker_save(target, [*packages((*BUSYBOX, "make", *PYTHON), scratch), links], config)

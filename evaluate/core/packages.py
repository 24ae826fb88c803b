"""Ways to install a missing program of the host, or a missing Python module.

Programs are in the Debian packages of ``debian-packages.txt``, which `run` reads as well; modules are in extras.
"""

from __future__ import annotations

import os
import platform
import shlex
import sys
from functools import cache
from pathlib import Path

_ADMIN_FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin")
_FILE = Path(__file__).with_name("debian-packages.txt")

EXTRAS = {
    "vm": {"libvirt", "libvirt_qemu"},
    "plots": {"matplotlib"},
    "images": {"PIL"},
    "daemon": {"alembic", "confusable_homoglyphs", "dbos", "prometheus_client", "psycopg", "sqlalchemy"},
    "objects": {"fsspec"},
    "web": {
        *("authlib", "fastapi", "httptools", "httpx2", "limits", "markdown_it", "pydantic", "python_multipart"),
        *("starlette", "uvicorn", "uvloop"),
    },
}
"""Extra of pyproject.toml -> top-level modules that come with it."""


def extra_to_install(error: ImportError) -> str | None:
    """Say how to install what an import lacks, for a message; None if no extra has it."""
    module = (error.name or "").partition(".")[0]
    for extra, modules in EXTRAS.items():
        if module in modules:
            return f"needs the Python package {module}: {pip_install(extra)}"
    return None


def pip_install(extra: str) -> str:
    """The command that installs an extra where this program is; ``pip`` alone is often another environment's."""
    return f"{shlex.quote(sys.executable)} -m pip install 'sandbox-evaluate[{extra}]'"


def search_path() -> str:
    """PATH with the folders that Debian leaves out of an ordinary user's, where mke2fs and libvirtd are."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join([*folders, *(folder for folder in _ADMIN_FOLDERS if folder not in folders)])


@cache
def package_of() -> dict[str, str]:
    """Program -> Debian package, for every program that is started on the host."""
    try:
        system = platform.freedesktop_os_release()
    except OSError:  # no such file: Debian's names are the likelier ones
        system = {}
    name = -1 if "ubuntu" in {system.get("ID"), *system.get("ID_LIKE", "").split()} else 0
    lines = [line.partition("#")[0].split() for line in _FILE.read_text().splitlines()]
    return {program: words[0].split("|")[name] for words in lines if words for program in words[1:]}


def to_install(programs: list[str]) -> str:
    """The command that installs the packages of missing programs, for a message."""
    packages = package_of()
    return f"apt-get install {' '.join(sorted({packages.get(program, program) for program in programs}))}"

"""Unpacks wheels as an installer would, with every byte counted; none of their code is run.

The layout of a wheel is that of the `binary distribution format
<https://packaging.python.org/en/latest/specifications/binary-distribution-format/>`_.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PathDistribution
from pathlib import Path

from evaluate.confine.children import Exceeded, TooSlow, run
from evaluate.confine.delivery import send, sending
from evaluate.core.errors import EntryError, ImageFault
from evaluate.untrusted.listing import check_directory
from evaluate.untrusted.requirements import FILE
from evaluate.untrusted.tar import blaming

_INTERPRETER = b"#!/usr/bin/python3"
_CHUNK_BYTES = 1 << 20
_OBJECT = re.compile(r"(?P<module>[\w.]+)\s*:\s*(?P<attribute>(?P<top>\w+)[\w.]*)\s*(?:\[.*\])?$")
_PROGRAM = re.compile(r"\w[\w.+-]*")
_SCRIPT = """{interpreter}
import sys

from {module} import {top}

sys.exit({attribute}())
"""


def unpack_wheels(wheels: Sequence[Path], root: Path, python: str, most_bytes: int, most_files: int) -> Path:
    """Unpack wheels below ``root``; the folder of it on Python's path.  Raises as `Unpacker.unpack`."""
    unpacker = Unpacker(root, python, most_bytes=most_bytes, most_files=most_files)
    for wheel in wheels:
        unpacker.unpack(wheel)
    return unpacker.site


def compile_site(interpreter: str, site: Path, root: Path, seconds: float, most_bytes: int) -> None:
    """Compile to byte code that Python loads without checking the source; sources are parsed and not run.

    Raises EntryError if it does not end in time.
    """
    words = ["-I", "-m", "compileall", "-q", "-f", "--invalidation-mode", "unchecked-hash"]
    argv = [interpreter, *words, "-s", str(root), "-p", "/", str(site)]
    try:
        # its exit status is ignored: a file that cannot be compiled (a template, code for another version) is skipped
        run(argv, env={"PATH": os.environ["PATH"]}, cwd=root, seconds=seconds, most_bytes=most_bytes)
    except Exceeded as e:
        raise EntryError(f"compiling the packages' byte code {e}") from e


class Unpacker:
    """Unpacks wheels into ``usr/local`` of a folder, all together bounded in bytes and files."""

    def __init__(self, root: Path, python: str, *, most_bytes: int, most_files: int) -> None:
        local = root / "usr" / "local"
        self.site = local / "lib" / f"python{python}" / "dist-packages"
        """Folder of the packages; it is on Debian's Python path by default."""
        self._schemes = {
            "purelib": self.site,
            "platlib": self.site,
            "scripts": local / "bin",
            "data": local,
            "headers": local / "include" / f"python{python}",
        }
        self._most_bytes, self._most_files = most_bytes, most_files
        self._bytes = self._files = 0
        self.site.mkdir(parents=True)

    def unpack(self, wheel: Path) -> None:
        """Unpack one wheel; a file that an earlier one also has is replaced.

        Raises EntryError if it is damaged, leads out of its folder, or is too large together with the earlier ones.
        Raises Fault if the disk is full or broken.
        """
        with blaming(f"{wheel.name} cannot be unpacked", wheel):
            check_directory(wheel, self._most_files, wheel.name)
            with zipfile.ZipFile(wheel) as bundle:
                for info in bundle.infolist():
                    if not info.is_dir():
                        self._member(bundle, info)
                names = bundle.namelist()
        for name in names:
            if re.fullmatch(r"[^/]+\.dist-info/entry_points\.txt", name):
                self._programs(self.site / name.partition("/")[0])

    def _member(self, bundle: zipfile.ZipFile, info: zipfile.ZipInfo) -> None:
        parts = info.filename.split("/")
        base = self.site
        if {"", ".", ".."} & set(parts):
            raise ValueError(f"{info.filename!r} leads out of it")
        if parts[0].endswith(".data"):
            if len(parts) < 3 or parts[1] not in self._schemes:
                raise ValueError(f"{info.filename!r} has no place")
            base, parts = self._schemes[parts[1]], parts[2:]
        self._files += 1
        if self._files > self._most_files:
            raise ValueError(f"the wheels contain more than {self._most_files} files")
        target = base.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        program = base == self._schemes["scripts"]
        with bundle.open(info) as source, target.open("wb") as f:
            chunk = source.read(_CHUNK_BYTES)
            if program:
                chunk = re.sub(rb"\A#!pythonw?\b[^\n]*", _INTERPRETER, chunk)
            while chunk:
                self._bytes += len(chunk)
                if self._bytes > self._most_bytes:
                    raise ValueError(f"the wheels unpack to more than {self._most_bytes >> 20} MiB")
                f.write(chunk)
                chunk = source.read(_CHUNK_BYTES)
        target.chmod(0o755 if program or (info.external_attr >> 16) & 0o111 else 0o644)

    def _programs(self, metadata: Path) -> None:
        """Write the programs that a package declares as entry points."""
        for point in PathDistribution(metadata).entry_points:
            value = _OBJECT.match(point.value)
            if point.group != "console_scripts" or value is None or not _PROGRAM.fullmatch(point.name):
                continue
            path = self._schemes["scripts"] / point.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_SCRIPT.format(interpreter=_INTERPRETER.decode(), **value.groupdict()))
            path.chmod(0o755)


# Behind walls: pip asks the organiser's package index and downloads wheels; nothing is built or executed


DOWNLOADED = "wheels"
_RUN_PIP = """
import runpy, sys

def refuse(event, _):
    if event in ("subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system"):
        raise PermissionError("a package would have to be built, and only wheels are accepted")

sys.addaudithook(refuse)
sys.path.insert(0, sys.argv.pop(1))
"""
"""Prevents pip from building: a wheel may require a source distribution by its URL, which no option of pip refuses."""
_ONCE = """
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""
_FOR_EACH = """
import contextlib, io

projects = sys.argv.pop(1).split(",")
words = sys.argv[1:]
for n, project in enumerate(projects):
    sys.argv[1:] = [*words, project]
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        runpy.run_module("pip", run_name="__main__", alter_sys=True)
    begins = ("Available versions: ", "Could not fetch URL ", "Found link ")
    kept = [line for line in said.getvalue().splitlines() if line.strip().startswith(begins)]
    print("\\0" * (n > 0) + "\\n".join(kept))
"""
"""One process for several projects: pip takes as long to start as to ask.  Most of what it prints is about links that
do not fit."""


@dataclass(frozen=True, kw_only=True)
class PipOutput:
    """Exit status of pip, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True, kw_only=True)
class PipCall:
    """A command of pip."""

    interpreter: str
    library: str
    """Folder that has the package pip."""
    words: tuple[str, ...]
    environment: Mapping[str, str]
    projects: tuple[str, ...] = ()
    """Projects of which each is pip's last word once; output about their versions and links is parted by NUL.  Empty:
    pip runs once."""


def run_pip(call: PipCall, work: Path, seconds: float, most_bytes: int, out: int | None) -> PipOutput:
    """Run pip in the folder ``work``.

    Raises EntryError if it writes more than ``most_bytes``. Raises ImageFault if it does not end in time.

    ``out``: a `evaluate.confine.delivery` for the files that pip leaves in the folder `DOWNLOADED`.
    """
    program, each = (_RUN_PIP + _FOR_EACH, [",".join(call.projects)]) if call.projects else (_RUN_PIP + _ONCE, [])
    argv = [call.interpreter, "-I", "-c", program, call.library, *each, *call.words]
    try:
        done = run(argv, env=call.environment, cwd=work, seconds=seconds, most_bytes=most_bytes, folder=work)
    except TooSlow as e:
        raise ImageFault(f"pip {call.words[0]} {e}") from e
    except Exceeded as e:
        tries = "pip tries one version after another of packages that contradict each other"
        raise EntryError(f"downloading the packages of {FILE} {e}; {tries}: name versions that fit together") from e
    if out is not None and done.returncode == 0:
        with sending(out) as stream:
            for path in sorted((work / DOWNLOADED).iterdir()):
                with path.open("rb") as f:
                    send(stream, path.name, iter(partial(f.read, _CHUNK_BYTES), b""))
    return PipOutput(returncode=done.returncode, stdout=done.stdout, stderr=done.stderr)

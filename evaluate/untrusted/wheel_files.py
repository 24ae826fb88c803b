"""Unpacks wheels as an installer would, with every byte counted; none of their code is run.

The layout of a wheel is that of the `binary distribution format
<https://packaging.python.org/en/latest/specifications/binary-distribution-format/>`_.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import PathDistribution
from pathlib import Path

from evaluate.confine.children import Exceeded, run
from evaluate.core.errors import EntryError
from evaluate.untrusted.damage import blaming
from evaluate.untrusted.listing import check_directory

_INTERPRETER = b"#!/usr/bin/python3"
_OF_NUMPY_1 = re.compile(rb"numpy\.core\.(?:_multiarray_umath|multiarray)")
_OF_NUMPY_2 = re.compile(rb"numpy\._core")
"""What extensions that were compiled with the headers of numpy 1, or 2, import; those of 2 name both."""
_EXTENSION = re.compile(r"[^/]+\.so(?:\.\d+)*", re.ASCII)
_MOST_EXTENSION_BYTES = 128 << 20
"""No module of Python is as large; libraries for other processors are, which need not be read."""
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


def built_for_numpy_1(wheels: list[Path], most_bytes: int, most_files: int) -> list[str]:
    """Names of those wheels whose modules were compiled for numpy 1 alone, so that numpy 2 cannot be used by them.

    Reads at most ``most_bytes``.  Raises EntryError if one is damaged.
    """
    return [wheel.name for wheel in wheels if any(_for_numpy_1(wheel, most_bytes, most_files))]


def _for_numpy_1(wheel: Path, most_bytes: int, most_files: int) -> Iterator[bool]:
    """For each compiled module of a wheel."""
    with blaming(f"{wheel.name} cannot be read", wheel):
        check_directory(wheel, most_files, wheel.name)
        with zipfile.ZipFile(wheel) as bundle:
            for info in bundle.infolist():
                if not _EXTENSION.fullmatch(info.filename.rpartition("/")[2]):
                    continue
                most_bytes -= info.file_size
                if most_bytes > 0 and info.file_size <= _MOST_EXTENSION_BYTES:
                    content = bundle.read(info)
                    yield bool(_OF_NUMPY_1.search(content)) and not _OF_NUMPY_2.search(content)


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
        """Where the packages are; it is on Debian's Python path by default."""
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

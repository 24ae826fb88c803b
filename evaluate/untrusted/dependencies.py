"""``dependencies.txt`` of an entry, read strictly: names and versions of Debian packages."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaluate.core.errors import EntryError, refused
from evaluate.core.model import Refusal, RefusalKind
from metrics.readers.foreign import decoded

FILE = "dependencies.txt"
PACKAGE_NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")
_VERSION = re.compile(r"[0-9][0-9A-Za-z.+:~-]*")
_MOST_PACKAGES, _MOST_CHARACTERS, _SHOWN = 500, 200, 20
_OF_PIP = re.compile(r"([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>~!]=|[<>]).*)?")
"""A line of pip."""
_PYTHON = {
    **dict.fromkeys(("scikit-learn", "sklearn"), "sklearn"),
    **dict.fromkeys(("opencv-python", "opencv-python-headless", "cv2"), "opencv"),
    **{"scikit-image": "skimage", "pillow": "pil", "pyyaml": "yaml", "pytorch": "torch", "beautifulsoup4": "bs4"},
    **{"pywavelets": "pywt", "python-dateutil": "dateutil"},
}
"""Names of the Python package index -> of Debian, after ``python3-``, where these differ."""
_LINE = re.compile(r"([^\s=]+)\s*(?:=\s*(\S+))?")


@dataclass(frozen=True, kw_only=True)
class Dependency:
    """One line that asks for a package."""

    line: int
    name: str
    version: str | None = None
    file: str = FILE
    """File that has the line."""

    def refused(self, why: str, way_out: str = "") -> Refusal:
        """Why it cannot be installed."""
        asked = self.name if self.version is None else f"{self.name} = {self.version}"
        return Refusal(
            file=self.file, line=self.line, kind=RefusalKind.PACKAGE, found=asked, expected=why, way_out=way_out
        )


def of_pip(name: str) -> str:
    """Debian's usual name of a package of the Python package index."""
    plain = re.sub(r"[-_.]+", "-", name.lower()).removeprefix("python3-")
    return f"python3-{_PYTHON.get(plain, plain)}"


def _way_out(line: str) -> str:
    """Debian's package in the place of pip's."""
    asked = _OF_PIP.fullmatch(line)
    if asked is None or (not asked[2] and asked[1].lower() not in _PYTHON):
        return ""
    return f"write {of_pip(asked[1])}, Debian's package of {asked[1]} for Python"


def parse_dependencies(text: bytes) -> tuple[Dependency, ...]:
    """The packages an entry asks for; comments, blank lines, line ends and repetitions do not matter.

    Raises EntryError if a line is neither ``name`` nor ``name = version``, or asks for a second version; the first 20
    are quoted.
    """
    packages: dict[str, Dependency] = {}
    problems: list[Refusal] = []
    for number, raw in enumerate(decoded(text, errors="replace").splitlines(), 1):
        if len(problems) >= _SHOWN or len(packages) > _MOST_PACKAGES:
            break
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        try:
            wanted = dependency(line, number)
        except EntryError as e:
            problems += e.refusals
            continue
        before = packages.get(wanted.name)
        if before is None or (before.version is None and wanted.version is not None):
            packages[wanted.name] = wanted
        elif wanted.version not in (None, before.version):
            problems.append(wanted.refused(f"line {before.line} asks for version {before.version} of it"))
    if len(packages) > _MOST_PACKAGES:
        several = f"names more than {_MOST_PACKAGES} packages"
        problems.append(
            Refusal(file=FILE, line=0, kind=RefusalKind.PACKAGE, found=several, expected="expected fewer", way_out="")
        )
    if problems:
        raise refused(problems)
    return tuple(packages.values())


def dependency(line: str, number: int, file: str = FILE) -> Dependency:
    """The package that one line asks for. Raises EntryError if it is neither ``name`` nor ``name = version``."""
    match = _LINE.fullmatch(line) if len(line) <= _MOST_CHARACTERS else None
    name, version = (match[1], match[2]) if match else ("", None)
    if not PACKAGE_NAME.fullmatch(name) or (version is not None and not _VERSION.fullmatch(version)):
        refusal = Refusal(
            file=file,
            line=number,
            kind=RefusalKind.PACKAGE,
            found=repr(line[:80]),
            expected="expected 'package' or 'package = version'",
            way_out=_way_out(line[:_MOST_CHARACTERS]),
        )
        raise refused([refusal])
    return Dependency(line=number, name=name, version=version, file=file)

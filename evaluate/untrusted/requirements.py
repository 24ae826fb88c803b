"""``requirements.txt`` and ``dependencies.txt`` of an entry, read strictly: names and versions of packages alone."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from packaging.markers import UndefinedComparison, UndefinedEnvironmentName, default_environment
from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement as Specification
from packaging.specifiers import InvalidSpecifier, SpecifierSet

from evaluate.core.errors import EntryError, refused
from evaluate.core.model import Refusal, RefusalKind
from metrics.readers.foreign import decoded

FILE = "requirements.txt"
PYTHON = "3.11"
"""Python of the machine, where no image is at hand."""
_MOST_REQUIREMENTS, _MOST_CHARACTERS, _SHOWN = 200, 1000, 20
_ARCHIVE = re.compile(r"\.(?:whl|zip|tar|t[bgl]z|txz|tar\.(?:gz|bz2|xz|lz|lzma))$", re.IGNORECASE)
"""Names that pip treats as files."""
PACKAGES_OF = {
    "bio": "biopython",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "opencv": "opencv-python-headless",
    "pil": "pillow",
    "pytorch": "torch",
    "pywt": "PyWavelets",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "tensorflow-gpu": "tensorflow",
    "yaml": "pyyaml",
}
"""Names that are imported or asked for, in small letters -> the package of the index, where that has another name."""
_EXPECTED = "name packages only, such as 'numpy >= 1.26'"


class NotInstallable(EntryError):
    """Pinned versions cannot be installed, but others can."""

    def __init__(self, refusals: Sequence[Refusal], replaced: Mapping[str, str], instead: bytes) -> None:
        """Take what to ask for instead.

        * ``replaced``: what was asked for -> the nearest that can be installed.
        * ``instead``: all requirements with these.
        """
        super().__init__("\n".join(map(str, refusals)), refusals)
        self.replaced, self.instead = replaced, instead


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One line that asks for a package."""

    line: int
    specification: Specification
    file: str = FILE
    """File that has the line."""

    def refused(self, why: str, way_out: str = "") -> Refusal:
        """Why it cannot be installed."""
        return Refusal(
            file=self.file,
            line=self.line,
            kind=RefusalKind.PIN,
            found=str(self.specification),
            expected=why,
            way_out=way_out,
        )


def parse_requirements(text: bytes, python: str = PYTHON, file: str = FILE) -> tuple[Requirement, ...]:
    """The packages an entry asks for; comments, blank lines and line ends do not matter.

    Lines whose marker (``; python_version < "3.8"``) does not hold for the guest are left out.  ``--hash`` options,
    which pip-compile writes, are ignored: the index is the organiser's, and most of the hashes are of other files.
    Raises EntryError if a line is not ``name[extras] versions``; the first 20 are quoted.
    """
    requirements: list[Requirement] = []
    problems: list[Refusal] = []
    for number, raw in _lines(text):
        line = re.sub(r"(?:^|\s)#.*$", "", raw).strip()
        line = re.sub(r"\s--hash[= ]\S+", "", line).rstrip()
        if not line:
            continue
        try:
            parsed = requirement(line, number, python, file)
        except EntryError as e:
            problems += e.refusals
        else:
            requirements += [parsed] if parsed else []
        if len(requirements) > _MOST_REQUIREMENTS:
            problems.append(_too_many(file, _MOST_REQUIREMENTS, RefusalKind.REQUIREMENT))
        if len(requirements) > _MOST_REQUIREMENTS or len(problems) >= _SHOWN:
            break
    if problems:
        raise refused(problems)
    return tuple(requirements)


def _too_many(file: str, most: int, kind: RefusalKind) -> Refusal:
    named, way = f"names more than {most} packages", "name only those that the program uses: what they need comes along"
    return Refusal(file=file, line=0, kind=kind, found=named, expected="expected fewer", way_out=way)


def loosened(text: bytes) -> tuple[bytes, dict[str, str]]:
    """Requirements that take later versions of what is pinned, and what was asked for -> what is now.

    >>> loosened(b"numpy==1.22.0\\nwfdb>=4")
    (b'numpy>=1.22.0\\nwfdb>=4', {'numpy==1.22.0': 'numpy>=1.22.0'})
    """
    asked = [line.specification for line in parse_requirements(text)]
    pinned = {
        str(line): str(line).replace("==", ">=")
        for line in asked
        if any(part.operator == "==" and not part.version.endswith("*") for part in line.specifier)
    }
    return "\n".join(pinned.get(str(line), str(line)) for line in asked).encode(), pinned


def requirement(line: str, number: int, python: str = PYTHON, file: str = FILE) -> Requirement | None:
    """Read what one line asks for; None where its condition does not hold.

    Raises EntryError if it is not ``name[extras] versions``.
    """
    try:
        specification = _specification(line, _environment(python))
    except ValueError as e:
        quoted, kind = repr(line[:120]), RefusalKind.REQUIREMENT
        raise refused(
            [Refusal(file=file, line=number, kind=kind, found=quoted, expected=str(e), way_out=_way_out(line))]
        ) from e
    return Requirement(line=number, specification=specification, file=file) if specification else None


def _lines(text: bytes) -> Iterator[tuple[int, str]]:
    """Lines and the numbers of their beginnings; a backslash at the end joins the next line."""
    waiting: list[str] = []
    number = 1
    for here, line in enumerate(decoded(text, errors="replace").splitlines(), 1):
        number = number if waiting else here
        waiting.append(line.removesuffix("\\"))
        if not line.endswith("\\"):
            yield number, " ".join(waiting)
            waiting = []
    yield number, " ".join(waiting)


def _specification(line: str, environment: dict[str, str]) -> Specification | None:
    """Read what a line asks for, None if not in this environment; ValueError says what is wrong with it."""
    if line.startswith("-"):
        raise ValueError("options are not allowed")
    if len(line) > _MOST_CHARACTERS:
        raise ValueError(f"a line of {len(line)} characters, at most {_MOST_CHARACTERS} are allowed")
    try:
        specification = Specification(line)
        holds = specification.marker is None or specification.marker.evaluate(environment)
    except InvalidRequirement as e:
        address = re.search(r"://|^\.|/", line)
        raise ValueError("addresses and paths are not allowed" if address else str(e).splitlines()[0]) from e
    except (UndefinedComparison, UndefinedEnvironmentName, RecursionError) as e:
        raise ValueError(f"its condition cannot be evaluated: {e}") from e
    if specification.url:
        raise ValueError("addresses are not allowed")
    if _ARCHIVE.search(specification.name):
        raise ValueError("files are not allowed")
    if any(part.operator == "===" for part in specification.specifier):  # of texts, but what is meant is a version
        try:
            specification.specifier = SpecifierSet(str(specification.specifier).replace("===", "=="))
        except InvalidSpecifier as e:
            raise ValueError("'===' compares texts and not versions, write '=='") from e
    if holds and specification.name in sys.stdlib_module_names:
        raise ValueError("a module of Python itself, which nothing installs")
    specification.marker = None
    return specification if holds else None


_WAYS_OUT = (
    (
        r".*(?:git|hg|svn|bzr)\+\w+://[^\s/]+/(?:[^\s@#?]*/)?([\w.-]+?)(?:\.git)?(?:[@#?]\S*)?$",
        "nothing is built from source: write {0} if the index has it, or put its modules into the entry",
    ),
    (r".*?\b([\w.]+)-(\d[\w.]*)(?:(?:\+|%2B)[\w.]+)?-[^/\s]*\.whl", "write {0}=={1}"),
    (r"([\w.-]+)\s*@\s*file:", "write {0} and its version, as pip list --format=freeze prints them"),
    (r"([\w.-]+(?:\[[^\]]*\])?)\s*@", "write {0} and a version that the index has"),
    (r"([\w.-]+)=([\w.]+)(?:=\S+)?$", "write {0}=={1}"),
    (r"-(?:-requirement|r|-constraint|c)\b", "write the lines of that file here"),
    (
        r"-(?:-editable|e)\b|\.",
        "remove the line and list what it needs: a program finds the modules of the entry beside itself",
    ),
    (r"-(?:-index-url|i|-extra-index-url|f|-find-links)\b", "remove the line: the challenge has its own index"),
    (r"-", "remove the line"),
)
"""Wrong lines -> the nearest that would do; those of conda have one ``=``."""


def _way_out(line: str) -> str:
    if re.split(r"[^\w.]", line, maxsplit=1)[0] in sys.stdlib_module_names:
        return "remove the line"
    matches = ((re.match(wrong, line[:_MOST_CHARACTERS]), way) for wrong, way in _WAYS_OUT)
    return next((way.format(*match.groups()) for match, way in matches if match), _EXPECTED)


def _environment(python: str) -> dict[str, str]:
    """Values that markers see in the guest, which is CPython on Linux as this process is."""
    here = {key: str(value) for key, value in default_environment().items()}
    return {
        **here,
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_version": f"{python}.0",
        "platform_machine": "x86_64",
        "platform_release": "",
        "platform_version": "",
        "extra": "",
    }


# ``dependencies.txt``: names and versions of Debian packages


DEPENDENCIES = "dependencies.txt"
PACKAGE_NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")
_DEBIAN_VERSION = re.compile(r"[0-9][0-9A-Za-z.+:~-]*")
_MOST_PACKAGES, _MOST_LETTERS = 500, 200
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
    file: str = DEPENDENCIES
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


def _instead_of_pip(line: str) -> str:
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
        problems.append(_too_many(DEPENDENCIES, _MOST_PACKAGES, RefusalKind.PACKAGE))
    if problems:
        raise refused(problems)
    return tuple(packages.values())


def dependency(line: str, number: int, file: str = DEPENDENCIES) -> Dependency:
    """The package that one line asks for. Raises EntryError if it is neither ``name`` nor ``name = version``."""
    match = _LINE.fullmatch(line) if len(line) <= _MOST_LETTERS else None
    name, version = (match[1], match[2]) if match else ("", None)
    if not PACKAGE_NAME.fullmatch(name) or (version is not None and not _DEBIAN_VERSION.fullmatch(version)):
        refusal = Refusal(
            file=file,
            line=number,
            kind=RefusalKind.PACKAGE,
            found=repr(line[:80]),
            expected="expected 'package' or 'package = version'",
            way_out=_instead_of_pip(line[:_MOST_LETTERS]),
        )
        raise refused([refusal])
    return Dependency(line=number, name=name, version=version, file=file)

"""The layer of an entry's ``requirements.txt``: wheels only, for the guest's Python; nothing in them is executed.

pip resolves and downloads, behind walls with a network; a source distribution would run its ``setup.py``, so none is
ever downloaded, and pip keeps no cache, which would carry what one entry wanted to the next.  The
wheels are unpacked by our own code, because pip's unpacking has no bounds.  Byte code is compiled on the host, since
the entry cannot write it and would compile it again for every record.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement as Specification
from packaging.version import InvalidVersion, Version

from evaluate.confine import children as bounded
from evaluate.confine.delivery import Delivery
from evaluate.confine.isolated import Bounds, isolated
from evaluate.confine.scratch import PLACE, Scratch
from evaluate.confine.walls import Openings
from evaluate.core.codec import from_json, to_json
from evaluate.core.errors import EntryError, ImageFault, MirrorFault, refused
from evaluate.core.files import is_there, write_file
from evaluate.core.model import LayerLimits, Refusal
from evaluate.images import squashfs
from evaluate.images.image import Image
from evaluate.images.layers import kept_layer
from evaluate.images.mirrors import settings_of_pip
from evaluate.images.staging import Progress, phase
from evaluate.untrusted.requirements import FILE, PACKAGES_OF, NotInstallable, Requirement
from evaluate.untrusted.wheel_files import (
    DOWNLOADED,
    PipCall,
    PipOutput,
    compile_site,
    run_pip,
    unpack_wheels,
)

_VERSION = 2
"""Increased when the same requirements would give another layer."""
_MOST_FILES = 300_000
_SECONDS, _ASK_SECONDS, _ASK_BYTES = 1800.0, 120.0, 8 << 30
_MOST_ASKED, _EACH_SECONDS = 20, 10.0
"""Projects that one process of pip asks for, and the further time for each."""
_UNPACKING_SECONDS = 900
_PIP_MEMORY_BYTES = 4 << 30
_ONLY_WHEELS = "--only-binary=:all:"
_REPLY_BYTES = 32 << 20
"""Size of what pip prints, which names every wheel that it looked at."""
_MOST_VERSION = 100
"""Characters of a version."""
_WHEEL = re.compile(r"[\w.+!-]+\.whl")
_NEAR_MINORS = 3
_NOTED_SECONDS = 86400.0
_GLIBC = 36
"""Minor version of the guest's C library: 2.36 in Debian 12."""
_KEPT_ENVIRONMENT = re.compile(
    r"(?:HTTPS?|NO|ALL)_PROXY|SSL_CERT_.*|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|PATH|HOME",
    re.IGNORECASE,
)
_MISSING = re.compile(r"^ERROR: No matching distribution found for (.{1,1000}).*$", re.MULTILINE)
_ENTRYS = re.compile(
    r"conflicting dependencies|resolution-too-deep|[Ii]nvalid wheel|invalid metadata|inconsistent|"
    r"not a supported wheel|requires a different Python|would have to be built|^MemoryError",
    re.MULTILINE,
)
"""Messages of pip when a package is at fault, and not the network or this machine."""


def python_of(image: Image) -> str:
    """Minor version of the image's Python, such as ``3.11``. Raises ImageFault if the image has none."""
    version = next((package.version for package in image.packages if package.name == "python3"), "")
    match = re.match(r"(\d+\.\d+)", version)
    if match is None:
        raise ImageFault(f"image {image.name} has no python3, so wheels cannot be chosen for it")
    return match[1]


def build_wheels_layer(
    image: Image,
    requirements: Sequence[Requirement],
    state: Path,
    progress: Progress,
    limits: LayerLimits = LayerLimits(),
) -> Path | None:
    """The layer with these packages and all they need; None if nothing is asked for.

    A layer belongs to an image, a set of lines, and whether this host has the guest's Python to compile byte code with;
    without it packages are slower to import. Raises EntryError if a package, a version or a wheel of it does not exist,
    or packages contradict each other. Raises ImageFault if the package index cannot be reached, or a tool is missing.
    """
    if not requirements:
        return None
    python = python_of(image)
    interpreter = find_interpreter(python)
    asked = sorted({str(requirement.specification) for requirement in requirements})
    identity = [_VERSION, image.digest, python, asked, interpreter is not None]
    names = ", ".join(requirement.specification.name for requirement in requirements)

    def pack(work: Path, layer: Path) -> dict[str, Any]:
        squashfs.programs()
        if interpreter is None:
            progress(f"no Python {python} here: conditions are evaluated by the running Python, nothing is compiled")
        note = state / "cache" / f"pins-{hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:32]}.json"
        with phase(progress, f"downloading wheels of {names}"):
            wheels = download(requirements, python, work, limits, note=note)
        with phase(progress, f"unpacking, compiling and packing {len(wheels)} wheels"):
            pack_behind_walls(wheels, python, interpreter, layer, limits)
        return {"image": image.digest, "requirements": asked, "wheels": [wheel.name for wheel in wheels]}

    waiting = f"another process is building the layer of {names}; waiting"
    return kept_layer(identity, pack, state, lambda: progress(waiting))


def find_interpreter(python: str) -> str | None:
    """A Python of this minor version on the host, if there is one; the running Python is preferred."""
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return sys.executable if here == python else shutil.which(f"python{python}")


def _selectors(python: str) -> list[str]:
    """Options of pip for wheels of the guest: CPython of this version on x86-64 with its C library or an older one."""
    tag = python.replace(".", "")
    platforms = [f"manylinux_2_{minor}_x86_64" for minor in range(_GLIBC, 4, -1)]
    platforms += ["manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64", "linux_x86_64"]
    words = [_ONLY_WHEELS, f"--python-version={python}", "--implementation=cp"]
    words += [f"--abi={abi}" for abi in (f"cp{tag}", "abi3", "none")]
    return words + [f"--platform={platform}" for platform in platforms]


def _pip(
    *words: str,
    python: str,
    work: Path,
    seconds: float = _ASK_SECONDS,
    most_bytes: int = _ASK_BYTES,
    out: int | None = None,
    each: Sequence[str] = (),
) -> PipOutput:
    """Run pip with the organiser's configuration, in the guest's Python version if present: it evaluates conditions.

    ``out`` is where it delivers what it downloads, and ``each`` are the projects that it is run for, see
    `evaluate.untrusted.wheel_files.run_pip`.
    """
    module = find_spec("pip")
    if module is None or module.origin is None:
        raise ImageFault(f"{sys.executable} has no pip, which downloads wheels; python -m ensurepip installs it")
    environment = {key: value for key, value in os.environ.items() if _KEPT_ENVIRONMENT.fullmatch(key)}
    settings = settings_of_pip()
    environment |= {f"PIP_{name.upper().replace('-', '_')}": value for name, value in settings.items()}
    environment |= {"PIP_CONFIG_FILE": os.devnull, "LC_ALL": "C.UTF-8", "TMPDIR": str(PLACE)}
    common = [
        "--no-input",
        "--disable-pip-version-check",
        "--no-color",
        "--no-cache-dir",
        "--timeout=30",
        "--retries=3",
    ]
    interpreter = Path(find_interpreter(python) or sys.executable).resolve()
    bounded.require(["prlimit"], ImageFault)
    bounds = Bounds(
        doing=f"downloading the packages of {FILE}",
        seconds=seconds,
        memory_bytes=_PIP_MEMORY_BYTES,
        file_bytes=most_bytes,
        reply_bytes=_REPLY_BYTES,
        raises=(EntryError, ImageFault),
        defect=ImageFault,
        pass_fds=() if out is None else (out,),
        openings=Openings(
            reads=(library_of(interpreter), *_settings(environment)),
            scratch=Scratch(folder=work, most_bytes=most_bytes),
            programs=(interpreter, Path(shutil.which("prlimit") or "")),
            network=True,
        ),
    )
    call = PipCall(
        interpreter=str(interpreter),
        library=str(Path(module.origin).parent.parent),
        words=(*words, *common),
        environment=environment,
        projects=tuple(each),
    )
    return isolated(bounds, run_pip, call, PLACE, seconds, most_bytes, out)


def _settings(environment: Mapping[str, str]) -> list[Path]:
    """The files and folders of this host that pip is to read: its configuration, certificates, local packages."""
    words = [word for key, value in environment.items() if key not in ("PATH", "HOME") for word in value.split()]
    named = [Path(word.removeprefix("file://")) for word in words if word.startswith(("/", "file:///"))]
    # the pages of an index link to files in a folder beside it
    named = [path.parent if path.name == "simple" else path for path in named]
    named.append(Path(environment.get("HOME") or "/", ".netrc"))
    return [path for path in named if is_there(path, lambda mode: stat.S_ISREG(mode) or stat.S_ISDIR(mode))]


def library_of(interpreter: Path) -> Path:
    """The folder of the standard library of a Python."""
    return interpreter.parent.parent / "lib" / re.sub(r"^(python\d+\.\d+).*", r"\1", interpreter.name)


def download(
    requirements: Sequence[Requirement],
    python: str,
    work: Path,
    limits: LayerLimits = LayerLimits(),
    *,
    note: Path | None = None,
) -> list[Path]:
    """Resolve and download; raises as `build_wheels_layer`.

    ``note``: where it is kept for a day that pinned versions cannot be installed: asking for each takes long.
    """
    with suppress(OSError, ValueError, TypeError):
        if note is not None:
            noted, replaced, instead = json.loads(note.read_bytes())
            if abs(time.time() - note.stat().st_mtime) < _NOTED_SECONDS:  # the clock may have been ahead
                raise NotInstallable(from_json(tuple[Refusal, ...], noted), replaced, instead.encode())
    folder = work / "wheels"
    # not in a file: pip would put values of our environment into its lines
    asked = sorted({str(requirement.specification) for requirement in requirements})
    words = ["download", *_selectors(python), f"--dest={PLACE / DOWNLOADED}", "--progress-bar=off", *asked]
    delivery = Delivery(
        folder=folder,
        most_bytes=limits.download_bytes,
        most_files=limits.packages,
        expected=lambda name: _WHEEL.fullmatch(name) is not None,
        doing=f"downloading the packages of {FILE}",
    )
    # twice: pip keeps what it downloads in its temporary folder until the end
    most = 2 * limits.download_bytes
    with delivery.open() as out:
        done = _pip(*words, python=python, work=work, seconds=_SECONDS, most_bytes=most, out=out)
        if done.returncode != 0:
            raise _noted(_blame(requirements, python, done, work), note)
    return sorted(folder.iterdir())


def _noted(error: EntryError | MirrorFault, note: Path | None) -> EntryError | MirrorFault:
    if note is not None and isinstance(error, NotInstallable):
        note.parent.mkdir(exist_ok=True)
        noted = [to_json(error.refusals), dict(error.replaced), error.instead.decode()]
        write_file(note, json.dumps(noted).encode())
    return error


def _blame(requirements: Sequence[Requirement], python: str, done: PipOutput, work: Path) -> EntryError | MirrorFault:
    """The error for a failure of pip: the entry's only if that is certain, otherwise the infrastructure's."""
    missing = _MISSING.findall(done.stderr)
    if missing:
        lacks = _lacks([requirement.specification for requirement in requirements], python, work)
        unfulfilled = [(requirement, lack) for requirement, lack in zip(requirements, lacks, strict=True) if lack]
        problems = [requirement.refused(lack.why, lack.way_out) for requirement, lack in unfulfilled]
        replaced = {str(requirement.specification): lack.nearest for requirement, lack in unfulfilled if lack.nearest}
        if replaced:
            texts = [replaced.get(text, text) for text in (str(wanted.specification) for wanted in requirements)]
            asked = dict(zip((requirement.line for requirement in requirements), texts, strict=True))
            lines = [asked.get(line, "") for line in range(1, max(asked) + 1)]  # problems name lines
            if len(asked) < len(requirements):  # of several files, or several on a line
                lines = texts
            return NotInstallable(problems, replaced, "\n".join(lines).encode())
        if not problems:
            wanted, _, parent = missing[-1].partition(" (from ")
            shown = wanted + (f", needed by {parent.removesuffix(')')}" if parent else "")
            with suppress(ValueError):  # it is text that pip printed
                (lack,) = _lacks([Specification(wanted)], python, work)
                if lack:  # of what no line asks for itself
                    problems = [replace(requirements[0].refused(lack.why, lack.way_out), line=0, found=shown)]
        if problems:
            return refused(problems)
        return MirrorFault(f"the package index has {missing[-1].partition(' (from ')[0]} now, but did not a moment ago")
    if _ENTRYS.search(done.stderr):
        return EntryError(f"{FILE} cannot be fulfilled: {_conflict(done)}")
    return MirrorFault(f"the package index cannot be used: {_errors(done)}")


@dataclass(frozen=True, kw_only=True)
class _Lack:
    """Reason why no wheel satisfies a specification."""

    why: str
    way_out: str = ""
    nearest: str = ""
    """Specification to ask for instead, if it pins a version."""


def _lacks(wanted: Sequence[Specification], python: str, work: Path) -> list[_Lack | None]:
    """The lack of each specification that no wheel satisfies; None if one does."""
    usable = _available(wanted, _selectors(python), python, work)
    lacking = [project for project in wanted if not _fits(project, usable) and project.name.lower() not in _INSTEAD]
    every = _available(lacking, ["--ignore-requires-python"], python, work)

    def lack(project: Specification) -> _Lack | None:
        if _fits(project, usable):
            return None
        if (name := project.name.lower()) in _INSTEAD:
            return _INSTEAD[name]
        nearest = _nearest(project, usable[project.name])
        if not every[project.name] and not usable[project.name]:
            return _Lack(why="no such package")
        if _fits(project, every):
            why = f"there is no wheel of it for CPython {python} on x86-64 Linux, only source or wheels for others"
            advice = f"ask for {nearest}" if nearest else "ask for another version"
            way = f"{advice}, use the package of Debian, or put its code into the entry"
            return _Lack(why=why, way_out=way, nearest=nearest)
        some = ", ".join(map(str, (usable[project.name] or every[project.name])[:8]))
        offer = f"{nearest} is the nearest that there is" if nearest else f"there is {some}"
        return _Lack(why=f"no such version for CPython {python} on x86-64 Linux", way_out=offer, nearest=nearest)

    return [lack(project) for project in wanted]


def _fits(wanted: Specification, versions: Mapping[str, Sequence[Version]]) -> bool:
    return any(wanted.specifier.contains(version, prereleases=True) for version in versions[wanted.name])


def _available(
    wanted: Sequence[Specification], words: Sequence[str], python: str, work: Path
) -> dict[str, list[Version]]:
    """The versions that the index has of each project for these options of pip."""
    names = list(dict.fromkeys(specification.name for specification in wanted))
    available: dict[str, list[Version]] = {}
    for first in range(0, len(names), _MOST_ASKED):
        some = names[first : first + _MOST_ASKED]
        seconds = _ASK_SECONDS + len(some) * _EACH_SECONDS
        asked = _pip("index", "versions", "--pre", "-vv", *words, python=python, work=work, seconds=seconds, each=some)
        parts = asked.stdout.split("\0")
        if len(parts) != len(some):
            raise MirrorFault(f"the package index: expected answers for {len(some)} packages, found {len(parts)}")
        available |= {name: _versions_in(output, words) for name, output in zip(some, parts, strict=True)}
    return available


def _versions_in(output: str, words: Sequence[str]) -> list[Version]:
    for url, why in re.findall(r"^Could not fetch URL (\S{1,1000}): (.{0,1000})", output, re.MULTILINE):
        if not why.startswith("404 "):
            raise MirrorFault(f"the package index cannot be read: {url}: {why}")
    match = re.search(r"^Available versions: (.*)$", output, re.MULTILINE)
    versions = _versions(match[1].split(", ")) if match else ()
    unusable = _only_source(output) if _ONLY_WHEELS in words else frozenset()
    return [version for version in versions if version not in unusable]


_INSTEAD = {
    "python": _Lack(why="the challenge has its Python, and this is no package", way_out="remove the line"),
    **{
        name: _Lack(why="nothing to install has this name", way_out=f"the package is {called}")
        for name, called in PACKAGES_OF.items()
    },
}
"""Names that are often asked for, and what is said of those that the index does not have for the machine."""


def _only_source(output: str) -> frozenset[Version]:
    """Versions that ``pip index`` found no wheel of; that of Debian 12 lists them although it is asked for wheels."""
    links = re.findall(
        r"^ *Found link ([^\s#]{1,1000})\S{0,1000} .{0,1000}, version: (\S{1,100})$", output, re.MULTILINE
    )
    wheels = {version for link, version in links if link.endswith(".whl")}
    return frozenset(_versions(version for _, version in links if version not in wheels))


def _versions(words: Iterable[str]) -> Iterator[Version]:
    """Yield the words of pip that are versions; an attacker who took pip over may have written others."""
    for word in words:
        if len(word) <= _MOST_VERSION:
            with suppress(InvalidVersion):
                yield Version(word)


def _nearest(wanted: Specification, usable: Sequence[Version]) -> str:
    """The version after the pinned one, or a few minor ones later: some of that age pin others, and much newer ones
    have dropped what was in use; else the last before it.  Empty where no version is pinned.
    """
    pins = [
        Version(clause.version)
        for clause in wanted.specifier
        if clause.operator == "==" and not clause.version.endswith("*")
    ]
    released = sorted(version for version in usable if not version.is_prerelease)
    if not pins or not released:
        return ""
    if pins[0].local and Version(pins[0].public) in released:  # a build of another index, such as 2.3.0+cu121
        return f"{wanted.name}=={pins[0].public}"
    later = next((version for version in released if version > pins[0]), None)
    if later is None:
        return f"{wanted.name}=={released[-1]}"
    return f"{wanted.name}>={later},<{later.major}.{later.minor + _NEAR_MINORS}"


def _conflict(done: PipOutput) -> str:
    """pip's description of a conflict, without its advice, after the packages that have no wheel at all."""
    absent = re.search(
        r"no matching distributions available for your environment:\n((?: +\S.{0,200}\n?)+)", done.stdout
    )
    first = f"no wheel fits of {', '.join(absent[1].split())}; " if absent else ""
    cause = re.search(r"^The conflict is caused by:\n(.*?)(?:^\s*$|\Z)", done.stdout, re.MULTILINE | re.DOTALL)
    conflict = "; ".join(line.strip() for line in cause[1].splitlines())[:2000] if cause else _errors(done)
    return first + conflict


def _errors(done: PipOutput) -> str:
    lines = done.stderr.strip().splitlines()
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return " ".join(lines[-1:] if errors in ([], ["Exception:"]) else errors)[:1000]


def pack_behind_walls(
    wheels: Sequence[Path], python: str, interpreter: str | None, packed: Path, limits: LayerLimits
) -> None:
    """Unpack wheels, compile byte code and pack all of it as a squashfs, behind walls.

    Raises EntryError if a wheel is damaged, or together they are too large.
    """
    bounded.require(["prlimit"], ImageFault)
    packed.touch(0o600, exist_ok=False)
    program = Path(interpreter).resolve() if interpreter is not None else None
    bounds = Bounds(
        doing="unpacking and compiling the wheels",
        seconds=_UNPACKING_SECONDS + _SECONDS,
        memory_bytes=squashfs.MEMORY_BYTES,
        file_bytes=limits.installed_bytes,
        openings=Openings(
            reads=(library_of(program),) if program else (),
            writes=(packed,),
            # as much again for byte code
            scratch=Scratch(folder=packed.parent, most_bytes=2 * limits.installed_bytes),
            programs=(
                *squashfs.programs(),
                *((program, Path(shutil.which("prlimit") or "")) if program is not None else ()),
            ),
        ),
    )
    isolated(bounds, pack_wheels, list(wheels), python, str(program or ""), PLACE, packed, limits.installed_bytes)


def pack_wheels(wheels: list[Path], python: str, interpreter: str, work: Path, packed: Path, most_bytes: int) -> None:
    """Behind walls: unpack wheels in the folder ``work``, compile them if there is an interpreter, and pack them."""
    root = work / "root"
    root.mkdir()
    site = unpack_wheels(wheels, root, python, most_bytes, _MOST_FILES)
    if interpreter:
        compile_site(interpreter, site, root, _SECONDS, most_bytes)
    squashfs.pack_tree(root, packed)

"""The layer of an entry's ``requirements.txt``: wheels only, for the guest's Python, nothing of them executed here.

pip resolves and unpacks; a source distribution would run its ``setup.py``, so none is ever downloaded.  Byte code is
compiled on the host, since the entry cannot write it and would compile anew for every record.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement as Specification

from evaluate.errors import EntryError, ImageFault
from evaluate.images import squashfs
from evaluate.images.image import Image
from evaluate.images.staging import building, publish, write_file
from evaluate.images.tools import Progress, phase, require

FILE = "requirements.txt"
_VERSION = 1
"""Raised when the same requirements would give another layer."""
_MOST_REQUIREMENTS, _MOST_WHEELS, _MOST_BYTES = 500, 400, 4 << 30
_SECONDS = 1800
_GLIBC = 36
"""Minor version of the guest's C library, 2.36 in Debian 12."""
_NETWORK = re.compile(
    r"(?i)connection (?:refused|reset|error|broken)|NewConnectionError|NameResolution|Temporary failure|timed out|"
    r"ReadTimeout|SSLError|ProxyError|Max retries|HTTP error 5\d\d|5\d\d Server Error|Could not fetch URL"
)
_KEPT_ENVIRONMENT = re.compile(
    r"PIP_.*|(?:HTTPS?|NO|ALL)_PROXY|SSL_CERT_.*|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class Requirement:
    """One line that asks for a package."""

    line: int
    specification: Specification

    @property
    def place(self) -> str:
        """Where it stands, quoted, for a message."""
        return f"{FILE} line {self.line}: {self.specification}"


def parse_requirements(text: bytes, python: str = "3.11") -> tuple[Requirement, ...]:
    """The packages an entry asks for; comments, blank lines, line ends and ``--hash`` options do not matter.

    Lines whose marker (``; python_version < "3.8"``) does not hold for the guest are left out.

    Raises
    ------
    EntryError
        A line is no ``name[extras] versions``; every such line is quoted.
    """
    found: list[Requirement] = []
    problems = []
    for number, raw in enumerate(_joined(text.decode("utf-8-sig", errors="replace")), 1):
        line = re.sub(r"(?:^|\s)#.*$", "", raw).strip()
        line = re.sub(r"\s+--hash[= ]\S+", "", line)
        if not line:
            continue
        quoted = f"{FILE} line {number}: {line[:120]!r}"
        if line.startswith("-"):
            problems.append(f"{quoted}: options are not allowed; name packages only, such as 'numpy >= 1.26'")
            continue
        try:
            specification = Specification(line)
        except InvalidRequirement as e:
            what = "addresses and paths are not allowed" if re.search(r"://|^\.|/", line) else str(e).splitlines()[0]
            problems.append(f"{quoted}: {what}; name packages only, such as 'numpy >= 1.26'")
            continue
        if specification.url:
            problems.append(f"{quoted}: addresses are not allowed; name packages only, such as 'numpy >= 1.26'")
        elif specification.marker is None or specification.marker.evaluate(_environment(python)):
            specification.marker = None
            found.append(Requirement(line=number, specification=specification))
    if len(found) > _MOST_REQUIREMENTS:
        problems.append(f"{FILE} names {len(found)} packages; at most {_MOST_REQUIREMENTS} are allowed")
    if problems:
        raise EntryError("\n".join(problems))
    return tuple(found)


def _joined(text: str) -> Iterable[str]:
    """Lines; one that a backslash continues is joined to it, and empty lines keep the numbers right."""
    waiting, skipped = "", 0
    for line in text.splitlines():
        if line.endswith("\\"):
            waiting, skipped = waiting + line[:-1] + " ", skipped + 1
            continue
        yield waiting + line
        yield from [""] * skipped
        waiting, skipped = "", 0
    if waiting:
        yield waiting


def _environment(python: str) -> dict[str, str]:
    """What markers see in the guest."""
    here = {key: str(value) for key, value in default_environment().items()}
    return {
        **here,
        "python_version": python,
        "python_full_version": f"{python}.0",
        "implementation_version": f"{python}.0",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "platform_machine": "x86_64",
        "os_name": "posix",
        "extra": "",
    }


def python_of(image: Image) -> str:
    """Minor version of the image's Python, such as ``3.11``.

    Raises
    ------
    ImageFault
        The image has none.
    """
    version = next((package.version for package in image.packages if package.name == "python3"), "")
    match = re.match(r"(\d+\.\d+)", version)
    if match is None:
        raise ImageFault(f"image {image.name} has no python3, so wheels cannot be chosen for it")
    return match[1]


def build_wheels_layer(
    image: Image, requirements: Sequence[Requirement], state: Path, progress: Progress
) -> Path | None:
    """The layer with these packages and all they need; None if nothing is asked for.

    Raises
    ------
    EntryError
        A package, a version or a wheel of it is not to be had, or packages contradict each other.
    ImageFault
        The package index cannot be reached, or a tool is missing.
    """
    if not requirements:
        return None
    python = python_of(image)
    asked = sorted(str(one.specification) for one in requirements)
    key = hashlib.sha256(json.dumps([_VERSION, image.digest, python, asked]).encode()).hexdigest()[:32]
    layers = state / "layers"
    target = layers / f"{key}.squashfs"
    if target.exists():
        return target
    names = ", ".join(one.specification.name for one in requirements)
    with building(layers, key, lambda: progress(f"another process is building the layer of {names}; waiting")) as work:
        if target.exists():
            return target
        require(["tar2sqfs", "sqfs2tar"])
        with phase(progress, f"downloading wheels of {names}"):
            wheels = download(requirements, python, work)
        site = work / "root" / "usr" / "local" / "lib" / f"python{python}" / "dist-packages"
        with phase(progress, f"unpacking {len(wheels)} wheels"):
            unpack(wheels, python, site, work)
        with phase(progress, "compiling byte code"):
            compile_site(site, work / "root", python, progress)
        with phase(progress, "packing the layer"):
            packed = work / "layer.squashfs"
            with squashfs.packer(packed) as stream:
                squashfs.write_tree(work / "root", stream)
            packed.chmod(0o644)
            publish(packed, target)
            text = {"image": image.digest, "requirements": asked, "wheels": [wheel.name for wheel in wheels]}
            write_file(layers / f"{key}.json", json.dumps(text, indent=1).encode())
    return target


def _selectors(python: str) -> list[str]:
    """Which wheels fit the guest: CPython of this version on x86-64 with its C library or an older one."""
    tag = python.replace(".", "")
    platforms = [f"manylinux_2_{minor}_x86_64" for minor in range(_GLIBC, 4, -1)]
    platforms += ["manylinux2014_x86_64", "manylinux2010_x86_64", "manylinux1_x86_64", "linux_x86_64"]
    words = ["--only-binary=:all:", f"--python-version={python}", "--implementation=cp"]
    words += [f"--abi={abi}" for abi in (f"cp{tag}", "abi3", "none")]
    return words + [f"--platform={platform}" for platform in platforms]


def _pip(*words: str, work: Path) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if _KEPT_ENVIRONMENT.fullmatch(key)}
    environment |= {"PATH": os.environ.get("PATH", ""), "HOME": os.environ.get("HOME", str(work)), "LC_ALL": "C.UTF-8"}
    common = ["--no-input", "--disable-pip-version-check", "--no-color", "--timeout=30", "--retries=3"]
    try:
        return subprocess.run(
            [sys.executable, "-I", "-m", "pip", *words, *common],
            cwd=work,
            env={**environment, "PIP_NO_PYTHON_VERSION_WARNING": "1", "TMPDIR": str(work)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as e:
        raise ImageFault(f"pip {words[0]} did not end within {_SECONDS} s") from e


def download(requirements: Sequence[Requirement], python: str, work: Path) -> list[Path]:
    """Resolve and download; raises as `build_wheels_layer`."""
    listing = work / FILE
    listing.write_text("".join(f"{one.specification}\n" for one in requirements))
    folder = work / "wheels"
    done = _pip("download", *_selectors(python), "-r", FILE, "-d", str(folder), "--progress-bar=off", work=work)
    if done.returncode != 0:
        if "No module named pip" in done.stderr:
            raise ImageFault(f"{sys.executable} has no pip, which downloads wheels; python -m ensurepip installs it")
        if _NETWORK.search(done.stderr):
            raise ImageFault(f"the package index cannot be reached: {_tail(done.stderr)}")
        raise EntryError("\n".join(_problems(requirements, python, done.stderr, work)))
    wheels = sorted(folder.iterdir())
    if others := [path.name for path in wheels if path.suffix != ".whl"]:
        raise ImageFault(f"pip downloaded {others[0]}, which is no wheel, although it was told not to")
    size = sum(path.stat().st_size for path in wheels)
    if len(wheels) > _MOST_WHEELS or size > _MOST_BYTES:
        raise EntryError(
            f"{FILE} needs {len(wheels)} wheels of {size >> 20} MiB; "
            f"at most {_MOST_WHEELS} of {_MOST_BYTES >> 20} MiB together are allowed"
        )
    return wheels


def _problems(requirements: Sequence[Requirement], python: str, said: str, work: Path) -> list[str]:
    """What is wrong with each line; where no line is wrong alone, the conflict in pip's own words."""
    found = []
    for one in requirements:
        name, versions = one.specification.name, one.specification.specifier
        any_form = _versions(_pip("index", "versions", name, "--pre", work=work))
        wheels = _versions(_pip("index", "versions", name, "--pre", *_selectors(python), work=work))
        allowed = [version for version in wheels if versions.contains(version, prereleases=True)]
        if not any_form:
            found.append(f"{one.place}: no such package")
        elif not allowed and any(versions.contains(version, prereleases=True) for version in any_form):
            found.append(
                f"{one.place}: there is no wheel of it for CPython {python} on x86-64 Linux, only source or wheels for "
                "others; ask for another version, use the package of Debian, or put its code into the entry"
            )
        elif not allowed:
            found.append(f"{one.place}: no such version; there is {', '.join(any_form[:8])}")
    return found or [f"{FILE} cannot be fulfilled: {_conflict(said)}"]


def _versions(done: subprocess.CompletedProcess[str]) -> list[str]:
    if done.returncode != 0 and _NETWORK.search(done.stderr):
        raise ImageFault(f"the package index cannot be reached: {_tail(done.stderr)}")
    match = re.search(r"^Available versions: (.*)$", done.stdout, re.MULTILINE)
    return [version.strip() for version in match[1].split(",")] if match else []


def _conflict(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    at = next((i for i, line in enumerate(lines) if line.startswith("The conflict is caused by")), None)
    if at is not None:
        end = next((i for i, line in enumerate(lines) if i > at and line.startswith("To fix this")), len(lines))
        return " ".join(lines[at:end])[:2000]
    return _tail(said)


def _tail(said: str) -> str:
    lines = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    return " ".join(lines or said.split()[-40:])[:1000]


def unpack(wheels: Sequence[Path], python: str, site: Path, work: Path) -> None:
    """Unpack wheels without running anything, and drop what differs from run to run or cannot work in the guest."""
    site.mkdir(parents=True)
    words = ["install", "--no-index", "--no-deps", "--no-compile", "--no-warn-script-location", "--target", str(site)]
    done = _pip(*words, *_selectors(python), *map(str, wheels), work=work)
    if done.returncode != 0:
        raise EntryError(f"{FILE}: its wheels cannot be unpacked: {_tail(done.stderr)}")
    shutil.rmtree(site / "bin", ignore_errors=True)  # scripts that name the host's interpreter
    for name in ("REQUESTED", "INSTALLER", "direct_url.json", "RECORD"):
        for path in site.glob(f"*.dist-info/{name}"):
            path.unlink()


def compile_site(site: Path, root: Path, python: str, progress: Progress) -> None:
    """Compile to byte code that is taken as it is; needs a Python of the guest's minor version here."""
    here = f"{sys.version_info[0]}.{sys.version_info[1]}"
    interpreter = sys.executable if here == python else shutil.which(f"python{python}")
    if interpreter is None:
        progress(f"no Python {python} here, so the wheels are not compiled and will be slower to import")
        return
    words = [
        "-I",
        "-m",
        "compileall",
        "-q",
        "-j",
        "0",
        "--invalidation-mode",
        "unchecked-hash",
        "-s",
        str(root),
        "-p",
        "/",
    ]
    environment: Mapping[str, str] = {"PYTHONHASHSEED": "0", "PATH": os.environ.get("PATH", "")}
    # a file that cannot be compiled (a template, code for another version) stays as it is
    subprocess.run([interpreter, *words, str(site)], env=environment, capture_output=True, check=False)

"""`evaluate try --runner plain`: an entry on this host, without a virtual machine."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import ArchiveLimits, Challenge, Isolation, Kind
from evaluate.confine.children import tool
from evaluate.confine.ownership import remove_tree
from evaluate.core.errors import UsageError
from evaluate.core.files import exclusive, write_file
from evaluate.core.model import Entry
from evaluate.images.container import ContainerLayer
from evaluate.images.image import Image
from evaluate.images.squashfs import in_folder
from evaluate.images.wheels import download
from evaluate.sandbox.disks import folder_medium
from evaluate.sandbox.plain import PlainHypervisor
from evaluate.stages.job import Job, Monitor, ScorerMeans
from evaluate.stages.kinds.detection import handler
from evaluate.untrusted.requirements import Dependency, Requirement, parse_dependencies, parse_requirements

NOTICE = (
    "NO VIRTUAL MACHINE: THIS RUN USES THE PROGRAMS OF THIS COMPUTER. INSTRUCTIONS AND MEMORY ARE NOT COUNTED, and "
    "nothing of it decides on a server; leave --runner out for the run that counts."
)
_NO_CONTAINERS = "--runner plain: entries that are container images need the virtual machine"
_PYTHON = "/usr/bin/python3"
_UNUSED_SECONDS = 30 * 86_400
_VERSION = re.compile(r"Python (\d+\.\d+)")


def plain_scorer_means(challenge: Challenge, folder: Path, layers: PlainLayers) -> ScorerMeans:
    """Return the means to run a scorer on this host. Raises UsageError if it is a container image."""
    if challenge.scorer is not None and challenge.scorer.container is not None:
        raise UsageError(
            f"--runner plain: {challenge.name} has scorers that are container images, which need the virtual machine"
        )
    hypervisor = PlainHypervisor(folder)
    return ScorerMeans(image=host_image(), hypervisor=hypervisor, layers=layers, folder=folder, layer=in_folder)


def plain_job(
    entry: Entry,
    challenge: Challenge,
    kind: Kind,
    folder: Path,
    state: Path,
    monitor: Monitor,
) -> Job:
    """A job on this host. Raises UsageError if the challenge or the entry needs what only the virtual machine has."""
    runs = handler(kind).runs
    needs = {
        "entries that are container images": runs and kind is Kind.IMAGE,
        "GPUs": runs and bool(challenge.gpus),
        "a licence server": runs and bool(challenge.licence),
        "layers of the organiser": runs and bool(challenge.layers),
    }
    if missing := [what for what, needed in needs.items() if needed]:
        raise UsageError(f"--runner plain: {challenge.name} has {missing[0]}, which need the virtual machine")
    layers = PlainLayers(state, monitor)
    scorer = plain_scorer_means(challenge, folder, layers) if challenge.scorer is not None else None
    return Job(
        entry=entry,
        challenge=replace(challenge, isolation=Isolation.NAMESPACE),  # there is no machine to be saved
        kind=kind,
        quiz=challenge.quiz,
        exam=challenge.exam,
        image=host_image() if runs else None,
        hypervisor=PlainHypervisor(folder) if runs else None,
        layers=layers,
        monitor=monitor,
        medium=folder_medium,
        folder=folder,
        scorer=scorer,
    )


def host_image() -> Image:
    """The programs of this host as an image."""
    return Image(name="this computer")


class PlainLayers:
    """Dependencies of entries that run on this computer, kept in the state directory."""

    def __init__(self, state: Path, monitor: Monitor) -> None:
        self._state, self._monitor = state, monitor

    def debian(self, dependencies: bytes | Sequence[Dependency]) -> Path | None:
        """None: what is installed here is used, and what is not is named."""
        asked = parse_dependencies(dependencies) if isinstance(dependencies, bytes) else dependencies
        names = [dependency.name for dependency in asked]
        if names and shutil.which("dpkg-query") is None:
            self._monitor.say(f"dependencies.txt is not installed here: {' '.join(names)}")
        elif missing := [name for name in names if not _is_installed(name)]:
            self._monitor.say(
                f"not installed on this computer: {' '.join(missing)}; apt-get install installs what Debian has of them"
            )
        return None

    def wheels(self, requirements: bytes | Sequence[Requirement]) -> Path | None:
        """A list of wheels, with the folder of their modules beside it."""
        version = _version()
        asked = parse_requirements(requirements, version) if isinstance(requirements, bytes) else requirements
        if not asked:
            return None
        wanted = "\n".join([version, *sorted(str(requirement.specification) for requirement in asked)])
        listed = self._state / "plain" / f"{hashlib.sha256(wanted.encode()).hexdigest()[:32]}.txt"
        listed.parent.mkdir(exist_ok=True, mode=0o700)
        # another run may install the same, and use it then
        with exclusive(self._state / "plain.lock", "another run that installs requirements"):
            if not listed.is_file():
                self._install(asked, version, listed)
            listed.touch()
        return listed

    def _install(self, asked: Sequence[Requirement], version: str, listed: Path) -> None:
        self._monitor.step("installing requirements for the Python of this computer")
        with tempfile.TemporaryDirectory(prefix=".part-", dir=listed.parent) as scratch:
            work = Path(scratch)
            wheels = download(asked, version, work, note=listed.with_suffix(".json"))
            modules = work / "modules"
            words = ["install", "--quiet", "--no-index", "--no-deps", "--no-compile", "--target", str(modules)]
            tool([sys.executable, "-m", "pip", *words, *map(str, wheels)], doing="unpacking requirements.txt")
            target = listed.with_suffix("")
            remove_tree(target)  # of a run that was killed before it wrote the list
            modules.rename(target)
        write_file(listed, "".join(f"{wheel.name}\n" for wheel in wheels).encode())
        forget(listed.parent)

    def places(self, links: Mapping[str, str]) -> Path | None:
        """None: nothing of this computer is changed."""
        if links:
            self._monitor.say(
                f"not on this computer, where only paths in the entry's own folder work: {', '.join(links)}"
            )
        return None

    def container(
        self, archive: Path, argument: str, limits: ArchiveLimits, program: str = "", model: str = ""
    ) -> ContainerLayer:
        """Raises UsageError: a container image has a root of its own."""
        del archive, argument, limits, program, model
        raise UsageError(_NO_CONTAINERS)

    def built(self, asked: Any, make: Callable[[], ContainerLayer]) -> ContainerLayer:
        """Raises UsageError, as `container`."""
        del asked, make
        raise UsageError(_NO_CONTAINERS)


def forget(folder: Path) -> None:
    """Remove packages that no run has used for a month, and what killed runs left."""
    for path in folder.iterdir():
        listed = path.with_suffix(".txt")
        used = listed if listed.exists() else path
        if time.time() - used.stat().st_mtime > _UNUSED_SECONDS:
            if path.is_dir():
                remove_tree(path)
            else:
                path.unlink(missing_ok=True)


def _version() -> str:
    """Return the version of the Python of this computer, such as ``3.11``."""
    text = tool([_PYTHON, "--version"], doing="asking for the version of Python").decode()
    match = _VERSION.search(text)
    if match is None:
        raise UsageError(f"{_PYTHON} --version: expected a version, found {text[:80]!r}")
    return match[1]


def _is_installed(package: str) -> bool:
    argv = ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    return done.returncode == 0 and done.stdout == "installed"

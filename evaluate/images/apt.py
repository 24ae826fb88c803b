"""Asks a package archive, with indexes, state and configuration of its own and checked signatures.

Nothing of the host's apt is read but how it reaches its mirrors (proxy, certificates, time-outs), and nothing
is written outside one folder.  Every name handed to apt has been checked to be a package name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from evaluate.core.errors import EntryError, ImageFault
from evaluate.images.recipe import DEBIAN_KEYRING
from evaluate.images.tools import require, run

_HOST_SETTINGS = re.compile(
    r"Acquire::(https?::.*|Retries|ForceIPv[46]|Check-Date|Check-Valid-Until|Max-FutureTime|Queue-Mode) "
)


@dataclass(frozen=True, order=True)
class Package:
    """One version of a package."""

    name: str
    version: str
    architecture: str


def host_settings() -> tuple[str, ...]:
    """The lines of the host's apt configuration on how mirrors are reached.

    A list of allowed ones: the host's hooks, pins and weakened signature checks have no place in an image.
    """
    lines = run(["apt-config", "dump"], wish="reading how this machine reaches its mirrors").decode().splitlines()
    return tuple(line for line in lines if _HOST_SETTINGS.match(line))


class Apt:
    """Apt in a folder of its own, over a given set of installed packages."""

    def __init__(self, folder: Path, sources: Iterable[str], status: bytes = b"") -> None:
        if not DEBIAN_KEYRING.is_file():
            raise ImageFault(
                f"no {DEBIAN_KEYRING} on this machine; install with: apt-get install debian-archive-keyring"
            )
        require(["apt-get", "apt-cache", "gpgv"])
        self._folder = folder
        for name in ("lists/partial", "archives/partial"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "sources.list").write_text("".join(f"{line}\n" for line in sources))
        (folder / "status").write_bytes(status)
        (folder / "apt.conf").write_text("\n".join((*host_settings(), *self._settings())) + "\n")

    def _settings(self) -> Iterable[str]:
        values = {
            "Dir::State": self._folder,
            "Dir::State::lists": self._folder / "lists",
            "Dir::State::status": self._folder / "status",
            "Dir::State::extended_states": self._folder / "extended_states",
            "Dir::Cache": self._folder,
            "Dir::Cache::archives": self._folder / "archives",
            "Dir::Etc::sourcelist": self._folder / "sources.list",
            **dict.fromkeys(
                (f"Dir::Etc::{name}" for name in ("main", "parts", "sourceparts", "preferences", "preferencesparts")),
                "/dev/null",
            ),
            "Dir::Log": self._folder,
            "Acquire::Languages": "none",
            "Acquire::Retries": 3,
            "APT::Architecture": "amd64",
            "APT::Architectures": "amd64",
            "APT::Install-Recommends": "false",
            # Apt would hand the download to a user who cannot look into our folder.
            "APT::Sandbox::User": "root",
            # Not to meddle with an installation of the host that is going on.
            "Debug::NoLocking": "true",
        }
        return (f'{key} "{value}";' for key, value in values.items())

    def _run(self, *argv: str, wish: str, cwd: Path | None = None) -> str:
        env = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C.UTF-8",
            "APT_CONFIG": str(self._folder / "apt.conf"),
        }
        return run(argv, wish=wish, env=env, cwd=cwd).decode()

    def update(self) -> None:
        """Fetch the indexes anew; they must be signed by the keys of their sources."""
        self._run("apt-get", "update", "--error-on=any", wish="fetching the package indexes")

    def candidate(self, name: str) -> str:
        """The version that would be installed of a package."""
        shown = self._run("apt-cache", "policy", name, wish=f"looking up package {name}")
        found = re.search(r"^  Candidate: (\S+)$", shown, re.MULTILINE)
        if not found or found[1] == "(none)":
            raise ImageFault(f"no package {name} in the archive")
        return found[1]

    def depends(self, name: str) -> tuple[str, ...]:
        """Names of the packages that the candidate of a package depends on."""
        shown = self._run("apt-cache", "show", f"{name}={self.candidate(name)}", wish=f"looking up package {name}")
        found = re.search(r"^Depends: (.*)$", shown, re.MULTILINE)
        return tuple(re.split(r"[ (|]", part.strip())[0] for part in found[1].split(",")) if found else ()

    def versions(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        """For each known name its versions, the newest first, and where each comes from; virtual packages have none."""
        shown = self._run("apt-cache", "madison", *names, wish="looking up packages")
        found: dict[str, dict[str, str]] = {}
        for line in shown.splitlines():
            name, version, source = (part.strip() for part in line.split("|", 2))
            if not source.endswith("Sources"):
                found.setdefault(name, {}).setdefault(version, source)
        return found

    def names(self) -> tuple[str, ...]:
        """Every package name there is."""
        return tuple(self._run("apt-cache", "pkgnames", wish="listing packages").split())

    def plan(self, packages: Sequence[str]) -> list[str]:
        """What would be installed for packages, each ``name`` or ``name=version``; ``name version`` of each.

        Raises
        ------
        EntryError
            They cannot be installed together, or only by removing a package of the image.
        """
        try:
            shown = self._run(
                "apt-get", "-s", "-y", "--allow-downgrades", "install", *packages, wish="resolving packages"
            )
        except ImageFault as e:
            raise EntryError(f"the packages of dependencies.txt cannot be installed together: {e}") from e
        removed = re.findall(r"^Remv (\S+)", shown, re.MULTILINE)
        if removed:
            raise EntryError(f"dependencies.txt would remove {', '.join(removed)}, which the image needs")
        found = re.findall(r"^Inst (\S+) (?:\[\S+\] )?\((\S+)", shown, re.MULTILINE)
        return sorted(f"{name} {version}" for name, version in found)

    def fetch(self, packages: Sequence[str]) -> tuple[Path, ...]:
        """Download packages and all they need."""
        self._run(
            *("apt-get", "-y", "--allow-downgrades", "--download-only", "install", *packages),
            wish="downloading packages",
        )
        return tuple(sorted((self._folder / "archives").glob("*.deb")))

    def download(self, packages: Sequence[str], folder: Path) -> tuple[Path, ...]:
        """Fetch packages, each ``name`` or ``name=version``; their digests are those of the signed index."""
        folder.mkdir(parents=True, exist_ok=True)
        before = set(folder.iterdir())
        self._run("apt-get", "download", *packages, wish=f"downloading {', '.join(packages)}", cwd=folder)
        return tuple(sorted(set(folder.iterdir()) - before))


def parse_status(status: bytes) -> tuple[Package, ...]:
    """The installed packages of a dpkg ``status`` file, sorted."""
    packages = []
    for paragraph in status.decode().split("\n\n"):
        fields = dict(re.findall(r"^(Package|Version|Architecture|Status): (.*)$", paragraph, re.MULTILINE))
        if fields.get("Status", "").endswith(" installed"):
            packages.append(Package(fields["Package"], fields["Version"], fields["Architecture"]))
    return tuple(sorted(packages))


def deb_name(path: Path) -> str:
    """Name of the package in an archive file."""
    return unquote(path.name).split("_")[0]

"""Queries a package archive, with separate indexes, state and configuration and with checked signatures.

Of the host's apt only the settings for reaching its mirrors (proxy, certificates, timeouts) are read, and nothing
is written outside one folder.  Every name handed to apt has been checked to be a package name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluate.confine.children import ended, require, tool
from evaluate.core.errors import ImageFault, MirrorFault
from evaluate.images.recipe import DEBIAN_KEYRING

_HOST_SETTINGS = re.compile(
    r"Acquire::(https?::.*|Retries|ForceIPv[46]|Check-Date|Check-Valid-Until|Max-FutureTime|Queue-Mode) "
)


_NAME = re.compile(r"\s*([a-z0-9][a-z0-9+.-]+)")
"""The name at the beginning of a dependency: the first of its alternatives, without version and architecture."""
_SHOWN_REASONS = 10


@dataclass(frozen=True, order=True)
class Package:
    """A version of a package."""

    name: str
    version: str
    architecture: str


def host_settings() -> tuple[str, ...]:
    """The lines of the host's apt configuration on how mirrors are reached.

    Only an allowed list: the host's hooks, pins and weakened signature checks must not affect an image.
    """
    doing = "reading how this machine reaches its mirrors"
    lines = tool(["apt-config", "dump"], doing=doing, fault=ImageFault).decode().splitlines()
    return tuple(line for line in lines if _HOST_SETTINGS.match(line))


@dataclass(frozen=True, kw_only=True)
class InstallPlan:
    """Changes that an installation would make."""

    installed: tuple[Package, ...]
    """Sorted."""
    removed: tuple[str, ...]


class Unsolvable(Exception):
    """Packages that cannot be installed, alone or together, although apt and its indexes work."""


class Apt:
    """Apt in a separate folder, for a given set of installed packages."""

    def __init__(self, folder: Path, sources: Iterable[str], status: bytes = b"") -> None:
        if not DEBIAN_KEYRING.is_file():
            raise ImageFault(
                f"no {DEBIAN_KEYRING} on this machine; install with: apt-get install debian-archive-keyring"
            )
        require(["apt-get", "apt-cache", "gpgv"], ImageFault)
        self._folder = folder
        for name in ("lists/partial", "archives/partial"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "sources.list").write_text("".join(f"{line}\n" for line in sources))
        (folder / "status").write_bytes(status)
        (folder / "apt.conf").write_text("\n".join((*host_settings(), *self._settings())) + "\n")

    @property
    def lists(self) -> Path:
        """The folder of the indexes."""
        return self._folder / "lists"

    def _settings(self) -> Iterable[str]:
        values = {
            "Dir::State": self._folder,
            "Dir::State::lists": self.lists,
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
            # an ordinary user would read it among the reasons why a package cannot be installed
            "APT::Get::Show-User-Simulation-Note": "false",
            # apt would download as a user without access to our folder
            "APT::Sandbox::User": "root",
            # The host's own apt may be running; this one shares no file with it.
            "Debug::NoLocking": "true",
        }
        return (f'{key} "{value}";' for key, value in values.items())

    @property
    def _environment(self) -> dict[str, str]:
        return {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LC_ALL": "C.UTF-8",
            "APT_CONFIG": str(self._folder / "apt.conf"),
        }

    def _run(self, *argv: str, doing: str, fault: type[ImageFault] = ImageFault, cwd: Path | None = None) -> str:
        return tool(argv, doing=doing, fault=fault, env=self._environment, cwd=cwd).decode()

    def update(self) -> None:
        """Fetch the current indexes; they must be signed by the keys of their sources."""
        self._run("apt-get", "update", "--error-on=any", doing="fetching the package indexes", fault=MirrorFault)

    def depends(self, name: str) -> tuple[str, ...]:
        """Names of the packages that the candidate of a package depends on."""
        shown = self._run("apt-cache", "--no-all-versions", "show", name, doing=f"looking up package {name}")
        wanted = next(_paragraphs(shown)).get("Depends", "")
        return tuple(match[1] for clause in wanted.split(",") if (match := _NAME.match(clause)))

    def versions(self, names: Sequence[str]) -> dict[str, list[str]]:
        """For each known name its versions, newest first; virtual packages have none."""
        shown = self._run("apt-cache", "madison", *names, doing="looking up packages")
        versions: dict[str, list[str]] = {}
        for line in shown.splitlines():
            name, version, source = (part.strip() for part in line.split("|", 2))
            if not source.endswith("Sources"):
                versions.setdefault(name, []).append(version)
        return {name: list(dict.fromkeys(each)) for name, each in versions.items()}

    def names(self) -> tuple[str, ...]:
        """All package names in the archive."""
        return tuple(self._run("apt-cache", "pkgnames", doing="listing packages").split())

    def plan(self, packages: Sequence[str]) -> InstallPlan:
        """Plan the installation of packages, each ``name`` or ``name=version``; nothing is downloaded or locked.

        Raises Unsolvable if they cannot be installed; quotes apt. Raises ImageFault if apt does not work here.
        """
        argv = ("apt-get", "-s", "-y", "--allow-downgrades", "install")
        done = ended([*argv, *packages], doing="resolving packages", fault=ImageFault, env=self._environment)
        if done.returncode != 0:
            # apt has one exit status for everything: resolving an empty request shows whether it works at all
            for cache in self._folder.glob("*pkgcache.bin"):  # a cache hides files that cannot be read
                cache.unlink()
            self._run(*argv, doing="resolving packages")
            raise Unsolvable(_reasons(done.stdout, done.stderr))
        shown = done.stdout.decode()
        lines = re.findall(r"^Inst (\S+) (?:\[\S+\] )?\((\S+) .*\[(\w+)\]\)", shown, re.MULTILINE)
        return InstallPlan(
            installed=tuple(sorted(Package(*fields) for fields in lines)),
            removed=tuple(re.findall(r"^Remv (\S+)", shown, re.MULTILINE)),
        )

    def sizes(self, packages: Sequence[Package]) -> tuple[int, int]:
        """Total bytes of packages: to download, and installed."""
        paragraphs = self._shown(packages)
        return (
            sum(int(fields.get("Size", 0)) for fields in paragraphs.values()),
            sum(int(fields.get("Installed-Size", 0)) << 10 for fields in paragraphs.values()),
        )

    def digests(self, packages: Sequence[Package]) -> dict[tuple[str, str], str]:
        """SHA-256 of packages, by name and version, as the signed index has them."""
        return {key: fields.get("SHA256", "") for key, fields in self._shown(packages).items()}

    def _shown(self, packages: Sequence[Package]) -> dict[tuple[str, str], dict[str, str]]:
        """The stanzas of packages in the index, by name and version."""
        if not packages:
            return {}
        asked = [f"{package.name}={package.version}" for package in packages]
        shown = self._run("apt-cache", "show", *asked, doing="looking up packages")
        return {(fields["Package"], fields["Version"]): fields for fields in _paragraphs(shown)}

    def fetch(self, packages: Sequence[str]) -> tuple[Path, ...]:
        """Download packages and all they need."""
        self._run(
            *("apt-get", "-y", "--allow-downgrades", "--download-only", "install", *packages),
            doing="downloading packages",
        )
        return tuple(sorted((self._folder / "archives").glob("*.deb")))

    def download(self, package: str, folder: Path) -> Path:
        """Download one package, ``name`` or ``name=version``, into a new folder. Raises MirrorFault if it cannot be."""
        folder.mkdir()
        self._run("apt-get", "download", package, doing=f"downloading {package}", fault=MirrorFault, cwd=folder)
        (deb,) = folder.iterdir()
        return deb


def parse_status(status: bytes) -> tuple[Package, ...]:
    """The installed packages of a dpkg ``status`` file, sorted."""
    return tuple(
        sorted(
            Package(fields["Package"], fields["Version"], fields["Architecture"])
            for fields in _paragraphs(status.decode())
            if fields.get("Status", "").endswith(" installed")
        )
    )


def _paragraphs(text: str) -> Iterator[dict[str, str]]:
    """The stanzas of a file of Debian's control format (deb822): field -> value, with its further lines."""
    fields: dict[str, str] = {}
    name = ""
    for line in (*text.splitlines(), ""):
        if not line.strip():
            if fields:
                yield fields
            fields = {}
        elif line[0] in " \t":
            fields[name] += f"\n{line}"
        else:
            name, _, value = line.partition(":")
            fields[name] = value.strip()


def _reasons(stdout: bytes, stderr: bytes) -> str:
    """Lines that apt prints of unmet dependencies (indented), and its errors."""
    unmet = [line.strip() for line in stdout.decode(errors="replace").splitlines() if line.startswith(" ")]
    errors = [line for line in stderr.decode(errors="replace").splitlines() if line.startswith("E:")]
    return "; ".join((unmet or errors)[:_SHOWN_REASONS])[:2000]

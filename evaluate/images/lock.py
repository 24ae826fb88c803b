"""``NAME.lock.json``: every package of an image by version and digest, so that it can be built again as it was.

The digests are those of the archive's signed index.  An archive keeps only the newest versions: a recipe
with a ``snapshot`` is built from the archive of that date.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evaluate.core.codec import from_json
from evaluate.core.errors import ImageFault, UsageError
from evaluate.images.apt import Apt, Package
from evaluate.images.image import MANIFEST

_FORMAT = 1
_KEY = "locked"
_PRIORITY = 1001
"""Also downgrades what is newer."""


@dataclass(frozen=True, order=True)
class Locked:
    """A package in a lock."""

    name: str
    version: str
    architecture: str
    sha256: str
    """Digest of its ``.deb``."""


@dataclass(frozen=True, kw_only=True)
class Lock:
    """Record of what an image was built from."""

    recipe: str
    """Name of the recipe."""
    recipe_digest: str
    image: str
    """Digest of the image."""
    kernel: tuple[Locked, ...]
    packages: tuple[Locked, ...]

    @property
    def text(self) -> str:
        """The content of its file."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, indent=1) + "\n"

    @property
    def pins(self) -> str:
        """Preferences of apt that allow no other version."""
        return "\n".join(
            f"Package: {package.name}\nPin: version {package.version}\nPin-Priority: {_PRIORITY}\n"
            for package in self.packages
        )

    def check(self, kernel: Iterable[Locked], packages: Iterable[Locked], archive: str = "the archive") -> None:
        """Compare it with what was built, or with what an archive has.

        Raises ImageFault, naming the first packages that are others.
        """
        wrong = list(_differences((*self.kernel, *self.packages), (*kernel, *packages)))
        if wrong:
            more = f"; and {len(wrong) - 5} more" if len(wrong) > 5 else ""
            raise ImageFault(
                f"{archive} does not have what the lock names: {'; '.join(wrong[:5])}{more}; build from a mirror that "
                "has these versions, or from a recipe whose snapshot is of their date"
            )


def _differences(wanted: Iterable[Locked], actual: Iterable[Locked]) -> Iterable[str]:
    here = {(package.name, package.architecture): package for package in actual}
    expected = {(package.name, package.architecture): package for package in wanted}
    for key, package in sorted(expected.items()):
        other = here.get(key)
        if other is None:
            yield f"expected {package.name} {package.version}, found none"
        elif other.version != package.version:
            yield f"expected {package.name} {package.version}, found {other.version}"
        elif other.sha256 != package.sha256:
            yield f"{package.name} {package.version}: expected SHA-256 {package.sha256}, found {other.sha256}"
    yield from (
        f"{package.name} {package.version} is not in the lock"
        for key, package in sorted(here.items())
        if key not in expected
    )


def check_archive(lock: Lock, apt: Apt, archive: str) -> None:
    """Check before a build that an archive has every package of a lock, by its indexes.

    Raises ImageFault, naming packages that are gone or others, with version and archive.
    """
    available = apt.versions([package.name for package in (*lock.kernel, *lock.packages)])

    def here(part: Iterable[Locked]) -> list[Package]:
        """The wanted version of each package, or else the newest."""
        versions = [(package, available.get(package.name, {})) for package in part]
        return [
            Package(
                package.name, package.version if package.version in there else next(iter(there)), package.architecture
            )
            for package, there in versions
            if there
        ]

    kernel, packages = here(lock.kernel), here(lock.packages)
    digests = apt.digests([*kernel, *packages])
    lock.check(locked(kernel, digests), locked(packages, digests), archive)


def locked(packages: Iterable[Package], digests: Mapping[tuple[str, str], str]) -> tuple[Locked, ...]:
    """Packages with the digests of the index, by name and version."""
    return tuple(
        Locked(package.name, package.version, package.architecture, digests.get((package.name, package.version), ""))
        for package in packages
    )


def kept(lock: Lock) -> dict[str, Any]:
    """Return what a manifest keeps of the build."""
    return {_KEY: {**asdict(lock), "image": ""}}


def lock_of(folder: Path, name: str) -> Lock:
    """The lock of a built image."""
    document = json.loads((folder / MANIFEST).read_bytes())
    return from_json(Lock, {**document["build"][_KEY], "image": document["digest"]})


def read_lock(path: Path) -> Lock:
    """A lock from its file; UsageError if it is none."""
    try:
        values = json.loads(path.read_bytes())
        if values.pop("format") != _FORMAT:
            raise ValueError("another format")
        return from_json(Lock, values)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as e:
        raise UsageError(
            f"{path}: expected the lock of an image (evaluate image lock NAME), found something else"
        ) from e

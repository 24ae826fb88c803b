"""What an image is made of: ``recipe.yaml``, read strictly."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from evaluate.core.errors import ChallengeError, UsageError
from evaluate.core.keys import Keys, like, list_of, load_yaml, some_of, whole
from evaluate.core.resources import data_folder
from evaluate.untrusted.dependencies import PACKAGE_NAME

FILE = "recipe.yaml"
"""A Debian package name (Debian policy 5.6.1)."""
DEBIAN_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
DEBIAN_MIRROR = "http://deb.debian.org"
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_SUITE = re.compile(r"[A-Za-z0-9._/-]+")
_URI = re.compile(r"https?://[^\s\[\]]+")


@dataclass(frozen=True, kw_only=True)
class Repository:
    """A signed apt repository beside Debian's own."""

    name: str
    uri: str
    suite: str
    components: tuple[str, ...]
    key: Path
    """Public key that signs it, in the recipe's folder."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Everything that decides what an image holds, up to the versions of the packages of the day."""

    name: str
    """Name of the recipe's folder, and of the image."""
    release: str
    packages: tuple[str, ...]
    kernel: str
    """Kernel package, or the empty package that depends on the newest."""
    modules: tuple[str, ...]
    """Kernel modules the guest loads; those they need come along."""
    source_date_epoch: int
    """Seconds since 1970; later file times are set back to it."""
    cpu_model: str
    cpu_disabled: tuple[str, ...]
    repositories: tuple[Repository, ...] = ()

    @property
    def digest(self) -> str:
        """``sha256:…`` of all of the above and of the repositories' keys."""
        values = dataclasses.asdict(self)
        for repository in values["repositories"]:
            repository["key"] = hashlib.sha256(repository["key"].read_bytes()).hexdigest()
        return "sha256:" + hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()

    def sources(self, mirror: str = DEBIAN_MIRROR) -> tuple[str, ...]:
        """Lines of an apt ``sources.list`` without signers: Debian, its updates, security, the repositories."""
        return (
            f"deb {mirror}/debian {self.release} main",
            f"deb {mirror}/debian {self.release}-updates main",
            f"deb {mirror}/debian-security {self.release}-security main",
            *(f"deb {r.uri} {r.suite} {' '.join(r.components)}" for r in self.repositories),
        )

    def signed_sources(self) -> tuple[str, ...]:
        """The same with the key that must have signed each, from the mirror ``EVALUATE_MIRROR`` if that is set."""
        mirror = os.environ.get("EVALUATE_MIRROR", DEBIAN_MIRROR).rstrip("/")
        keys = [DEBIAN_KEYRING] * 3 + [r.key for r in self.repositories]
        return tuple(
            line.replace("deb ", f"deb [signed-by={key}] ", 1)
            for line, key in zip(self.sources(mirror), keys, strict=True)
        )


def recipe_names() -> tuple[str, ...]:
    """Names of the recipes that come with the program."""
    return tuple(sorted(path.parent.name for path in data_folder("vm_images").glob("*/recipe.yaml")))


def load_recipe(name: str | Path) -> Recipe:
    """Read the recipe of this name, or the one in a folder of the organiser's given as a path.

    Raises
    ------
    UsageError
        There is no such recipe.
    ChallengeError
        It is wrong; every mistake is named with its key, the value found and the value wanted.
    """
    folder = name if isinstance(name, Path) else data_folder("vm_images") / name
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"no image recipe {str(name)!r}; known: {', '.join(recipe_names())}")
    return parse_recipe(load_yaml(path), folder)


def parse_recipe(found: object, folder: Path) -> Recipe:
    """Make a recipe of the values of a ``recipe.yaml`` in ``folder``; raises as `load_recipe`."""
    problems: list[str] = []
    keys = Keys(found, str(folder / FILE), problems)
    none: tuple[str, ...] = ()
    recipe = Recipe(
        name=folder.resolve().name,
        release=keys.need("release", "the name of a Debian release", like(_WORD), ""),
        packages=tuple(sorted(keys.need("packages", "a list of Debian packages", some_of(like(PACKAGE_NAME)), none))),
        kernel=keys.need("kernel", "a Debian package", like(PACKAGE_NAME), ""),
        modules=keys.need("modules", "a list of kernel modules", some_of(like(_WORD)), none),
        source_date_epoch=keys.need("source_date_epoch", "seconds since 1970", whole, 0),
        cpu_model=keys.need("cpu_model", "a CPU model of QEMU", like(_WORD), ""),
        cpu_disabled=keys.need("cpu_disabled", "a list of CPU features", list_of(like(_WORD)), none),
        repositories=tuple(
            _repository(below, folder) for below in keys.each("repositories", "a list of apt repositories")
        ),
    )
    keys.end()
    if problems:
        raise ChallengeError("\n".join(problems))
    return recipe


def _repository(keys: Keys, folder: Path) -> Repository:
    none: tuple[str, ...] = ()
    name = keys.need("key", "the name of a file beside the recipe", like(_WORD), "")
    found = Repository(
        name=keys.need("name", "a word", like(_WORD), ""),
        uri=keys.need("uri", "an address http://… or https://…", like(_URI), ""),
        suite=keys.need("suite", "a word such as stable", like(_SUITE), ""),
        components=keys.need("components", "a list of words such as main", some_of(like(_WORD)), none),
        key=folder / name,
    )
    if name and not found.key.is_file():
        keys.problems.append(f"{keys.where}: key: no file {name!r} beside the recipe")
    keys.end()
    return found

"""What an image is made of: ``recipe.yaml``, read strictly."""

from __future__ import annotations

import dataclasses
import difflib
import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

from evaluate.errors import ChallengeError, UsageError
from evaluate.resources import data_folder

PACKAGE_NAME = re.compile(r"[a-z0-9][a-z0-9+.-]+")
"""A Debian package name (Debian policy 5.6.1)."""
DEBIAN_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
DEBIAN_MIRROR = "http://deb.debian.org"
_T = TypeVar("_T")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


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
    path = folder / "recipe.yaml"
    if not path.is_file():
        raise UsageError(f"no image recipe {str(name)!r}; known: {', '.join(recipe_names())}")
    try:
        values = yaml.safe_load(path.read_bytes())
    except (yaml.YAMLError, UnicodeDecodeError) as e:
        raise ChallengeError(f"{path}: {e}") from e
    return parse_recipe(values, folder)


def parse_recipe(values: object, folder: Path) -> Recipe:
    """Make a recipe of the values of a ``recipe.yaml`` in ``folder``; raises as `load_recipe`."""
    reader = _Reader(values, Recipe, optional={"repositories"}, derived={"name"})
    repositories = [
        _repository(value, f"repositories[{i}]", folder, reader.problems)
        for i, value in enumerate(reader.get("repositories", list, []))
    ]
    recipe = Recipe(
        name=folder.resolve().name,
        release=reader.word("release"),
        packages=tuple(sorted(reader.words("packages", PACKAGE_NAME))),
        kernel=reader.word("kernel", PACKAGE_NAME),
        modules=tuple(reader.words("modules")),
        source_date_epoch=reader.get("source_date_epoch", int, 0),
        cpu_model=reader.word("cpu_model"),
        cpu_disabled=tuple(reader.words("cpu_disabled")),
        repositories=tuple(r for r in repositories if r is not None),
    )
    if reader.problems:
        raise ChallengeError("\n  ".join([f"{folder / 'recipe.yaml'} cannot be used:", *reader.problems]))
    return recipe


def _repository(values: object, where: str, folder: Path, problems: list[str]) -> Repository | None:
    reader = _Reader(values, Repository, where=f"{where}.")
    key = folder / reader.word("key")
    if not reader.problems and not key.is_file():
        reader.problems.append(f"{where}.key: no file {key.name!r} beside the recipe")
    uri = reader.get("uri", str, "")
    if not re.fullmatch(r"https?://[^\s\[\]]+", uri):
        reader.problems.append(f"{where}.uri: expected http://… or https://…, found {uri!r}")
    problems.extend(reader.problems)
    if reader.problems:
        return None
    return Repository(
        name=reader.word("name"),
        uri=uri,
        suite=reader.word("suite", re.compile(r"[A-Za-z0-9._/-]+")),
        components=tuple(reader.words("components")),
        key=key,
    )


class _Reader:
    """Takes values out of a YAML mapping and collects what is wrong with them."""

    def __init__(
        self,
        values: object,
        shape: type,
        *,
        where: str = "",
        optional: Iterable[str] = (),
        derived: Iterable[str] = (),
    ) -> None:
        self.problems: list[str] = []
        self._where = where
        self._values: Mapping[str, Any] = values if isinstance(values, dict) else {}
        if not isinstance(values, dict):
            self.problems.append(f"{where or 'file'}: expected keys and values, found {values!r}")
        keys = {field.name for field in dataclasses.fields(shape)} - set(derived)
        for key in self._values:
            if key not in keys:
                near = difflib.get_close_matches(str(key), keys, n=1, cutoff=0.0)[0]
                self.problems.append(f"{where}{key}: unknown key; the nearest valid one is {near!r}")
        self.problems += [f"{where}{key}: missing" for key in sorted(keys - set(optional) - set(self._values))]

    def get(self, key: str, kind: type[_T], default: _T) -> _T:
        value = self._values.get(key, default)
        if isinstance(value, kind) and not isinstance(value, bool):
            return value
        self._wrong(key, f"a {kind.__name__}", value)
        return default

    def word(self, key: str, pattern: re.Pattern[str] = _WORD) -> str:
        value = self.get(key, str, "")
        if value and not pattern.fullmatch(value):
            self._wrong(key, f"a word like {pattern.pattern}", value)
        return value

    def words(self, key: str, pattern: re.Pattern[str] = _WORD) -> list[str]:
        values: list[Any] = self.get(key, list, [])
        wrong = [value for value in values if not (isinstance(value, str) and pattern.fullmatch(value))]
        for value in wrong:
            self._wrong(key, f"words like {pattern.pattern}", value)
        return [value for value in values if value not in wrong]

    def _wrong(self, key: str, wanted: str, found: object) -> None:
        self.problems.append(f"{self._where}{key}: expected {wanted}, found {found!r}")

"""Recipe of an image: ``recipe.yaml``."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from evaluate.config.schema.document import load_document
from evaluate.config.schema.keys import WHOLE, ListOf, Section, key, like, read
from evaluate.core.errors import UsageError
from evaluate.core.files import data_folder
from evaluate.untrusted.requirements import PACKAGE_NAME

FILE = "recipe.yaml"
DEBIAN_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
DEBIAN_MIRROR = "http://deb.debian.org"
SNAPSHOT_MIRROR = "http://snapshot.debian.org/archive"
"""Mirror of Debian's archive as it was at any time: ``<mirror>/debian/20261120T000000Z``."""
_WORD = like(r"[A-Za-z0-9][A-Za-z0-9._-]*", "a word")
_PACKAGE = like(PACKAGE_NAME.pattern, "a Debian package")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Everything that decides what an image contains, except the current versions of its packages."""

    name: str = ""
    """Name of the recipe's folder, and of the image."""
    release: str = key("Debian release.", _WORD.but(expected="the name of a Debian release"), required=True)
    packages: tuple[str, ...] = key(
        "What is installed.", ListOf(expected="a list of Debian packages", item=_PACKAGE), required=True
    )
    kernel: str = key("Kernel package, or the empty package that depends on the newest.", _PACKAGE, required=True)
    modules: tuple[str, ...] = key(
        "Kernel modules that the guest loads; their dependencies are added.",
        ListOf(expected="a list of kernel modules", item=_WORD.but(expected="a kernel module")),
        required=True,
    )
    source_date_epoch: int = key(
        "Later file times are set back to it.", WHOLE.but(expected="seconds since 1970"), required=True
    )
    cpu_model: str = key("What processor the guest sees.", _WORD.but(expected="a CPU model of QEMU"), required=True)
    cpu_disabled: tuple[str, ...] = key(
        "Features removed from that model.",
        ListOf(expected="a list of CPU features", item=_WORD.but(expected="a CPU feature"), empty=True),
        required=True,
    )
    snapshot: str = key(
        "Date of the archive of Debian that packages come from; without it, the archive of today.",
        like(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\dZ", "a time such as 2026-11-20T00:00:00Z"),
        "",
    )

    @property
    def archive(self) -> str:
        """Name of the archive of Debian that packages come from, for messages."""
        return f"Debian {self.release} as of {self.snapshot}" if self.snapshot else f"Debian {self.release}"

    @property
    def digest(self) -> str:
        """``sha256:…`` of all of the above."""
        values = dataclasses.asdict(self)
        if not self.snapshot:  # images of recipes older than this key stay what they are
            del values["snapshot"]
        values["repositories"] = []  # as images had it that could have more
        return "sha256:" + hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()

    def sources(self, mirror: str = "", *options: str) -> tuple[str, ...]:
        """Lines of an apt ``sources.list``: Debian, its updates, security; ``options`` such as a signer for each.

        The indexes of a snapshot are older than they are valid; apt accepts that for these sources alone.
        """
        mirror = mirror or (SNAPSHOT_MIRROR if self.snapshot else DEBIAN_MIRROR)
        options = (*options, *(("check-valid-until=no",) if self.snapshot else ()))
        deb = f"deb [{' '.join(options)}]" if options else "deb"
        at = "/" + re.sub("[-:]", "", self.snapshot) if self.snapshot else ""
        return (
            f"{deb} {mirror}/debian{at} {self.release} main",
            f"{deb} {mirror}/debian{at} {self.release}-updates main",
            f"{deb} {mirror}/debian-security{at} {self.release}-security main",
        )

    def signed_sources(self) -> tuple[str, ...]:
        """The same with the key that must have signed each.

        From the mirror ``EVALUATE_MIRROR`` if that is set, or of a snapshot from ``EVALUATE_SNAPSHOT_MIRROR``.
        """
        mirror = os.environ.get("EVALUATE_SNAPSHOT_MIRROR" if self.snapshot else "EVALUATE_MIRROR", "").rstrip("/")
        return self.sources(mirror, f"signed-by={DEBIAN_KEYRING}")


def recipe_names() -> tuple[str, ...]:
    """Names of the recipes that come with the program."""
    return tuple(sorted(path.parent.name for path in data_folder("vm_images").glob("*/recipe.yaml")))


def load_recipe(name: str | Path) -> Recipe:
    """Read the recipe with this name, or the one in a folder of the organiser's.

    Raises UsageError if there is no such recipe. Raises ChallengeError if it is wrong; every mistake is named with
    line, key, value expected and value found.
    """
    folder = name if isinstance(name, Path) else data_folder("vm_images") / name
    path = folder / FILE
    if not path.is_file():
        raise UsageError(f"no image recipe {str(name)!r}; known: {', '.join(recipe_names())}")
    document = load_document(path)
    recipe = read(document, RECIPE)
    document.refuse_problems()
    assert recipe is not None
    return dataclasses.replace(recipe, name=folder.resolve().name, packages=tuple(sorted(recipe.packages)))


RECIPE = Section(Recipe)
"""The keys of ``recipe.yaml``."""

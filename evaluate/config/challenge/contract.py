"""Contracts that ``contract`` of a ``challenge.yaml`` may name: entries of these platforms run here as they are.

A contract is how another platform starts an entry, lays out its input and finds its answers.  What the stages do for it
is in `evaluate.stages.contracts`; here is what it says of the other keys of a challenge.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any

from evaluate.core.errors import ChallengeError
from evaluate.core.sanitize import parsed


class ContractName(StrEnum):
    """The contract that entries were written for."""

    PHYSIONET_2020 = "physionet-2020"
    PHYSIONET_2021 = "physionet-2021"
    PHYSIONET_2022 = "physionet-2022"
    PHYSIONET_2023 = "physionet-2023"
    PHYSIONET_2024 = "physionet-2024"
    PHYSIONET_2025 = "physionet-2025"
    PHYSIONET_2026 = "physionet-2026"
    GRAND_CHALLENGE = "grand-challenge"


@dataclass(frozen=True, kw_only=True)
class ContractTerms:
    """Terms that a contract sets for a challenge."""

    version: str
    """Place where it is written down, as ``repository@commit``; a receipt names it."""
    keys: Mapping[str, Any]
    """Keys of ``challenge.yaml`` that it stands for, as that file has them; what the file itself says counts."""
    kind: str
    """The kind of entry that it is for (`evaluate.config.challenge.types.Kind`)."""
    learns: tuple[str, ...] = ()
    """Value of ``train.inputs`` unless the file gives one; empty: as ``inputs``."""
    may_fail: bool = False
    """True if an organiser may let the entry's program fail for single records (``run.allow_failures``)."""
    sockets: bool = False
    """True if the key ``sockets`` says what an entry reads and leaves, and so stands for ``inputs`` and ``answers``."""
    one_mode: bool = False
    """True if no other ``run.mode`` than that of its keys is possible."""


def _physionet(
    inputs: list[str], answer: str, program: str = "run_model.py", learns: tuple[str, ...] = (), **terms: bool
) -> ContractTerms:
    """The terms of a year of the PhysioNet Challenges."""
    run = {"program": program, "mode": "record"}
    keys = {"inputs": inputs, "answers": {"files": [answer]}, "run": run, "dockerfile": dict[str, Any]()}
    return ContractTerms(
        version="physionetchallenges.github.io@3d2f23d6",
        keys=keys,
        kind="python",
        learns=learns,
        **terms,
    )


_MATRIX = ["{record}.hea", "{record}.mat"]
TERMS: Mapping[ContractName, ContractTerms] = {
    ContractName.PHYSIONET_2020: _physionet(_MATRIX, "{record}.csv", "driver.py"),
    ContractName.PHYSIONET_2021: _physionet(_MATRIX, "{record}.csv", "test_model.py"),
    ContractName.PHYSIONET_2022: _physionet(
        ["{record}.txt", "{record}_*.hea", "{record}_*.wav"], "{record}.csv", learns=("{record}.txt", "{record}_*")
    ),
    ContractName.PHYSIONET_2023: _physionet(["{record}/{record}.txt", "{record}/*"], "{record}/{record}.txt"),
    ContractName.PHYSIONET_2024: _physionet(
        ["{record}.hea", "{record}-*.*g"],
        "{record}.hea",
        learns=("{record}.hea", "{record}.dat", "{record}-*.*g"),
        may_fail=True,
    ),
    ContractName.PHYSIONET_2025: _physionet(["{record}.hea", "{record}.dat"], "{record}.txt", may_fail=True),
    ContractName.PHYSIONET_2026: _physionet(
        ["physiological_data/{record}.edf", "algorithmic_annotations/{record}_*.edf", "demographics.csv"],
        "{record}.csv",
        learns=(
            "physiological_data/{record}.edf",
            "algorithmic_annotations/{record}_*.edf",
            "human_annotations/{record}_*.edf",
            "demographics.csv",
        ),
        may_fail=True,
        one_mode=True,
    ),
    ContractName.GRAND_CHALLENGE: ContractTerms(
        version="rse-grand-challenge@4e38c78b",
        keys={"run": {"mode": "record"}},
        kind="image",
        one_mode=True,
        sockets=True,
    ),
}
"""The terms of every contract."""


def filled_in(value: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a file, with those that it leaves to the contract.

    >>> filled_in({"run": {"mode": "set"}}, {"run": {"mode": "record", "program": "a.py"}})
    {'run': {'mode': 'set', 'program': 'a.py'}}
    """
    filled = dict(value)
    for key, default in keys.items():
        if isinstance(default, dict) and isinstance(filled.get(key, {}), dict):
            filled[key] = filled_in(filled.get(key, {}), default)
        else:
            filled.setdefault(key, default)
    return filled


# The sockets of an algorithm on grand-challenge: its inputs and outputs, each with a path and a kind.
#
# A JSON file has the lists ``inputs`` and ``outputs``, as ``evaluate challenge import`` writes them; a socket has a
# slug, a relative path and a super kind, or, as local test kits write it, ``is_image_kind`` and the like in its place.


IMAGES = (".mha", ".tif", ".tiff")
"""Possible ends of the name of an image's file."""
INPUTS_FILE = "inputs.json"


class SuperKind(StrEnum):
    """Form in which the content of a socket lies in its place."""

    IMAGE = "Image"
    """A folder with one image of any name."""
    FILE = "File"
    VALUE = "Value"
    """A JSON file."""


_SHORT = {"is_image_kind": SuperKind.IMAGE, "is_json_kind": SuperKind.VALUE, "is_file_kind": SuperKind.FILE}


@dataclass(frozen=True, kw_only=True)
class Socket:
    """One input or output."""

    slug: str
    super_kind: SuperKind
    relative_path: str
    """Below ``/input`` or ``/output``; of an image, its folder, which may be empty."""
    values: Mapping[str, Any]
    """All keys of it in its file."""

    def files(self, suffixes: Sequence[str] = IMAGES) -> tuple[str, ...]:
        """Return the paths at which its file may be: an image by any of these suffixes, under the slug."""
        if self.super_kind is not SuperKind.IMAGE:
            return (self.relative_path,)
        return tuple(str(PurePosixPath(self.relative_path) / f"{self.slug}{suffix}") for suffix in suffixes)

    @property
    def is_dicom(self) -> bool:
        """True if it is a folder of DICOM files."""
        kind = str(self.values.get("kind", "")).lower()
        return self.super_kind is SuperKind.IMAGE and bool(
            self.values.get("is_dicom_image_kind") or kind.startswith("dicom")
        )

    @property
    def pattern(self) -> str:
        """Pattern of its files below a record's folder."""
        return f"{self.relative_path}/*" if self.is_dicom else self.files()[0]

    @property
    def described(self) -> dict[str, Any]:
        """As entries read it, with the names of both the platform and its test kits."""
        return {
            "title": self.slug,
            "description": "",
            "kind": "",
            "pk": 1,
            "default_value": None,
            "overlay_segments": [],
            "look_up_table": None,
            **{name: self.super_kind is kind for name, kind in _SHORT.items()},
            "is_panimg_kind": self.super_kind is SuperKind.IMAGE and not self.is_dicom,
            "is_dicom_image_kind": self.is_dicom,
            **self.values,
            "slug": self.slug,
            "super_kind": self.super_kind.value,
            "relative_path": self.relative_path,
        }


@dataclass(frozen=True, kw_only=True)
class Sockets:
    """One interface of an algorithm."""

    file: Path
    inputs: tuple[Socket, ...] = ()
    outputs: tuple[Socket, ...] = ()
    sha256: str = ""
    """Digest of their file."""

    @property
    def keys(self) -> dict[str, Any]:
        """Values that they give to keys of a ``challenge.yaml`` that does not give them itself."""
        first = self.outputs[0].files() if self.outputs else ()
        return {
            "inputs": [f"{{record}}/{socket.pattern}" for socket in self.inputs],
            "answers": {"files": [f"{{record}}/{name}" for name in first]},
        }


def read_sockets(path: Path) -> Sockets:
    """The sockets of a file. Raises ChallengeError, naming the file, the socket and its mistake."""
    try:
        data = path.read_bytes()
        document = parsed(data)
    except (OSError, ValueError) as e:
        raise ChallengeError(f"{path}: expected JSON: {e}") from e
    lists: dict[str, tuple[Socket, ...]] = {}
    for key in ("inputs", "outputs"):
        sockets = document.get(key) if isinstance(document, dict) else None
        if not isinstance(sockets, list):
            raise ChallengeError(f"{path}: expected an object with inputs and outputs, lists of sockets; no list {key}")
        lists[key] = tuple(socket(item, f"{path}: {key}") for item in sockets)
        if len({item.slug for item in lists[key]}) < len(sockets):
            raise ChallengeError(f"{path}: {key}: two sockets have the same slug")
    if not lists["outputs"]:
        raise ChallengeError(f"{path}: outputs: expected a socket, found none")
    return Sockets(file=path, **lists, sha256=hashlib.sha256(data).hexdigest())


def socket(description: Any, where: str) -> Socket:
    """One socket; ChallengeError, which begins with ``where``, if it is none."""
    slug = description.get("slug") if isinstance(description, dict) else None
    if not isinstance(slug, str) or not slug or "/" in slug or slug.startswith("."):
        raise ChallengeError(f"{where}: expected sockets with a slug, found {str(description)[:80]!r}")
    path = PurePosixPath(str(description.get("relative_path") or "."))
    if path.is_absolute() or ".." in path.parts:
        raise ChallengeError(f"{where}: {slug}: relative_path: leads out: {path}")
    kinds = [kind for kind in SuperKind if str(description.get("super_kind", "")).lower() == kind.lower()]
    kinds += [kind for name, kind in _SHORT.items() if "super_kind" not in description and description.get(name)]
    if not kinds:
        raise ChallengeError(f"{where}: {slug}: super_kind: expected one of {', '.join(SuperKind)}")
    relative = "" if str(path) == "." else str(path)
    if kinds[0] is not SuperKind.IMAGE and relative in ("", INPUTS_FILE):
        raise ChallengeError(f"{where}: {slug}: relative_path: expected the path of a file, found {relative!r}")
    made = Socket(slug=slug, super_kind=kinds[0], relative_path=relative, values=description)
    if made.is_dicom and not relative:
        raise ChallengeError(f"{where}: {slug}: relative_path: expected a folder of its own for DICOM files")
    return made

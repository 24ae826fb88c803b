"""Contracts that ``contract`` of a ``challenge.yaml`` may name: entries of these platforms run here as they are.

A contract is how another platform starts an entry, lays out its input and finds its answers.  What the stages do for it
is in `evaluate.stages.contracts`; here is what it says of the other keys of a challenge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


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

"""The PhysioNet Challenges: a repository with ``team_code.py``, which programs of the organiser train and run.

The programs are ours, in `vm_images/contracts`, written to what the years prescribe.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from evaluate.challenge.contract import ContractName
from evaluate.core.resources import data_folder
from evaluate.stages.contracts.base import Contract

_PROGRAMS = data_folder("vm_images") / "contracts"
_PYTHON = "/usr/bin/python3"


def _files(year: int) -> Mapping[str, Path]:
    """The organiser's programs of a year."""
    return {path.name: path for path in sorted((_PROGRAMS / f"physionet-{year}").glob("*.py"))}


YEARS: Mapping[ContractName, Contract] = {
    ContractName.PHYSIONET_2025: Contract(
        needs=("team_code.py",),
        files=_files(2025),
        train=(_PYTHON, "train_model.py", "-d", "{data}", "-m", "{model}", "-v"),
        run=(_PYTHON, "run_model.py", "-d", "{data}", "-m", "{model}", "-o", "{output}", "-v"),
        lenient=("-f",),
        place="/challenge",
    ),
}

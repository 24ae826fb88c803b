"""Challenges of other platforms as challenge folders: `base` has what all have in common, each module has one form."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from evaluate.authoring.imports import codabench, physionet
from evaluate.authoring.imports.base import Imported, imported
from evaluate.core.errors import UsageError

FORMS = ("codabench", "physionet")


def import_challenge(form: str, given: Path, to: Path | None = None, phase: int | None = None) -> Imported:
    """Make a challenge folder of another platform's definition; see `evaluate.authoring.imports.base.imported`.

    ``phase``: of Codabench, the place of the one that decides, from 0, by default the last.
    """
    if form == "codabench":
        return imported(partial(codabench.make, phase=phase), given, to)
    if phase is not None:
        raise UsageError(f"--phase: a {form} challenge has no phases to choose from")
    return imported(physionet.make, given, to)

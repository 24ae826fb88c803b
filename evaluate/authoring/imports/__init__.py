"""Challenges of other platforms as challenge folders: `base` has what all have in common, each module has one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from evaluate.authoring.imports import codabench, physionet
from evaluate.authoring.imports.base import Draft, Imported, Source, imported
from evaluate.core.errors import UsageError


class Importer(NamedTuple):
    """Means to read one platform's challenges."""

    make: Callable[..., None]
    title_of: Callable[[Source], str]
    phases: bool
    """True if a phase can be chosen."""


FORMS: Mapping[str, Importer] = {
    "codabench": Importer(codabench.make, codabench.title_of, phases=True),
    "physionet": Importer(physionet.make, physionet.title_of, phases=False),
}


def import_challenge(form: str, given: Path, to: Path | None = None, phase: int | None = None) -> Imported:
    """Make a challenge folder of another platform's definition; see `evaluate.authoring.imports.base.imported`."""
    importer = FORMS[form]
    make: Callable[[Draft], None] = importer.make
    if phase is not None:
        if not importer.phases:
            raise UsageError(f"--phase: a {form} challenge has no phases to choose from")
        make = partial(importer.make, phase=phase)
    return imported(make, given, to, importer.title_of)

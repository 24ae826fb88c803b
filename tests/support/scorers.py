"""Scorers of tests, and how they are run under bubblewrap with the programs of this host."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluate.config.challenge.scorer import Form, Scorer
from evaluate.config.challenge.types import RecordSet
from evaluate.core.model import Limits, StageOutcome
from evaluate.home.plain_job import PlainLayers, host_image
from evaluate.images.squashfs import in_folder
from evaluate.sandbox.plain import PlainHypervisor
from evaluate.stages.job import NullMonitor, ScorerMeans
from evaluate.stages.scorers.run import score_by

LIMITS = Limits(instructions=10**12, wall_seconds=300, answers_bytes=64 << 20)


def written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """A folder with these files."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def means(folder: Path) -> ScorerMeans:
    """Without a virtual machine: what a form asks for is the same."""
    folder.mkdir(exist_ok=True)
    return ScorerMeans(
        image=host_image(),
        hypervisor=PlainHypervisor(folder),
        layers=PlainLayers(folder, NullMonitor()),
        folder=folder,
        layer=in_folder,
    )


def scored(
    tmp: Path,
    form: Form,
    program: Mapping[str, str] | Path,
    references: Mapping[str, str] | Path,
    answers: Mapping[str, str] | Path,
    *,
    records: Mapping[str, Any] | None = None,
    again: bool = False,
    by: ScorerMeans | None = None,
    **keys: Any,
) -> StageOutcome:
    """Outcome of a scorer for these answers; ``by``: means other than those of this host."""

    def placed(name: str, given: Mapping[str, str] | Path) -> Path:
        return given if isinstance(given, Path) else written(tmp / name, given)

    reference_folder = placed("references", references)
    about: dict[str, Any] = {"folder": tmp, "records": ("r",), "inputs": (), **(records or {})}
    return score_by(
        Scorer(form=form, program=placed("program", program), **{"limits": LIMITS, **keys}),
        RecordSet(references=reference_folder, **about),
        reference_folder,
        placed("answers", answers),
        by or means(tmp / "means"),
        again=again,
    )

"""prep: is the entry complete, can its dependencies be installed, does its setup succeed?

The archive is only listed on the host.  What has to be unpacked is unpacked in the guest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from evaluate.core.codec import from_json, to_json
from evaluate.core.model import Stage, StageResult
from evaluate.stages.job import Job, PreparedEntry, of_stage
from evaluate.stages.kinds.detection import handler

PREPARED = "prepared.json"


@of_stage(Stage.PREP)
def prep(job: Job) -> StageResult:
    """Check, install, unpack, set up; if all went well the prepared entry is in ``job.folder``."""
    result, prepared = handler(job.kind).prep(job)
    if prepared is None:
        return result
    (job.folder / PREPARED).write_text(json.dumps(to_json(replace(prepared, folder=Path())), indent=1))
    return replace(result, installed=tuple(installed(prepared.layers)))


def installed(layers: Sequence[Path]) -> Iterator[str]:
    """Names and versions of the packages in layers, as far as these say so themselves."""
    for layer in layers:
        with suppress(OSError, ValueError):
            listed = layer.suffix == ".txt"  # of a run without a machine
            packages = (
                {"wheels": layer.read_text().split()} if listed else json.loads(layer.with_suffix(".json").read_bytes())
            )
            yield from packages.get("packages", ())
            yield from (" ".join(wheel.split("-")[:2]) for wheel in packages.get("wheels", ()))


def load_prepared(folder: Path) -> PreparedEntry:
    """The entry that `prep` left in a folder, perhaps in another process or before a restart."""
    return replace(from_json(PreparedEntry, json.loads((folder / PREPARED).read_bytes())), folder=folder)

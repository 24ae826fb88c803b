"""prep: is the entry complete, can its dependencies be installed, does its setup succeed?

The archive is only listed on the host.  What has to be unpacked is unpacked in the guest.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluate.config.challenge.types import Kind
from evaluate.core.codec import from_json, to_json
from evaluate.core.model import Stage, StageResult
from evaluate.stages.job import Job, PreparedEntry, of_stage
from evaluate.stages.kinds.detection import handler

PREPARED = "prepared.json"


@of_stage(Stage.PREP)
def prep(job: Job) -> StageResult:
    """Check, install, unpack, set up; if all went well the prepared entry is in ``job.folder``."""
    prepped = handler(job.kind).prep(job)
    result = prepped.result
    if prepped.payload is not None:
        result = replace(result, installed=tuple(installed(prepped.payload.layers)))
        text = {"kind": job.kind.value, "dry_run": prepped.dry_run, "payload": to_json(prepped.payload)}
        (job.folder / PREPARED).write_text(json.dumps(text, indent=1))
    return result


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


def load_prepared(folder: Path) -> PreparedEntry[Any]:
    """The entry that `prep` left in a folder, perhaps in another process or before a restart."""
    text = json.loads((folder / PREPARED).read_text())
    kind = Kind(text["kind"])
    payload = from_json(handler(kind).payload, text["payload"])
    return PreparedEntry(kind=kind, dry_run=text["dry_run"], folder=folder, payload=payload)

"""`evaluate bundle ID`: gathers what belongs to an entry that has ended."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from evaluate.core.errors import UsageError
from evaluate.core.resources import data_folder
from evaluate.home.bundle import open_parts, program_wheel, write_bundle
from evaluate.queue.db.rows import QueuedEntry
from evaluate.queue.entries.store import Store
from evaluate.queue.signing import receipt_of
from evaluate.queue.storage.depot import Depot
from evaluate.queue.storage.stage_folders import archive_of, challenge_of, fetch_image, work_folder
from evaluate.receipts.keys import KeyRing, published
from evaluate.stages.prep import PREPARED, load_prepared

_AGENT = "initrd-"


def bundle(store: Store, state: Path, shared: Path, depot: Depot, entry: QueuedEntry, folder: Path) -> str:
    """Write the bundle of an entry into a new folder; returns its digest.

    Raises UsageError if the entry has not ended, or something of it is not there any more. Raises ImageFault if the
    image that it was prepared on is not there any more.
    """
    challenge = challenge_of(entry)
    receipt = receipt_of(shared, depot, entry)
    if receipt is None:
        raise UsageError(f"{entry.id} has no receipt: it is {entry.state}")
    archive = archive_of(shared, entry.sha256)
    depot.fetch(str(archive.relative_to(shared)))
    if not archive.is_file():
        raise UsageError(f"{entry.id}: its archive is missing, perhaps removed by a rule of `prune`")
    name, wheel = program_wheel()
    keys = KeyRing(state / "keys").public()
    files: dict[str, Path | bytes] = {
        f"entry/{entry.name}": archive,
        f"code/{name}": wheel,
        "receipt/public.json": published(keys).encode(),
        **{f"receipt/{path.name}": path for path in receipt.parent.iterdir()},
        **{f"challenge/{challenge.name}/{path}": source for path, source in open_parts(challenge)},
    }
    machine = next((one.machine for one in store.outcomes(entry.id, entry.attempt) if one.machine is not None), None)
    if machine is not None:
        image = fetch_image(shared, depot, machine.image)
        files |= _image(shared / "images" / image)
        recipe = data_folder("vm_images") / image.rpartition("-")[0]
        files |= {f"recipe/{path.relative_to(recipe)}": path for path in recipe.rglob("*") if path.is_file()}
        files |= _layers(shared, depot, entry)
    return write_bundle(folder, files)


def _image(folder: Path) -> dict[str, Path | bytes]:
    # what brings the agent is made again from the code
    kept = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith((_AGENT, "."))]
    return {f"images/{folder.name}/{path.name}": path for path in kept}


def _layers(shared: Path, depot: Depot, entry: QueuedEntry) -> dict[str, Path | bytes]:
    prep = work_folder(shared, entry) / "prep"
    depot.fetch(str(prep.relative_to(shared)))
    if not (prep / PREPARED).is_file():
        return {}
    found: dict[str, Path | bytes] = {}
    payload: Any = load_prepared(prep).payload
    for layer in dataclasses.asdict(payload)["layers"]:
        path = shared / "layers" / Path(layer).name
        depot.fetch(str(path.relative_to(shared)))
        if not path.is_file():
            raise UsageError(f"{entry.id}: its layer {path.name} is not there any more")
        found[f"layers/{path.name}"] = path
    return found

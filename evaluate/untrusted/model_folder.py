"""Reads how `vm_images/guest/model_folder.py` describes the folder of an entry's model."""

from __future__ import annotations

import re

from evaluate.core.errors import SandboxFault
from evaluate.core.model import TrainedModel

_LINE = re.compile(rb"([0-9a-f]{64}) ([0-9]{1,12}) ([0-9]{1,15})\n")


def parse_model(printed: bytes) -> TrainedModel:
    """The model that one line describes. Raises SandboxFault if it is not that line."""
    found = _LINE.fullmatch(printed)
    if found is None:
        raise SandboxFault(f"expected digest, files and bytes of a model from the guest, found {printed[:80]!r}")
    return TrainedModel(sha256=found[1].decode(), files=int(found[2]), bytes=int(found[3]))

"""Synapse: an image's own program reads ``/input`` and leaves ``predictions.csv`` or ``.zip`` in ``/output``."""

from __future__ import annotations

from pathlib import Path

from evaluate.stages.contracts.base import Contract

_NAMES = ("predictions.csv", "predictions.zip")


def prediction(left: Path) -> tuple[str, str]:
    """The name of the one prediction that is not empty, or what is wrong; see `Contract.single`."""
    there = [name for name in _NAMES if (left / name).is_file()]
    filled = [name for name in there if (left / name).stat().st_size > 0]
    if len(filled) == 1 == len(there):
        return filled[0], ""
    found = " and ".join(name if name in filled else f"an empty {name}" for name in there) or "neither"
    return "", f"INVALID: expected either {' or '.join(_NAMES)} in /output, not empty; found {found}"


SYNAPSE = Contract(single=prediction, last_line=True)

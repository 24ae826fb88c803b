"""Packages of the Python package index for an entry, with newer versions where the organiser allows it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluate.core.errors import EntryError
from evaluate.stages.job import Layers
from evaluate.untrusted.requirements import FILE, NotInstallable, Requirement, loosened

_OLDER = f"{FILE} is older than this Python"


def install(
    layers: Layers, requirements: bytes | Sequence[Requirement], *, newer: bool
) -> tuple[Path | None, list[str]]:
    """The layer of a ``requirements.txt``, or of its lines, and notes on versions that are not those asked for.

    Where a pinned version cannot be installed, the nearest that can takes its place; where other pins do not go with
    that, later versions of these may, too. Raises EntryError if they cannot be installed, or only with versions that
    ``newer`` does not allow.
    """
    try:
        return layers.wheels(requirements), []
    except NotInstallable as e:
        if not newer:
            raise
        reasons = [f"note: {line}" for line in str(e).splitlines()]
        instead, replaced = e.instead, e.replaced
    wider, others = loosened(instead)
    tries = [(instead, replaced), (wider, {**replaced, **others})]
    for asked, changes in tries if others else tries[:1]:
        pairs = ", ".join(f"{taken} in the place of {pin}" for pin, taken in changes.items())
        try:
            return layers.wheels(asked), [f"note: {_OLDER}; installed: {pairs}", *reasons]
        except EntryError as e:
            error = EntryError(f"{e}\n{_OLDER}; tried: {pairs}", e.refusals)
    raise error

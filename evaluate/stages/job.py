"""What every stage works on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluate.challenge import Challenge, RecordSet
from evaluate.images.image import Image
from evaluate.intake import Listing
from evaluate.model import Entry
from evaluate.monitor import Monitor
from evaluate.sandbox.base import Hypervisor, Machine, Prepared


@dataclass(frozen=True, kw_only=True)
class Job:
    """One evaluation: the entry, the rules, and the means to run it."""

    entry: Entry
    challenge: Challenge
    quiz: RecordSet
    exam: RecordSet
    image: Image
    hypervisor: Hypervisor
    build_layer: Callable[[bytes], Path | None]
    """From the text of ``dependencies.txt`` to a read-only layer; an EntryError quotes wrong lines."""
    monitor: Monitor
    own_records: bool = False
    """The caller named the records (`evaluate try --records`), so the entry's answers may know none of them."""
    folder: Path
    """Of this evaluation alone, on the host; gone when it ends."""


@dataclass(frozen=True, kw_only=True)
class PreparedEntry:
    """What ``prep`` hands to the later stages."""

    listing: Listing
    layers: Sequence[Path]
    disks: Prepared
    expected: Mapping[str, str] = field(default_factory=dict)
    """The entry's own answers on the validation records."""

    def machine(self, job: Job, records: Path) -> Machine:
        """A guest that has the prepared entry and these records."""
        return Machine(
            image=job.image,
            layers=self.layers,
            prepared=self.disks,
            records=records,
            sizes=job.challenge.sizes,
        )

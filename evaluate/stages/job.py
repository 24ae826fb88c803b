"""What every stage works on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from evaluate.challenge import ArchiveLimits, Challenge, Kind, RecordSet
from evaluate.core.model import Entry, Program, User
from evaluate.images.container import ContainerLayer
from evaluate.images.image import Image
from evaluate.sandbox.base import Hypervisor, LicenceServer, Machine, Prepared
from evaluate.stages.monitor import Monitor

PREPARED = "prepared.json"
ANSWERS = "answers"
MEDIUM = ".iso"
"""Ends the names of discs with records, which are of use while their guest runs only."""


class Layers(Protocol):
    """Makes an entry's dependencies into read-only layers; an EntryError quotes what cannot be had."""

    def debian(self, dependencies: bytes) -> Path | None:
        """From the text of a ``dependencies.txt``."""

    def wheels(self, requirements: bytes) -> Path | None:
        """From the text of a ``requirements.txt``."""

    def container(self, archive: Path, argument: str, limits: ArchiveLimits) -> ContainerLayer:
        """From a container image; its entry point is called with ``argument``."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One evaluation: the entry, the rules, and the means to run it."""

    entry: Entry
    challenge: Challenge
    quiz: RecordSet
    exam: RecordSet
    image: Image | None
    """None for a challenge whose entries run nothing."""
    hypervisor: Hypervisor | None
    layers: Layers
    monitor: Monitor
    licence_server: LicenceServer | None = None
    """Where entries of this challenge get their licences; None: nothing outside can be reached."""
    gpus: tuple[str, ...] = ()
    """PCI addresses of the devices an entry of this challenge is given."""
    own_records: bool = False
    """The caller named the records (`evaluate try --records`), so the entry's answers may know none of them."""
    folder: Path
    """Of this evaluation alone, on the host: prepared disks, media and answers."""

    @property
    def answers(self) -> Path:
        """Where the exam leaves its answers for the score stage."""
        return self.folder / ANSWERS


@dataclass(frozen=True, kw_only=True)
class PreparedEntry:
    """What ``prep`` hands to the later stages."""

    kind: Kind
    dry_run: bool = False
    layers: Sequence[Path] = ()
    disks: Prepared | None = None
    expected: Mapping[str, str] | None = None
    """The entry's own answers on the validation records, where its kind has them."""
    program: Program | None = None
    """Of kind ``image``."""
    argv: tuple[str, ...] = ()
    """Of kind ``python``."""
    members: Mapping[str, str] = field(default_factory=dict)
    """Of kind ``answers``: the name of an answer file -> its name in the archive."""

    def machine(self, job: Job, records: Path, *, answers_bytes: int = 0) -> Machine:
        """A guest that has the prepared entry and these records."""
        if job.image is None:
            raise ValueError(f"{job.challenge.name} has no image")
        # a container's root is its own: nothing of the organiser's lies below it
        organisers = job.challenge.layers if self.kind is not Kind.IMAGE else ()
        return Machine(
            image=job.image,
            layers=[*self.layers, *organisers],
            prepared=self.disks,
            records=records,
            sizes=job.challenge.sizes,
            container=self.kind is Kind.IMAGE,
            answers_bytes=answers_bytes,
            licence_server=job.licence_server,
            gpus=job.gpus,
        )

    def save(self, folder: Path) -> None:
        """Write it beside its disks, so that another process, or this one after a restart, can go on."""
        program = self.program
        text = {
            "kind": self.kind.value,
            "dry_run": self.dry_run,
            "layers": [str(layer) for layer in self.layers],
            "disks": [self.disks.root.name, self.disks.home.name] if self.disks else None,
            "expected": dict(self.expected) if self.expected is not None else None,
            "program": {
                "argv": program.argv,
                "env": dict(program.env),
                "cwd": program.cwd,
                "user": [program.user.uid, program.user.gid],
            }
            if program
            else None,
            "argv": self.argv,
            "members": dict(self.members),
        }
        (folder / PREPARED).write_text(json.dumps(text, indent=1))

    @classmethod
    def load(cls, folder: Path) -> PreparedEntry:
        """What `save` wrote."""
        text = json.loads((folder / PREPARED).read_text())
        disks, program = text["disks"], text["program"]
        return cls(
            kind=Kind(text["kind"]),
            dry_run=text["dry_run"],
            layers=[Path(layer) for layer in text["layers"]],
            disks=Prepared(root=folder / disks[0], home=folder / disks[1]) if disks else None,
            expected=text["expected"],
            program=Program(
                argv=tuple(program["argv"]),
                env=program["env"],
                cwd=program["cwd"],
                user=User(uid=program["user"][0], gid=program["user"][1]),
            )
            if program
            else None,
            argv=tuple(text["argv"]),
            members=text["members"],
        )

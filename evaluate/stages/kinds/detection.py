"""Kind of an archive, and the implementation of each kind."""

from __future__ import annotations

from pathlib import Path

from evaluate.config.challenge.types import Challenge, Kind
from evaluate.stages.kinds.answers import UploadedAnswers
from evaluate.stages.kinds.entry_kind import EntryKind
from evaluate.stages.kinds.image import ContainerImage
from evaluate.stages.kinds.python import Python
from evaluate.stages.kinds.scripts import Scripts
from evaluate.untrusted.archives import looks_like_container

_KINDS: dict[Kind, EntryKind] = {
    Kind.SCRIPTS: Scripts(),
    Kind.PYTHON: Python(),
    Kind.IMAGE: ContainerImage(),
    Kind.ANSWERS: UploadedAnswers(),
}


def handler(kind: Kind) -> EntryKind:
    """The implementation of this kind."""
    return _KINDS[kind]


def kind_of(archive: Path, challenge: Challenge) -> Kind:
    """The kind of an upload; where a challenge takes several, the archive shows it."""
    if len(challenge.kinds) == 1:
        return challenge.kinds[0]
    if Kind.IMAGE in challenge.kinds and looks_like_container(archive):
        return Kind.IMAGE
    return next(kind for kind in challenge.kinds if kind is not Kind.IMAGE)

"""The one cache of challenges: loading reads a folder again only when something in it changed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from evaluate.config.challenge.load import FILE, RECORDS, challenge_folder, read_challenge
from evaluate.config.challenge.types import Challenge
from evaluate.core.errors import ChallengeError

_KEPT: dict[tuple[Path, str | None], tuple[tuple[Path, ...], list[tuple[int, ...] | None], Challenge]] = {}
"""Folder and isolation -> what its challenge was read of, how that was, and the challenge."""
_MOST_KEPT = 100
_SETTLED_SECONDS = 2.0
"""After so long a change of a file changes its times, however coarse the clock of its file system is."""


def load_challenge(name_or_path: str, isolation: str | None = None) -> Challenge:
    """The challenge of that name or in that folder.

    Raises UsageError if there is none. Raises ChallengeError if its file is wrong, or it cannot have this isolation;
    every mistake is named.

    ``isolation``: instead of what its file says.
    """
    folder, began = challenge_folder(name_or_path), time.time()
    kept = _KEPT.get((folder, isolation))
    if kept is not None and _state_of(kept[0]) == kept[1]:
        return kept[2]
    challenge, problems = read_challenge(folder, isolation)
    if challenge is None or problems:
        raise ChallengeError("\n".join(problems))
    if kept is not None and kept[2] == challenge:
        challenge = kept[2]  # so that what is made of it in turn stays the same
    paths = _read_of(challenge)
    state = _state_of(paths)
    newest = max((times[-1] for times in state if times is not None), default=0)
    if newest < (began - _SETTLED_SECONDS) * 1e9:  # else it may change once more and look the same
        while len(_KEPT) >= _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)), None)
        _KEPT[folder, isolation] = paths, state, challenge
    return challenge


def _read_of(challenge: Challenge) -> tuple[Path, ...]:
    """Every file and folder that says whether a challenge would be read as it was, in which records come and go."""
    paths = dict.fromkeys((challenge.folder / FILE, *challenge.layers))
    for records in (challenge.quiz, *challenge.exams.values()):
        paths |= dict.fromkeys((records.folder, records.folder / RECORDS))
        if records.references is not None:
            paths[records.references] = None
        paths |= {file.parent: None for record in records.records for file in records.files(record).values()}
    return tuple(paths)


def _state_of(paths: Sequence[Path]) -> list[tuple[int, ...] | None]:
    """Return values that change with the content of files and folders."""
    states: list[tuple[int, ...] | None] = []
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            states.append(None)
        else:
            states.append((status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))
    return states

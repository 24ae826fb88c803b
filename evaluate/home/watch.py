"""`evaluate try --watch`: runs again on every change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from evaluate.core.errors import UsageError
from evaluate.core.files import sha256_kept
from evaluate.core.model import Evaluation
from evaluate.home.trial import DEFAULTS, Trial, TryOptions, try_entry
from evaluate.host.accelerators import check_libvirt, open_hypervisor
from evaluate.images.build import build_image
from evaluate.images.recipe import load_recipe
from evaluate.sandbox.base import Hypervisor
from evaluate.stages.job import Monitor
from evaluate.untrusted.selection import select

LOOK_SECONDS = 0.1
"""A change is taken when the files have been the same for so long: editors write in several steps."""
_INERT = ("README*", "AUTHORS*", "LICEN[CS]E*", "COPYING*", "*.md")
"""Files that no program of an entry depends on."""


class Session:
    """Tries of one entry, one after the other."""

    def __init__(self, trial: Trial, *, plain: bool = False) -> None:
        """Open the hypervisor for all tries.

        Raises UsageError if nothing of this challenge's entries runs in a machine.
        """
        self._trial = trial
        self._hypervisor: Hypervisor | None = None
        self._first: frozenset[str] = frozenset()
        challenge, monitor = trial.challenge, trial.monitor
        if not challenge.runs_programs:
            raise UsageError(f"{challenge.name}: its entries run nothing, so there is nothing to run again")
        if not plain:
            check_libvirt()
            image = build_image(load_recipe(challenge.image), trial.state, monitor.say)
            self._hypervisor = open_hypervisor(trial.state, image, trial.accelerator, monitor.say)

    def once(self, monitor: Monitor, options: TryOptions = DEFAULTS) -> Evaluation:
        """Try the entry as it is now; first the records that failed last."""
        evaluation = try_entry(
            replace(self._trial, monitor=monitor),
            replace(options, first=self._first),
            hypervisor=self._hypervisor,
        )
        self._first = frozenset(outcome.record for stage in evaluation.stages for outcome in stage.failed)
        return evaluation


def changes(
    entry: Path, look: Callable[[Path], object] | None = None, wait: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Yields at once and then after every change of an entry's files, when they have come to rest.

    Files that are restored to what they were have not changed.
    """
    look = look or stamp_of
    while True:
        tried = look(entry)
        yield
        now = tried
        while now == tried:
            wait(LOOK_SECONDS)
            before, now = now, look(entry)
            while before != now:
                wait(LOOK_SECONDS)
                before, now = now, look(entry)


def stamp_of(entry: Path) -> object:
    """Return what tells whether a file of an entry that a program may depend on has changed: names, content, rights."""
    stamps = {}
    files = select(entry, all_files=True).files if entry.is_dir() else ("",)
    for name in (name for name in files if not any(fnmatch(name, pattern) for pattern in _INERT)):
        path = entry / name
        try:
            stamps[name] = (sha256_kept(path) if path.is_file() else "", path.stat().st_mode)
        except OSError:
            continue  # an editor replaces files
    return stamps

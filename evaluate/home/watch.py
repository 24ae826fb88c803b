"""`evaluate try --watch`: runs again on every change, in a persistent VM."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from fnmatch import fnmatch
from pathlib import Path

from evaluate.challenge.types import Challenge, RecordSet
from evaluate.core.errors import UsageError
from evaluate.core.model import MIB, Evaluation
from evaluate.home.trial import DEFAULTS, TryOptions, try_entry
from evaluate.host.accelerators import open_hypervisor
from evaluate.images.build import build_image
from evaluate.images.recipe import load_recipe
from evaluate.packing.selection import select
from evaluate.sandbox.base import Hypervisor
from evaluate.sandbox.folders import RunFolders
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.memory_medium import MOST_BYTES
from evaluate.sandbox.persistent_guest import KeptHypervisor, content_of, plain
from evaluate.stages.monitor import Monitor

LOOK_SECONDS = 0.3
"""A change is taken when the files have been the same for so long: editors write in several steps."""
_INERT = ("README*", "AUTHORS*", "LICEN[CS]E*", "COPYING*", "*.md")
"""Files that no program of an entry depends on."""
_FILE_BYTES = 1 << 12
"""What a file takes on a medium beside its bytes, at most."""


class Session:
    """Tries of one entry, one after the other."""

    def __init__(self, entry: Path, challenge: Challenge, state: Path, hypervisor: Hypervisor | None) -> None:
        self._entry = entry
        self._challenge = challenge
        self._state = state
        self._hypervisor = hypervisor

    def once(self, monitor: Monitor, options: TryOptions = DEFAULTS) -> Evaluation:
        """Try the entry as it is now."""
        kept = self._hypervisor if isinstance(self._hypervisor, KeptHypervisor) else None
        if kept is not None:
            packed = _packed(self._entry, self._state, all_files=options.all_files)
            kept.holds(content_of(self._entry, packed, self._inert), plain=plain(self._entry, packed))
        found = try_entry(self._entry, self._challenge, self._state, monitor, options, hypervisor=self._hypervisor)
        if kept is not None and kept.remembered:
            total = kept.ran + kept.remembered
            monitor.say(f"{kept.remembered} of {total} commands are not affected by the change, and did not run again")
        return found

    def _inert(self, name: str) -> bool:
        if self._challenge.answers_are_lines and name == self._challenge.answers.file:
            return True  # removed before every record's command
        return any(fnmatch(name, pattern) for pattern in _INERT)


@contextmanager
def session(
    entry: Path, challenge: Challenge, state: Path, monitor: Monitor, accelerator: str = "auto", *, plain: bool = False
) -> Iterator[Session]:
    """A session with its machine, which is destroyed with it.

    Raises
    ------
    UsageError
        Nothing of this challenge's entries runs in a machine.
    """
    if not challenge.runs_programs:
        raise UsageError(f"{challenge.name}: its entries run nothing, so there is no machine to keep")
    if plain:
        yield Session(entry, challenge, state, None)
        return
    image = build_image(load_recipe(challenge.image), state, monitor.say)
    hypervisor: Hypervisor = open_hypervisor(state, image, accelerator, monitor.say)
    with ExitStack() as stack:
        most_lent = max(medium_bytes(part) for part in (challenge.quiz, challenge.exam))
        if not isinstance(hypervisor, LibvirtHypervisor):
            pass  # under KVM a guest boots in a moment, and is checked
        elif most_lent > MOST_BYTES:
            monitor.say(
                f"the records of a stage have {most_lent // MIB} MiB, and a persistent VM takes"
                f" {MOST_BYTES // MIB} MiB: every try boots machines of its own, and runs everything again"
            )
        else:
            scratch = stack.enter_context(RunFolders(state / "runs").new("loop"))
            most = max(limits.answers_bytes for limits in challenge.limits.values())
            kept = KeptHypervisor(hypervisor, scratch, 0 if challenge.answers_are_lines else most)
            stack.callback(kept.close)
            hypervisor = kept
        yield Session(entry, challenge, state, hypervisor)


def medium_bytes(part: RecordSet) -> int:
    """About the size of a medium with the files of all records of a stage, or somewhat more."""
    files = [path for record in part.records for path in part.files(record).values()]
    return sum(path.stat().st_size + _FILE_BYTES for path in files)


def changes(
    entry: Path, look: Callable[[Path], object] | None = None, wait: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Yields at once and then after every change of an entry's files, when they have come to rest."""
    look = look or seen
    while True:
        tried = look(entry)
        yield
        now = tried
        while now == tried:
            wait(LOOK_SECONDS)
            now = look(entry)
        settled = False
        while not settled:
            wait(LOOK_SECONDS)
            before, now = now, look(entry)
            settled = before == now


def seen(entry: Path) -> object:
    """What tells whether a file of an entry has changed: names, times and sizes."""
    found = {}
    for name in _packed(entry, all_files=True):
        try:
            status = (entry / name).stat()
        except OSError:
            continue  # an editor replaces files
        found[name] = (status.st_mtime_ns, status.st_size, status.st_mode)
    return found


def _packed(entry: Path, state: Path | None = None, *, all_files: bool) -> tuple[str, ...]:
    """The files of an entry that are packed; of an archive, itself."""
    return select(entry, all_files=all_files, state=state).files if entry.is_dir() else ("",)

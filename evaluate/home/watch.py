"""`evaluate try --watch`: runs again on every change, in a persistent VM."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from evaluate.config.challenge.types import Challenge, Isolation, RecordSet
from evaluate.core.errors import UsageError
from evaluate.core.files import sha256_kept
from evaluate.core.model import MIB, Evaluation
from evaluate.home.trial import DEFAULTS, Trial, TryOptions, try_entry
from evaluate.host.accelerators import check_libvirt, open_hypervisor
from evaluate.images.build import build_image
from evaluate.images.recipe import load_recipe
from evaluate.sandbox.base import Hypervisor
from evaluate.sandbox.disks import medium
from evaluate.sandbox.memory_medium import MOST_BYTES
from evaluate.sandbox.persistent_guest import KeptHypervisor, version_of
from evaluate.sandbox.plain import PlainHypervisor
from evaluate.sandbox.run_folders import RunFolders
from evaluate.stages.job import Monitor
from evaluate.untrusted.selection import Selection, select

LOOK_SECONDS = 0.1
"""A change is taken when the files have been the same for so long: editors write in several steps."""
_INERT = ("README*", "AUTHORS*", "LICEN[CS]E*", "COPYING*", "*.md")
"""Files that no program of an entry depends on."""
_FILE_BYTES = 1 << 12
"""Number of bytes that a file takes on a medium beside its own, at most."""


class KeptMedia:
    """Writer of media (`Job.medium`), which writes one again only where its files have changed."""

    def __init__(self, folder: Path, make: Callable[[Path, Mapping[str, Path | bytes]], Path] = medium) -> None:
        self._folder = folder
        self._make = make
        self._made: dict[str, tuple[object, Path]] = {}

    def __call__(self, target: Path, files: Mapping[str, Path | bytes]) -> Path:
        """The medium of these files, which is kept under the name of ``target``."""
        stamp = {name: content if isinstance(content, bytes) else _stamp(content) for name, content in files.items()}
        kept = self._made.get(target.name)
        if kept is None or kept[0] != stamp:
            self._made.pop(target.name, None)
            self._made[target.name] = kept = (stamp, self._make(self._folder / target.name, files))
        return kept[1]


def _stamp(path: Path) -> object:
    status = path.stat()
    return path, status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


class Session:
    """Tries of one entry, one after the other."""

    def __init__(
        self,
        entry: Path,
        challenge: Challenge,
        state: Path,
        hypervisor: Hypervisor,
        media: KeptMedia | None = None,
    ) -> None:
        self._entry = entry
        self._challenge = challenge
        self._state = state
        self._hypervisor = hypervisor
        self._media = media
        self._answers: dict[str, str | None] = {}
        self._first: frozenset[str] = frozenset()
        self._announced: frozenset[str] = frozenset()

    def once(self, monitor: Monitor, options: TryOptions = DEFAULTS) -> Evaluation:
        """Try the entry as it is now; first the records that failed last, or whose answers had changed."""
        kept = self._hypervisor if isinstance(self._hypervisor, KeptHypervisor) else None
        if kept is not None:
            packed = _selection(self._entry, self._state, all_files=options.all_files)
            kept.holds(version_of(self._entry, packed, self._inert))
        messages: list[str] = []

        def say_once(text: str) -> None:
            messages.append(text)
            if text not in self._announced:
                monitor.say(text)

        evaluation = try_entry(
            Trial(self._entry, self._challenge, self._state, monitor),
            replace(options, first=self._first),
            hypervisor=self._hypervisor,
            medium=self._media,
            say_packed=say_once,
        )
        self._announced = frozenset(messages)
        outcomes = [outcome for stage in evaluation.stages for outcome in stage.records]
        changed = {
            outcome.record
            for outcome in outcomes
            if self._answers.get(outcome.record, outcome.answer) != outcome.answer
        }
        self._first = frozenset(changed | {outcome.record for outcome in outcomes if not outcome.verdict.passed})
        self._answers |= {outcome.record: outcome.answer for outcome in outcomes}
        return evaluation

    @property
    def ran_in_words(self) -> str:
        """Say how much of the last try was run; empty where everything is."""
        kept = self._hypervisor if isinstance(self._hypervisor, KeptHypervisor) else None
        if kept is None or not kept.remembered:
            return ""
        return f"{kept.ran} of {kept.ran + kept.remembered} commands run, the others are not affected"

    def _inert(self, name: str) -> bool:
        if self._challenge.answers_are_lines and name == self._challenge.answers.file:
            return True  # removed before every record's command
        return any(fnmatch(name, pattern) for pattern in _INERT)


@contextmanager
def session(
    entry: Path, challenge: Challenge, state: Path, monitor: Monitor, accelerator: str = "auto", *, plain: bool = False
) -> Iterator[Session]:
    """A session with its machine, which is destroyed with it.

    Raises UsageError if nothing of this challenge's entries runs in a machine.
    """
    if not challenge.runs_programs:
        raise UsageError(f"{challenge.name}: its entries run nothing, so there is no machine to keep")
    if challenge.isolation is Isolation.SNAPSHOT:
        monitor.say("--watch runs all records in one machine; without it each has a machine of its own")
        challenge = replace(challenge, isolation=Isolation.NAMESPACE)
    most = 0 if challenge.answers_are_lines else max(limits.answers_bytes for limits in challenge.limits.values())
    if plain:
        with (
            RunFolders(state / "runs").new("loop") as scratch,
            closing(KeptHypervisor(PlainHypervisor(scratch), scratch, most)) as kept,
        ):
            yield Session(entry, challenge, state, kept)
        return
    check_libvirt()
    image = build_image(load_recipe(challenge.image), state, monitor.say)
    booted = open_hypervisor(state, image, accelerator, monitor.say)
    hypervisor: Hypervisor = booted
    media = None
    with ExitStack() as stack:
        train = challenge.train.records if challenge.train is not None else challenge.quiz
        most_lent = max(medium_bytes(part) for part in (train, challenge.quiz, challenge.exam))
        if booted.accelerator == "kvm":
            pass  # a guest boots in a moment
        elif most_lent > MOST_BYTES:
            monitor.say(
                f"the records of a stage have {most_lent // MIB} MiB, and a persistent VM takes"
                f" {MOST_BYTES // MIB} MiB: every try boots machines of its own, and runs everything again"
            )
        else:
            scratch = stack.enter_context(RunFolders(state / "runs").new("loop"))
            hypervisor = stack.enter_context(closing(KeptHypervisor(booted, scratch, most)))
            media = KeptMedia(scratch)
        yield Session(entry, challenge, state, hypervisor, media)


def medium_bytes(part: RecordSet) -> int:
    """About the size of a medium with the files of all records of a stage, or somewhat more."""
    files = [path for record in part.records for path in part.files(record).values()]
    return sum(path.stat().st_size + _FILE_BYTES for path in files)


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
    """Return what tells whether a file of an entry has changed: names, content and rights."""
    stamps = {}
    selection = _selection(entry, all_files=True)
    for name in selection.files if selection is not None else ("",):
        path = entry / name
        try:
            stamps[name] = (sha256_kept(path) if path.is_file() else "", path.stat().st_mode)
        except OSError:
            continue  # an editor replaces files
    return stamps


def _selection(entry: Path, state: Path | None = None, *, all_files: bool) -> Selection | None:
    """Select what is packed of a folder; None: the entry is an archive."""
    return select(entry, all_files=all_files, state=state) if entry.is_dir() else None

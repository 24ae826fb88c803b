"""`evaluate try --profile`: the functions that took a record's instructions.

The counting plugin counts by address (`evaluate.counters.tcg.read_buckets`).  The record's command runs twice in one
guest: the first time it is counted, the second time its memory is looked at to learn which file and function lies at
each address, which is the same both times because the guest does not randomise addresses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath

from evaluate.challenge.types import Challenge, Isolation, Kind
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.model import Limits, Run, Stage, Verdict
from evaluate.core.sanitize import in_one_line
from evaluate.counters.tcg import BUCKET_BYTES, TcgCounter, build_plugin, read_buckets
from evaluate.home.recount import region
from evaluate.home.trial import chosen
from evaluate.host.wiring import make_job
from evaluate.images.build import build_image
from evaluate.packing.archive import to_try
from evaluate.protocol.guest import HOME
from evaluate.sandbox.base import Command, Machine, Sandbox
from evaluate.sandbox.folders import RunFolders
from evaluate.sandbox.hypervisor_wrapper import Wrapped
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.running import LibvirtSandbox
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.stages.monitor import Monitor
from evaluate.stages.prep import load_prepared, prep
from evaluate.untrusted.archives import open_entry

_PROGRAM = Path(__file__).with_name("_profile_guest.py")
_MOST_ADDRESSES = 2000
"""That are named; what takes few instructions is not looked for."""


@dataclass(frozen=True, kw_only=True)
class Function:
    """Code, and what it took."""

    name: str
    file: str
    instructions: int


@dataclass(frozen=True, kw_only=True)
class Profile:
    """Where the instructions of a record's command were retired."""

    record: str
    instructions: int
    functions: tuple[Function, ...]
    """The one that took most first."""


class _Profiling(Wrapped):
    """A hypervisor whose guests look where the commands of records spend their instructions."""

    def __init__(self, hypervisor: LibvirtHypervisor) -> None:
        super().__init__(hypervisor)
        self.hypervisor = hypervisor
        self.found: list[tuple[Mapping[int, int], bytes]] = []

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[Sandbox]:
        with self.hypervisor.boot(machine) as sandbox:
            yield _ProfilingSandbox(sandbox, self.found)


class _ProfilingSandbox:
    def __init__(self, sandbox: LibvirtSandbox, found: list[tuple[Mapping[int, int], bytes]]) -> None:
        self._sandbox = sandbox
        self._found = found
        self.counter = sandbox.counter
        self.freeze = sandbox.freeze

    def run(self, command: Command, limits: Limits) -> Run:
        before = read_buckets(self._sandbox.folder)
        run = self._sandbox.run(command, limits)
        after = Counter(read_buckets(self._sandbox.folder))
        after.subtract(before)
        taken = {address: count for address, count in after.most_common(_MOST_ADDRESSES) if count > 0}
        addresses = ",".join(f"{address:x}" for address in taken if address >= 0)
        argv = ("/usr/bin/python3", "-I", "-S", "-c", _PROGRAM.read_text(), addresses, *command.argv)
        # it looks while the command runs, which takes much longer then
        free = replace(limits, instructions=1 << 60, wall_seconds=3600.0, processes=limits.processes + 1)
        named = self._sandbox.run(replace(command, argv=argv, collect=(), gather=None), free)
        self._found.append((taken, named.stdout))
        return run


def functions(taken: Mapping[int, int], named: bytes) -> tuple[Function, ...]:
    """Instructions by function.

    Parameters
    ----------
    taken : mapping of int to int
        First address of `BUCKET_BYTES` bytes of code -> instructions.
    named : bytes
        What `_profile_guest.py` printed.
    """
    names: dict[int, tuple[str, str]] = {}
    for line in named.decode(errors="replace").splitlines():
        place, *words = line.split("\t")
        try:
            file, name = words
            names[int(place, 16)] = (in_one_line(name), in_one_line(file))
        except ValueError:
            continue  # cut off, or printed by somebody else
    total: Counter[tuple[str, str]] = Counter()
    for address, count in taken.items():
        total[names.get(address, ("", region(address)))] += count
    return tuple(Function(name=name, file=file, instructions=n) for (name, file), n in total.most_common())


def profile(
    entry: Path | str,
    challenge: Challenge,
    record: str | None,
    state: Path,
    monitor: Monitor,
    *,
    all_files: bool = False,
) -> Profile:
    """Prepare an entry and profile a record's command, by default that of the first record of the quiz.

    Raises
    ------
    UsageError
        There is no such record, or no program that could be looked at.
    EntryError
        The entry does not pass prep.
    """
    quiz, exam = chosen(challenge, record or challenge.quiz.records[0])
    stage, records = (Stage.EXAM, exam) if exam.records else (Stage.QUIZ, quiz)
    challenge = replace(challenge, isolation=Isolation.NAMESPACE, run=replace(challenge.run, extra=""))
    with RunFolders(state / "runs").new("profile") as folder:
        opened = open_entry(entry, folder, partial(to_try, say=monitor.say, all_files=all_files, state=state))
        kind = kind_of(opened.archive, challenge)
        if kind not in (Kind.SCRIPTS, Kind.PYTHON):
            raise UsageError(f"--profile is for entries of scripts and Python, not for kind {kind}")
        counter = TcgCounter(build_plugin(state / "cache"), buckets=True)
        profiling = _Profiling(LibvirtHypervisor(state=state, counter=counter, accelerator="tcg", say=monitor.say))
        job = make_job(
            opened,
            challenge,
            folder,
            state,
            monitor,
            image_of=lambda recipe: build_image(recipe, state, monitor.say),
            layers_in=state,
            kind=kind,
            hypervisor=profiling.hypervisor,
        )
        prepped = prep(job).result
        if prepped.verdict is not Verdict.OK:
            raise EntryError(f"the entry does not pass prep: {prepped.verdict} {prepped.message}")
        answers = folder / "profile-answers"
        answers.mkdir()
        job = replace(job, hypervisor=profiling)
        with closing(handler(kind).answer(job, load_prepared(folder), stage, records, answers)) as started:
            run = next(answered.run for answered in started if answered.run is not None)
    taken, named = profiling.found[0]
    return Profile(record=records.records[0], instructions=run.usage.instructions, functions=functions(taken, named))


def in_lines(found: Profile, most: int = 15) -> Iterator[str]:
    """The profile for a person: share of the instructions, function, file."""
    total = sum(one.instructions for one in found.functions) or 1
    yield f"record {found.record}: {found.instructions:.3g} instructions; by function, to {BUCKET_BYTES} bytes of code"
    for one in found.functions[:most]:
        file = one.file.removeprefix(f"{HOME}/") if one.file.startswith("/") else one.file
        where = PurePosixPath(file).name if file.startswith("/") else file
        yield f"  {100 * one.instructions / total:5.1f} %  {one.name or '(no name)'}  {where}"

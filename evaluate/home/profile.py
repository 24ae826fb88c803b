"""`evaluate try --profile`: the functions that took a record's instructions.

The counting plugin counts by address (`evaluate.counters.tcg.read_buckets`).  The record's command runs twice in one
guest: the first time it is counted, the second time its memory is looked at to learn which file and function lies at
each address, which is the same both times because the guest does not randomise addresses.  Programs in Python are
sampled in the second run, by line; what the interpreter and its libraries took is divided among the lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from evaluate.config.challenge.types import Challenge
from evaluate.core.model import MIB, Limits, Run
from evaluate.core.sanitize import in_one_line
from evaluate.counters.tcg import BUCKET_BYTES, TcgCounter, build_plugin, read_buckets
from evaluate.home.one_record import prepared_for_record
from evaluate.home.recount import region
from evaluate.protocol.guest import HOME
from evaluate.sandbox.base import Command, Machine, Sandbox, Wrapped
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.running import LibvirtSandbox
from evaluate.stages.job import Monitor

_PROGRAM, _SAMPLER = (Path(__file__).with_name(f"_profile_{name}.py") for name in ("guest", "python"))
_FOUND = "/tmp/evaluate-profile"  # in the guest
_MOST_FOUND = 32 * MIB
_PYTHON = re.compile(r"python\d[\d.]*")
"""Names of the interpreter's program."""
_MOST_ADDRESSES = 2000
"""Number of addresses that are named, at most; what takes few instructions is not looked for."""


@dataclass(frozen=True, kw_only=True)
class Function:
    """Code, and what it took."""

    name: str
    file: str
    instructions: int
    program: str = ""
    """Program of the process that ran it, or of the one with the same addresses that ran longest."""

    @property
    def is_of_python(self) -> bool:
        """True if a Python interpreter ran it."""
        return _PYTHON.fullmatch(PurePosixPath(self.program).name) is not None


@dataclass(frozen=True, kw_only=True)
class Profile:
    """Places where the instructions of a record's command were retired."""

    record: str
    instructions: int
    functions: tuple[Function, ...]
    """The one that took most first."""
    sampled: tuple[tuple[str, int], ...] = ()
    """Lines of programs in Python (``file:line function``), and the processor time spent in each, in microseconds."""

    @property
    def lines(self) -> tuple[tuple[str, float], ...]:
        """Lines of Python, and their instructions without those of the lines that they call; the largest first."""
        of_python = sum(function.instructions for function in self.functions if function.is_of_python)
        spent = sum(microseconds for _, microseconds in self.sampled) or 1
        return tuple((_place(line), of_python * microseconds / spent) for line, microseconds in self.sampled)


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
    def __init__(self, sandbox: LibvirtSandbox, profiles: list[tuple[Mapping[int, int], bytes]]) -> None:
        self._sandbox = sandbox
        self._found = profiles
        self.counter = sandbox.counter
        self.freeze = sandbox.freeze

    def run(self, command: Command, limits: Limits) -> Run:
        before = read_buckets(self._sandbox.folder)
        run = self._sandbox.run(command, limits)
        after = Counter(read_buckets(self._sandbox.folder))
        after.subtract(before)
        taken = {address: count for address, count in after.most_common(_MOST_ADDRESSES) if count > 0}
        addresses = ",".join(f"{address:x}" for address in taken if address >= 0)
        program = (_PROGRAM.read_text(), _SAMPLER.read_text(), _FOUND, addresses)
        argv = ("/usr/bin/python3", "-I", "-S", "-c", *program, *command.argv)
        # it looks while the command runs, which takes much longer then
        free = replace(limits, instructions=1 << 60, wall_seconds=3600.0, processes=limits.processes + 1)
        free = replace(free, answer_bytes=_MOST_FOUND)
        named = self._sandbox.run(replace(command, argv=argv, collect=(_FOUND,), gather=None), free)
        self._found.append((taken, named.files.get(_FOUND, b"")))
        return run


def functions(taken: Mapping[int, int], named: bytes) -> tuple[Function, ...]:
    """Instructions by function.

    * ``taken``: first address of `BUCKET_BYTES` bytes of code -> instructions.
    * ``named``: what `_profile_guest.py` wrote.
    """
    names: dict[int, tuple[str, str, str]] = {}
    for at, *words in _lines(named, "at"):
        try:
            program, file, name = map(in_one_line, words)
            names[int(at, 16)] = (name, file, program)
        except ValueError:
            continue  # cut off, or written by somebody else
    total: Counter[tuple[str, str, str]] = Counter()
    for address, count in taken.items():
        total[names.get(address, ("", region(address), ""))] += count
    return tuple(
        Function(name=name, file=file, instructions=n, program=program)
        for (name, file, program), n in total.most_common()
    )


def sampled(named: bytes) -> tuple[tuple[str, int], ...]:
    """The lines of programs in Python, and the microseconds spent in each; the one with most first."""
    total: Counter[str] = Counter()
    for spent, *line in _lines(named, "in"):
        if spent.isdecimal() and line:
            total[in_one_line(line[0])] += int(spent)
    return tuple(total.most_common())


def _lines(named: bytes, kind: str) -> Iterator[list[str]]:
    for line in named.decode(errors="replace").split("\n"):
        first, *words = line.split("\t")
        if first == kind and words:
            yield words


def _place(file: str) -> str:
    """A file as a person knows it: below the entry's folder, or by its name; with its line and function, if given."""
    path, colon, line = file.replace(" <module>", " (module level)").partition(":")
    short = path.removeprefix(f"{HOME}/")
    return (PurePosixPath(path).name if short == path else short) + colon + line


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

    Raises UsageError if there is no such record, or no program that could be looked at. Raises EntryError if the entry
    does not pass prep.
    """

    def counting() -> LibvirtHypervisor:
        counter = TcgCounter(build_plugin(state / "cache"), buckets=True)
        return LibvirtHypervisor(state=state, counter=counter, accelerator="tcg", say=monitor.say)

    prepared = prepared_for_record(
        entry, challenge, record, state, monitor, option="profile", all_files=all_files, hypervisor=counting
    )
    with prepared as one_record:
        assert isinstance(one_record.job.hypervisor, LibvirtHypervisor)
        profiling = _Profiling(one_record.job.hypervisor)
        run = one_record.run(profiling)
    taken, named = profiling.found[0]
    return Profile(
        record=one_record.name,
        instructions=run.usage.instructions,
        functions=functions(taken, named),
        sampled=sampled(named),
    )


def in_lines(result: Profile, most: int = 15) -> Iterator[str]:
    """The profile for a person: share of the instructions, function, file."""
    total = sum(function.instructions for function in result.functions) or 1
    yield f"record {result.record}: {result.instructions:.3g} instructions; by function, to {BUCKET_BYTES} bytes of code"
    for function in result.functions[:most]:
        yield f"  {100 * function.instructions / total:5.1f} %  {function.name or '(no name)'}  {_place(function.file)}"
    if result.lines:
        yield "of it in lines of Python, without the lines that they call:"
        for line, count in result.lines[:most]:
            yield f"  {100 * count / total:5.1f} %  {line}"

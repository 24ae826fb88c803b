"""`evaluate try --profile`: the functions that took a record's instructions.

The counting plugin counts by address (`evaluate.counters.tcg.read_buckets`).  The record's command runs twice in one
guest: the first time it is counted, the second time its memory is looked at to learn the file and function at each
address, which are the same both times because the guest does not randomise addresses.  Programs in Python are sampled
in the second run, by line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from evaluate.core.model import MIB, Limits, Run
from evaluate.core.sanitize import in_one_line
from evaluate.counters.tcg import BUCKET_BYTES, TcgCounter, build_plugin, read_buckets
from evaluate.home.one_record import prepared_for_record
from evaluate.home.recount import region
from evaluate.home.trial import Trial
from evaluate.protocol.guest import HOME
from evaluate.sandbox.base import Command, Sandbox
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.running import LibvirtSandbox

_PROGRAM = Path(__file__).with_name("_profile_guest.py")
_OUTPUT = "/tmp/evaluate-profile"  # in the guest
_MOST_BYTES = 32 * MIB
_MOST_ADDRESSES, _MOST_LINES = 2000, 15
"""Addresses that are named, those with most instructions, and lines that are shown."""
_SAMPLERS = 256
"""Processes and threads that a command has beside its own while it is looked at."""


@dataclass(frozen=True, kw_only=True)
class Profile:
    """Places where the instructions of a record's command were retired."""

    record: str
    instructions: int
    functions: tuple[tuple[str, str, int], ...]
    """Name, file and instructions of each; the one that took most first."""
    lines: tuple[tuple[str, float], ...]
    """Lines of Python, and their share of Python's time, without the lines that they call; the largest first."""

    @classmethod
    def of(cls, record: str, instructions: int, taken: Mapping[int, int], named: bytes) -> Profile:
        """Sum up.

        * ``taken``: first address of `BUCKET_BYTES` bytes of code -> instructions.
        * ``named``: output of `_profile_guest.py`.
        """
        names: dict[int, tuple[str, str]] = {}
        spent: Counter[str] = Counter()
        for row in named.decode(errors="replace").split("\n"):
            match [in_one_line(cell) for cell in row.split("\t")]:
                case ["at", at, file, name]:
                    with suppress(ValueError):  # written by somebody else
                        names[int(at, 16)] = (name, file)
                case ["in", microseconds, line] if microseconds.isdecimal():
                    spent[line] += int(microseconds)
        total: Counter[tuple[str, str]] = Counter()
        for address, count in taken.items():
            total[names.get(address, ("", region(address)))] += count
        functions = tuple((name, file, n) for (name, file), n in total.most_common())
        lines = tuple((_short_name(line), n / spent.total()) for line, n in spent.most_common() if n)
        return cls(record=record, instructions=instructions, functions=functions, lines=lines)

    def shown(self) -> Iterator[str]:
        """The profile for a person: share of the instructions, function, file."""
        total = sum(instructions for _, _, instructions in self.functions) or 1
        whole = f"{self.instructions:.3g} instructions"
        yield f"record {self.record}: {whole}; by function, to {BUCKET_BYTES} bytes of code"
        for name, file, instructions in self.functions[:_MOST_LINES]:
            yield f"  {100 * instructions / total:5.1f} %  {name or '(no name)'}  {_short_name(file)}"
        if self.lines:
            yield "time of Python by line, without the lines that they call:"
            for line, share in self.lines[:_MOST_LINES]:
                yield f"  {100 * share:5.1f} %  {line}"


def _short_name(file: str) -> str:
    """A file as a person knows it: below the entry's folder, or by its name; with its line and function, if given."""
    path, colon, line = file.replace(" <module>", " (module level)").partition(":")
    short = path.removeprefix(f"{HOME}/")
    return (PurePosixPath(path).name if short == path else short) + colon + line


def profile(trial: Trial, record: str | None = None, *, all_files: bool = False) -> Profile:
    """Prepare an entry and profile a record's command, by default that of the first record of the quiz.

    Raises UsageError if there is no such record, or no program that could be looked at. Raises EntryError if the entry
    does not pass prep.
    """

    def counting() -> LibvirtHypervisor:
        counter = TcgCounter(build_plugin(trial.state / "cache"), buckets=True)
        return LibvirtHypervisor(state=trial.state, counter=counter, accelerator="tcg", say=trial.monitor.say)

    taken: Counter[int] = Counter()
    named = b""

    def twice(sandbox: Sandbox, command: Command, limits: Limits) -> Run:
        nonlocal named
        assert isinstance(sandbox, LibvirtSandbox)
        before = read_buckets(sandbox.folder)
        run = sandbox.run(command, limits)
        taken.update(read_buckets(sandbox.folder))
        taken.subtract(before)
        addresses = ",".join(f"{at:x}" for at, count in taken.most_common(_MOST_ADDRESSES) if count > 0 and at >= 0)
        program = _PROGRAM.read_text()
        argv = ("/usr/bin/python3", "-I", "-S", "-c", program, program, _OUTPUT, addresses, *command.argv)
        # it looks while the command runs, which takes much longer then
        free = replace(limits, instructions=1 << 60, wall_seconds=3600.0, answer_bytes=_MOST_BYTES)
        free = replace(free, processes=limits.processes + _SAMPLERS)
        named = sandbox.run(replace(command, argv=argv, collect=(_OUTPUT,), gather=None), free).files.get(_OUTPUT, b"")
        return run

    with prepared_for_record(trial, record, option="profile", all_files=all_files, hypervisor=counting) as prepared:
        run = prepared.run(twice)
    return Profile.of(prepared.name, run.usage.instructions, +taken, named)

"""`evaluate try --shell`: a shell in the guest, where and as a record's command runs.

The guest has no network.  The shell speaks through the relay that entries with a licence server have: a port of the
guest's loopback that leads through a virtio port to one port of this host, here that of the person's terminal.  So
nothing is added to the guest, and what runs there has the rights of the record's command.
"""

from __future__ import annotations

import os
import select
import shutil
import socket
import sys
import termios
import threading
import tty
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from evaluate.challenge.types import Challenge, Isolation, Kind
from evaluate.core.errors import EntryError, UsageError
from evaluate.core.model import CounterInfo, LicenceServer, Limits, Run, Stage, Verdict
from evaluate.home.trial import chosen
from evaluate.host.wiring import make_job
from evaluate.images.build import build_image
from evaluate.packing.archive import to_try
from evaluate.sandbox.base import Command, Hypervisor, Machine, Prepared, Sandbox
from evaluate.sandbox.folders import RunFolders
from evaluate.sandbox.hypervisor_wrapper import Wrapped
from evaluate.stages.kinds.detection import handler, kind_of
from evaluate.stages.monitor import Monitor
from evaluate.stages.prep import load_prepared, prep
from evaluate.untrusted.archives import open_entry

_PROGRAM = Path(__file__).with_name("_shell_guest.py")
_CHUNK = 1 << 15
_HOST = "127.0.0.1"
_INSTRUCTIONS, _SECONDS = 1 << 60, 7 * 86400.0
"""A person thinks."""
_LEAVE = b"\nexit\n"


@dataclass(frozen=True, kw_only=True)
class Terminal:
    """Where a person or a script types and reads; descriptors."""

    read: int
    write: int

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns; zeros for a pipe."""
        if not os.isatty(self.read):
            return 0, 0
        found = shutil.get_terminal_size()
        return found.lines, found.columns


def converse(terminal: Terminal, listener: socket.socket, ended: threading.Event) -> None:
    """Pass bytes between a terminal and the first connection, until either ends."""
    while not select.select([listener], [], [], 0.2)[0]:
        if ended.is_set():
            return
    connection, _ = listener.accept()
    sources: list[int | socket.socket] = [connection, terminal.read]
    with connection, _raw(terminal.read):
        while True:
            ready, _, _ = select.select(sources, [], [])
            if connection in ready:
                data = connection.recv(_CHUNK)
                if not data:
                    return
                os.write(terminal.write, data)
            if terminal.read in ready:
                data = os.read(terminal.read, _CHUNK)
                if not data:  # the relay cannot close one direction alone
                    sources.remove(terminal.read)
                connection.sendall(data or _LEAVE)


@contextmanager
def _raw(descriptor: int) -> Iterator[None]:
    """What is typed goes to the guest as it is, Ctrl-C too."""
    if not os.isatty(descriptor):
        yield
        return
    before = termios.tcgetattr(descriptor)
    tty.setraw(descriptor, termios.TCSADRAIN)  # what was typed ahead is not lost
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


class _ShellHypervisor(Wrapped):
    """Boots guests in which a record's command is a shell."""

    def __init__(self, hypervisor: Hypervisor, terminal: Terminal, *, after: bool) -> None:
        super().__init__(hypervisor)
        self._terminal = terminal
        self._after = after

    @contextmanager
    def boot(self, machine: Machine) -> Iterator[Sandbox]:
        with socket.create_server((_HOST, 0)) as listener:
            port = listener.getsockname()[1]
            machine = replace(machine, licence_server=LicenceServer(host=_HOST, ports=(port,)))
            with self._wrapped.boot(machine) as sandbox:
                yield _ShellSandbox(sandbox, listener, self._terminal, after=self._after)


class _ShellSandbox:
    """Runs a shell in place of each command."""

    def __init__(self, sandbox: Sandbox, listener: socket.socket, terminal: Terminal, *, after: bool) -> None:
        self._sandbox = sandbox
        self._listener = listener
        self._terminal = terminal
        self._after = after

    @property
    def counter(self) -> CounterInfo:
        return self._sandbox.counter

    def run(self, command: Command, limits: Limits) -> Run:
        port = self._listener.getsockname()[1]
        rows, columns = self._terminal.size
        words = (port, rows, columns, "after" if self._after else "before")
        argv = ("/usr/bin/python3", "-I", "-S", "-c", _PROGRAM.read_text(), *map(str, words), *command.argv)
        ended = threading.Event()
        talk = threading.Thread(target=converse, args=(self._terminal, self._listener, ended), name="shell")
        talk.start()
        try:
            free = replace(limits, instructions=_INSTRUCTIONS, wall_seconds=_SECONDS, processes=limits.processes + 2)
            return self._sandbox.run(replace(command, argv=argv), free)
        finally:
            ended.set()
            talk.join()

    def freeze(self, folder: Path) -> Prepared:
        return self._sandbox.freeze(folder)


def open_shell(
    entry: Path | str,
    challenge: Challenge,
    record: str | None,
    state: Path,
    monitor: Monitor,
    *,
    after: bool = False,
    all_files: bool = False,
    accelerator: str = "auto",
    terminal: Terminal | None = None,
) -> Run:
    """Prepare an entry and open a shell just before or after a record's command; ends with the shell.

    Parameters
    ----------
    record : str, optional
        By default the first of the quiz.
    terminal : Terminal, optional
        By default standard input and output.

    Raises
    ------
    UsageError
        There is no such record, or nothing that a shell could be opened in.
    EntryError
        The entry does not pass prep.
    """
    quiz, exam = chosen(challenge, record or challenge.quiz.records[0])
    stage, records = (Stage.EXAM, exam) if exam.records else (Stage.QUIZ, quiz)
    terminal = terminal or Terminal(read=sys.stdin.fileno(), write=sys.stdout.fileno())
    challenge = replace(challenge, isolation=Isolation.NAMESPACE, run=replace(challenge.run, extra=""))
    with RunFolders(state / "runs").new("shell") as folder:
        opened = open_entry(entry, folder, partial(to_try, say=monitor.say, all_files=all_files, state=state))
        kind = kind_of(opened.archive, challenge)
        if kind not in (Kind.SCRIPTS, Kind.PYTHON):
            raise UsageError(
                f"--shell is for entries of scripts and Python; for kind {kind} use docker run -it --entrypoint sh"
            )
        job = make_job(
            opened,
            challenge,
            folder,
            state,
            monitor,
            image_of=lambda recipe: build_image(recipe, state, monitor.say),
            layers_in=state,
            accelerator=accelerator,
            kind=kind,
        )
        prepped = prep(job).result
        if prepped.verdict is not Verdict.OK:
            raise EntryError(f"the entry does not pass prep: {prepped.verdict} {prepped.message}")
        if job.hypervisor is None:
            raise UsageError(f"{challenge.name}: its entries run nothing")
        monitor.say(f"a shell at record {records.records[0]}; leave it with exit")
        shells = replace(job, hypervisor=_ShellHypervisor(job.hypervisor, terminal, after=after))
        prepared, answers = load_prepared(folder), folder / "shell-answers"
        answers.mkdir()
        with closing(handler(kind).answer(shells, prepared, stage, records, answers)) as started:
            return next(answered.run for answered in started if answered.run is not None)

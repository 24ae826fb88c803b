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
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from evaluate.core.model import LicenceServer, Limits, Run
from evaluate.home.one_record import prepared_for_record
from evaluate.home.trial import Trial
from evaluate.sandbox.base import Command, Sandbox

_PROGRAM = Path(__file__).with_name("_shell_guest.py")
_CHUNK = 1 << 15
_HOST = "127.0.0.1"
_INSTRUCTIONS, _SECONDS = 1 << 60, 7 * 86400.0
"""Limits while a person thinks."""
_LEAVE = b"\nexit\n"


@dataclass(frozen=True, kw_only=True)
class Terminal:
    """Descriptors through which a person or a script types and reads."""

    read: int
    write: int

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns; zeros for a pipe."""
        if not os.isatty(self.read):
            return 0, 0
        size = shutil.get_terminal_size()
        return size.lines, size.columns


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
    """Send what is typed to the guest as it is, Ctrl-C too."""
    if not os.isatty(descriptor):
        yield
        return
    before = termios.tcgetattr(descriptor)
    tty.setraw(descriptor, termios.TCSADRAIN)  # what was typed ahead is not lost
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def open_shell(
    trial: Trial,
    record: str | None,
    *,
    all_files: bool = False,
    terminal: Terminal | None = None,
) -> Run:
    """Prepare an entry and open a shell just before a record's command; ends with the shell.

    Raises UsageError if there is no such record, or nothing that a shell could be opened in. Raises EntryError if the
    entry does not pass prep.

    * ``record``: by default the first of the quiz.
    * ``terminal``: by default standard input and output.
    """
    with (
        prepared_for_record(trial, record, option="shell", all_files=all_files) as prepared,
        socket.create_server((_HOST, 0)) as listener,
    ):
        trial.monitor.say(f"a shell at record {prepared.name}; leave it with exit")
        person = terminal or Terminal(read=sys.stdin.fileno(), write=sys.stdout.fileno())
        port = listener.getsockname()[1]

        def shell(sandbox: Sandbox, command: Command, limits: Limits) -> Run:
            argv = (
                "/usr/bin/python3",
                "-I",
                "-S",
                "-c",
                _PROGRAM.read_text(),
                *map(str, (port, *person.size)),
                *command.argv,
            )
            free = replace(limits, instructions=_INSTRUCTIONS, wall_seconds=_SECONDS, processes=limits.processes + 2)
            ended = threading.Event()
            talk = threading.Thread(target=converse, args=(person, listener, ended), name="shell")
            talk.start()
            try:
                return sandbox.run(replace(command, argv=argv), free)
            finally:
                ended.set()
                talk.join()

        relay = LicenceServer(host=_HOST, ports=(port,))
        return prepared.run(shell, lambda machine: replace(machine, licence_server=relay))

"""The two ends of `evaluate try --shell`, without a machine between them."""

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evaluate.config.challenge.cache import load_challenge
from evaluate.core.errors import UsageError
from evaluate.home import shell
from evaluate.home.shell import Terminal, converse, open_shell
from evaluate.home.trial import Trial
from evaluate.stages.job import NullMonitor

GUEST = Path(shell.__file__).with_name("_shell_guest.py")


def in_a_guest(terminal: Terminal, *command: str) -> None:
    """Run the guest's program here, and the host's end beside it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = threading.Event()
        talk = threading.Thread(target=converse, args=(terminal, listener, ended))
        talk.start()
        port = listener.getsockname()[1]
        argv = [sys.executable, "-I", "-S", str(GUEST), str(port), "33", "80", *command]
        subprocess.run(argv, check=False, timeout=60)
        ended.set()
        talk.join()


def test_a_person_has_a_terminal_of_their_size() -> None:
    person, terminal = os.openpty()
    os.write(person, b"stty size; tty >/dev/null && echo with a terminal\nexit\n")
    in_a_guest(Terminal(read=terminal, write=terminal), "/bin/echo", "it ran")
    said = os.read(person, 1 << 16).decode()
    assert "The command is: /bin/echo it ran\r\n" in said, said
    assert "33 80\r\nwith a terminal\r\n" in said, said


def test_no_connection_ends_with_the_command() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = threading.Event()
        ended.set()
        converse(Terminal(read=0, write=1), listener, ended)


def test_a_record_that_is_not_there_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no record 'X'"):
        open_shell(Trial(tmp_path, load_challenge("cinc2017"), tmp_path, NullMonitor()), "X")

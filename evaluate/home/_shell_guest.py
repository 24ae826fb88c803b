"""Program that `evaluate try --shell` runs in the guest in place of a record's command: as its user, with its files.

    python3 -I -S -c PROGRAM PORT ROWS COLUMNS COMMAND…

PORT is a port of the guest's loopback that leads to the person's terminal; ROWS is 0 where that is a pipe.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import socket
import struct
import sys
import termios

_CHUNK = 1 << 15


def shell(command: list[str]) -> None:
    """Become a shell."""
    print(f"The command is: {' '.join(command)}", flush=True)
    os.environ["PS1"] = r"\u:\w\$ "
    interactive = ["-i"] if sys.stdin.isatty() else []
    os.execv("/bin/bash", ["/bin/bash", "--norc", "--noprofile", *interactive])


def main() -> None:
    """Connect a shell to the port."""
    port, rows, columns, *command = sys.argv[1:]
    host = socket.create_connection(("127.0.0.1", int(port)))
    if rows == "0":
        for fd in range(3):
            os.dup2(host.fileno(), fd)
        shell(command)
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        shell(command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
    while True:
        ready, _, _ = select.select([host.fileno(), terminal], [], [])
        try:
            if terminal in ready:
                host.sendall(os.read(terminal, _CHUNK))
            if host.fileno() in ready:
                data = host.recv(_CHUNK)
                if not data:
                    return
                os.write(terminal, data)
        except OSError:  # the shell has ended
            return


if __name__ == "__main__":
    main()

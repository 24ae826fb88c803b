"""The licence relay in the guest: the only way out of it, and only where the challenge asks for it.

There is no network card.  A process in the command's network namespace listens on its loopback and passes what arrives
there through a virtio port to the host.  Only the host decides where it goes: to one server and the ports that the
organiser named.  It is in the command's control group and dies with it.

Frames: see `evaluate.protocol.guest`.  One write of a frame is one buffer of the port, so none is truncated when this
process is killed.
"""

from __future__ import annotations

import os
import select
import socket

from evaluate.protocol.guest import (
    CLOSE,
    DATA,
    HEADER,
    MARKER_BYTES,
    MOST_BODY_BYTES,
    MOST_CONNECTIONS,
    OPEN,
    PLACE,
    RESET,
)


def relay(port: int, listen_on: list[int], ready: int) -> None:
    """Serve until killed.

    Parameters
    ----------
    port : int
        Descriptor of the virtio port.
    listen_on : list of int
        TCP ports of the command's loopback; the position in the list selects the server's port.
    ready : int
        Descriptor that gets a byte when the ports can be connected to.
    """
    # none of the command's pipes may stay open here: the agent knows by their end that a process has ended
    low = 0
    for fd in sorted((port, ready)):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, 4096)
    marker = os.urandom(MARKER_BYTES)
    os.write(port, HEADER.pack(RESET, 0, MARKER_BYTES) + marker)
    waiting = b""
    while marker not in waiting:
        waiting = waiting[-2 * MARKER_BYTES :] + os.read(port, MOST_BODY_BYTES)
    waiting = waiting.partition(marker)[2]
    listeners = {}
    for place, number in enumerate(listen_on):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", number))
        listener.listen(16)
        listeners[listener.fileno()] = (listener, place)
    os.write(ready, b"r")
    os.close(ready)
    connections: dict[int, socket.socket] = {}
    last = 0
    while True:
        numbers = {connection.fileno(): number for number, connection in connections.items()}
        readable, _, _ = select.select([port, *listeners, *numbers], [], [])
        for fd in readable:
            if fd == port:
                waiting = _from_server(waiting + os.read(port, MOST_BODY_BYTES), connections)
            elif fd in listeners:
                listener, place = listeners[fd]
                connection, _ = listener.accept()
                if len(connections) >= MOST_CONNECTIONS:
                    connection.close()
                    continue
                last += 1
                connections[last] = connection
                os.write(port, HEADER.pack(OPEN, last, PLACE.size) + PLACE.pack(place))
            elif (number := numbers[fd]) in connections:
                _from_command(port, number, connections)


def _from_command(port: int, number: int, connections: dict[int, socket.socket]) -> None:
    try:
        data = connections[number].recv(MOST_BODY_BYTES)
    except OSError:
        data = b""
    if data:
        os.write(port, HEADER.pack(DATA, number, len(data)) + data)
    else:
        connections.pop(number).close()
        os.write(port, HEADER.pack(CLOSE, number, 0))


def _from_server(waiting: bytes, connections: dict[int, socket.socket]) -> bytes:
    """Handle the complete frames; returns the remaining bytes."""
    while len(waiting) >= HEADER.size:
        kind, number, length = HEADER.unpack_from(waiting)
        if len(waiting) < HEADER.size + length:
            break
        data, waiting = waiting[HEADER.size : HEADER.size + length], waiting[HEADER.size + length :]
        connection = connections.get(number)
        if connection is None:
            continue
        try:
            if kind == DATA:
                connection.sendall(data)
                continue
        except OSError:
            pass
        connections.pop(number).close()
    return waiting

import socket
from contextlib import suppress

held = []
try:
    while True:
        pair = socket.socketpair()
        held.append(pair)
        pair[0].setblocking(False)
        with suppress(BlockingIOError):
            while True:
                pair[0].send(bytes(1 << 16))
except OSError as e:
    print(len(held), "pairs", e.strerror)

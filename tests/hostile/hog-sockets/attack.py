import socket

held = []
try:
    while True:
        pair = socket.socketpair()
        held.append(pair)
        pair[0].setblocking(False)
        try:
            while True:
                pair[0].send(bytes(1 << 16))
        except BlockingIOError:
            pass
except OSError as e:
    print(len(held), "pairs", e.strerror)

import socket
from contextlib import suppress

KINDS = {"stream": 1, "datagram": 2, "raw": 3, "packet": 5}
for family in range(3, 46):
    if family in (socket.AF_INET6, socket.AF_NETLINK):
        continue
    for name, kind in KINDS.items():
        with suppress(OSError):
            socket.socket(family, kind).close()
            print("GOT family", family, name)
            break
for family in (socket.AF_INET, socket.AF_INET6):
    with suppress(OSError):
        socket.socket(family, socket.SOCK_RAW, 1).close()
        print("GOT raw", family)
for address in ("10.0.2.2", "192.0.2.1", "169.254.169.254", "8.8.8.8"):
    with suppress(OSError):
        end = socket.socket()
        end.settimeout(2)
        end.connect((address, 80))
        print("GOT", address)
print("done")

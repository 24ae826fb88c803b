import os
import socket
from contextlib import suppress

tried = 0
for family, address in (
    (socket.AF_INET, ("127.0.0.1", 22)),
    (socket.AF_INET, ("127.0.0.1", 8000)),
    (socket.AF_INET, ("192.0.2.1", 80)),
    (socket.AF_INET6, ("::1", 22)),
    (socket.AF_UNIX, "/run/libvirt/libvirt-sock"),
    (socket.AF_UNIX, "/run/systemd/private"),
    (socket.AF_UNIX, "/run/dbus/system_bus_socket"),
    (socket.AF_UNIX, "\0/org/example"),
):
    tried += 1
    with suppress(OSError):
        with socket.socket(family, socket.SOCK_STREAM) as end:
            end.settimeout(2)
            end.connect(address)
            print("GOT a connection to", address)
tried += 1
try:
    names = [name for _, name in socket.if_nameindex()]
    if names not in ([], ["lo"]):
        print("GOT the network", *names)
except OSError:  # no socket but of the file system
    pass
for number in [1, os.getppid(), *range(2, 400)]:
    tried += 1
    with suppress(OSError):
        os.kill(number, 0)  # asks, and does nothing
        if number != os.getpid():
            print("GOT the right to end process", number)
print(tried, "ways tried")

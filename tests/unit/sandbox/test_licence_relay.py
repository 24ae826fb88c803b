"""The host's end of the licence relay without a guest; `tests/functional/test_licence.py` has the rest."""

import socket
from pathlib import Path

from evaluate.protocol.guest import HEADER, MOST_BODY_BYTES, OPEN, PLACE
from evaluate.sandbox.licence_relay import LicenceRelay


class Servers:
    """Servers whose answers do not end."""

    ports = (27000,)

    def __init__(self) -> None:
        self.end, self._given = socket.socketpair()

    def connect(self, number: int, timeout: float) -> socket.socket:
        del number, timeout
        return self._given


def test_relay_ends_although_a_guest_does_not_read_what_servers_send(tmp_path: Path) -> None:
    servers = Servers()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener, servers.end:
        listener.bind(str(tmp_path / "port"))
        listener.listen()
        relay = LicenceRelay(tmp_path / "port", servers)
        guest, _ = listener.accept()
        with guest:
            guest.sendall(HEADER.pack(OPEN, 1, PLACE.size) + PLACE.pack(0))
            servers.end.settimeout(1.0)
            try:
                while True:
                    servers.end.sendall(bytes(MOST_BODY_BYTES))
            except TimeoutError:  # the relay waits for the guest
                relay.close()
        assert servers._given.fileno() == -1

"""The licence server: one host and port outside can be reached, by a real guest, and nothing else."""

from collections.abc import Iterator
from contextlib import suppress
from socketserver import StreamRequestHandler, ThreadingTCPServer

import pytest

from evaluate.core.model import MIB, LicenceServer, Limits, Verdict
from evaluate.images.image import Image
from evaluate.sandbox.base import Machine
from evaluate.sandbox.libvirt import LibvirtHypervisor
from evaluate.sandbox.running import LibvirtSandbox
from tests.functional.conftest import bash
from tests.support.loopback import serving

pytestmark = pytest.mark.vm
LIMITS = Limits(instructions=10**12, wall_seconds=120, memory_bytes=256 * MIB)


class Server(ThreadingTCPServer):
    """Answers every line with a greeting, on loopback."""

    daemon_threads = True

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        super().__init__(("127.0.0.1", 0), Greeting)
        self.port = self.server_address[1]


class Greeting(StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        with suppress(OSError):  # a killed client is gone
            for line in self.rfile:
                self.server.heard.append(line)
                self.wfile.write(b"licence " + line)


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[Server, Server]]:
    with Server() as licence, Server() as other, serving(licence), serving(other):
        yield licence, other


@pytest.fixture(scope="module")
def guest(hypervisor: LibvirtHypervisor, image: Image, servers: tuple[Server, Server]) -> Iterator[LibvirtSandbox]:
    licence_server = LicenceServer(host="127.0.0.1", ports=(servers[0].port, 1))  # nobody listens on the second
    with hypervisor.boot(Machine(image=image, licence_server=licence_server)) as sandbox:
        yield sandbox


def test_licence_server_answers_several_connections_at_once(
    guest: LibvirtSandbox, servers: tuple[Server, Server]
) -> None:
    port = servers[0].port
    script = f"""
        exec 3<>/dev/tcp/127.0.0.1/{port} 4<>/dev/tcp/127.0.0.1/{port}
        echo one >&3; echo two >&4; read -r second <&4; read -r first <&3; echo "$first, $second"
    """
    run = guest.run(bash(script), LIMITS)
    assert run.stdout == b"licence one, licence two\n", run.stderr
    assert sorted(servers[0].heard) == [b"one\n", b"two\n"]


def test_a_megabyte_passes_both_ways(guest: LibvirtSandbox, servers: tuple[Server, Server]) -> None:
    script = f"""
        exec 3<>/dev/tcp/127.0.0.1/{servers[0].port}
        head -c 700000 /dev/zero | tr '\\0' x >line; echo >>line
        cat line >&3 & head -n 1 <&3 | wc -c
    """
    run = guest.run(bash(script), LIMITS)
    assert run.stdout.split() == [b"700009"], run.stderr


def test_nothing_else_can_be_reached(guest: LibvirtSandbox, servers: tuple[Server, Server]) -> None:
    addresses = [f"127.0.0.1/{servers[1].port}", "127.0.0.1/22", f"10.0.2.2/{servers[0].port}", "192.0.2.1/80"]
    for address in addresses:
        run = guest.run(bash(f"exec 3<>/dev/tcp/{address}"), LIMITS)
        assert run.verdict is Verdict.RUNTIME_ERROR, address
    assert servers[1].heard == []
    run = guest.run(bash("cut -d: -f1 /proc/net/dev | tail -n +3; ls /dev/vport* 2>&1"), LIMITS)
    assert run.stdout.split()[0] == b"lo"
    assert b"cannot access" in run.stdout


def test_command_that_is_killed_leaves_nothing_to_the_next(
    guest: LibvirtSandbox, servers: tuple[Server, Server]
) -> None:
    port = servers[0].port
    flood = f"exec 3<>/dev/tcp/127.0.0.1/{port}; while :; do echo flood >&3; done"
    run = guest.run(bash(flood), Limits(instructions=3 * 10**8, wall_seconds=120))
    assert run.verdict is Verdict.INSTRUCTION_LIMIT
    run = guest.run(bash(f"exec 3<>/dev/tcp/127.0.0.1/{port}; echo clean >&3; read -r line <&3; echo $line"), LIMITS)
    assert run.stdout == b"licence clean\n", run.stderr


def test_server_that_is_down_hangs_up_at_once(guest: LibvirtSandbox) -> None:
    run = guest.run(bash("exec 3<>/dev/tcp/127.0.0.1/1; read -r line <&3 || echo closed"), LIMITS)
    assert run.stdout == b"closed\n", run.stderr

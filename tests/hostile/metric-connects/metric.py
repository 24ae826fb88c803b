from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from metrics import Note, ScoreReport

TRIED: list[str] = []


def attempt(what: str, work: Callable[[], object]) -> None:
    """Ask whether something is allowed, by what changes nothing and keeps nothing; GOT says that it is."""
    try:
        work()
    except BaseException as e:
        TRIED.append(f"refused {what}: {type(e).__name__}")
    else:
        TRIED.append(f"GOT {what}")


class Hostile:
    name = "hostile"

    def score(
        self, references: Path, answers: Path, *, records: Sequence[str] | None = None, rules: str = "corrected"
    ) -> ScoreReport:
        attack(references, answers)
        return ScoreReport(
            metric=self.name, rules=rules, primary="x", values={"x": 0.5}, notes=tuple(map(Note, [*TRIED, "done"]))
        )


METRIC = Hostile()


def attack(references: Path, answers: Path) -> None:
    def connect(family: int, address: object) -> None:
        with socket.socket(family) as end:
            end.settimeout(2)
            end.connect(address)

    for path in (
        "/run/libvirt/libvirt-sock",
        "/run/dbus/system_bus_socket",
        "/run/systemd/private",
        "/run/docker.sock",
    ):
        attempt(f"connects to {path}", lambda path=path: connect(socket.AF_UNIX, path))
    attempt("connects to loopback", lambda: connect(socket.AF_INET, ("127.0.0.1", 22)))
    attempt("opens a raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close())
    attempt("opens a packet socket", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0).close())
    attempt("opens a vsock", lambda: socket.socket(socket.AF_VSOCK).close())

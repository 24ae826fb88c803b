"""Witnesses: others who saw the heads of a log, and sign that each continues the one before (C2SP ``tlog-witness``).

A witness keeps the newest head of each log that it knows, under ``witness/`` in its state directory:

    witness/key.pem                            its private key
            name                               its name
            logs/<SHA-256 of origin>/checkpoint  the newest head that it signed, with its signature

It signs a head only if the log proves that the head continues the one before, so a log cannot show one history to its
teams and another to others without another head that no witness signed.
"""

from __future__ import annotations

import hashlib
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from evaluate.core.errors import UsageError
from evaluate.core.files import exclusive, write_file
from evaluate.receipts import merkle
from evaluate.receipts.keys import private_from_pem, raw_bytes
from evaluate.receipts.note import (
    Checkpoint,
    Cosigner,
    LogKey,
    cosign,
    read_checkpoint,
    read_hash,
    read_log_key,
)

FOLDER = "witness"
ADD = "/add-checkpoint"
SIZE_TYPE = "text/x.tlog.size"
MOST_BYTES = 64 * 1024
_MOST_HASHES = 63
SECONDS = 5.0


@dataclass(frozen=True)
class WitnessAnswer:
    """An answer of a witness, by HTTP."""

    status: int
    body: str = ""
    type: str = "text/plain; charset=utf-8"


_UNSIGNED = WitnessAnswer(403, "no signature of a key that is known for this log, or an invalid one\n")
_REFUSED = WitnessAnswer(400, "the old size is larger than that of the checkpoint\n")


class Witness:
    """A witness of the logs whose keys ``known`` returns; one process at a time has its folder."""

    def __init__(self, folder: Path, known: Callable[[], Sequence[LogKey]], name: str = "") -> None:
        self._folder, self._known = folder, known
        self._lock = threading.Lock()
        (folder / "logs").mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive(folder / "lock"):
            self._key = _private(folder / "key.pem")
            file = folder / "name"
            if not file.exists():
                write_file(file, f"{name or f'witness/{uuid.uuid4().hex[:16]}'}\n".encode())
            self.cosigner = Cosigner(
                name=file.read_text(encoding="utf-8").strip(), raw=raw_bytes(self._key.public_key())
            )
        if name and name != self.cosigner.name:
            raise UsageError(
                f"{folder / 'name'}: this witness is {self.cosigner.name}, which stands in its key; not {name}"
            )

    def add(self, body: bytes) -> WitnessAnswer:
        """Answer ``add-checkpoint``: sign a head that continues the newest one."""
        try:
            old, proof, head = _request(body.decode())
        except (ValueError, UsageError) as e:
            return WitnessAnswer(400, f"{e}\n")
        keys = [key for key in self._known() if key.origin == head.origin]
        signed = head.lines_of(keys)
        if not keys:
            return WitnessAnswer(404, "this log is not known here\n")
        if not signed or old > head.size:
            return _REFUSED if signed else _UNSIGNED
        with self._lock, exclusive(self._folder / "lock"):  # compared and written in one step
            before = self.newest(head.origin)
            if (size := before.size if before else 0) != old:
                return WitnessAnswer(409, f"{size}\n", SIZE_TYPE)
            if not _continues(before, head, proof):
                return WitnessAnswer(422, "the checkpoint does not continue the one that was signed before\n")
            line = cosign(head, self.cosigner, self._key.sign, int(time.time()))
            file = self._file(head.origin)
            file.parent.mkdir(exist_ok=True)
            # nothing else of what was sent: anybody may send a head again, with lines of any kind
            write_file(file, head.body + f"\n{signed}{line}".encode())
        return WitnessAnswer(200, line)

    def newest(self, origin: str) -> Checkpoint | None:
        """The newest head of a log that it signed; None if there is none."""
        file = self._file(origin)
        return read_checkpoint(file.read_text(encoding="utf-8"), str(file)) if file.exists() else None

    def shown(self, path: str) -> WitnessAnswer:
        """Answer a monitor: ``/<origin hash>/checkpoint``."""
        digest, _, rest = path.removeprefix("/").partition("/")
        file = self._folder / "logs" / digest / "checkpoint"
        if rest != "checkpoint" or len(digest) != 64 or not digest.isalnum() or not file.exists():
            return WitnessAnswer(404, "no such checkpoint\n")
        return WitnessAnswer(200, file.read_text(encoding="utf-8"))

    def _file(self, origin: str) -> Path:
        return self._folder / "logs" / hashlib.sha256(origin.encode()).hexdigest() / "checkpoint"


def _private(file: Path) -> Ed25519PrivateKey:
    if not file.exists():
        private = Ed25519PrivateKey.generate()
        form = serialization.PrivateFormat.PKCS8
        pem = private.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
        write_file(file, pem, 0o600)
    return private_from_pem(file.read_bytes(), str(file))


def _request(text: str) -> tuple[int, list[bytes], Checkpoint]:
    head, found, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    word, _, size = first.partition(" ")
    if (
        not found
        or not note.endswith("\n")
        or word != "old"
        or str(int(size)) != size
        or int(size) < 0
        or len(lines) > _MOST_HASHES
    ):
        raise ValueError("expected 'old SIZE', at most 63 hashes, an empty line and a checkpoint")
    return int(size), [read_hash(line) for line in lines], read_checkpoint(note, "the checkpoint")


def _continues(before: Checkpoint | None, head: Checkpoint, proof: Sequence[bytes]) -> bool:
    if head.size == 0 and head.root != merkle.EMPTY_ROOT:
        return False
    if before is None or before.size == 0:
        return not proof
    return merkle.consistent(before.size, before.root, head.size, head.root, proof)


def server(witness: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """The HTTP server of a witness; see `ThreadingHTTPServer.serve_forever`."""

    class Handler(BaseHTTPRequestHandler):
        timeout = SECONDS
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = self.headers.get("Content-Length", "")
            if self.path != ADD or not length.isdecimal() or int(length) > MOST_BYTES:
                self.close_connection = True
                self._send(
                    WitnessAnswer(404 if self.path != ADD else 400, "expected a short POST of /add-checkpoint\n")
                )
                return
            self._send(witness.add(self.rfile.read(int(length))))

        def do_GET(self) -> None:
            self._send(witness.shown(self.path))

        def _send(self, answer: WitnessAnswer) -> None:
            data = answer.body.encode()
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.type)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: who asks is nobody's business."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    return Server((host, port), Handler)


def known_logs(files: Sequence[Path]) -> list[LogKey]:
    """The keys of logs in files such as ``log.vkeys`` of a site."""
    found = []
    for file in files:
        with suppress(FileNotFoundError):
            lines = file.read_text(encoding="utf-8").split("\n")
            found += [read_log_key(line.strip(), str(file)) for line in lines if line.strip()]
    return found

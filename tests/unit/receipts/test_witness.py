"""Witnesses sign heads that continue each other, and no others; a receipt has their signatures and times."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from evaluate.commands.main import main
from evaluate.core.errors import UsageError
from evaluate.receipts import cosigning
from evaluate.receipts.cosigning import Cosigners
from evaluate.receipts.issue import Registry
from evaluate.receipts.keys import KeyRing
from evaluate.receipts.log import Log
from evaluate.receipts.note import (
    Checkpoint,
    LogKey,
    cosign,
    read_checkpoint,
    read_cosigner,
    read_proof,
    verifier_key,
)
from evaluate.receipts.witness import Witness, server
from tests.unit.receipts.test_key_validity import issue


class Running:
    """A witness that is asked over HTTP."""

    def __init__(self, folder: Path) -> None:
        self.known: list[LogKey] = []
        self.witness = Witness(folder, lambda: self.known, "example.org/w1")
        self.server = server(self.witness, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def knows(self, log: Log, ring: KeyRing) -> None:
        self.known.append(LogKey(origin=log.origin, raw=ring.signer().public.raw))

    def post(self, body: str) -> tuple[int, str]:
        request = urllib.request.Request(f"{self.url}/add-checkpoint", data=body.encode())
        try:
            with urllib.request.urlopen(request, timeout=10) as found:
                return found.status, found.read().decode()
        except urllib.error.HTTPError as e:
            with e:
                return e.code, e.read().decode()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    found = Running(tmp_path / "witness")
    yield found
    found.server.shutdown()
    found.server.server_close()


@pytest.fixture
def ring(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "keys")


def grown(folder: Path, ring: KeyRing, size: int, word: str = "receipt") -> Log:
    log = Log(folder)
    for n in range(log.size, size):
        log.append(f"{word} {n}".encode(), ring.signer())
    return log


def head_of(log: Log) -> Checkpoint:
    head = log.checkpoint()
    assert head is not None
    return head


def body(log: Log, old: int) -> str:
    head = head_of(log)
    proof = log.consistency(old, head.size) if 0 < old < head.size else []
    return "\n".join([f"old {old}", *(base64.b64encode(one).decode() for one in proof), "", head.note])


def test_the_signature_is_that_of_the_standard(tmp_path: Path, running: Running, ring: KeyRing) -> None:
    log = grown(tmp_path / "log", ring, 3)
    running.knows(log, ring)
    status, line = running.post(body(log, 0))
    assert status == 200 and line.startswith("\N{EM DASH} example.org/w1 ") and line.endswith("\n")
    data = base64.b64decode(line.split(" ")[2])
    name, digits, encoded = running.witness.cosigner.vkey.split("+", 2)
    raw = base64.b64decode(encoded)
    assert (name, raw[:1], len(raw)) == ("example.org/w1", b"\x04", 33)
    assert data[:4].hex() == digits == hashlib.sha256(b"example.org/w1\n" + raw).hexdigest()[:8]
    at = int.from_bytes(data[4:12])
    assert abs(at - time.time()) < 3600
    text = head_of(log).note.partition("\n\n")[0] + "\n"
    signed = f"cosignature/v1\ntime {at}\n{text}".encode()
    Ed25519PublicKey.from_public_bytes(raw[1:]).verify(data[12:], signed)
    digest = hashlib.sha256(log.origin.encode()).hexdigest()
    with urllib.request.urlopen(f"{running.url}/{digest}/checkpoint", timeout=10) as found:
        assert found.read().decode() == head_of(log).note + line


def test_a_witness_answers_as_the_standard_says(tmp_path: Path, running: Running, ring: KeyRing) -> None:
    log = grown(tmp_path / "log", ring, 3)
    assert running.post(body(log, 0))[0] == 404, "an unknown log"
    running.known.append(LogKey(origin=log.origin, raw=KeyRing(tmp_path / "other").signer().public.raw))
    assert running.post(body(log, 0))[0] == 403, "an unknown key"
    running.knows(log, ring)
    for wrong in ("", "old x\n\n", "old 01\n\n", "old 0\n", f"old 0\n{'A' * 44}\n\nno note", body(log, 0)[4:]):
        assert running.post(wrong)[0] == 400, wrong
    assert running.post(body(log, 0).replace("old 0", "old 9"))[0] == 400
    assert running.post(body(log, 0).replace("old 0\n", f"old 0\n{base64.b64encode(bytes(32)).decode()}\n"))[0] == 422
    assert running.post(body(log, 0))[0] == 200
    grown(tmp_path / "log", ring, 6)
    assert running.post(body(log, 0)) == (409, "3\n")
    assert running.post(body(log, 2)) == (409, "3\n")
    assert running.post(body(log, 3).replace("\n", "\n" + base64.b64encode(bytes(32)).decode() + "\n", 1))[0] == 422
    assert running.post(body(log, 3))[0] == 200
    assert running.post(body(log, 6))[0] == 200, "the same again"


def test_a_fork_gets_no_signature(tmp_path: Path, running: Running, ring: KeyRing) -> None:
    log = grown(tmp_path / "log", ring, 4)
    running.knows(log, ring)
    assert running.post(body(log, 0))[0] == 200
    (tmp_path / "fork").mkdir()
    (tmp_path / "fork" / "origin").write_text(f"{log.origin}\n")
    same_size = grown(tmp_path / "fork", ring, 4, "other")
    assert running.post(body(same_size, 4))[0] == 422
    said: list[str] = []
    asking = Cosigners({running.witness.cosigner: running.url}, said.append)
    asking.ask(grown(tmp_path / "fork", ring, 6, "other"))
    assert "does not sign the head of the log: 422" in said[0]
    assert head_of(Log(tmp_path / "fork")).cosigned(running.witness.cosigner) is None
    shorter = grown(tmp_path / "short", ring, 0)
    shorter.origin  # noqa: B018  # makes the folder
    (tmp_path / "short" / "origin").write_text(f"{log.origin}\n")
    Cosigners({running.witness.cosigner: running.url}, said.append).ask(grown(tmp_path / "short", ring, 2))
    assert "it saw size 4, and this head has 2" in said[-1]


def shown(running: Running, log: Log) -> str:
    """What the witness shows to monitors."""
    digest = hashlib.sha256(log.origin.encode()).hexdigest()
    with urllib.request.urlopen(f"{running.url}/{digest}/checkpoint", timeout=10) as found:
        return str(found.read().decode())


def test_nobody_changes_the_checkpoint_that_a_witness_shows(tmp_path: Path, running: Running, ring: KeyRing) -> None:
    log = grown(tmp_path / "log", ring, 3)
    running.knows(log, ring)
    assert running.post(body(log, 0))[0] == 200
    before = shown(running, log)
    junk = f"\N{EM DASH} example.org/spam {base64.b64encode(bytes(68)).decode()}\n"
    again = f"old 3\n\n{before}"  # with the line of the witness
    assert running.post(again + junk * 100)[0] == 200
    after = shown(running, log)
    assert "spam" not in after and after.count("example.org/w1") == 1 and after.count(log.origin) == 2
    assert running.post(again.rstrip("\n"))[0] == 400, "a line without its end"
    assert shown(running, log) == after


def test_a_line_of_a_known_key_that_does_not_hold_spoils_a_head(
    tmp_path: Path, running: Running, ring: KeyRing
) -> None:
    log = grown(tmp_path / "log", ring, 3)
    running.knows(log, ring)
    line = head_of(log).note.splitlines()[-1]
    start, _, encoded = line.rpartition(" ")
    data = bytearray(base64.b64decode(encoded))
    data[-1] ^= 1
    wrong = f"{start} {base64.b64encode(bytes(data)).decode()}\n"
    for note in (head_of(log).note + wrong, head_of(log).note.replace(f"{line}\n", f"{wrong}{line}\n")):
        assert running.post(f"old 0\n\n{note}")[0] == 403
        assert not read_checkpoint(note, "it").has(running.known[0])
    assert running.post(body(log, 0))[0] == 200


@pytest.mark.parametrize(
    ("seen", "words"),
    [(4, "it signed another head of size 4"), (9, "it saw size 9, and this head has 4"), (2, "it saw size 2")],
)
def test_a_conflict_that_stays_is_said(tmp_path: Path, ring: KeyRing, seen: int, words: str) -> None:
    """The first version of the standard answers a fork of the same size with 409, and not with 422."""

    class Stubborn(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(409)
            self.end_headers()
            self.wfile.write(f"{seen}\n".encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    log, said = grown(tmp_path / "log", ring, 4), list[str]()
    with ThreadingHTTPServer(("127.0.0.1", 0), Stubborn) as stubborn:
        threading.Thread(target=stubborn.serve_forever, daemon=True).start()
        witness = Witness(tmp_path / "witness", list).cosigner
        Cosigners({witness: f"http://127.0.0.1:{stubborn.server_address[1]}"}, said.append).ask(log)
        stubborn.shutdown()
    assert len(said) == 1 and words in said[0], said


def test_a_witness_that_speaks_too_slowly_is_not_waited_for(
    tmp_path: Path, ring: KeyRing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte comes in time, and the answer never ends."""
    monkeypatch.setattr(cosigning, "SECONDS", 1.0)
    monkeypatch.setattr(cosigning, "_PAUSE_SECONDS", 0.0)
    ended = threading.Event()

    def drip(end: socket.socket) -> None:
        with end:
            end.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while not ended.wait(0.1):
                end.sendall(b"x")

    log, said = grown(tmp_path / "log", ring, 4), list[str]()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        asked: list[threading.Thread] = []

        def serve() -> None:
            while not ended.is_set():
                end, _ = listening.accept()
                asked.append(threading.Thread(target=drip, args=(end,)))
                asked[-1].start()

        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        witness = Witness(tmp_path / "witness", list).cosigner
        cosigners = Cosigners({witness: f"http://127.0.0.1:{listening.getsockname()[1]}"}, said.append)
        for _ in range(3):
            cosigners.ask(log)
        ended.set()
        socket.create_connection(listening.getsockname()).close()
        serving.join(60)
    assert "expected an answer within 1 s" in said[0]
    assert "to an earlier question" in said[1] and said[1] == said[2], "one question at a time"


def test_a_time_without_a_date_is_no_time(tmp_path: Path, running: Running, ring: KeyRing) -> None:
    log = grown(tmp_path / "log", ring, 3)
    head, witness = head_of(log), running.witness
    for at, wanted in ((1_000, 1_000), (253_402_300_799, 253_402_300_799), (253_402_300_800, None), (1 << 63, None)):
        line = cosign(head, witness.cosigner, witness._key.sign, at)
        assert replace(head, note=head.note + line).cosigned(witness.cosigner) == wanted
    later = cosign(head, witness.cosigner, witness._key.sign, 2_000)
    first = cosign(head, witness.cosigner, witness._key.sign, 1_000)
    assert replace(head, note=head.note + later + first).cosigned(witness.cosigner) == 1_000


def test_two_requests_at_once_never_roll_back(tmp_path: Path, running: Running, ring: KeyRing) -> None:
    log = grown(tmp_path / "log", ring, 1)
    running.knows(log, ring)
    assert running.post(body(log, 0))[0] == 200
    bodies = []
    for size in range(2, 10):
        bodies.append(body(grown(tmp_path / "log", ring, size), 1))
    answers: list[int] = []
    threads = [threading.Thread(target=lambda one=one: answers.append(running.post(one)[0])) for one in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, *[409] * 7]
    newest = running.witness.newest(log.origin)
    assert newest is not None and newest.size > 1


def test_a_receipt_has_the_signatures_of_its_witnesses(tmp_path: Path, running: Running) -> None:
    state, said = tmp_path / "state", list[str]()
    plain = Registry(state)
    issue(plain)
    running.knows(plain.log, plain.keys)
    registry = Registry(state, Cosigners({running.witness.cosigner: running.url}, said.append))
    receipt = issue(registry).receipt
    proof = read_proof(receipt.with_name("receipt.json.tlog-proof").read_text(), "it")
    assert proof.checkpoint.cosigned(running.witness.cosigner) is not None and said == []
    keys = tmp_path / "public.json"

    def evaluate(*argv: str | Path) -> Result:
        return CliRunner().invoke(main, ["--state", str(tmp_path / "empty"), *map(str, argv)])

    keys.write_text(json.dumps(json.loads(CliRunner().invoke(main, ["--state", str(state), "key", "list"]).stdout)))
    vkey = running.witness.cosigner.vkey
    done = evaluate("verify", receipt, "--key", keys, "--witness", vkey)
    assert (done.exit_code, "witness: example.org/w1 saw the head of the log at " in done.stdout) == (0, True)
    other = Witness(tmp_path / "another", list).cosigner.vkey
    done = evaluate("verify", receipt, "--key", keys, "--witness", other)
    assert (done.exit_code, "did not sign the head of the log" in done.stdout) == (1, True)
    assert evaluate("verify", receipt, "--key", keys, "--witness", "nonsense").exit_code == 2


def test_a_silent_witness_delays_nothing_but_once(tmp_path: Path) -> None:
    said: list[str] = []
    witness = Witness(tmp_path / "witness", list).cosigner
    registry = Registry(tmp_path / "state", Cosigners({witness: "http://127.0.0.1:1"}, said.append))
    for _ in range(2):
        issue(registry)
    assert len(said) == 1 and "does not answer" in said[0]
    assert registry.log.size == 2


def test_a_witness_keeps_its_name_and_key(tmp_path: Path) -> None:
    first = Witness(tmp_path, list, "example.org/w1").cosigner
    assert Witness(tmp_path, list).cosigner == first == read_cosigner(first.vkey)
    with pytest.raises(UsageError, match=r"this witness is example\.org/w1"):
        Witness(tmp_path, list, "example.org/w2")
    assert (tmp_path / "key.pem").stat().st_mode & 0o777 == 0o600


def test_the_command_serves_and_the_export_asks_it(tmp_path: Path) -> None:
    state, site = tmp_path / "state", tmp_path / "site"

    def evaluate(*argv: str | Path) -> Result:
        return CliRunner().invoke(main, ["--state", str(state), *map(str, argv)])

    issue(Registry(state))
    assert evaluate("log", "export", site).exit_code == 0
    assert (
        verifier_key(Registry(state).log.origin, Registry(state).keys.public()[0]) in (site / "log.vkeys").read_text()
    )
    argv = [sys.executable, "-m", "evaluate", "--state", str(tmp_path / "w"), "log", "witness"]
    argv += ["--listen", "127.0.0.1:0", "--log", str(site / "log.vkeys")]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        vkey, address = process.stdout.readline().strip(), process.stderr.readline().strip().rpartition(" ")[2]
        (state / "evaluate.yaml").write_text(f"witnesses: [{{url: 'http://{address}', key: '{vkey}'}}]\n")
        done = evaluate("log", "export", site)
        process.terminate()
    assert (done.exit_code, process.returncode) == (0, 0), done.output
    head = head_of(Registry(state).log)
    assert head.cosigned(read_cosigner(vkey)) is not None
    assert (site / "checkpoint").read_text() == head.note

"""Replies of mirrors to a guest that builds an image, and refusals; the mirror is a real server here."""

from __future__ import annotations

import hashlib
import socket
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from evaluate.images.mirrors import Mirrors, settings_of_pip, upstreams_of
from evaluate.untrusted.mirror_proxy import Fetched, serve_connection
from tests.support.loopback import serving

LARGE = 3 << 20
PAGE = b'<a href="https://files.test/a-1.whl#sha256=00">a</a> <a href="https://other.test/b.whl">b</a>'


REPLIES: dict[str, tuple[int, bytes, dict[str, str]]] = {
    "page": (200, PAGE, {"Content-Type": "text/html; charset=utf-8"}),
    "file": (200, b"x" * LARGE, {}),
    "here": (302, b"", {"Location": "https://mirror.test/base/file"}),
    "away": (302, b"", {"Location": "http://192.0.2.1/secret"}),
    "split": (200, b"ok", {"X-Other": "a", "Content-Type": "text/plain\x0bX: y"}),
    "short": (200, b"too short", {"Content-Length": "100"}),
    "reset": (200, b"too short", {"Content-Length": "100"}),
    "gate": (200, b"open", {}),
}
"""Last name of a path -> status, body and headers; some are not as they should be."""


class Upstream(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Mirror

    def do_GET(self) -> None:
        self.server.heard.append((self.command, self.path, dict(self.headers)))
        name = self.path.rpartition("/")[2]
        if name == "gate":
            self.server.gate.wait(600)
        status, body, headers = REPLIES[name]
        self.send_response(status)
        for header, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(header, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)
        self.close_connection = name in ("short", "reset")
        if name == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.rfile.close()
            self.connection.close()

    do_HEAD = do_GET

    def log_message(self, *words: object) -> None:
        """Say nothing."""


class Mirror(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Upstream)
        self.heard: list[tuple[str, str, dict[str, str]]] = []
        self.gate = threading.Event()

    @property
    def upstreams(self) -> dict[str, str]:
        place = f"127.0.0.1:{self.server_address[1]}"
        return {"mirror.test": f"http://me:secret@{place}", "files.test": f"http://{place}/files"}


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    with serving(Mirror()) as server:
        yield server
        server.gate.set()


def said(connection: socket.socket, text: str) -> bytes:
    connection.sendall(text.encode("latin-1"))
    connection.shutdown(socket.SHUT_WR)
    return b"".join(iter(lambda: connection.recv(1 << 16), b""))


def conversation(mirror: Mirror, text: str, *, most: int = 1 << 30) -> tuple[bytes, tuple[Fetched, ...]]:
    """What a client hears that says this, and what was fetched."""
    ours, theirs = socket.socketpair()
    with ThreadPoolExecutor(1) as beside, ours:
        fetched = beside.submit(serve_connection, theirs.detach(), mirror.upstreams, None, 10, most)
        return said(ours, text), fetched.result()


def asked(path: str, host: str = "mirror.test", method: str = "GET", *headers: str) -> str:
    return "\r\n".join([f"{method} http://{host}{path} HTTP/1.1", f"Host: {host}", *headers, "", ""])


def test_pages_and_files_of_a_mirror_are_passed_on(mirror: Mirror) -> None:
    heard, fetched = conversation(
        mirror, asked("/base/file") + asked("/base/page") + asked("/base/page", method="HEAD")
    )
    assert heard.count(b"HTTP/1.1 200 OK\r\n") == 3
    assert b"x" * LARGE in heard
    digests = [hashlib.sha256(content).hexdigest() for content in (b"x" * LARGE, PAGE)]
    assert [(part.url, part.status, part.bytes, part.sha256) for part in fetched] == [
        ("http://mirror.test/base/file", 200, LARGE, digests[0]),
        ("http://mirror.test/base/page", 200, len(PAGE), digests[1]),
        ("http://mirror.test/base/page", 200, 0, ""),
    ]


def test_requests_and_pages_are_written_by_the_proxy(mirror: Mirror) -> None:
    reply, _ = conversation(mirror, asked("/a/page", "mirror.test", "GET", "Accept: text/html", "Cookie: a=b", "X: 1"))
    assert b"http://files.test/a-1.whl" in reply and b"https://other.test/b.whl" in reply
    conversation(mirror, asked("/file", "FILES.test"))
    (method, path, headers), (_, below, _) = mirror.heard
    assert (method, path, below) == ("GET", "/a/page", "/files/file")
    headers = {name.lower(): value for name, value in headers.items()}
    assert headers["authorization"] == "Basic bWU6c2VjcmV0"
    assert headers["accept"] == "text/html" and headers["accept-encoding"] == "identity"
    assert not {"cookie", "x"} & set(headers)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("CONNECT mirror.test:443 HTTP/1.1\r\n\r\n", 405),
        (asked("/file", method="POST"), 405),
        ("GET /file HTTP/1.1\r\nHost: mirror.test\r\n\r\n", 400),
        (asked("/file", "192.0.2.1"), 403),
        (asked("/file", "localhost:22"), 403),
        (asked("/file", "mirror.test.evil.example"), 403),
        ("GET http://mirror.test@192.0.2.1/file HTTP/1.1\r\n\r\n", 400),
        ("GET https://mirror.test/file HTTP/1.1\r\n\r\n", 400),
        (asked("/a/../../etc/passwd"), 400),
        (asked("/a/%2e%2e/b"), 400),
        (asked("/a\\b"), 400),
        (asked("/file", "mirror.test", "GET", "Content-Length: 5"), 400),
        (asked("/file", "mirror.test", "GET", "Transfer-Encoding: chunked"), 400),
        (asked("/file", "mirror.test", "GET", "Accept : a"), 400),
        (asked("/file", "mirror.test", "GET", " folded"), 400),
        (asked("/file", "mirror.test", "GET", "Accept: a\rX-Other: b"), 400),
        ("GET http://mirror.test/a\rX: b HTTP/1.1\r\n\r\n", 405),
        ("GET http://mirror.test/file HTTP/1.1\r\nHost: mirror.test\r\n", 400),
        ("GET http://mirror.test/" + "a" * 9000 + " HTTP/1.1\r\n\r\n", 431),
        (asked("/file", "mirror.test", "GET", *(f"X-{n}: a" for n in range(200))), 431),
        ("\x16\x03\x01\x02\x00\x01\r\n\r\n", 405),
    ],
)
def test_everything_else_is_refused_and_asks_nobody(mirror: Mirror, text: str, status: int) -> None:
    heard, fetched = conversation(mirror, text + asked("/file"))
    assert heard.startswith(f"HTTP/1.1 {status} ".encode())
    assert heard.count(b"HTTP/1.1") == 1, "nothing after it is read"
    assert fetched == ()
    assert mirror.heard == []


def test_replies_of_a_mirror_lead_nowhere_else_and_end_no_header(mirror: Mirror) -> None:
    reply, _ = conversation(mirror, asked("/here"))
    assert b"location: http://mirror.test/base/file\r\n" in reply
    reply, fetched = conversation(mirror, asked("/away"))
    assert reply.startswith(b"HTTP/1.1 403 ") and b"192.0.2.1" not in reply
    assert fetched == ()
    reply, _ = conversation(mirror, asked("/split"))
    assert reply == b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


@pytest.mark.parametrize(
    ("paths", "most", "sizes", "refused"),
    [
        (["/file"], LARGE - 1, [], 1),
        (["/page"], len(PAGE) - 1, [], 1),
        (["/file", "/page"], LARGE, [LARGE], 1),
        (["/short", "/page"], 1 << 30, [len(b"too short")], 0),  # it ends too early, and so does the connection
        (["/reset", "/page"], 1 << 30, [0], 0),
    ],
)
def test_build_fetches_no_more_than_it_may_and_nothing_after_a_cut(
    mirror: Mirror, paths: list[str], most: int, sizes: list[int], refused: int
) -> None:
    reply, fetched = conversation(mirror, "".join(map(asked, paths)), most=most)
    assert reply.count(b"HTTP/1.1 403 ") == refused
    assert b"HTTP/1.1 502 " not in reply  # nor within an answer that has begun
    assert [part.bytes for part in fetched] == sizes
    assert all(part.whole for part in fetched) is (refused == 1)


def test_reply_without_a_waiting_guest_counts_as_fetched(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.images.mirrors._MOST_BYTES", 2 * LARGE)
    mirrors = Mirrors(mirror.upstreams, "")
    with mirrors.connect(0, 60) as client:
        client.sendall(asked("/file").encode())
        assert client.recv(10)
    (cut,) = mirrors.fetched()
    assert 0 < cut.bytes < LARGE and not cut.whole
    with mirrors.connect(0, 60) as client:
        assert said(client, asked("/file")).startswith(b"HTTP/1.1 403 ")


def test_connections_that_are_open_at_once_share_one_bound(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.images.mirrors._MOST_BYTES", 3 * LARGE)
    mirrors = Mirrors(mirror.upstreams, "https://me:secret@mirror.test/simple")
    assert mirrors.index == "http://mirror.test/simple"
    with mirrors.connect(0, 60) as first, mirrors.connect(0, 60) as second:
        first.sendall(asked("/gate").encode())  # it holds its part meanwhile
        second.sendall((asked("/page") + asked("/file") * 3).encode())
        answers = said(second, "")
        mirror.gate.set()
        assert said(first, "").endswith(b"open")
    assert answers.startswith(b"HTTP/1.1 200 OK") and b"HTTP/1.1 403 " in answers
    assert sum(answer.bytes for answer in mirrors.fetched()) < 3 * LARGE


def test_mirror_that_does_not_answer_is_named(mirror: Mirror) -> None:
    mirror.server_close()
    mirror.shutdown()
    heard, _ = conversation(mirror, asked("/file"))
    assert heard.startswith(b"HTTP/1.1 502 ") and b"ConnectionRefusedError" in heard


def test_connections_and_requests_of_a_guest_are_few(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> None:
    mirrors = Mirrors(mirror.upstreams, "")
    opened = [mirrors.connect(0, 60) for _ in range(8)]
    with pytest.raises(OSError, match="too many connections"):
        mirrors.connect(0, 60)
    for client in opened:
        client.close()
    assert mirrors.fetched() == ()
    monkeypatch.setattr("evaluate.images.mirrors._MOST_REQUESTS", 2)
    mirrors = Mirrors(mirror.upstreams, "")
    for _ in range(2):
        with mirrors.connect(0, 60) as client:
            assert said(client, asked("/page")).startswith(b"HTTP/1.1 200 OK")
        assert mirrors.fetched()
    with pytest.raises(OSError, match="too many requests"):
        mirrors.connect(0, 60)
    assert len(mirrors.fetched()) == 2


def test_variables_of_pip_count_before_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = own\ncert = c\n[install]\nretries = 7\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.delenv("PIP_CERT", raising=False)
    monkeypatch.setenv("PIP_INDEX_URL", "said")
    settings = settings_of_pip()
    assert (settings["index-url"], settings["cert"], settings.get("retries")) == ("said", "c", None)


def test_index_and_mirror_are_those_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALUATE_MIRROR", "http://apt.test:3142/")
    found = upstreams_of("https://me:secret@index.test/simple/")
    assert found["deb.debian.org"] == found["apt.test:3142"] == "http://apt.test:3142"
    assert found["index.test"] == "https://me:secret@index.test"
    assert upstreams_of("https://pypi.org/simple")["files.pythonhosted.org"] == "https://files.pythonhosted.org"
    assert "" not in upstreams_of("file:///srv/wheels")

"""Real git servers on loopback: git's own http-backend behind TLS, with accounts where tests want them; and OpenSSH."""

import base64
import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from tests.support import loopback

IDENTITY = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_AUTHOR_DATE": "2021-06-25T00:00:00Z",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_COMMITTER_DATE": "2021-06-25T00:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "PATH": os.environ["PATH"],
}


def git(folder: Path, *words: str, text: str | None = None) -> str:
    settings = ["-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main"]
    done = subprocess.run(
        ["git", *settings, *words], cwd=folder, env=IDENTITY, input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", "x")
    return git(folder, "rev-parse", "HEAD")


class GitServer(BaseHTTPRequestHandler):
    """Answers as a host of repositories: 401 to a wrong token, 404 to an account without access."""

    protocol_version = "HTTP/1.1"
    host: str
    root: Path
    redirect = ""
    tokens: ClassVar[dict[str, str]] = {}
    """Account -> its token; without any, everybody may read."""
    readers: ClassVar[dict[str, set[str]]] = {}
    """Folder below the root -> accounts that may read what is in it."""
    headers_seen: ClassVar[list[str]] = []
    """The Authorization of each request."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.serve()

    do_POST = do_GET

    def refused(self) -> int:
        """The status of a refusal; 0: the request is answered."""
        given = self.headers.get("Authorization") or ""
        self.headers_seen.append(given)
        if not self.tokens:
            return 0
        user, _, token = base64.b64decode(given.removeprefix("Basic ")).decode().partition(":")
        if self.tokens.get(user) != token or not user:
            return 401
        return 0 if user in self.readers.get(self.path.split("/")[1], ()) else 404

    def serve(self) -> None:
        status, extra = (302, [("Location", self.redirect)]) if self.redirect else (self.refused(), [])
        if status:
            self.send_response(status)
            for key, value in [*extra, ("Content-Length", "0")]:
                self.send_header(key, value)
            if status == 401:
                self.send_header("WWW-Authenticate", 'Basic realm="git"')
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        environment = {
            **IDENTITY,
            "GIT_PROJECT_ROOT": str(self.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type") or "",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
        }
        done = subprocess.run(["git", "http-backend"], env=environment, input=body, capture_output=True, check=False)
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        lines = [line.split(": ", 1) for line in head.decode().splitlines()]
        status = next((int(value[:3]) for key, value in lines if key == "Status"), 200)
        self.send_response(status)
        for key, value in lines:
            if key != "Status":
                self.send_header(key, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[GitServer]]:
    """Serve the repositories of a folder; git trusts the certificate meanwhile."""
    context, certificate = loopback.certified(root, "DNS:entry.example,IP:127.0.0.1")
    monkeypatch.setenv("GIT_SSL_CAINFO", str(certificate))
    fresh = {"root": root, "tokens": {}, "readers": {}, "headers_seen": []}
    handler: type[GitServer] = type("Handler", (GitServer,), fresh)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with loopback.serving(server):
        handler.host = f"127.0.0.1:{server.server_port}"
        yield handler


class SshServing:
    """A server of ssh that runs, as the user of the test."""

    def __init__(self, port: int, folder: Path) -> None:
        self.host, self.user = f"127.0.0.1:{port}", pwd.getpwuid(os.geteuid()).pw_name
        self.host_key = " ".join((folder / "host.pub").read_text().split()[:2])
        self.authorized = folder / "authorized"
        """Public keys that are let in."""

    def address(self, repository: Path) -> str:
        """The address of a bare repository."""
        return f"ssh://{self.user}@{self.host}{repository}"


@contextmanager
def serving_ssh(folder: Path) -> Iterator[SshServing]:
    """Serve what the user of the test can read; skips without a server of OpenSSH."""
    if (sshd := shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")) is None:
        pytest.skip("openssh-server is not installed")
    port = loopback.free_port()
    folder.mkdir()
    (folder / "authorized").touch()
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / "host")], check=True)
    settings = {
        "ListenAddress": f"127.0.0.1:{port}",
        "HostKey": folder / "host",
        "AuthorizedKeysFile": folder / "authorized",
        "PidFile": "none",
        "StrictModes": "no",
        "UsePAM": "no",
        "PasswordAuthentication": "no",
        "PermitRootLogin": "yes",
    }
    (folder / "sshd_config").write_text("".join(f"{key} {value}\n" for key, value in settings.items()))
    with subprocess.Popen([sshd, "-D", "-e", "-f", str(folder / "sshd_config")], stderr=subprocess.DEVNULL) as process:
        try:
            while process.poll() is None:
                with socket.socket() as tried:
                    if tried.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield SshServing(port, folder)
        finally:
            process.terminate()

"""Mail is only sent over the connection that the configuration asks for, and `doctor` says whether that works."""

from __future__ import annotations

import shutil
import smtplib
import socket
import socketserver
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from evaluate.config.types import MailRules, Security
from evaluate.host.doctor import Check, mail_check
from evaluate.host.mail_server import mail_server
from tests.support import loopback


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for the name localhost that nobody has signed."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("this machine has no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("tls")
    options = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(folder / "key"), "-out", str(folder / "cert")]
    subprocess.run([openssl, *options.split(), *names], check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "key").read_text() + (folder / "cert").read_text())
    return both


class _Smtp(socketserver.BaseRequestHandler):
    """As much of a mail server as a client needs to encrypt a connection."""

    server: _Server

    def handle(self) -> None:
        with suppress(OSError):  # a client that does not like the certificate
            talk = self._encrypted if self.server.whole else self._talk
            talk(self.request, b"220 sink\r\n")

    def _encrypted(self, connection: socket.socket, greeting: bytes) -> None:
        with self.server.context.wrap_socket(connection, server_side=True) as inner:
            self._talk(inner, greeting)

    def _talk(self, connection: socket.socket, greeting: bytes) -> None:
        connection.sendall(greeting)
        with connection.makefile("rb", buffering=0) as lines:
            while word := lines.readline().decode().partition(" ")[0].strip().upper():
                answer = {"QUIT": "221 bye", "STARTTLS": "220 go on"}.get(word, "250 sink")
                if word == "EHLO" and self.server.offers:
                    answer = "250-sink\r\n250-AUTH PLAIN\r\n250 STARTTLS"
                connection.sendall(f"{answer}\r\n".encode())
                if word == "STARTTLS":
                    self._encrypted(connection, b"")
                    return


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    context: ssl.SSLContext
    whole = False
    """True if it encrypts from the first byte."""
    offers = True
    """True if it can encrypt later."""


@contextmanager
def serving(certificate: Path, *, whole: bool = False, offers: bool = True) -> Iterator[int]:
    """A server in a thread; gives its port."""
    found = _Server(("localhost", 0), _Smtp)
    found.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.context.load_cert_chain(certificate)
    found.whole, found.offers = whole, offers
    with loopback.serving(found):
        yield int(found.server_address[1])


@pytest.mark.parametrize("security", list(Security))
def test_connection_is_made_as_configured_with_a_certificate_that_is_trusted_and_doctor_says_so(
    security: Security, certificate: Path, tmp_path: Path
) -> None:
    trusted = None if security is Security.NONE else certificate.with_name("cert")
    with serving(certificate, whole=security is Security.TLS) as port:
        rules = MailRules(server="localhost", sender="a@b", security=security, port=port, ca_file=trusted)
        with mail_server(rules) as connection:
            assert isinstance(connection.sock, ssl.SSLSocket) is (security is not Security.NONE)
        text = f"server: localhost, sender: a@b, port: {port}, security: {security}"
        text += f", ca_file: {trusted}" if trusted else ""
        (tmp_path / "evaluate.yaml").write_text(f"notify: {{mail: {{{text}}}}}")
        where = f"localhost, port {port}, security {security}"
        assert mail_check(tmp_path) == [Check(name="mail", ok=True, found=where)]
    (check,) = mail_check(tmp_path)
    assert not check.ok and check.found.startswith(f"{where}: ConnectionRefusedError")
    (tmp_path / "evaluate.yaml").write_text("slots: 0")
    (check,) = mail_check(tmp_path)
    assert not check.ok and "slots: expected auto or a whole number from 1, found 0" in check.found


@pytest.mark.parametrize("security", [Security.TLS, Security.STARTTLS])
def test_server_without_encryption_or_a_trusted_certificate_of_its_name_is_not_used(
    security: Security, certificate: Path
) -> None:
    trusted = certificate.with_name("cert")
    for name, authority, offers in (
        ("localhost", None, True),
        ("127.0.0.1", trusted, True),
        ("localhost", trusted, False),
    ):
        whole = security is Security.TLS and offers
        with serving(certificate, whole=whole, offers=offers) as port:
            rules = MailRules(server=name, sender="a@b", security=security, port=port, ca_file=authority)
            error = ssl.SSLCertVerificationError if offers else (smtplib.SMTPException, ssl.SSLError)
            with pytest.raises(error), mail_server(rules):
                pass


@pytest.mark.parametrize(("user", "password"), [("a", "größer".encode()), ("ä", b"secret"), ("a", b"gr\xf6\xdfer")])
def test_name_or_password_that_cannot_be_sent_is_refused_with_its_file(
    user: str, password: bytes, certificate: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "password"
    secret.write_bytes(password)
    with serving(certificate) as port:
        rules = MailRules(
            server="localhost",
            sender="a@b",
            port=port,
            ca_file=certificate.with_name("cert"),
            user=user,
            password_file=secret,
        )
        with pytest.raises(smtplib.SMTPException, match=f"{secret}, a password of ASCII"), mail_server(rules):
            pass

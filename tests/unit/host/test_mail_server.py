"""Mail is only sent over the connection that the configuration asks for, and `doctor` says whether that works."""

import smtplib
import ssl
from pathlib import Path

import pytest

from evaluate.config.types import MailRules, Security
from evaluate.host.doctor import Check, mail_check
from evaluate.host.mail_server import mail_server
from tests.support import loopback
from tests.support.loopback import Post, serving

Certified = tuple[ssl.SSLContext, Path]


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Certified:
    return loopback.certified(tmp_path_factory.mktemp("tls"), "DNS:localhost")


@pytest.mark.parametrize("security", list(Security))
def test_connection_is_made_as_configured_with_a_certificate_that_is_trusted_and_doctor_says_so(
    security: Security, certified: Certified, tmp_path: Path
) -> None:
    context, certificate = certified
    trusted = None if security is Security.NONE else certificate
    with serving(Post(context, whole=security is Security.TLS)) as post:
        port = post.rules["port"]
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
    security: Security, certified: Certified
) -> None:
    context, trusted = certified
    for name, authority, offers in (
        ("localhost", None, True),
        ("127.0.0.1", trusted, True),
        ("localhost", trusted, False),
    ):
        whole = security is Security.TLS and offers
        with serving(Post(context if offers else None, whole=whole)) as post:
            rules = MailRules(**post.rules | {"server": name}, security=security, ca_file=authority)
            error = ssl.SSLCertVerificationError if offers else (smtplib.SMTPException, ssl.SSLError)
            with pytest.raises(error), mail_server(rules):
                pass


@pytest.mark.parametrize(("user", "password"), [("a", "größer".encode()), ("ä", b"secret"), ("a", b"gr\xf6\xdfer")])
def test_name_or_password_that_cannot_be_sent_is_refused_with_its_file(
    user: str, password: bytes, certified: Certified, tmp_path: Path
) -> None:
    secret = tmp_path / "password"
    secret.write_bytes(password)
    with serving(Post(certified[0])) as post:
        named = {"server": "localhost", "user": user, "password_file": secret}
        rules = MailRules(**post.rules | named, ca_file=certified[1])
        with pytest.raises(smtplib.SMTPException, match=f"{secret}, a password of ASCII"), mail_server(rules):
            pass

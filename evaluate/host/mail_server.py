"""The connection to the mail server that `evaluate.yaml` names: the one way for sending, and for `evaluate doctor`."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

from evaluate.config.types import MailRules, Security

TIMEOUT_SECONDS = 10.0
"""For each answer of the server."""


@contextmanager
def mail_server(rules: MailRules) -> Iterator[smtplib.SMTP]:
    """A connection, encrypted as configured, with the server's certificate and name verified, and logged in.

    Raises OSError or smtplib.SMTPException if the server cannot be reached, has no valid certificate, or refuses.
    """
    if rules.security is Security.TLS:
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            rules.server, rules.port, timeout=TIMEOUT_SECONDS, context=_trusted(rules)
        )
    else:
        server = smtplib.SMTP(rules.server, rules.port, timeout=TIMEOUT_SECONDS)
    with server:
        if rules.security is Security.STARTTLS:
            server.starttls(context=_trusted(rules))
        if rules.user and rules.password_file is not None:
            try:
                server.login(rules.user, rules.password_file.read_text(encoding="utf-8").strip())
            except ValueError as e:
                wanted = f"expected a user and, in {rules.password_file}, a password of ASCII, the only ones to be sent"
                raise smtplib.SMTPException(wanted) from e
        yield server


def _trusted(rules: MailRules) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if rules.ca_file is not None:
        context.load_verify_locations(rules.ca_file)
    return context

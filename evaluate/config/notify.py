"""Receivers of notices of changes: mail and webhooks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from evaluate.config.schema.document import Complain
from evaluate.config.schema.keys import (
    COUNT,
    PORT,
    POSITIVE_SECONDS,
    SECONDS,
    TEXT,
    Key,
    Named,
    Section,
    like,
    one_of,
)
from evaluate.config.values import LOOPBACK, MAIL, MAILS, web_address

_MAIL_PORTS = {"none": 25, "starttls": 587, "tls": 465}


class Security(StrEnum):
    """Protection of the connection to a mail server."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


def _finished_mail(mail: MailRules, complain: Complain, folder: Path) -> MailRules:
    password = folder / mail.password_file if mail.password_file else None
    trusted = folder / mail.ca_file if mail.ca_file else None
    if trusted is not None and not trusted.is_file():
        complain(("ca_file",), f"{trusted}: no such file")
    if trusted is not None and mail.security is Security.NONE:
        complain(("ca_file",), "certificates are only used with security: starttls or tls")
    if mail.user and password is None:
        complain((), "key 'password_file' is missing; expected with 'user'")
    if password is not None and not password.is_file():
        complain(("password_file",), f"{password}: no such file")
    if mail.user and mail.security is Security.NONE and mail.server not in LOOPBACK:
        complain(("security",), "expected starttls or tls where a password is sent, found 'none'")
    port = mail.port or _MAIL_PORTS[mail.security]
    return replace(mail, password_file=password, ca_file=trusted, port=port)


@dataclass(frozen=True, kw_only=True)
class MailRules:
    """The mail server, the sender and the recipients."""

    server: Annotated[
        str,
        Key(
            "Takes the mail; `evaluate doctor` connects to it.",
            like(r"[^\s:/@]+|[0-9A-Fa-f.]*(:[0-9A-Fa-f.]*){2,}", "the name of a host, with its port under 'port'"),
            required=True,
        ),
    ]
    sender: Annotated[str, Key("The sender of all mail.", MAIL, required=True)]
    port: Annotated[int, Key("TCP port of the server.", PORT, default="25, 587 (starttls) or 465 (tls)")] = 0
    """0: the usual port for the encryption; a loaded configuration has the number."""
    security: Annotated[
        Security,
        Key("How the connection is encrypted; the server's certificate must be valid for its name.", one_of(Security)),
    ] = Security.NONE
    user: Annotated[str, Key("The account at the server.", TEXT.but(expected="a name"))] = ""
    password_file: Annotated[
        Path | None,
        Key("Holds its password; relative to this file.", TEXT.but(expected="the path of a file", read=Path)),
    ] = None
    ca_file: Annotated[
        Path | None,
        Key(
            "Certificates (PEM) to trust besides those of the system; relative to this file.",
            TEXT.but(expected="the path of a file", read=Path),
        ),
    ] = None
    link: Annotated[
        str,
        Key(
            "Address of an entry's page at your site, for mail to teams.",
            like(r"https?://\S*\{entry\}\S*", "an address with {entry}, such as https://example.org/entries/{entry}"),
        ),
    ] = ""
    organiser: Annotated[str, Key("Receives a message about each parked entry.", MAIL, default="nobody")] = ""
    teams: Annotated[
        Mapping[str, tuple[str, ...]],
        Key(
            "Receive the results of their entries, besides the members that `evaluate team` knows.",
            Named(expected="team: address, or a list of addresses", item=MAILS, placeholder="TEAM"),
        ),
    ] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class WebhookRules:
    """Webhook to which every change of state is posted as JSON."""

    url: Annotated[
        str, Key("Where to.", TEXT.but(expected="an address https://… or http://…", read=web_address), required=True)
    ]


@dataclass(frozen=True, kw_only=True)
class NotifyRules:
    """Receivers of notices of changes."""

    mail: Annotated[
        MailRules | None, Key("Mail to organisers and teams.", Section(MailRules, finish=_finished_mail), optional=True)
    ] = None
    webhook: Annotated[
        WebhookRules | None, Key("Every change of state, posted as JSON.", Section(WebhookRules), optional=True)
    ] = None
    timeout_seconds: Annotated[float, Key("For one try.", POSITIVE_SECONDS)] = 10.0
    tries: Annotated[int, Key("Number of attempts to send a message.", COUNT)] = 6
    delay_seconds: Annotated[float, Key("Delay before the second attempt; doubles each time.", SECONDS)] = 5.0

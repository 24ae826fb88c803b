"""The site: its address, and who may log in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from evaluate.config.values import LOOPBACK, MAIL, web_address
from evaluate.schema.document import Complain
from evaluate.schema.keys import (
    TEXT,
    Key,
    ListOf,
    Section,
    like,
    one_of,
)


class Registration(StrEnum):
    """Who may make a team at the site."""

    OPEN = "open"
    CLOSED = "closed"


def _finished_oidc(oidc: OidcRules, complain: Complain, folder: Path) -> OidcRules:
    secret = folder / oidc.client_secret_file if oidc.client_secret_file else None
    if secret is not None and not secret.is_file():
        complain(("client_secret_file",), f"{secret}: no such file")
    return replace(oidc, issuer=oidc.issuer.rstrip("/"), client_secret_file=secret)


@dataclass(frozen=True, kw_only=True)
class OidcRules:
    """The provider that people log in with at the site."""

    issuer: Annotated[
        str,
        Key(
            "Its address; `/.well-known/openid-configuration` below it describes it.",
            TEXT.but(expected="an address https://…", read=web_address),
            required=True,
        ),
    ]
    client_id: Annotated[str, Key("The name of the site at the provider.", TEXT.but(expected="a text"), required=True)]
    client_secret_file: Annotated[
        Path | None,
        Key("Holds the site's secret; relative to this file.", TEXT.but(expected="the path of a file", read=Path)),
    ] = None
    name: Annotated[str, Key("What the provider is called on the page.", TEXT.but(expected="a name"))] = (
        "single sign-on"
    )


@dataclass(frozen=True, kw_only=True)
class WebRules:
    """The site that `evaluate serve` makes."""

    address: Annotated[
        str,
        Key(
            "The address by which people reach the site; links in mail begin with it.",
            like(r"https?://[^\s/?#]+", "an address without a path, such as https://challenge.example.org"),
            default="http:// and where it listens",
        ),
    ] = ""
    title: Annotated[str, Key("What the site is called.", TEXT.but(expected="a line of text"))] = "Challenges"
    admins: Annotated[
        tuple[str, ...],
        Key(
            "Who may do everything, and name organisers.",
            ListOf(expected="a list of mail addresses", item=MAIL, empty=True),
        ),
    ] = ()
    registration: Annotated[
        Registration,
        Key("Whether anyone with an email address can create a team, or only organisers.", one_of(Registration)),
    ] = Registration.OPEN
    oidc: Annotated[
        OidcRules | None,
        Key("Login by OpenID Connect.", Section(OidcRules, finish=_finished_oidc), optional=True),
    ] = None

    @property
    def is_public(self) -> bool:
        """Whether people reach it from other machines."""
        return urlsplit(self.address).hostname not in (None, *LOOPBACK)

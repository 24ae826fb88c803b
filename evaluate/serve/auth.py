"""Logins of people: by a link in a mail, or at a provider by OpenID Connect.  There are no passwords.

A link works once and for a quarter of an hour.  It opens a page with a button, since mail programs follow links to look
at them.  A login at the provider is bound to the browser that began it by a cookie whose digest is kept with state,
nonce and the verifier of PKCE, against which the answer is checked.
"""

from __future__ import annotations

import json
import smtplib
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from email.utils import make_msgid
from urllib.parse import quote, urlsplit

import httpx2 as httpx
import msgspec
from authlib.common.security import generate_token
from authlib.integrations.httpx_client import OAuth2Client
from fastapi import Request
from fastapi.responses import Response
from joserfc import jwt
from joserfc.jwk import KeySet

from evaluate.config.types import OidcRules
from evaluate.core.errors import UsageError
from evaluate.core.sanitize import parsed
from evaluate.operate.notify import Mail, written
from evaluate.serve.authorization import COOKIE, SECURE_COOKIE, Person
from evaluate.serve.errors import Refused
from evaluate.serve.site import Site
from evaluate.store.logs import LOG
from evaluate.store.people import logins
from evaluate.store.people.logins import (
    LinkKind,
    Scope,
    Token,
    begin_session,
    make_link,
    normal_address,
    person_at,
    use_link,
)

LINK_SECONDS, OIDC_SECONDS = 900.0, 600.0
_STATE_COOKIE = "login"
_ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA", "Ed25519"]
_TIMEOUT_SECONDS, _EXCHANGE_SECONDS = 10.0, 30.0
"""For a part of an answer, and for all answers of a provider in one request to this site."""
_LEEWAY_SECONDS = 60


def local_path(text: str) -> str:
    """The page after logging in: a path of this site, even if a link names another one."""
    plain = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable() and len(text) < 500
    return text if plain and "\\" not in text else "/"


def login_link(site: Site, address: str, after: str = "/") -> str:
    """A link by which a person logs in, once."""
    person = normal_address(address)
    secret = make_link(site.store.database, LinkKind.LOGIN, person, LINK_SECONDS)
    return f"{site.origin}/login/link?token={secret}&next={quote(local_path(after), safe='/')}"


def mail_login_link(site: Site, address: str, link: str) -> None:
    """Send a link; failures are in the log, since the page must not tell which addresses have an account."""
    rules = site.config.notify
    if rules.mail is None:
        return
    text = (
        f"Open this page to log in to {site.config.web.title}:\n\n{link}\n\n"
        "The link works once, within 15 minutes. If you did not request it, ignore this email.\n"
    )
    letter = written(rules.mail, address, f"Log in to {site.config.web.title}", text, time.time())
    letter["Message-ID"] = make_msgid(domain=rules.mail.sender.rpartition("@")[2])
    try:
        Mail(rules.mail).post([letter], set())
    except (OSError, smtplib.SMTPException) as e:
        LOG.error("a login link could not be mailed: %s", e)


def log_in(site: Site, address: str, answer: Response) -> Response:
    """Begin a session in the browser that gets this answer."""
    name, secret = SECURE_COOKIE if site.secure else COOKIE, begin_session(site.store.database, address)
    return _with_cookie(site, answer, name, secret, logins.SESSION_SECONDS, "/")


def _with_cookie(site: Site, answer: Response, name: str, value: str, seconds: float, path: str) -> Response:
    """The answer, with a cookie that no script reads and no other site sends."""
    answer.set_cookie(name, value, max_age=int(seconds), httponly=True, samesite="lax", secure=site.secure, path=path)
    return answer


def log_out(site: Site, request: Request, answer: Response) -> Response:
    """End the session of the browser that asks."""
    name = SECURE_COOKIE if site.secure else COOKIE
    if secret := request.cookies.get(name):
        logins.end_session(site.store.database, secret)
    answer.delete_cookie(name, path="/", secure=site.secure, httponly=True, samesite="lax")
    return answer


def make_token(site: Site, person: Person, name: str, scopes: Sequence[Scope], days: float) -> tuple[Token, str]:
    """A new token of a person and its secret; see `people.make_token`.

    Raises Refused if the request has a token itself.
    """
    if person.token is not None:
        raise Refused(403, "tokens cannot create tokens; log in with a browser")
    return logins.make_token(site.store.database, person.address, name, scopes, days)


def remove_token(site: Site, person: Person, identity: str) -> None:
    """Remove a token of a person. Raises Refused if there is none."""
    if not logins.remove_token(site.store.database, person.address, identity):
        raise Refused(404, f"no token {identity[:40]!r} of yours")


def provider_of(site: Site) -> OidcRules:
    """The provider. Raises Refused if the site has none."""
    if (rules := site.config.web.oidc) is None:
        raise Refused(404, "this site has no login provider; request a link by email")
    return rules


class _Provider(msgspec.Struct):
    """Description of a provider by itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str


def _described(client: OAuth2Client, rules: OidcRules) -> _Provider:
    """Description of the provider by itself. Raises Refused if it does not answer, or is another one."""
    try:
        reply = client.request("GET", f"{rules.issuer}/.well-known/openid-configuration", withhold_token=True)
        reply.raise_for_status()
        description = msgspec.convert(parsed(reply.content), _Provider)
        _ = urlsplit(description.authorization_endpoint).port  # ValueError: no browser can go there
    except (httpx.HTTPError, ValueError) as e:
        LOG.error("the provider %s does not describe itself: %s", rules.issuer, e)
        raise Refused(503, f"{rules.name} does not respond; try again later, or log in by email") from e
    if description.issuer.rstrip("/") != rules.issuer:
        raise Refused(503, f"{rules.name} is not the login provider that this site expects")
    return description


@contextmanager
def _client(site: Site, rules: OidcRules) -> Iterator[OAuth2Client]:
    """A client whose connections are cut when the provider's answers take too long together, as if it were away."""
    secret = rules.client_secret_file.read_text(encoding="utf-8").strip() if rules.client_secret_file else None
    client = OAuth2Client(
        rules.client_id,
        secret,
        scope="openid email",
        redirect_uri=f"{site.origin}/login/oidc/answer",
        code_challenge_method="S256",
        token_endpoint_auth_method="client_secret_basic" if secret else "none",
        timeout=_TIMEOUT_SECONDS,
    )
    cut = threading.Timer(_EXCHANGE_SECONDS, client.close)
    cut.daemon = True
    with client:
        cut.start()
        try:
            yield client
        finally:
            cut.cancel()


def begin_oidc(site: Site, after: str) -> tuple[str, str]:
    """The provider's page to go to, and the secret that the browser keeps meanwhile."""
    rules = provider_of(site)
    verifier, nonce = generate_token(48), generate_token(24)
    with _client(site, rules) as client:
        description = _described(client, rules)
        address, state = client.create_authorization_url(
            description.authorization_endpoint, code_verifier=verifier, nonce=nonce
        )
    kept = json.dumps({"state": state, "nonce": nonce, "verifier": verifier, "after": local_path(after)})
    return address, make_link(site.store.database, LinkKind.OIDC, kept, OIDC_SECONDS)


def finish_oidc(site: Site, secret: str, asked: str) -> tuple[str, str]:
    """The address of the person who comes back from the provider, and the next page.

    Raises Refused if the login was not begun in this browser, the provider refuses, or its answer is not right.

    * ``secret``: kept by the browser.
    * ``asked``: the whole address that the provider sent the browser to.
    """
    rules = provider_of(site)
    kept = use_link(site.store.database, LinkKind.OIDC, secret) if secret else None
    if kept is None:
        raise Refused(400, "this login was started in another browser, or took too long; log in again")
    begun = json.loads(kept)
    with _client(site, rules) as client:
        description = _described(client, rules)
        try:
            token = client.fetch_token(
                description.token_endpoint,
                authorization_response=asked,
                state=begun["state"],
                code_verifier=begun["verifier"],
            )
            keys = client.request("GET", description.jwks_uri, withhold_token=True)
            keys.raise_for_status()
            key_set = KeySet.import_key_set(parsed(keys.content))
            claims = jwt.decode(token["id_token"], key_set, algorithms=_ALGORITHMS).claims
            jwt.JWTClaimsRegistry(
                leeway=_LEEWAY_SECONDS,
                iss={"essential": True, "value": description.issuer},
                aud={"essential": True, "value": rules.client_id},
                exp={"essential": True},
                nonce={"essential": True, "value": begun["nonce"]},
            ).validate(claims)
        except Exception as e:  # the readers of what a provider answers raise whatever a wrong type leads to
            LOG.error("login at %s: %s: %s", rules.issuer, type(e).__name__, e)
            raise Refused(403, f"{rules.name} did not confirm who you are; log in again") from e
    # a provider that says "false" in a string has not verified it
    if not claims.get("email") or claims.get("email_verified") is not True or not claims.get("sub"):
        raise Refused(403, f"{rules.name} does not confirm that your email address is verified; log in by email")
    try:
        address = normal_address(str(claims["email"]))
    except UsageError as e:
        raise Refused(403, f"{rules.name}: {e}") from e
    person = person_at(site.store.database, description.issuer, str(claims["sub"]), address)
    if person is None:
        LOG.error("login at %s: %s is known there under another account than before", rules.issuer, address)
        raise Refused(
            403,
            f"{address} belongs to another account at {rules.name} than the one that first logged in with it here; log "
            "in by mail",
        )
    return person, str(begun["after"])


def keep_begun(site: Site, secret: str, answer: Response) -> Response:
    """Let the browser keep the secret that binds a login to it."""
    return _with_cookie(site, answer, _STATE_COOKIE, secret, OIDC_SECONDS, "/login/oidc")


def kept_begun(request: Request) -> str:
    """The secret that `keep_begun` gave this browser."""
    return request.cookies.get(_STATE_COOKIE, "")

"""Login by mail and by OpenID Connect, against a provider on loopback; sessions, tokens."""

import base64
import hashlib
import json
import re
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import cache
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import httpx2
import pytest
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.testclient import TestClient
from joserfc import jwt
from joserfc.jwk import RSAKey

from evaluate.serve.auth import local_path
from evaluate.store.people import logins
from evaluate.store.people.logins import LinkKind, Scope
from tests.support.served import listening, running
from tests.support.sites import ADDRESS, ANN, BOB, Site_

CLIENT, SECRET = "site", "a secret of the site"
KEYS_OF_NUMBERS = '{"keys": [5], "id_token": "a.b.c"}'


@cache
def signing_key(_name: str) -> RSAKey:
    """A key, the same for the same name: making one takes long."""
    return RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})


@dataclass(kw_only=True)
class Provider:
    """A provider of OpenID Connect as strict as it must be, with settings that a test may change while it runs."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    """Instead of the right ones about Ann, who logs in there."""
    published: str = "own"
    """Name of the key that it publishes."""
    odd: dict[str, str] = field(default_factory=dict)
    """Path -> JSON that it answers there instead."""

    def token(self, nonce: str) -> str:
        """The signed statement about the person who has logged in."""
        claims = {
            "iss": self.issuer,
            "aud": [CLIENT],
            "sub": "ann",
            "email": "Ann@Example.org",
            "email_verified": True,
            "nonce": nonce,
            "iat": int(time.time()),
            "exp": int(time.time()) + 3600,
        }
        return jwt.encode({"alg": "RS256", "kid": "one"}, {**claims, **self.claims}, signing_key("own"))


def _app(provider: Provider) -> FastAPI:
    app = FastAPI()

    @app.middleware("http")
    async def oddly(asked: Request, right: Any) -> Response:
        odd = provider.odd.get(asked.url.path)
        return await right(asked) if odd is None else Response(odd, media_type="application/json")

    codes: dict[str, dict[str, str]] = {}

    @app.get("/.well-known/openid-configuration")
    def described() -> dict[str, str]:
        ends = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return {"issuer": provider.issuer, **{key: f"{provider.issuer}/{name}" for key, name in ends.items()}}

    @app.get("/authorize")
    def authorize(asked: Request) -> RedirectResponse:
        words = dict(asked.query_params)
        right = {"client_id": CLIENT, "response_type": "code", "code_challenge_method": "S256"}
        assert right.items() <= words.items() and {"nonce", "state", "code_challenge"} <= words.keys()
        assert "openid" in words["scope"].split() and words["redirect_uri"].endswith("/login/oidc/answer")
        code = secrets.token_urlsafe()
        codes[code] = words
        return RedirectResponse(f"{words['redirect_uri']}?{urlencode({'code': code, 'state': words['state']})}")

    @app.post("/token")
    async def token(asked: Request) -> JSONResponse:
        given = dict(parse_qsl((await asked.body()).decode()))
        words = codes.pop(given["code"], {})
        verifier = hashlib.sha256(given["code_verifier"].encode()).digest()
        right = {
            "redirect_uri": given["redirect_uri"],
            "code_challenge": base64.urlsafe_b64encode(verifier).decode().rstrip("="),
        }
        credentials = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        if given["grant_type"] != "authorization_code" or not right.items() <= words.items():
            return JSONResponse({"error": "invalid_grant"}, 400)
        if asked.headers.get("Authorization") != f"Basic {credentials}":
            return JSONResponse({"error": "invalid_client"}, 401)
        reply = {"access_token": "none", "token_type": "Bearer", "id_token": provider.token(words["nonce"])}
        return JSONResponse(reply)

    @app.get("/keys")
    def keys() -> dict[str, Any]:
        return {"keys": [signing_key(provider.published).as_dict(private=False)]}

    return app


@pytest.fixture
def letters(site: Site_, monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    return site.letters(monkeypatch)


def asked(letters: list[EmailMessage]) -> str:
    (letter,) = letters
    match = re.search(rf"{ADDRESS}(/login/link\?\S+)", letter.get_content())
    assert match
    return match.group(1)


def test_link_in_a_mail_logs_in_once(site: Site_, letters: list[EmailMessage]) -> None:
    client = site.client()
    sent = client.post("/login", data={"address": " Ann@Example.org ", "after": "/entries"})
    assert sent.status_code == 200 and letters[0]["To"] == ANN
    page = [client.get(asked(letters)) for _ in range(2)][-1]  # to look at a link does not use it
    assert f"Log in as {ANN}" in page.text
    token = re.search(r'name="token" value="([^"]+)"', page.text)
    assert token
    form = {"token": token.group(1), "after": "/entries"}
    answer = client.post("/login/link", data=form)
    assert (answer.status_code, answer.headers["location"]) == (303, "/entries")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert ANN in client.get("/account").text
    assert site.client().post("/login/link", data=form).status_code == 404


def test_only_so_many_letters_go_to_one_address_and_no_network_that_asks_too_often_locks_it_out(
    site: Site_, letters: list[EmailMessage]
) -> None:
    client = site.client()

    def asked(*addresses: str) -> list[int]:
        return [client.post("/login", data={"address": address}).status_code for address in addresses]

    site.site.rates.strangers = "1/hour"
    assert asked(BOB, *[ANN] * 6) == [200] + [429] * 6
    site.site.rates.strangers = "20/hour"
    assert asked(*[ANN] * 6) == [200] * 5 + [429] and len(letters) == 6


def test_link_works_for_a_while_and_for_this_host_by_tls_where_the_site_has_it(site: Site_) -> None:
    secret = logins.make_link(site.store.database, LinkKind.LOGIN, ANN, -1.0)
    assert site.client().get(f"/login/link?token={secret}").status_code == 404
    assert site.client().post("/login/link", data={"token": secret}).status_code == 404
    site.configure(web={"address": "https://site.example"})
    secret = logins.make_link(site.store.database, LinkKind.LOGIN, ANN, 60.0)
    answer = site.client().post("/login/link", data={"token": secret})
    assert answer.headers["set-cookie"].startswith("__Host-session=") and "Secure" in answer.headers["set-cookie"]
    assert "strict-transport-security" in answer.headers


def test_logging_out_ends_the_session_and_everywhere_ends_all(site: Site_) -> None:
    first, second = site.client(ANN), site.client(ANN)
    kept = dict(first.cookies)
    first.post("/logout")
    first.cookies.update(kept)
    assert first.get("/account").status_code == 303 and second.get("/account").status_code == 200
    third = site.client(ANN)
    _token, secret = logins.make_token(site.store.database, ANN, "ci", [Scope.READ], 1)
    third.post("/logout", data={"everywhere": "true"})
    assert second.get("/account").status_code == 303
    answer = site.client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401


def test_secrets_are_kept_as_digests_only(site: Site_) -> None:
    session = logins.begin_session(site.store.database, ANN)
    _token, secret = logins.make_token(site.store.database, ANN, "ci", [Scope.READ], 1)
    link = logins.make_link(site.store.database, LinkKind.LOGIN, ANN, 60)
    with site.store.engine.connect() as connection:
        rows = [
            str(row)
            for name in ("sessions", "tokens", "links", "journal")
            for row in connection.exec_driver_sql(f"select * from {name}")
        ]
    assert rows and not any(secret_text in row for secret_text in (session, secret, link) for row in rows)


def test_token_is_shown_once_and_can_be_removed(site: Site_) -> None:
    ann = site.client(ANN)
    made = ann.post("/account/tokens", data={"name": "ci", "days": "3", "scopes": ["read", "submit"]})
    assert re.search(r'class="secret">ev_[\w-]{40,}<', made.text)
    (token,) = logins.tokens_of(site.store.database, ANN)
    assert not re.search(r"ev_[\w-]{40}", ann.get("/account").text)
    assert ann.post(f"/account/tokens/{token.id}/remove").status_code == 303
    assert logins.tokens_of(site.store.database, ANN) == []


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "https://evil.example", "x", "/a\\b", "/a\nb"])
def test_login_leads_to_no_other_site(path: str) -> None:
    assert local_path(path) == "/"
    assert local_path("/entries?before=3") == "/entries?before=3"


@pytest.fixture
def there(site: Site_, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")  # it is on loopback, without TLS
    (site.state / "oidc.secret").write_text(f"{SECRET}\n")
    provider = Provider()
    with listening() as (provider.issuer, socket), running(_app(provider), socket):
        rules = {"issuer": provider.issuer, "client_id": CLIENT, "client_secret_file": "oidc.secret", "name": "Campus"}
        site.configure(web={"oidc": rules})
        yield provider


def come_back(client: TestClient) -> str:
    """Go to the provider; the path to which it sends the browser back."""
    there = client.get("/login/oidc?next=/entries")
    assert there.status_code == 303, there.text
    back = httpx2.get(there.headers["location"]).headers["location"]
    parts = urlsplit(back)
    return f"{parts.path}?{parts.query}"


def test_person_whose_address_the_provider_has_verified_is_logged_in_once_and_only_where_that_login_began(
    site: Site_, there: Provider
) -> None:
    client, other = site.client(), site.client()
    assert "Log in with Campus" in client.get("/login").text
    first, path = come_back(client), come_back(client)
    state, of_first = (parse_qs(urlsplit(given).query)["state"][0] for given in (path, first))
    assert client.get(path.replace(state, of_first)).status_code == 403
    assert other.get(path).status_code == 400
    path = come_back(client)
    answer = client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (303, "/entries")
    assert ANN in client.get("/account").text
    assert client.get(path).status_code == 400


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": "false"},
        {"nonce": "another"},
        {"aud": "another"},
        {"iss": "https://evil.example"},
        {"exp": 1000},
        {"email": ""},
        {"email": "\N{KELVIN SIGN}ate@example.org"},  # in lower case this is kate@example.org
        {},  # of another key
    ],
)
def test_answer_that_is_not_right_logs_nobody_in(site: Site_, there: Provider, claims: dict[str, object]) -> None:
    client = site.client()
    there.claims = claims
    there.published = "own" if claims else "another"
    answer = client.get(come_back(client))
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)


def test_account_stays_a_person_whose_address_changes_and_the_next_owner_of_that_is_another(
    site: Site_, there: Provider
) -> None:
    first, again, other = site.client(), site.client(), site.client()
    first.get(come_back(first))
    there.claims = {"email": "ann.smith@example.org"}
    assert again.get(come_back(again)).status_code == 303
    assert ANN in again.get("/account").text
    there.claims = {"sub": "another"}
    answer = other.get(come_back(other))
    assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
    assert "belongs to another account at Campus" in answer.text


def test_provider_that_does_not_answer_is_said_so(site: Site_) -> None:
    site.configure(web={"oidc": {"issuer": "http://127.0.0.1:9", "client_id": CLIENT, "name": "Campus"}})
    answer = site.client().get("/login/oidc")
    assert (answer.status_code, "Campus does not respond" in answer.text) == (503, True)


def test_provider_whose_answer_drips_holds_no_thread(site: Site_, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluate.serve.auth._EXCHANGE_SECONDS", 0.5)

    def drip(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            for byte in b"HTTP/1.1 200 OK\r\nX: " + b"x" * 300:
                connection.send(bytes([byte]))
                time.sleep(0.1)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=drip, args=(listener,), daemon=True).start()
        issuer = f"http://127.0.0.1:{listener.getsockname()[1]}"
        site.configure(web={"oidc": {"issuer": issuer, "client_id": CLIENT, "name": "Campus"}})
        began = time.monotonic()
        answer = site.client().get("/login/oidc")
        assert (answer.status_code, time.monotonic() - began < 15) == (503, True)


@pytest.mark.parametrize("end", ["http://[", "http://a b:x"])
@pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
def test_provider_with_odd_addresses_is_said_so(site: Site_, there: Provider, name: str, end: str) -> None:
    client = site.client()
    back = come_back(client)
    ends = dict.fromkeys(("authorization_endpoint", "token_endpoint", "jwks_uri"), f"{there.issuer}/token")
    there.odd["/.well-known/openid-configuration"] = json.dumps({"issuer": there.issuer, **ends, name: end})
    assert client.get("/login/oidc" if name == "authorization_endpoint" else back).status_code in (403, 503)


@pytest.mark.parametrize(
    "odd", ["[]", "5", "{}", '{"issuer": 5, "keys": 5, "id_token": 5}', KEYS_OF_NUMBERS, "[" * 100_000]
)
@pytest.mark.parametrize(("path", "status"), [("token", 403), ("keys", 403), (".well-known/openid-configuration", 503)])
def test_odd_answer_of_a_provider_logs_nobody_in(
    site: Site_, there: Provider, path: str, status: int, odd: str
) -> None:
    client = site.client()
    back = come_back(client)
    there.odd[f"/{path}"] = odd
    done = client.get(back)
    assert (done.status_code, "set-cookie" in done.headers) == (status, False)
    assert client.get("/login/oidc").status_code == (503 if status == 503 else 303)

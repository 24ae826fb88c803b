"""A provider of OpenID Connect on loopback, as strict with the site as it must be."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.support.served import listening, running

CLIENT, SECRET = "site", "a secret of the site"


@cache
def signing_key(_name: str) -> RSAKey:
    """A key, the same for the same name: making one takes long."""
    return RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})


@dataclass(kw_only=True)
class Provider:
    """Settings that a test may change while it runs."""

    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    """Instead of the right ones about Ann, who logs in there."""
    key: Any = field(default_factory=lambda: signing_key("own"))
    published: Any = None
    """The key that it publishes; None: the one that it signs with."""

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
        return jwt.encode({"alg": "RS256", "kid": "one"}, {**claims, **self.claims}, self.key)


def _app(provider: Provider) -> FastAPI:
    app = FastAPI()
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
        return {"keys": [(provider.published or provider.key).as_dict(private=False)]}

    return app


@contextmanager
def provider() -> Iterator[Provider]:
    """The provider, while it runs."""
    started = Provider()
    with listening() as (started.issuer, socket), running(_app(started), socket):
        yield started

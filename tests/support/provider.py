"""A provider of OpenID Connect on loopback: the server of Authlib, in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, grants
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import OpenIDCode
from flask import Flask, jsonify
from joserfc.jwk import RSAKey
from werkzeug.serving import make_server

CLIENT, SECRET = "site", "a secret of the site"


@cache
def signing_key(_name: str) -> RSAKey:
    """A key, the same for the same name: making one takes long."""
    return RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})


@dataclass(kw_only=True)
class Person:
    """Who logs in there."""

    email: str = "Ann@Example.org"
    verified: object = True
    subject: str = "ann"

    def get_user_id(self) -> str:
        return self.subject


@dataclass(kw_only=True)
class Provider:
    """What a test may change of it while it runs."""

    issuer: str = ""
    person: Person = field(default_factory=Person)
    claims: dict[str, Any] = field(default_factory=dict)
    """Instead of the right ones."""
    key: Any = field(default_factory=lambda: signing_key("own"))
    published: Any = None
    """The key that it publishes; None: the one that it signs with."""


class _Client(ClientMixin):  # type: ignore[misc]
    redirect_uri = ""

    def get_client_id(self) -> str:
        return CLIENT

    def get_default_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri.endswith("/login/oidc/answer")

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "client_secret_basic"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


@dataclass
class _Code:
    code: str
    redirect_uri: str
    scope: str
    nonce: str
    code_challenge: str
    code_challenge_method: str
    user: Person

    def get_redirect_uri(self) -> str:
        return self.redirect_uri

    def get_scope(self) -> str:
        return self.scope

    def get_nonce(self) -> str:
        return self.nonce

    def get_auth_time(self) -> None:
        return None

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


def _app(provider: Provider) -> Flask:
    codes: dict[str, _Code] = {}

    class CodeGrant(grants.AuthorizationCodeGrant):  # type: ignore[misc]
        TOKEN_ENDPOINT_AUTH_METHODS = ("client_secret_basic",)

        def save_authorization_code(self, code: str, asked: Any) -> None:
            data = asked.payload.data
            same = {name: data[name] for name in ("nonce", "code_challenge", "code_challenge_method")}
            codes[code] = _Code(code, data["redirect_uri"], data["scope"], user=asked.user, **same)

        def query_authorization_code(self, code: str, client: Any) -> _Code | None:
            return codes.get(code)

        def delete_authorization_code(self, authorization_code: _Code) -> None:
            del codes[authorization_code.code]

        def authenticate_user(self, authorization_code: _Code) -> Person:
            return authorization_code.user

    class Identity(OpenIDCode):  # type: ignore[misc]
        def exists_nonce(self, nonce: str, asked: Any) -> bool:
            return False

        def resolve_client_private_key(self, client: Any) -> Any:
            return provider.key

        def get_client_algorithm(self, client: Any) -> str:
            return "RS256"

        def get_encode_header(self, client: Any) -> dict[str, str]:
            return {"alg": "RS256", "kid": "one"}

        def get_client_claims(self, client: Any) -> dict[str, Any]:
            return {"iss": provider.issuer, "aud": [CLIENT]}

        def generate_user_info(self, user: Person, scope: str) -> dict[str, Any]:
            return {"sub": user.subject, "email": user.email, "email_verified": user.verified, **provider.claims}

    app = Flask(__name__)
    server = AuthorizationServer(app, query_client=lambda _name: _Client(), save_token=lambda _token, _asked: None)
    server.register_grant(CodeGrant, [Identity(require_nonce=True), CodeChallenge(required=True)])

    @app.get("/.well-known/openid-configuration")
    def described() -> Any:
        ends = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return jsonify(issuer=provider.issuer, **{key: f"{provider.issuer}/{name}" for key, name in ends.items()})

    @app.get("/authorize")
    def authorize() -> Any:
        grant = server.get_consent_grant(end_user=provider.person)
        return server.create_authorization_response(grant=grant, grant_user=provider.person)

    @app.post("/token")
    def token() -> Any:
        return server.create_token_response()

    @app.get("/keys")
    def keys() -> Any:
        return jsonify(keys=[(provider.published or provider.key).as_dict(private=False)])

    return app


@contextmanager
def provider() -> Iterator[Provider]:
    """The provider, while it runs."""
    found = Provider()
    server = make_server("127.0.0.1", 0, _app(found), threaded=True)
    found.issuer = f"http://127.0.0.1:{server.server_port}"
    running = threading.Thread(target=server.serve_forever, daemon=True)
    running.start()
    try:
        yield found
    finally:
        server.shutdown()
        running.join()
        server.server_close()

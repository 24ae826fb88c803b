"""Login by OpenID Connect, against a provider on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from fastapi.testclient import TestClient

from tests.support.provider import CLIENT, SECRET, Provider, provider, signing_key
from tests.support.sites import ANN, Site_


@pytest.fixture
def there(site: Site_, monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")  # it is on loopback, without TLS
    (site.state / "oidc.secret").write_text(f"{SECRET}\n")
    with provider() as running:
        rules = {"issuer": running.issuer, "client_id": CLIENT, "client_secret_file": "oidc.secret", "name": "Campus"}
        site.configure(web={"oidc": rules})
        yield running


def come_back(client: TestClient) -> str:
    """Go to the provider; the path to which it sends the browser back."""
    there = client.get("/login/oidc?next=/entries")
    assert there.status_code == 303, there.text
    back = httpx2.get(there.headers["location"]).headers["location"]
    parts = urlsplit(back)
    return f"{parts.path}?{parts.query}"


def test_person_whose_address_the_provider_has_verified_is_logged_in(site: Site_, there: Provider) -> None:
    client = site.client()
    assert "Log in with Campus" in client.get("/login").text
    answer = client.get(come_back(client))
    assert (answer.status_code, answer.headers["location"]) == (303, "/entries")
    assert ANN in client.get("/account").text


def test_answer_works_once_and_only_in_the_browser_that_began(site: Site_, there: Provider) -> None:
    client, other = site.client(), site.client()
    path = come_back(client)
    assert other.get(path).status_code == 400
    assert client.get(path).status_code == 303
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
    if not claims:
        there.published = signing_key("another")
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


def test_state_of_another_login_is_refused(site: Site_, there: Provider) -> None:
    client = site.client()
    first = come_back(client)
    second = come_back(client)
    state = parse_qs(urlsplit(first).query)["state"][0]
    mixed = second.replace(parse_qs(urlsplit(second).query)["state"][0], state)
    assert client.get(mixed).status_code == 403


def test_provider_that_does_not_answer_is_said_so(site: Site_) -> None:
    site.configure(web={"oidc": {"issuer": "http://127.0.0.1:9", "client_id": CLIENT, "name": "Campus"}})
    answer = site.client().get("/login/oidc")
    assert (answer.status_code, "Campus does not respond" in answer.text) == (503, True)

"""Logging in and out, the account and its tokens, and the page of an invitation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Form
from fastapi.responses import JSONResponse, RedirectResponse, Response

from evaluate.serve import auth
from evaluate.serve.authorization import Anyone, User, Visit, client_of
from evaluate.serve.errors import Refused
from evaluate.serve.pages.rendering import go, page
from evaluate.serve.team_actions import inviting_team, leave
from evaluate.store.people import logins
from evaluate.store.people.logins import LinkKind, Scope, forget_person, normal_address, personal_data
from evaluate.store.people.teams import get_team

router = APIRouter(include_in_schema=False)


@router.get("/login")
def login_page(visit: Anyone, next: str = "/") -> Response:  # the name is in addresses
    """The ways to log in."""
    config = visit.site.config
    return page(
        visit, "login.html", after=auth.local_path(next), mail=config.notify.mail is not None, oidc=config.web.oidc
    )


@router.post("/login")
def ask_for_link(
    visit: Anyone, tasks: BackgroundTasks, address: Annotated[str, Form()], after: Annotated[str, Form()] = "/"
) -> Response:
    """Mail a login link; the page is the same for every address."""
    site = visit.site
    if site.config.notify.mail is None:
        raise Refused(503, "this site cannot send email: the organiser must set notify.mail in evaluate.yaml")
    person = normal_address(address)
    # the sender is counted first: a network beyond its limit must not use up the letters of an address
    site.rates.take(site.rates.strangers, "strangers", client_of(visit.request))
    site.rates.take(site.rates.letters, "letters", person)
    tasks.add_task(auth.mail_login_link, site, person, auth.login_link(site, person, after))
    return page(visit, "login_sent.html", address=person)


@router.get("/login/link")
def link_page(visit: Anyone, token: str = "", next: str = "/") -> Response:  # as above
    """The page that a login link opens."""
    address = _known(visit, logins.link_subject(visit.site.store.database, LinkKind.LOGIN, token))
    return page(visit, "login_link.html", token=token, address=address, after=auth.local_path(next))


@router.post("/login/link")
def use_link(visit: Anyone, token: Annotated[str, Form()], after: Annotated[str, Form()] = "/") -> Response:
    """Log in by a link."""
    address = _known(visit, logins.use_link(visit.site.store.database, LinkKind.LOGIN, token))
    return auth.log_in(visit.site, address, go(auth.local_path(after)))


def _known(visit: Visit, address: str | None) -> str:
    """The address that a link is for. Raises Refused if there is none."""
    if address is None:
        visit.site.rates.take(visit.site.rates.guesses, "guesses", client_of(visit.request))
        raise Refused(404, "this link was already used, or is older than 15 minutes; request a new one")
    return address


@router.get("/login/oidc")
def begin_oidc(visit: Anyone, next: str = "/") -> Response:  # as above
    """Go to the provider."""
    site = visit.site
    site.rates.take(site.rates.strangers, "provider", client_of(visit.request))
    address, secret = auth.begin_oidc(site, next)
    return auth.keep_begun(site, secret, RedirectResponse(address, 303))


@router.get("/login/oidc/answer")
def finish_oidc(visit: Anyone) -> Response:
    """Come back from the provider."""
    request = visit.request
    address, after = auth.finish_oidc(visit.site, auth.kept_begun(request), str(request.url))
    return auth.log_in(visit.site, address, go(auth.local_path(after)))


@router.post("/logout")
def log_out(visit: User, everywhere: Annotated[bool, Form()] = False) -> Response:
    """Log out here, or everywhere."""
    if everywhere:
        logins.end_sessions(visit.site.store.database, visit.who.address)
    return auth.log_out(visit.site, visit.request, go("/"))


@router.get("/account")
def account(visit: User) -> Response:
    """The account: teams and tokens."""
    return _account(visit)


def _account(visit: User, secret: str = "") -> Response:
    tokens = logins.tokens_of(visit.site.store.database, visit.who.address)
    organised = [listing for listing in visit.site.challenges() if listing.store_name in visit.who.challenges]
    return page(visit, "account.html", tokens=tokens, secret=secret, scopes=list(Scope), organised=organised)


@router.get("/join")
def join_page(visit: User, token: str = "") -> Response:
    """The page that an invitation opens."""
    return page(visit, "join.html", name=inviting_team(visit.site, token), token=token)


@router.get("/account/data.json")
def data(visit: User) -> Response:
    """The data that is stored about the user."""
    stored = personal_data(visit.site.store.database, visit.who.address)
    headers = {"Content-Disposition": 'attachment; filename="my-data.json"', "Cache-Control": "no-store"}
    return JSONResponse(stored, headers=headers)


@router.post("/account/remove")
def remove(visit: User, address: Annotated[str, Form()]) -> Response:
    """Remove the account: leave every team and delete the user's data."""
    if visit.who.token is not None:
        raise Refused(403, "tokens cannot remove the account; log in with a browser")
    if normal_address(address) != visit.who.address:
        raise Refused(400, f"expected your own address, {visit.who.address}, to remove this account")
    for name in visit.who.teams:
        leave(visit.site, get_team(visit.site.store.database, name), visit.who)
    forget_person(visit.site.store.database, visit.who.address)
    return auth.log_out(visit.site, visit.request, go("/", "forgotten"))


@router.post("/account/tokens")
def make_token(
    visit: User,
    name: Annotated[str, Form()],
    days: Annotated[float, Form()] = 90.0,
    scopes: Annotated[tuple[Scope, ...], Form()] = (),
) -> Response:
    """Make a token, and show its secret this once."""
    _token, secret = auth.make_token(visit.site, visit.who, name, scopes, days)
    return _account(visit, secret)


@router.post("/account/tokens/{token}/remove")
def remove_token(visit: User, token: str) -> Response:
    """Remove a token."""
    auth.remove_token(visit.site, visit.who, token)
    return go("/account", "removed")

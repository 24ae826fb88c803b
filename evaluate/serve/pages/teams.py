"""Teams: make one, invite by link, join, leave, ask for a merge."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.responses import Response

from evaluate.serve.authorization import Team, User, Visit
from evaluate.serve.errors import Refused
from evaluate.serve.pages.rendering import go, page
from evaluate.serve.site import team_id
from evaluate.serve.team_actions import ask_for_merge, change_member, check_owner, is_owner, join, leave, make_team
from evaluate.serve.team_actions import invite as invite_to
from evaluate.store.people import logins
from evaluate.store.people.logins import LinkKind
from evaluate.store.people.teams import Team as TeamRow

router = APIRouter(include_in_schema=False)


@router.get("/teams/new")
def new_page(visit: User) -> Response:
    """The form of a new team."""
    return page(visit, "team_new.html")


@router.post("/teams/new")
def make(visit: User, name: Annotated[str, Form()]) -> Response:
    """Create a team; the user becomes its owner."""
    made = make_team(visit.site, visit.who, name)
    return go(f"/teams/{team_id(made.name)}", "made")


@router.get("/teams/{team}")
def team_page(visit: Team, team: str) -> Response:
    """Members, invitations, entries."""
    return _team(visit)


def _team(visit: Visit, invitation: str = "") -> Response:
    assert visit.team is not None
    return page(visit, "team.html", team=visit.team, owner=is_owner(visit.team, visit.who), invitation=invitation)


@router.post("/teams/{team}/invite")
def invite(visit: Team, team: str) -> Response:
    """Create an invitation link; earlier links stop working."""
    secret = invite_to(visit.site, _owned(visit))
    return _team(visit, f"{visit.site.origin}/join?token={secret}")


@router.post("/teams/{team}/members")
def member(
    visit: Team, team: str, address: Annotated[str, Form()], what: Annotated[str, Form()] = "remove"
) -> Response:
    """Make a member an owner, or remove it."""
    assert visit.team is not None
    change_member(visit.site, visit.team, visit.who, address, what)
    return go(f"/teams/{team}", "saved")


@router.post("/teams/{team}/mail")
def mail(visit: Team, team: str, on: Annotated[bool, Form()] = False) -> Response:
    """Switch the person's mail about the team's entries on or off."""
    assert visit.team is not None
    change_member(visit.site, visit.team, visit.who, visit.who.address, "mail" if on else "no mail")
    return go(f"/teams/{team}", "saved")


@router.post("/teams/{team}/leave")
def leave_team(visit: Team, team: str) -> Response:
    """Leave the team."""
    assert visit.team is not None
    leave(visit.site, visit.team, visit.who)
    return go("/account", "left")


@router.post("/teams/{team}/merge")
def merge(visit: Team, team: str, other: Annotated[str, Form()]) -> Response:
    """Ask the organiser to merge the team with another."""
    ask_for_merge(visit.site, _owned(visit), other)
    return go(f"/teams/{team}", "asked")


@router.get("/join")
def join_page(visit: User, token: str = "") -> Response:
    """The page that an invitation opens."""
    name = logins.link_subject(visit.site.store.database, LinkKind.INVITE, token)
    if name is None:
        raise Refused(404, "this invitation has expired or was replaced; ask the team for a new one")
    return page(visit, "join.html", name=name, token=token)


@router.post("/join")
def join_team(visit: User, token: Annotated[str, Form()]) -> Response:
    """Join a team by an invitation."""
    name = logins.link_subject(visit.site.store.database, LinkKind.INVITE, token)
    if name is None:
        raise Refused(404, "this invitation has expired or was replaced; ask the team for a new one")
    joined = join(visit.site, visit.who, name)
    return go(f"/teams/{team_id(joined.name)}", "joined")


def _owned(visit: Visit) -> TeamRow:
    assert visit.team is not None
    check_owner(visit.team, visit.who)
    return visit.team

"""Pages of teams: make one, invite by link, join; `evaluate.serve.api.teams` has the acts of their forms."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from evaluate.serve.authorization import Team, User, Visit
from evaluate.serve.pages.rendering import page
from evaluate.serve.team_actions import invite as invite_to
from evaluate.serve.team_actions import inviting_team, is_owner

router = APIRouter(include_in_schema=False)


@router.get("/teams/new")
def new_page(visit: User) -> Response:
    """The form of a new team."""
    return page(visit, "team_new.html")


@router.get("/teams/{team}")
def team_page(visit: Team, team: str) -> Response:
    """Members, invitations, entries."""
    return _team(visit)


def _team(visit: Visit, invitation: str = "") -> Response:
    return page(visit, "team.html", team=visit.team, owner=is_owner(visit.team, visit.who), invitation=invitation)


@router.post("/teams/{team}/invite")
def invite(visit: Team, team: str) -> Response:
    """Create an invitation link; earlier links stop working."""
    return _team(visit, f"{visit.site.origin}/join?token={invite_to(visit.site, visit.team, visit.who)}")


@router.get("/join")
def join_page(visit: User, token: str = "") -> Response:
    """The page that an invitation opens."""
    return page(visit, "join.html", name=inviting_team(visit.site, token), token=token)

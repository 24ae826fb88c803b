"""Teams, by pages and by the API: make one, invite by link, join, change members."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, Form
from fastapi.responses import Response

from evaluate.serve import team_actions
from evaluate.serve.api import models
from evaluate.serve.api.responses import router
from evaluate.serve.authorization import Team, User, Visit
from evaluate.serve.pages.rendering import go, page
from evaluate.serve.site import team_id
from evaluate.store.people.teams import Team as TeamRow

api = router("teams", "/teams")
pages = APIRouter(include_in_schema=False, prefix="/teams")


@api.post("", response_model=models.Team, status_code=201)
def make(visit: User, asked: models.NewTeam) -> Any:
    """Create a team; you become its owner."""
    return team_actions.make_team(visit.site, visit.who, asked.name)


@pages.post("/new")
def make_by_page(visit: User, asked: Annotated[models.NewTeam, Form()]) -> Response:
    """Create a team."""
    return _shown(make(visit, asked), "made")


@api.post("/join", response_model=models.Team)
def join(visit: User, asked: models.Join) -> Any:
    """Join a team by the token of an invitation."""
    return team_actions.join(visit.site, visit.who, team_actions.inviting_team(visit.site, asked.token))


@pages.post("/join")
def join_by_page(visit: User, asked: Annotated[models.Join, Form()]) -> Response:
    """Join a team."""
    return _shown(join(visit, asked), "joined")


def _shown(team: TeamRow, message: str) -> Response:
    return go(f"/teams/{team_id(team.name)}", message)


@pages.get("/new")
def new_page(visit: User) -> Response:
    """The form of a new team."""
    return page(visit, "team_new.html")


@pages.get("/{team}")
def team_page(visit: Team, team: str) -> Response:
    """Members, invitations, entries."""
    return _team(visit)


def _team(visit: Visit, invitation: str = "") -> Response:
    owner = team_actions.is_owner(visit.team, visit.who)
    return page(visit, "team.html", team=visit.team, owner=owner, invitation=invitation)


@api.get("/{team}", response_model=models.Team)
def show(visit: Team, team: str) -> Any:
    """A team with its members."""
    return visit.team


@api.post("/{team}/invite", response_model=models.Invitation, status_code=201)
def invite(visit: Team, team: str) -> models.Invitation:
    """Create an invitation link; earlier links stop working."""
    secret = team_actions.invite(visit.site, visit.team, visit.who)
    expires = time.time() + team_actions.INVITE_SECONDS
    return models.Invitation(token=secret, address=_join_link(visit, secret), expires=expires)


@pages.post("/{team}/invite")
def invite_by_page(visit: Team, team: str) -> Response:
    """Create an invitation link; earlier links stop working."""
    return _team(visit, _join_link(visit, team_actions.invite(visit.site, visit.team, visit.who)))


def _join_link(visit: Visit, secret: str) -> str:
    return f"{visit.site.origin}/join?token={secret}"


@api.post("/{team}/members", response_model=models.Team)
def member(visit: Team, team: str, asked: models.ChangeMember) -> Any:
    """Change a member; only you can change whether you get mail."""
    return team_actions.change_member(visit.site, visit.team, visit.who, asked.address, asked.what)


@pages.post("/{team}/members")
def member_by_page(visit: Team, team: str, asked: Annotated[models.ChangeMember, Form()]) -> Response:
    """Change a member."""
    return _shown(member(visit, team, asked), "saved")


@api.post("/{team}/leave", status_code=204)
def leave(visit: Team, team: str) -> None:
    """Leave the team."""
    team_actions.leave(visit.site, visit.team, visit.who)


@pages.post("/{team}/leave")
def leave_by_page(visit: Team, team: str) -> Response:
    """Leave the team."""
    leave(visit, team)
    return go("/account", "left")

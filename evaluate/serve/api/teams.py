"""Teams, by pages and by the API: make one, invite by link, join, change members."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from evaluate.serve import team_actions
from evaluate.serve.acts import Acts
from evaluate.serve.api import models
from evaluate.serve.api.responses import router
from evaluate.serve.authorization import Team, User, Visit
from evaluate.serve.pages.rendering import page

api = router("teams", "/teams")
pages = APIRouter(include_in_schema=False, prefix="/teams")
act = Acts(api=api, pages=pages)


@act("", "/teams/{result.id}?made", form="/new", answer=models.Team, status=201)
def make(visit: User, asked: models.NewTeam) -> models.Team:
    """Create a team; you become its owner."""
    return models.Team.model_validate(team_actions.make_team(visit.site, visit.who, asked.name))


@act("/join", "/teams/{result.id}?joined", answer=models.Team)
def join(visit: User, asked: models.Join) -> models.Team:
    """Join a team by the token of an invitation."""
    name = team_actions.inviting_team(visit.site, asked.token)
    return models.Team.model_validate(team_actions.join(visit.site, visit.who, name))


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


@act("/{team}/members", "/teams/{team}?saved", answer=models.Team)
def member(visit: Team, team: str, asked: models.ChangeMember) -> models.Team:
    """Change a member; only you can change whether you get mail."""
    return models.Team.model_validate(
        team_actions.change_member(visit.site, visit.team, visit.who, asked.address, asked.what)
    )


@act("/{team}/leave", "/account?left")
def leave(visit: Team, team: str) -> None:
    """Leave the team."""
    team_actions.leave(visit.site, visit.team, visit.who)

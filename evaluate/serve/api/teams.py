"""Teams: the same as on their pages."""

from __future__ import annotations

import time

from fastapi.responses import Response

from evaluate.serve import team_actions
from evaluate.serve.api import models
from evaluate.serve.api.responses import router, tagged, team_model
from evaluate.serve.authorization import Team, User, Visit
from evaluate.serve.errors import Refused
from evaluate.store.people import logins
from evaluate.store.people.logins import LinkKind
from evaluate.store.people.teams import Team as TeamRow

api = router("teams", "/teams")


@api.post("", response_model=models.Team, status_code=201)
def make(visit: User, asked: models.NewTeam) -> Response:
    """Create a team; you become its owner."""
    made = team_model(team_actions.make_team(visit.site, visit.who, asked.name))
    return Response(made.model_dump_json(), 201, media_type="application/json")


@api.post("/join", response_model=models.Team)
def join(visit: User, asked: models.Join) -> Response:
    """Join a team by the token of an invitation."""
    name = logins.link_subject(visit.site.store.database, LinkKind.INVITE, asked.token)
    if name is None:
        raise Refused(404, "this invitation has expired or was replaced; ask the team for a new one")
    return tagged(visit, team_model(team_actions.join(visit.site, visit.who, name)))


@api.get("/{team}", response_model=models.Team)
def one(visit: Team, team: str) -> Response:
    """A team with its members."""
    return tagged(visit, team_model(_team(visit)))


@api.post("/{team}/invite", response_model=models.Invitation, status_code=201)
def invite(visit: Team, team: str) -> Response:
    """Create an invitation link; earlier links stop working."""
    secret = team_actions.invite(visit.site, _owned(visit))
    made = models.Invitation(
        token=secret,
        address=f"{visit.site.origin}/join?token={secret}",
        expires=time.time() + team_actions.INVITE_SECONDS,
    )
    return Response(made.model_dump_json(), 201, media_type="application/json")


@api.post("/{team}/members", response_model=models.Team)
def member(visit: Team, team: str, asked: models.ChangeMember) -> Response:
    """Change a member; only you can change whether you get mail."""
    changed = team_actions.change_member(visit.site, _team(visit), visit.who, asked.address, asked.what)
    return tagged(visit, team_model(changed))


@api.post("/{team}/leave", status_code=204)
def leave(visit: Team, team: str) -> Response:
    """Leave the team."""
    team_actions.leave(visit.site, _team(visit), visit.who)
    return Response(status_code=204)


@api.post("/{team}/merge", status_code=202)
def merge(visit: Team, team: str, asked: models.Merge) -> Response:
    """Ask the organiser to merge the team with another."""
    team_actions.ask_for_merge(visit.site, _owned(visit), asked.other)
    return Response(status_code=202)


def _team(visit: Visit) -> TeamRow:
    assert visit.team is not None
    return visit.team


def _owned(visit: Visit) -> TeamRow:
    team_actions.check_owner(_team(visit), visit.who)
    return _team(visit)

"""For anybody: challenges, boards, announcements, and the description of the API."""

from __future__ import annotations

import time
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from fastapi.routing import APIRoute

from evaluate import __version__
from evaluate.config.load import NamedChallenge
from evaluate.serve.api import models
from evaluate.serve.api.responses import NO_CHANGE, TEXT, router, wants_text
from evaluate.serve.authorization import Anyone, Audience, audience_of
from evaluate.serve.entry_views import Shown, shown_board
from evaluate.serve.pages.rendering import public
from evaluate.serve.site import Site
from evaluate.views.board import phases_as_text, rules_in_words

api = router("challenges")


@api.get("/challenges", response_model=models.Items[models.Challenge], responses=NO_CHANGE)
def challenges(visit: Anyone) -> Any:
    """List all challenges."""
    return {"items": [_challenge(visit.site, listing) for listing in visit.site.challenges()]}


@api.get("/challenges/{challenge}", response_model=models.Challenge, responses=NO_CHANGE)
def one_challenge(visit: Anyone, challenge: str) -> Any:
    """A challenge."""
    return _challenge(visit.site, visit.site.challenge(challenge))


@api.get("/challenges/{challenge}/board", response_model=models.Board, responses={**NO_CHANGE, **TEXT})
def board(visit: Anyone, challenge: str) -> Response:
    """The leaderboard: the best attempt of each team, phase by phase."""
    listing = visit.site.challenge(challenge)
    shown = shown_board(visit, listing)
    if wants_text(visit):
        return PlainTextResponse(_board_text(visit.site, listing, shown))

    def make() -> str:
        answer = models.Board(challenge=listing.slug, withheld=shown.withheld, places=shown.places)
        return answer.model_dump_json()

    kept = visit.site.kept(("json", shown.withheld, shown.early, listing.slug))
    return public(visit.request, kept.get(lambda: shown.places, make), "application/json")


def _board_text(site: Site, listing: NamedChallenge, shown: Shown) -> str:
    if shown.withheld:
        return f"the organiser has not released the board of {listing.slug} yet"
    text = phases_as_text(listing.slug, listing.phase_names, shown.places, listing.challenge.board.decimals)
    text += f"\n{listing.slug} is {rules}" if (rules := rules_in_words(listing.challenge)) else ""
    return text + (f"\n{listing.slug} was {sealed}" if (sealed := site.seal(listing)) else "")


@api.get("/news", response_model=models.Items[models.Announcement], responses=NO_CHANGE)
def news(visit: Anyone) -> Any:
    """List the announcements, newest first."""
    return {"items": visit.site.announcements()}


@api.get("/openapi.json", include_in_schema=False)
def openapi(visit: Anyone) -> Response:
    """The description of the API."""
    return JSONResponse(description(visit.request.app), headers={"Cache-Control": "no-cache"})


def _challenge(site: Site, listing: NamedChallenge) -> models.Challenge:
    now, most = listing.terms.phase(time.time()), listing.terms.allowed(listing.challenge.board)
    return models.Challenge(
        name=listing.slug,
        title=listing.challenge.title,
        kinds=[kind.value for kind in listing.challenge.kinds],
        archive_bytes=listing.challenge.archive.bytes,
        required_files=list(listing.challenge.required_files),
        phase=now.name if now else None,
        open=now is not None or not listing.terms.phases,
        phases=[
            models.Phase(
                name=phase.name,
                begins=phase.begins,
                ends=phase.ends,
                attempts=phase.allowed(most),
                exam=phase.data,
            )
            for phase in listing.phases
        ],
        attempts=most,
        released=site.released(listing),
        seal=site.seal(listing),
    )


def description(app: FastAPI) -> dict[str, Any]:
    """OpenAPI, with the audience of every operation."""
    if app.openapi_schema is None:
        made = get_openapi(title=app.title, version=__version__, routes=app.routes)
        parts = made.setdefault("components", {})
        parts.setdefault("schemas", {})["Problem"] = models.Problem.model_json_schema()
        parts["securitySchemes"] = {
            "token": {"type": "http", "scheme": "bearer"},
            "session": {"type": "apiKey", "in": "cookie", "name": "session"},
        }
        for route in app.state.routes:
            _describe(made, route)
        app.openapi_schema = made
    return app.openapi_schema


_PARAMETERS = {
    "before": "The `next` of the previous page.",
    "challenge": "Name of the challenge.",
    "entry": "Id of the entry.",
    "filename": "Name of the uploaded file.",
    "limit": "Most items on a page.",
    "team": "Id or name of the team.",
    "token": "Id of the token.",
}


def _describe(made: dict[str, Any], route: APIRoute) -> None:
    audience = audience_of(route)
    for method in route.methods or ():
        operation = made["paths"].get(route.path, {}).get(method.lower())
        if operation is not None and audience is not None:
            operation["x-audience"] = audience.value
            for parameter in operation.get("parameters", []):
                parameter.setdefault("description", _PARAMETERS.get(parameter["name"], ""))
            if audience is not Audience.ANYONE:
                operation["security"] = [{"token": []}, {"session": []}]

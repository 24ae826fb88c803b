"""Answers of the API: ETags, and models of several sources."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from fastapi.routing import APIRoute

from evaluate.serve import entry_views
from evaluate.serve.api import models
from evaluate.serve.authorization import Visit
from evaluate.serve.pages.rendering import public
from evaluate.serve.site import Site
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.submission import Attempts, Submission, attempts_with
from evaluate.views.why import queue_position, why_for_team

PREFIX = "/api/v1"
_JSON = "application/json"
_PROBLEMS = {
    400: "Bad request, such as a number in the address that no list has.",
    401: "Not logged in, or the token is invalid.",
    403: "Not allowed.",
    404: "Not found, or not visible to you.",
    409: "Conflicts with the current state.",
    413: "Too large.",
    415: "Unsupported media type.",
    422: "The body of the request, or the submitted entry, is invalid.",
    429: "Too many requests.",
    503: "Internal error. This does not count as an attempt. Try again later.",
}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {
        "description": description,
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status, description in _PROBLEMS.items()
}
TEXT: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "JSON; or, with `Accept: text/plain`, the text that the command line prints.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
}
NO_CHANGE: dict[int | str, dict[str, Any]] = {304: {"description": "Not modified."}}


def router(tag: str, under: str = "") -> APIRouter:
    """A part of the API."""
    return APIRouter(prefix=PREFIX + under, tags=[tag], responses=_RESPONSES, route_class=_Tagged)


class _Tagged(APIRoute):
    """A route whose answer has an ETag; a client that has it already gets a 304."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def tagged(request: Request) -> Response:
            answer = await handler(request)
            if request.method != "GET" or answer.status_code != 200 or "etag" in answer.headers:
                return answer
            answer = public(request, bytes(answer.body), answer.media_type or _JSON)
            answer.headers.update({"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie"})
            return answer

        return tagged


def wants_text(visit: Visit) -> bool:
    """True if a person will read the answer."""
    return visit.request.headers.get("accept", "").startswith("text/plain")


def entry_now(site: Site, entry: QueuedEntry) -> dict[str, Any]:
    """An entry as its team may see it."""
    view = entry_views.view_of(site, entry)
    count = attempts_with(site.store, site.config, entry)
    return {
        **models.Entry.model_validate(entry).model_dump(),
        **_turn(site, entry, count),
        "sentence": why_for_team(entry, site.store),
        "stages": view.evaluation.stages if view is not None else (),
        "attempts": count.in_phase.most,
    }


def submitted(site: Site, submission: Submission) -> models.Submitted:
    """Return the outcome of a submission."""
    entry = submission.entry
    turn = _turn(site, entry, submission.attempts)
    return models.Submitted(id=entry.id, new=submission.new, team=entry.team, state=entry.state, **turn)


def _turn(site: Site, entry: QueuedEntry, count: Attempts) -> dict[str, Any]:
    position = queue_position(entry, site.store)
    return {"place": position, "phase": count.phase, "attempts_left": count.left, "limits": count.limits}

"""Answers of the API: ETags, the answer to a request that is sent again, and models of several sources."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from fastapi.routing import APIRoute

from evaluate.core.errors import UsageError
from evaluate.serve import entry_views
from evaluate.serve.api import models
from evaluate.serve.authorization import Visit
from evaluate.serve.errors import Refused
from evaluate.serve.pages.rendering import public
from evaluate.serve.site import Site
from evaluate.store.db.rows import QueuedEntry
from evaluate.store.people import idempotency
from evaluate.store.people.idempotency import InProgress
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


async def once(
    visit: Visit, key: str | None, asked: bytes, make: Callable[[], Awaitable[tuple[int, models.Model]]]
) -> Response:
    """The answer to a request, which is worked on once for each Idempotency-Key of a person.

    ``asked``: distinguishes one request from another.
    """
    if (earlier := await run_in_threadpool(_begun, visit, key, asked)) is not None:
        return earlier
    try:
        status, answer = await make()
    except BaseException:
        await asyncio.shield(run_in_threadpool(_forget, visit, key))
        raise
    return await run_in_threadpool(_finished, visit, key, status, answer)


def _begun(visit: Visit, key: str | None, asked: bytes) -> Response | None:
    """The answer that was given; None: the request is worked on now."""
    if key is None:
        return None
    if not key.isprintable() or not 0 < len(key) <= 255:
        raise Refused(400, "Idempotency-Key: expected 1 to 255 printable characters")
    path = visit.request.url.path.encode()
    digest = hashlib.sha256(b"\0".join([visit.request.method.encode(), path, asked])).hexdigest()
    try:
        earlier = idempotency.begin(visit.site.store.database, visit.who.address, key, digest)
    except InProgress as e:
        raise Refused(409, str(e), {"Retry-After": "2"}) from e
    except UsageError as e:
        raise Refused(422, str(e)) from e
    if earlier is None:
        visit.site.answering.add((visit.who.address, key))
        return None
    return Response(earlier[1], earlier[0], media_type=_JSON, headers={"Idempotent-Replayed": "true"})


def _forget(visit: Visit, key: str | None) -> None:
    if key is not None:
        visit.site.answering.discard((visit.who.address, key))
        idempotency.forget(visit.site.store.database, visit.who.address, key)


def _finished(visit: Visit, key: str | None, status: int, answer: models.Model) -> Response:
    body = answer.model_dump_json()
    if key is not None:
        visit.site.answering.discard((visit.who.address, key))
        idempotency.finish(visit.site.store.database, visit.who.address, key, status, body)
    return Response(body, status, media_type=_JSON)


def entry_page(part: entry_views.EntryPage) -> dict[str, Any]:
    """A page of entries; nothing in them is of their exam."""
    return {"items": part.entries, "next": part.after}


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

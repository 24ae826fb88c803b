"""The site as an ASGI application."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import quote

import sqlalchemy as sa
from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from evaluate import __version__
from evaluate.core.errors import EvaluateError
from evaluate.serve import forms, intake, tus, uploads
from evaluate.serve.api import own as api_own
from evaluate.serve.api import public as api_public
from evaluate.serve.api import teams as api_teams
from evaluate.serve.authorization import Person, audience_of, person_of
from evaluate.serve.errors import AT_FAULT, NeedsLogin, Refused, problem, refusal_of
from evaluate.serve.pages import entries, login, organise, public
from evaluate.serve.pages.rendering import error_page
from evaluate.serve.request_limits import Shield
from evaluate.serve.site import Site
from evaluate.store.db.database import passes
from evaluate.store.logs import LOG

ROUTERS = (
    *(module.router for module in (public, login, entries, tus, forms, organise)),
    api_teams.pages,
    *(module.api for module in (api_public, api_own, api_teams)),
)
_SWEEP_SECONDS, _LOOK_SECONDS = 600.0, 5.0
_FOR_PROGRAMS = ("/api/", "/uploads", "/healthz")


def make_app(site: Site) -> FastAPI:
    """The application; it does not start with a handler whose audience is not declared."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(_sweep(site))
        yield
        sweeping.cancel()

    app = FastAPI(
        title=site.config.web.title,
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.site, app.state.routes = site, routes()
    for router in ROUTERS:
        app.include_router(router)
    for route in routes():
        if audience_of(route) is None:
            raise AssertionError(f"{route.path}: its handler declares no audience")
    _answer_errors(app)
    app.add_middleware(Shield, site=site)
    return app


def routes() -> list[APIRoute]:
    """Every route of the site."""
    return [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]


async def _sweep(site: Site) -> None:
    """Look for uploads that wait, and now and then for those that are over."""
    swept = -math.inf
    while True:
        try:
            if time.monotonic() - swept >= _SWEEP_SECONDS:
                await run_in_threadpool(uploads.sweep, site)
                swept = time.monotonic()
            await run_in_threadpool(uploads.give_up_dead, site)
            await run_in_threadpool(intake.take_waiting, site)
        except Exception:
            LOG.exception("uploads that wait cannot be looked for")
        await asyncio.sleep(_LOOK_SECONDS)


def _answer_errors(app: FastAPI) -> None:
    @app.exception_handler(Refused)
    async def refused(request: Request, error: Refused) -> Response:
        return await _answer(request, error)

    @app.exception_handler(EvaluateError)
    async def evaluate_error(request: Request, error: EvaluateError) -> Response:
        person = await run_in_threadpool(_person, request)
        refusal = refusal_of(error, organiser=person is not None and person.organiser)
        if refusal.status >= 500:
            LOG.error("%s %s: %s", request.method, request.url.path, error)
        return await _answer(request, refusal)

    @app.exception_handler(RequestValidationError)
    async def wrong_form(request: Request, error: RequestValidationError) -> Response:
        messages = [f"{'.'.join(map(str, mistake['loc'][1:]))}: {mistake['msg']}" for mistake in error.errors()]
        of_address = {mistake["loc"][0] for mistake in error.errors()} <= {"query", "path"}
        status = 400 if of_address else 422  # 422 may be an entry's fault, a wrong address never is
        return await _answer(request, Refused(status, "; ".join(messages)))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        messages = {404: "page not found", 405: "method not allowed"}
        detail = messages.get(error.status_code, str(error.detail))
        return await _answer(request, Refused(error.status_code, detail, dict(error.headers or {})))

    @app.exception_handler(sa.exc.DataError)
    async def impossible_data(request: Request, error: sa.exc.DataError) -> Response:
        # text and numbers that PostgreSQL cannot have; SQLite takes them
        LOG.warning("%s %s: %s", request.method, request.url.path, error.orig)
        return await _answer(request, Refused(400, "expected text without the character NUL, and smaller numbers"))

    @app.exception_handler(sa.exc.SQLAlchemyError)
    async def database_error(request: Request, error: sa.exc.SQLAlchemyError) -> Response:
        LOG.error("%s %s: %s", request.method, request.url.path, error, exc_info=error)
        if not passes(error):
            return await _answer(request, Refused(500, AT_FAULT))
        again = {"Retry-After": "10"}
        return await _answer(request, Refused(503, "the database does not answer; try again soon", again))

    @app.exception_handler(ClientDisconnect)
    async def gone(_request: Request, _error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # nobody reads it: the client ended its request

    @app.exception_handler(Exception)
    async def anything(request: Request, _error: Exception) -> Response:
        return await _answer(request, Refused(500, AT_FAULT))  # uvicorn logs it


def _person(request: Request) -> Person | None:
    """The person of a request; None if that cannot be found out now."""
    with suppress(Refused, EvaluateError, sa.exc.SQLAlchemyError):
        return person_of(request.app.state.site, request)
    return None


async def _answer(request: Request, error: Refused) -> Response:
    """A refusal as a page, or for programs as problem+json."""
    path = request.url.path
    if path.startswith(_FOR_PROGRAMS) and not (path.startswith("/uploads/") and request.method == "GET"):
        body = problem(error.status, error.detail, error.refusals)
        headers = {"Content-Type": "application/problem+json", **error.headers}
        return JSONResponse(body, error.status, headers=headers)
    if isinstance(error, NeedsLogin) and request.method == "GET":
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/login?next={quote(path + query)}", 303)
    person = await run_in_threadpool(_person, request)
    answer = error_page(request.app.state.site, request, person, error.status, error.detail)
    answer.headers.update(error.headers)
    return answer

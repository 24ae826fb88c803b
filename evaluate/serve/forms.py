"""Entering without script: a plain form with a file, or with a git address."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from starlette.datastructures import UploadFile

from evaluate.serve import uploads
from evaluate.serve.authorization import User
from evaluate.serve.errors import Refused
from evaluate.serve.intake import settled
from evaluate.serve.pages.rendering import go, page
from evaluate.store.people.site_settings import TextKind, has_accepted, running, text_of
from evaluate.store.repositories import public_key
from evaluate.store.submission import attempts_in

_PIECE_BYTES = 1 << 20
_PATIENCE_SECONDS = 20.0
"""Seconds after which a browser is shown that the upload waits."""
router = APIRouter(include_in_schema=False)


@router.get("/challenges/{challenge}/enter")
def enter_page(visit: User, challenge: str) -> Response:
    """The forms by which an entry comes in."""
    listing = visit.site.challenge(challenge)
    counts = (
        attempts_in(visit.site.store, listing.store_name, visit.site.config, visit.who.teams) if visit.who.teams else []
    )
    accepted = has_accepted(visit.site.store.settings, listing.slug, visit.who.address)
    rules = "" if accepted else text_of(visit.site.store.settings, TextKind.RULES, listing.slug)
    with visit.site.store.engine.connect() as connection:
        late = running(connection, listing.slug, listing.terms.phases, visit.who.teams, time.time())
    takes = not listing.terms.phases or listing.terms.phase(time.time()) is not None or bool(late)
    accounts, keys = visit.site.config.repositories, list[tuple[str, str]]()
    if any(account.ssh_host_key for account in accounts.values()):
        keys = [(team, public_key(visit.site.store.database, visit.site.shared, team)) for team in visit.who.teams]
    return page(visit, "enter.html", listing=listing, counts=counts, rules=rules, takes=takes, late=late, keys=keys)


@router.post("/challenges/{challenge}/git")
async def by_address(
    visit: User, challenge: str, address: Annotated[str, Form()], team: Annotated[str, Form()] = ""
) -> Response:
    """Enter a git repository by its address."""
    begun = await run_in_threadpool(
        uploads.create_address, visit.site, visit.who, slug=challenge, team=team, address=address
    )
    upload = await settled(visit.site, begun, _PATIENCE_SECONDS)
    return go(f"/entries/{upload.entry}" if upload.entry else f"/uploads/{upload.id}")


@router.post("/challenges/{challenge}/upload")
async def by_form(visit: User, challenge: str) -> Response:
    """Upload by a plain form, without script; the body is bounded by `request_limits.MOST_FORM_BYTES`."""
    site = visit.site
    async with visit.request.form(max_files=1) as form:
        file, team = form.get("file"), str(form.get("team", ""))
        if not isinstance(file, UploadFile):
            raise Refused(400, "expected a file in the form, found none")
        create = partial(uploads.create, slug=challenge, team=team, name=file.filename or "", size=file.size or 0)
        begun = await run_in_threadpool(create, site, visit.who)
        brought = await uploads.bring(site, begun, _pieces(file))
    return go(f"/uploads/{(await settled(site, brought, _PATIENCE_SECONDS)).id}")


async def _pieces(file: UploadFile) -> AsyncIterator[bytes]:
    while piece := await file.read(_PIECE_BYTES):
        yield piece

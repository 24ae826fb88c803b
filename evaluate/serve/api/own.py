"""For people who are logged in: their account, tokens, entries and uploads."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from evaluate.report.json import refusal_json, to_json
from evaluate.report.text import to_text
from evaluate.serve import auth, entry_views, uploads
from evaluate.serve.api import models
from evaluate.serve.api.responses import (
    NO_CHANGE,
    TEXT,
    entry_now,
    router,
    submitted,
    wants_text,
)
from evaluate.serve.authorization import Team, User
from evaluate.serve.entry_views import Before
from evaluate.serve.errors import Refused
from evaluate.serve.intake import delay_of, settled, submission_of
from evaluate.serve.receipts import newest_proof
from evaluate.store.people import logins
from evaluate.store.people.teams import find_team
from evaluate.store.people.uploads import Upload as UploadRow

api = router("own")
_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_BINARY = {"requestBody": {"required": True, "content": _BYTES}}


@api.get("/me", response_model=models.Me)
def me(visit: User) -> Any:
    """The logged-in user, with teams and scopes."""
    person = visit.who
    joined = [find_team(visit.site.store.database, name) for name in person.teams]
    scopes = person.token.scopes if person.token is not None else None
    teams = [team for team in joined if team is not None]
    return {"address": person.address, "rank": person.rank, "teams": teams, "scopes": scopes}


@api.get("/me/tokens", response_model=models.Items[models.Token])
def tokens(visit: User) -> Any:
    """List your tokens, without their secrets."""
    return {"items": logins.tokens_of(visit.site.store.database, visit.who.address)}


@api.post("/me/tokens", response_model=models.MadeToken, status_code=201)
def make_token(visit: User, asked: models.NewToken) -> models.MadeToken:
    """Create a token; needs a browser session, since tokens cannot create tokens."""
    token, secret = auth.make_token(visit.site, visit.who, asked.name, asked.scopes, asked.days)
    return models.MadeToken(**models.Token.model_validate(token).model_dump(), secret=secret)


@api.delete("/me/tokens/{token}", status_code=204)
def remove_token(visit: User, token: str) -> None:
    """Remove a token."""
    auth.remove_token(visit.site, visit.who, token)


@api.get("/entries", response_model=models.Page[models.Entry])
def entries(
    visit: User,
    before: Before = None,
    limit: Annotated[int, Query(ge=1, le=100)] = entry_views.PER_PAGE,
    challenge: Annotated[str, Query(max_length=150)] = "",
) -> Any:
    """List the entries of your teams, newest first."""
    return entry_views.entries_of(visit.site, visit.who.teams, challenge=challenge, before=before, most=limit)


@api.post("/entries", response_model=models.Submitted, status_code=201)
async def submit(visit: User, asked: models.Submit) -> models.Submitted:
    """Submit a git repository by its address."""

    def begin() -> UploadRow:
        return uploads.create_address(
            visit.site, visit.who, slug=asked.challenge, team=asked.team, address=asked.address
        )

    return await run_in_threadpool(_submitted, visit, await settled(visit.site, await run_in_threadpool(begin)))


def _submitted(visit: User, upload: UploadRow) -> models.Submitted:
    return submitted(visit.site, submission_of(visit.site, upload))


@api.post(
    "/challenges/{challenge}/entries",
    response_model=models.Submitted,
    status_code=201,
    openapi_extra=_BINARY,
    responses={411: {"description": "The body has no Content-Length."}, 507: {"description": "The disk is full."}},
)
async def submit_file(
    visit: User,
    challenge: str,
    filename: Annotated[str, Query(max_length=255)] = "upload",
    team: Annotated[str, Query(max_length=100)] = "",
) -> models.Submitted:
    """Submit an archive as the body of the request; for large files use tus (`/uploads`), which resumes.

    The same archive of a team is the same entry, so that a request may be sent again.
    """
    site, request = visit.site, visit.request
    if not (length := int(request.headers.get("content-length", "0"))):
        raise Refused(411, "expected a Content-Length")

    def begin() -> UploadRow:
        # it may be the last attempt, sent again: what it is, is known when it is here
        return uploads.create(site, visit.who, slug=challenge, team=team, name=filename, size=length, judged_later=True)

    brought = await uploads.bring(site, await run_in_threadpool(begin), request.stream())
    return await run_in_threadpool(_submitted, visit, await settled(site, brought))


@api.get("/uploads/{upload}", response_model=models.Upload)
def upload(
    visit: Team, upload: Annotated[str, Path(description="The last path segment of the tus `Location`.")]
) -> Any:
    """Progress of an upload by tus, and its outcome."""
    row = visit.upload
    names = ("id", "challenge", "team", "name", "bytes", "entry", "error", "created", "arrived")
    fields = {name: getattr(row, name) for name in names}
    fields |= {"received": uploads.received(visit.site, row), "delayed": delay_of(row)}
    return fields | {"refusals": [refusal_json(refusal) for refusal in row.to_change]}


@api.get("/entries/{entry}", response_model=models.EntryNow, responses=NO_CHANGE)
def entry(visit: Team, entry: str) -> Any:
    """The state of an entry, its next step, and the outcomes of its stages."""
    return entry_now(visit.site, visit.entry)


@api.get("/entries/{entry}/report", responses=TEXT)
def report(visit: Team, entry: str) -> Response:
    """The report, the same as `evaluate report --json` prints."""
    view = entry_views.report_of(visit)
    return PlainTextResponse(to_text(view)) if wants_text(visit) else JSONResponse(to_json(view))


@api.get("/entries/{entry}/receipt")
def receipt(visit: Team, entry: str) -> Response:
    """The signed receipt: one DSSE envelope."""
    return Response(entry_views.receipt_file(visit).read_bytes(), media_type="application/json")


@api.get("/entries/{entry}/receipt/proof", responses=TEXT)
def proof(visit: Team, entry: str) -> Response:
    """The proof that the receipt is in the log: ``receipt.json.tlog-proof``."""
    return PlainTextResponse(newest_proof(visit.site, entry_views.receipt_file(visit)))

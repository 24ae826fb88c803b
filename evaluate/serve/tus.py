"""Uploads by tus 1.0 (creation, termination, expiration), which are resumable, and the page of an upload."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Depends, Header
from fastapi.responses import Response

from evaluate.serve import uploads
from evaluate.serve.authorization import Anyone, Team, User
from evaluate.serve.errors import Refused
from evaluate.serve.intake import begin_intake, taken
from evaluate.serve.pages.rendering import go, page

VERSION = "1.0.0"
router = APIRouter(include_in_schema=False)


def _metadata(text: str) -> dict[str, str]:
    """Upload-Metadata of tus: keys with values in base64."""
    values = {}
    for pair in text.split(","):
        key, _, value = pair.strip().partition(" ")
        try:
            values[key] = base64.b64decode(value, validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError) as e:
            raise Refused(400, f"Upload-Metadata: expected base64-encoded UTF-8 for {key[:40]!r}") from e
    return values


def _check_version(tus_resumable: Annotated[str, Header()] = "") -> None:
    if tus_resumable != VERSION:
        raise Refused(412, f"expected Tus-Resumable: {VERSION}, found {tus_resumable[:20]!r}", {"Tus-Version": VERSION})


_Version = Annotated[None, Depends(_check_version)]


def _tus(status: int, **headers: str) -> Response:
    names = {key.replace("_", "-"): value for key, value in headers.items()}
    return Response(status_code=status, headers={"Tus-Resumable": VERSION, "Cache-Control": "no-store", **names})


@router.options("/uploads")
def abilities(visit: Anyone) -> Response:
    """Abilities of this server by tus."""
    most = max((listing.challenge.archive.bytes for listing in visit.site.challenges()), default=0)
    return _tus(204, Tus_Version=VERSION, Tus_Extension="creation,termination,expiration", Tus_Max_Size=str(most))


@router.post("/uploads")
def begin(
    visit: User,
    _version: _Version,
    upload_length: Annotated[str, Header()] = "",
    upload_metadata: Annotated[str, Header()] = "",
) -> Response:
    """Begin an upload; metadata: challenge, filename, team if the person is in several, and perhaps its sha256."""
    if not upload_length.isascii() or not upload_length.isdigit() or len(upload_length) > 15:
        raise Refused(400, "expected a number of bytes as Upload-Length")
    values = _metadata(upload_metadata) if upload_metadata else {}
    begun = uploads.create(
        visit.site,
        visit.who,
        slug=values.get("challenge", ""),
        team=values.get("team", ""),
        name=values.get("filename", "upload"),
        size=int(upload_length),
        sha256=values.get("sha256", ""),
    )
    return _tus(201, Location=f"/uploads/{begun.id}")


@router.head("/uploads/{upload}")
def where(visit: Team, _version: _Version, upload: str) -> Response:
    """Progress of an upload."""
    at = uploads.received(visit.site, visit.upload)
    return _tus(200, Upload_Offset=str(at), Upload_Length=str(visit.upload.bytes))


@router.patch("/uploads/{upload}")
async def go_on(
    visit: Team,
    _version: _Version,
    upload: str,
    tasks: BackgroundTasks,
    upload_offset: Annotated[str, Header()] = "",
) -> Response:
    """Bring more of an upload; the last part lets it into the queue."""
    row, request = visit.upload, visit.request
    if request.headers.get("content-type") != "application/offset+octet-stream":
        raise Refused(415, "expected Content-Type: application/offset+octet-stream")
    if not upload_offset.isascii() or not upload_offset.isdigit() or len(upload_offset) > 15:
        raise Refused(400, "expected a number of bytes as Upload-Offset")
    offset = int(upload_offset)
    if int(request.headers.get("content-length", "0")) > row.bytes - offset:
        raise Refused(413, f"expected {row.bytes:,} bytes in all, found more")
    row = await uploads.append(visit.site, row.id, offset, request.stream())
    answer = _tus(204, Upload_Offset=str(row.received))
    if row.complete:
        tasks.add_task(taken, visit.site, row)
        answer.background = tasks
    return answer


@router.delete("/uploads/{upload}")
def end(visit: Team, _version: _Version, upload: str) -> Response:
    """Remove an upload."""
    uploads.remove(visit.site, visit.upload.id)
    return _tus(204)


@router.get("/uploads/{upload}")
def upload_page(visit: Team, upload: str) -> Response:
    """Show the fate of an upload: how much has arrived, that it is being checked, why it was refused, or the entry."""
    row = visit.upload
    if row.entry:
        return go(f"/entries/{row.entry}")
    if row.complete and not row.ended and not row.fault:
        begin_intake(visit.site, row)  # if the process that had begun was killed
    return page(visit, "upload.html", upload=row, at=uploads.received(visit.site, row))


@router.post("/uploads/{upload}/remove")
def remove_upload(visit: Team, upload: str) -> Response:
    """Remove an upload, by a form."""
    uploads.remove(visit.site, visit.upload.id)
    return go("/entries", "removed")

"""Entering without script: a plain form with a file, which goes straight to its place, or with a git address."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from evaluate.serve import uploads
from evaluate.serve.authorization import User
from evaluate.serve.errors import Refused
from evaluate.serve.intake import settled
from evaluate.serve.pages.rendering import go, page
from evaluate.store.people.site_settings import TextKind, has_accepted, running, text_of
from evaluate.store.repositories import public_key
from evaluate.store.submission import attempts_in

_FORM_BYTES = 64 << 10
"""Bytes of a plain form beside the file."""
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
async def by_form(visit: User, challenge: str, team: str = "") -> Response:
    """Upload by a plain form, without script: the file goes straight to its place."""
    request, site = visit.request, visit.site
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    length = int(request.headers.get("content-length", "0"))
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise Refused(415, "expected Content-Type: multipart/form-data")
    if not length:
        raise Refused(411, "expected a Content-Length")
    listing = await run_in_threadpool(site.challenge, challenge)
    most = listing.challenge.archive.bytes
    if length > most + _FORM_BYTES:
        raise Refused(413, f"{challenge}: expected a file of at most {most:,} bytes, found {length:,} in the form")
    form = _Form(options[b"boundary"])
    pieces = form.pieces(request.stream())
    if (first := await anext(pieces, None)) is None:
        raise Refused(400, "expected a file in the form, found none")

    async def file() -> AsyncIterator[bytes]:
        yield first
        async for piece in pieces:
            yield piece

    size = min(length, most)  # a form does not say how long its file is: at most as long as itself
    create = partial(uploads.create, slug=challenge, team=form.team or team, name=form.name, size=size)
    begun = await run_in_threadpool(create, site, visit.who)
    brought = await uploads.bring(site, begun, file(), ends=True)
    return go(f"/uploads/{(await settled(site, brought, _PATIENCE_SECONDS)).id}")


class _Form:
    """A form as it arrives: the content of its one file, in pieces; its field ``team`` must come first."""

    def __init__(self, boundary: bytes) -> None:
        self.name = self.team = ""
        self._whole = False
        self._pieces: list[bytes] = []
        self._field, self._key, self._value = "", b"", b""
        self._other = 0
        callbacks: dict[str, Callable[..., None]] = {
            "on_part_begin": self._part_begin,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_part_data": self._part_data,
            "on_end": self._end,
        }
        try:
            self._parser = MultipartParser(boundary, callbacks)  # type: ignore[arg-type]
        except FormParserError as e:
            raise Refused(400, f"expected a shorter boundary between parts of the form: {e}") from e

    async def pieces(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The pieces of the file in the chunks of the form. Raises Refused if the form is damaged, or cut off."""
        async for chunk in chunks:
            try:
                self._parser.write(chunk)
            except FormParserError as e:
                raise Refused(400, "the form is damaged") from e
            pieces, self._pieces = self._pieces, []
            for piece in pieces:
                yield piece
        if not self._whole:
            raise Refused(400, "expected a whole form, found one that is cut off")

    def _part_begin(self) -> None:
        self._field = ""

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._key += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        if self._key.lower() == b"content-disposition":
            _kind, options = parse_options_header(self._value)
            self._field = options.get(b"name", b"").decode("utf-8", "replace")
            if self._field == "file":
                if self.name:
                    raise Refused(400, "expected one file in the form, found several; put them into one archive")
                self.name = options.get(b"filename", b"").decode("utf-8", "replace") or "upload"
        self._count(len(self._key) + len(self._value))
        self._key, self._value = b"", b""

    def _part_data(self, data: bytes, start: int, end: int) -> None:
        if self._field == "file":
            self._pieces.append(data[start:end])
            return
        self._count(end - start)
        if self._field == "team":
            self.team += data[start:end].decode("utf-8", "replace")

    def _end(self) -> None:
        self._whole = True

    def _count(self, length: int) -> None:
        self._other += length
        if self._other > _FORM_BYTES:
            raise Refused(413, f"expected at most {_FORM_BYTES} bytes beside the file in the form")

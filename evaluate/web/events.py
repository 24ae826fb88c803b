"""Live pages: server-sent events, fanned out from one poll of the journal in each process.

An event says that something has changed, and nothing else: the page then asks for its part again, as its own user.  So
no event can tell more than pages do.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

import sqlalchemy as sa
from fastapi import APIRouter
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response, StreamingResponse

from evaluate.queue.db.tables import ENTRIES, JOURNAL
from evaluate.web.authorization import Anyone, Organiser, Team, client_of
from evaluate.web.errors import Refused
from evaluate.web.site import Entered, Site

LOG = logging.getLogger("evaluate.web")
_POLL_SECONDS = 1.0
_ALIVE_SECONDS = 15.0
"""Between two comments that keep proxies from closing a stream."""
_MOST_SECONDS = 1800.0
"""A stream ends after this; the browser comes back, and is asked again who it is."""
_AT_ONCE = 2000
QUEUE = "queue"
_BOARD = "board:"
_OF_BOARD = ("moved", "adopted", "renamed", "score")


class Hub:
    """Wakes the streams that wait for something.

    ``prepare``: makes what all readers of a board will ask for.
    """

    def __init__(self, site: Site, prepare: Callable[[Site, Entered], None] = lambda _site, _one: None) -> None:
        self._site, self._prepare = site, prepare
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._clients: dict[str, int] = {}
        self._last = 0
        self._closed = False
        self._late: set[str] = set()
        """Boards that have changed and are not made yet."""

    @asynccontextmanager
    async def polling(self) -> AsyncIterator[None]:
        """Poll meanwhile."""
        self._last = await run_in_threadpool(self._site.line)
        tasks = [asyncio.create_task(self._poll()), asyncio.create_task(self._renew())]
        try:
            yield
        finally:
            self._closed = True
            self.wake([*self._waiting])
            for task in tasks:
                task.cancel()

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(_POLL_SECONDS)
            if self._waiting:
                try:
                    found = await run_in_threadpool(self.news, [*self._waiting])
                except Exception:
                    LOG.exception("live pages: the journal cannot be read")
                    continue
                boards = {key for key in found if key.startswith(_BOARD)}
                self._late |= boards
                self.wake(found - boards)

    async def _renew(self) -> None:
        """Make boards before those who look at them ask for them: nobody waits, and nobody gets the one before."""
        while True:
            await asyncio.sleep(_POLL_SECONDS / 4)
            for key in tuple(self._late):
                if await run_in_threadpool(self.renewed, key):
                    self._late.discard(key)
                    self.wake([key])

    def renewed(self, key: str) -> bool:
        """Make a board; False: it is too early, after a board that took long to make."""
        slug = self._site.slug_of(key.removeprefix(_BOARD))
        try:
            if not slug or key not in self._waiting:
                return True
            one = self._site.challenge(slug)
            if not self._site.renew(one):
                return False
            self._prepare(self._site, one)
            return True
        except Exception:
            LOG.exception("live pages: the board of %s cannot be made", slug)
            return True

    def news(self, waiting: Iterable[str] = ()) -> set[str]:
        """What has changed since this was asked before; ``waiting``: for what streams wait."""
        query = (
            sa.select(JOURNAL.c.number, JOURNAL.c.entry, JOURNAL.c.event, ENTRIES.c.challenge)
            .outerjoin(ENTRIES, ENTRIES.c.id == JOURNAL.c.entry)
            .where(JOURNAL.c.number > self._last)
            .order_by(JOURNAL.c.number)
            .limit(_AT_ONCE)
        )
        with self._site.store.engine.connect() as connection:
            lines = connection.execute(query).all()
        found: set[str] = set()
        for line in lines:
            self._last = line.number
            found |= {QUEUE, line.entry} - {""}
            if line.event in _OF_BOARD:
                found.add(board_key(line.challenge))
            if line.event in ("set", "team"):
                found |= {key for key in waiting if key.startswith(_BOARD)}
        return found

    def wake(self, keys: Iterable[str]) -> None:
        """Let those who wait for these know."""
        for key in keys:
            for event in self._waiting.get(key, ()):
                event.set()

    async def stream(self, key: str, client: str) -> AsyncIterator[bytes]:
        """The events about something, as they are sent."""
        event = asyncio.Event()
        self._waiting.setdefault(key, set()).add(event)
        self._clients[client] = self._clients.get(client, 0) + 1
        until = asyncio.get_running_loop().time() + _MOST_SECONDS
        try:
            yield b"retry: 5000\n\n"
            while not self._closed and asyncio.get_running_loop().time() < until:
                try:
                    await asyncio.wait_for(event.wait(), _ALIVE_SECONDS)
                except TimeoutError:
                    yield b": alive\n\n"
                    continue
                event.clear()
                yield b"event: changed\ndata:\n\n"
        finally:
            self._waiting[key].discard(event)
            if not self._waiting[key]:
                del self._waiting[key]
            self._clients[client] -= 1
            if not self._clients[client]:
                del self._clients[client]

    def answer(self, key: str, client: str) -> Response:
        """A stream as an answer. Raises Refused if the client has too many."""
        if self._clients.get(client, 0) >= self._site.rates.streams:
            raise Refused(429, f"at most {self._site.rates.streams} live pages at once", {"Retry-After": "30"})
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(self.stream(key, client), media_type="text/event-stream", headers=headers)


def board_key(challenge: str | None) -> str:
    """What those wait for who look at a board."""
    return f"{_BOARD}{challenge or ''}"


router = APIRouter(include_in_schema=False)


@router.get("/events/entries/{entry}")
async def of_entry(visit: Team, entry: str) -> Response:
    """That an entry has changed."""
    hub: Hub = visit.request.app.state.hub
    return hub.answer(entry, client_of(visit.request))


@router.get("/events/boards/{challenge}")
async def of_board(visit: Anyone, challenge: str) -> Response:
    """That a board may have changed; nothing while it is withheld."""
    hub: Hub = visit.request.app.state.hub
    one = await run_in_threadpool(visit.site.challenge, challenge)
    released = await run_in_threadpool(visit.site.released, one)
    # of a board that is withheld not even the times of results may be seen, but its release is
    key = board_key(one.known) if released or visit.organiser else board_key("\0withheld")
    return hub.answer(key, client_of(visit.request))


@router.get("/events/queue")
async def of_queue(visit: Organiser) -> Response:
    """That anything has changed."""
    hub: Hub = visit.request.app.state.hub
    return hub.answer(QUEUE, client_of(visit.request))

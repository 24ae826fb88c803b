"""Intake of arrived uploads, which become entries: in turns, and again after an error of the infrastructure.

An upload is judged by the time at which all of it had arrived.  Its bytes are kept until it is an entry, in the same
transaction in which the entry gets into the queue, or until its team can read why it is none.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import sqlalchemy as sa
from fastapi.concurrency import run_in_threadpool

from evaluate.core.errors import EntryError, EvaluateError, Fault, UsageError
from evaluate.operate.notify import tell_organiser
from evaluate.serve.errors import Refused
from evaluate.serve.site import Site
from evaluate.serve.uploads import held, is_here, named, remove_bytes, upload_now
from evaluate.store.logs import LOG
from evaluate.store.people import uploads as rows
from evaluate.store.people.uploads import Upload
from evaluate.store.submission import Submission, attempts_with, submit
from evaluate.untrusted.repository import AddressError, Unreachable


class Turns:
    """Work for teams in threads: a queue in which every team stands once, for any amount of work."""

    def __init__(self, threads: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, name)
        self._lock = threading.Lock()
        self._wanted: dict[str, deque[tuple[str, Callable[[], None]]]] = {}
        """Work of each team in the queue, or whose turn it is."""
        self._futures: dict[str, Future[None]] = {}

    def add(self, team: str, key: str, work: Callable[[], None]) -> Future[None]:
        """Do some work when its turn has come; a key that waits already is ignored."""
        with self._lock:
            if (future := self._futures.get(key)) is not None:
                return future
            future = self._futures[key] = Future()
            future.set_running_or_notify_cancel()  # a waiter that goes away does not end it
            if team in self._wanted:
                self._wanted[team].append((key, work))
            else:
                self._wanted[team] = deque([(key, work)])
                self._pool.submit(self._turn, team)
        return future

    def _turn(self, team: str) -> None:
        with self._lock:
            key, work = self._wanted[team].popleft()
        error: BaseException | None = None
        try:
            work()
        except BaseException as e:  # it is the future's
            error = e
        with self._lock:
            future = self._futures.pop(key)
            if self._wanted[team]:
                with suppress(RuntimeError):  # the process ends
                    self._pool.submit(self._turn, team)
            else:
                del self._wanted[team]
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


_FILES, _ADDRESSES = Turns(2, "intake"), Turns(8, "fetch")
"""Files are read here, each a whole archive; servers of repositories are waited for."""
_MOST_FETCHES = 12
"""Number of times that a repository is fetched, within about an hour."""
_TOLD_AT = 3
"""The organiser gets a mail about an upload after so many errors."""
_MISSED_SECONDS, _LOST_SECONDS = 600.0, 86400.0
"""An upload that nobody takes in, and whose bytes are not here, is a fault, and then lost: another process of the site
may have them, or a folder may not be mounted for a while."""
_LOST = "the server has lost this upload, which is no fault of yours; submit it again, or write to the organiser"
DELAYED = (
    "upload complete, and it counts as submitted now; it cannot be checked yet because of an internal error, and the "
    "check is retried automatically"
)
UNANSWERED = (
    "the repository's server does not answer; it is asked again automatically, and the entry counts as submitted when "
    "it has named its newest commit"
)


def begin_intake(site: Site, upload: Upload) -> Future[None]:
    """Take an upload that has arrived into the queue when its team's turn has come; said again, it does nothing."""
    turns = _ADDRESSES if upload.source else _FILES
    return turns.add(upload.team, upload.id, partial(intake, site, upload.id))


async def taken(site: Site, upload: Upload, seconds: float | None = None) -> None:
    """Wait for the intake of an upload; one that takes more than some seconds continues in the background."""
    await asyncio.wait([asyncio.wrap_future(begin_intake(site, upload))], timeout=seconds)


async def settled(site: Site, upload: Upload, seconds: float | None = None) -> Upload:
    """Wait as `taken`, and return the upload as it is then. Raises Refused if it was removed meanwhile."""
    await taken(site, upload, seconds)
    return await run_in_threadpool(upload_now, site, upload.id)


def submission_of(site: Site, upload: Upload) -> Submission:
    """Return the outcome of an upload.

    Raises EntryError if it was refused. Raises Refused if it waits for an error on the server to pass.
    """
    if upload.error:
        raise EntryError(upload.error, upload.to_change)
    if not upload.entry:
        where = {"Retry-After": "10", "Location": f"/uploads/{upload.id}"}
        raise Refused(503, f"{delay_of(upload) or DELAYED}; see /uploads/{upload.id} for the result", where)
    entry = site.store.entry(upload.entry)
    count = attempts_with(site.store, site.config, entry)
    return Submission(entry=entry, new=upload.arrived == entry.arrived, attempts=count)


def delay_of(upload: Upload) -> str:
    """Reason of an upload's delay, for its team; empty: no delay."""
    return (UNANSWERED if upload.unanswered else DELAYED) if upload.fault else ""


def intake(site: Site, identity: str) -> None:
    """Put an upload that has arrived into the queue, or note why not; said again, it does nothing."""
    try:
        arrived = rows.find_upload(site.store.database, identity)
        if arrived is not None and arrived.arrived is not None and not arrived.ended and not is_here(site, arrived):
            _miss(site, arrived, time.time() - arrived.arrived)
            return
        with suppress(Refused), held(site, identity) as upload:
            if upload.complete and not upload.ended:
                _take(site, upload)
    except Exception:
        LOG.exception("upload %s is kept and tried again", identity)


def _miss(site: Site, upload: Upload, seconds: float) -> None:
    """Report after a while that an upload that has arrived is gone: it cannot wait for ever."""
    if seconds >= _LOST_SECONDS:
        LOG.error("upload %s of team %s is lost", upload.id, upload.team)
        rows.refuse(site.store.database, upload.id, _LOST)
    elif seconds >= _MISSED_SECONDS:
        _put_off(site, upload, Fault(f"no process of the site has it; this one looked in {site.shared}"))


def _take(site: Site, upload: Upload) -> None:
    database = site.store.database
    try:
        submit(
            upload.source or named(site, upload),
            upload.challenge,
            upload.team,
            site.state,
            site.store,
            site.config,
            arrived=upload.arrived,
            commit=upload.commit,
            fetched=lambda commit: rows.keep_commit(database, upload.id, commit),
            within=lambda connection, entry: rows.become(connection, upload.id, entry),
        )
    except EntryError as e:
        rows.refuse(database, upload.id, str(e), e.refusals)
    except AddressError as e:
        rows.refuse(database, upload.id, str(e))
    except Exception as e:
        if isinstance(e, Unreachable) and upload.tries + 1 >= _MOST_FETCHES:
            LOG.error("upload %s: %s", upload.id, e)
            message = f"the repository could not be fetched in {_MOST_FETCHES} tries; is its server up? Submit it again"
            rows.refuse(database, upload.id, message)
        else:
            _put_off(site, upload, e)
            return
    remove_bytes(site, upload.id)


def _put_off(site: Site, upload: Upload, error: Exception) -> None:
    kind = "" if isinstance(error, UsageError) else f"{type(error).__name__}: "
    unexpected = None if isinstance(error, EvaluateError) else error
    LOG.error("upload %s is kept and tried again: %s%s", upload.id, kind, error, exc_info=unexpected)
    with suppress(sa.exc.SQLAlchemyError):  # then it is tried again without a note
        rows.put_off(site.store.database, upload, f"{kind}{error}", unanswered=isinstance(error, Unreachable))
    if upload.tries + 1 == _TOLD_AT:
        try:
            subject = f"an upload of team {upload.team} cannot be processed"
            tell_organiser(site.config.notify, subject, f"{upload.name}, to {upload.challenge}: {kind}{error}")
        except OSError as e:
            LOG.warning("mail: %s", e)


def take_waiting(site: Site) -> Mapping[str, Future[None]]:
    """Take in the uploads that wait after an error, or since their process was killed."""
    return {upload.id: begin_intake(site, upload) for upload in rows.waiting(site.store.database)}

"""Objects that every handler works on: the queue, its configuration, the challenges, the boards."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from evaluate.config.challenge.load import list_challenges
from evaluate.config.load import NamedChallenge, challenge_key, config_path, load_config, named_challenge
from evaluate.config.types import Config
from evaluate.core.errors import EvaluateError
from evaluate.receipts.issue import Registry
from evaluate.serve.errors import Refused
from evaluate.store.db.database import POOL
from evaluate.store.db.tables import JOURNAL
from evaluate.store.entries.store import Store, open_store
from evaluate.store.files.depot import Depot, open_depot
from evaluate.store.logs import LOG
from evaluate.store.people.site_settings import Announcement, announcements, scores_released
from evaluate.views.board import BoardRow
from evaluate.views.feedback import places_of

_BOARD_SECONDS = 1.0
"""Seconds between two looks, at least, whether a board has changed, and between making it again while things happen."""
_MOST_SHARE = 0.2
"""Share of a processor that making a value again may take, at most."""
_SEAL_SECONDS = 60.0
"""A seal is compared with the challenge's files no more often."""
_MOST_NAME = 150


class CachedValue:
    """A value that is made again when its sources have changed; of many threads that want it, one makes it.

    The others get the earlier value meanwhile.  A value that takes long is made so rarely that it takes a small part
    (`_MOST_SHARE`) of a processor at most.
    """

    def __init__(self, at_most_every: float = 0.0) -> None:
        self._at_most_every, self._lock = at_most_every, threading.Lock()
        self._now: tuple[Any, object] | None = None
        """The value, and the stamp of its sources."""
        self._until = 0.0
        """End of the time in which it is not made again, by the monotonic clock."""

    def get(self, stamp: Callable[[], object], make: Callable[[], Any]) -> Any:
        """A recent value, or the one for sources with the stamp that they have now; made if there is none."""
        if self._now is not None and (time.monotonic() < self._until or self._lock.locked()):
            return self._now[0]
        newest = stamp()
        if self._now is None or self._now[1] != newest:
            with self._lock:
                # another thread has perhaps just made it
                if self._now is None or (self._now[1] != newest and time.monotonic() >= self._until):
                    began = time.thread_time()
                    value = make()
                    if self._now is not None and self._now[0] == value:
                        value = self._now[0]  # so that values made of it stay the same
                    self._now = value, newest
                    if self._at_most_every:
                        self._until = time.monotonic() + (time.thread_time() - began) / _MOST_SHARE
        self._until = max(self._until, time.monotonic() + self._at_most_every)
        return self._now[0]


@dataclass(kw_only=True)
class Rates:
    """Limits to the rate of costly requests, in the words of the package `limits`.

    Each process counts for itself; a proxy may limit more.
    """

    changes: str = "120/minute"
    """Requests that change something, of one person, or of one anonymous network address."""
    letters: str = "5/15minutes"
    """Login mails to one address."""
    strangers: str = "30/hour"
    """Login mails that one network address asks for."""
    guesses: str = "60/minute"
    """Wrong tokens and links from one network address."""
    teams: str = "5/day"
    """Teams that one person makes."""
    _limiter: MovingWindowRateLimiter = field(default_factory=lambda: MovingWindowRateLimiter(MemoryStorage()))
    _parsed: dict[str, RateLimitItem] = field(default_factory=dict)

    def take(self, limit: str, *who: str) -> None:
        """Count one. Raises Refused if there were too many."""
        item = self._parsed.setdefault(limit, parse(limit))
        if not self._limiter.hit(item, *who):
            wait = max(1, item.get_expiry())
            raise Refused(429, f"too many requests: at most {item}; try again later", {"Retry-After": str(wait)})


@dataclass(kw_only=True)
class Site:
    """The open queue, with configuration, challenges and cached values.

    ``address``: public address of the site, where the configuration has none.
    """

    state: Path
    store: Store
    address: str = "http://localhost"
    rates: Rates = field(default_factory=Rates)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _config: tuple[object, Config] | None = None
    _kept: dict[object, CachedValue] = field(default_factory=dict)

    @property
    def config(self) -> Config:
        """Configuration in ``evaluate.yaml``, read again when it has changed; the last good one while it is wrong."""
        path = config_path(self.state)
        stamp = _stamp(path) if path is not None else None
        with self._lock:
            if self._config is None or self._config[0] != stamp:
                try:
                    self._config = (stamp, load_config(self.state))
                except EvaluateError as e:
                    if self._config is None:
                        raise
                    LOG.error("the configuration was not reloaded: %s", e)
                    self._config = (stamp, self._config[1])
            return self._config[1]

    @property
    def origin(self) -> str:
        """The address of the site: scheme, name, perhaps port."""
        return self.config.web.address or self.address

    @property
    def secure(self) -> bool:
        """True if people reach it by TLS."""
        return self.origin.startswith("https://")

    @property
    def shared(self) -> Path:
        """The folder of files that all hosts share."""
        return self._depot[0]

    @property
    def depot(self) -> Depot:
        """Depot where hosts exchange files."""
        return self._depot[1]

    @property
    def _depot(self) -> tuple[Path, Depot]:
        return open_depot(self.state, self.config.shared)

    def challenges(self) -> list[NamedChallenge]:
        """Return the challenges that the configuration names, or without one the program's.  Leave wrong ones out."""
        listings = []
        for name in self.config.challenges or list_challenges():
            try:
                listings.append(self.challenge(name))
            except EvaluateError as e:
                LOG.error("challenge %s is not shown: %s", name, e)
        return listings

    def challenge(self, slug: str) -> NamedChallenge:
        """A challenge by its name in addresses. Raises Refused if the site has none of this name."""
        config = self.config
        if slug not in (config.challenges or list_challenges()):
            raise Refused(404, f"no challenge {slug[:_MOST_NAME]!r}; the front page shows all")
        return named_challenge(slug, config)

    def slug_of(self, store_name: str) -> str:
        """The name in addresses of a challenge by its name in the store; empty if the site does not show it."""
        names = self.config.challenges or list_challenges()
        return next((name for name in names if challenge_key(name, self.config) == store_name), "")

    def released(self, listing: NamedChallenge) -> bool:
        """True if teams may see scores."""
        return scores_released(self.config, self.store.settings, listing.store_name)

    def announcements(self, slug: str = "") -> list[Announcement]:
        """Announcements to all, and those of a challenge; the newest first."""
        return [
            announcement
            for announcement in announcements(self.store.settings)
            if announcement.challenge in ("", slug) or not slug
        ]

    def seal(self, listing: NamedChallenge) -> str:
        """Date of a challenge's seal, and the changes since; empty if it was not sealed."""

        def look() -> str:
            try:
                seal = Registry(self.state).seal_now(listing.challenge, listing.terms.sealed(listing.challenge.board))
            except EvaluateError as e:
                LOG.error("the seal of %s cannot be read: %s", listing.slug, e)
                return ""
            return seal.words if seal else ""

        words: str = self.kept(("seal", listing.store_name)).get(lambda: time.time() // _SEAL_SECONDS, look)
        return words

    def line(self) -> int:
        """The number of the newest line of the journal: while it is the same, nothing has happened."""
        with self.store.engine.connect() as connection:
            return connection.scalar(sa.select(sa.func.max(JOURNAL.c.number))) or 0

    def places(self, listing: NamedChallenge) -> list[BoardRow]:
        """The board of a challenge as everybody may see it."""
        kept = self.kept(("board", listing.store_name), _BOARD_SECONDS)
        rows: list[BoardRow] = kept.get(
            lambda: self._stamp_of(listing), lambda: places_of(self.store, self.config, listing)
        )
        return rows

    def _stamp_of(self, listing: NamedChallenge) -> object:
        over = sum(phase.ends <= time.time() for phase in listing.terms.phases)
        return self.line(), listing.terms, listing.challenge.board, over

    def kept(self, name: object, at_most_every: float = 0.0) -> CachedValue:
        """The cached value of a name, which is made once for all readers."""
        return self._kept.setdefault(name, CachedValue(at_most_every))


def open_site(state: Path, address: str) -> Site:
    """The site of a state directory."""
    config = load_config(state)
    return Site(state=state, store=open_store(state, config.database, pool=POOL), address=address)


def team_id(name: str) -> str:
    """Return the id that stands for a team in addresses: its name may have any characters."""
    return "g" + hashlib.sha256(name.encode()).hexdigest()[:12]


def _stamp(path: Path) -> object:
    try:
        status = path.stat()
    except OSError:
        return None
    return path, status.st_mtime_ns, status.st_size

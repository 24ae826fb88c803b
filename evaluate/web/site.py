"""What every handler works on: the queue, its configuration, the challenges, the boards."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

import sqlalchemy as sa

from evaluate.challenge import FILE as CHALLENGE_FILE
from evaluate.challenge import Challenge, challenge_folder, list_challenges, load_challenge
from evaluate.core.errors import EvaluateError
from evaluate.host.config import Config, Terms, config_path, known_as, load_config
from evaluate.queue.depot import Depot, open_depot
from evaluate.queue.feedback import place_for_team, policy_of
from evaluate.queue.logs import LOG
from evaluate.queue.store.database import POOL
from evaluate.queue.store.entries import Store, open_store
from evaluate.queue.store.news import Announcement, announcements
from evaluate.queue.store.releases import scores_released
from evaluate.queue.store.tables import JOURNAL
from evaluate.queue.views.board import Place, board_of
from evaluate.receipts.issue import Registry
from evaluate.web.rates import Rates
from evaluate.web.refused import Refused

T = TypeVar("T")
_BOARD_SECONDS = 1.0
"""How often a board is made again at most while things happen."""
_SEAL_SECONDS = 60.0
"""A seal is compared with the challenge's files no more often."""
_MOST_NAME = 150


@dataclass(frozen=True, kw_only=True)
class Entered:
    """A challenge of the site."""

    slug: str
    """Its name in addresses."""
    known: str
    """Its name in the store."""
    challenge: Challenge
    terms: Terms


class Kept(Generic[T]):
    """A value that is made again when what it was made of has changed; of many who want it, one makes it."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make, self._lock = make, threading.Lock()
        self._stamp: object = None
        self._at = -float("inf")
        self._value: T | None = None

    def get(self, stamp: object, at_most_every: float = 0.0) -> T:
        """The value for what ``stamp`` stands for, or an earlier one that is younger than some seconds."""
        with self._lock:
            fresh = self._stamp == stamp or time.monotonic() - self._at < at_most_every
            if self._value is None or not fresh:
                self._value, self._at = self._make(), time.monotonic()
                self._stamp = stamp
            return self._value


@dataclass(kw_only=True)
class Site:
    """The open queue and what the site knows besides.

    Parameters
    ----------
    address : str
        By which people reach the site, where the configuration does not say.
    """

    state: Path
    store: Store
    address: str = "http://localhost"
    rates: Rates = field(default_factory=Rates)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _config: tuple[object, Config] | None = None
    _challenges: dict[str, tuple[object, Challenge]] = field(default_factory=dict)
    _boards: dict[str, Kept[list[Place]]] = field(default_factory=dict)
    _pages: dict[object, tuple[object, Any]] = field(default_factory=dict)
    _making: dict[object, threading.Lock] = field(default_factory=dict)

    @property
    def config(self) -> Config:
        """The configuration, read again when its file has changed; the earlier one while the file is wrong."""
        path = config_path(self.state)
        stamp = _stamp(path) if path is not None else None
        with self._lock:
            if self._config is None or self._config[0] != stamp:
                try:
                    self._config = (stamp, load_config(self.state))
                except EvaluateError as e:
                    if self._config is None:
                        raise
                    LOG.error("the configuration is not read again: %s", e)
                    self._config = (stamp, self._config[1])
            return self._config[1]

    @property
    def origin(self) -> str:
        """The address of the site: scheme, name, perhaps port."""
        return self.config.web.address or self.address

    @property
    def secure(self) -> bool:
        """Whether people reach it by TLS."""
        return self.origin.startswith("https://")

    @property
    def shared(self) -> Path:
        """The folder of files that all hosts share."""
        return self._depot[0]

    @property
    def depot(self) -> Depot:
        """Where hosts exchange files."""
        return self._depot[1]

    @property
    def _depot(self) -> tuple[Path, Depot]:
        return open_depot(self.state, self.config.shared)

    def challenges(self) -> list[Entered]:
        """Those that the configuration names; without one, those of the program.  One that is wrong is left out."""
        found = []
        for name in self.config.challenges or list_challenges():
            try:
                found.append(self.challenge(name))
            except EvaluateError as e:
                LOG.error("challenge %s is not shown: %s", name, e)
        return found

    def challenge(self, slug: str) -> Entered:
        """A challenge by its name in addresses.

        Raises
        ------
        Refused
            The site has none of this name.
        """
        names = self.config.challenges or list_challenges()
        if slug not in names:
            raise Refused(404, f"no challenge {slug[:_MOST_NAME]!r}; the front page shows all")
        known = known_as(slug, self.config)
        return Entered(slug=slug, known=known, challenge=self._loaded(known), terms=self.config.terms(known))

    def slug_of(self, known: str) -> str:
        """The name in addresses of a challenge by its name in the store; empty if the site does not show it."""
        names = self.config.challenges or list_challenges()
        return next((name for name in names if known_as(name, self.config) == known), "")

    def _loaded(self, known: str) -> Challenge:
        stamp = _stamp(challenge_folder(known) / CHALLENGE_FILE)
        with self._lock:
            kept = self._challenges.get(known)
        if kept is None or kept[0] != stamp:
            kept = (stamp, load_challenge(known))
            with self._lock:
                self._challenges[known] = kept
        return kept[1]

    def released(self, one: Entered) -> bool:
        """Whether teams may see scores."""
        return scores_released(self.config, self.store, one.known)

    def announcements(self, slug: str = "") -> list[Announcement]:
        """What organisers announced to all, and to those of a challenge; the newest first."""
        return [one for one in announcements(self.store) if one.challenge in ("", slug) or not slug]

    def seal(self, one: Entered) -> str:
        """When a challenge was sealed, and what has changed since; empty if it was not."""

        def look() -> str:
            try:
                found = Registry(self.state).seal_now(one.challenge)
            except EvaluateError as e:
                LOG.error("the seal of %s cannot be read: %s", one.slug, e)
                return ""
            return found.words if found else ""

        return self.kept(("seal", one.known), time.time() // _SEAL_SECONDS, look)

    def line(self) -> int:
        """The number of the newest line of the journal: while it is the same, nothing has happened."""
        with self.store.engine.connect() as connection:
            return connection.scalar(sa.select(sa.func.max(JOURNAL.c.number))) or 0

    def places(self, one: Entered) -> list[Place]:
        """The board of a challenge as everybody may see it; see `evaluate.queue.feedback.place_for_team`."""
        with self._lock:
            if (kept := self._boards.get(one.known)) is None:
                kept = self._boards[one.known] = Kept(lambda: self._made(one.slug))
        stamp = (self.line(), one.terms, one.challenge.board)
        found = kept.get(stamp, _BOARD_SECONDS)
        return found

    def _made(self, slug: str) -> list[Place]:
        one = self.challenge(slug)
        rules = one.challenge.board
        places = board_of(self.store, one.known, one.terms.phases, one.terms.allowed(rules), rules.decimals)
        if not one.challenge.exam.hidden:
            return places
        return [
            place_for_team(place, policy_of(self.config, self.store, self.store.entry(place.entry))) for place in places
        ]

    def kept(self, what: object, stamp: object, make: Callable[[], T]) -> T:
        """Something that is made again when ``stamp`` changes: a page that everybody gets."""
        with self._lock:
            making = self._making.setdefault(what, threading.Lock())
        with making:  # of many who want a new board in the same moment, one makes it
            found = self._pages.get(what)
            if found is None or found[0] != stamp:
                found = self._pages[what] = (stamp, make())
        value: T = found[1]
        return value


def open_site(state: Path, address: str) -> Site:
    """The site of a state directory."""
    config = load_config(state)
    return Site(state=state, store=open_store(state, config.database, pool=POOL), address=address)


def team_id(name: str) -> str:
    """What stands for a team in addresses: its name may have any characters."""
    return "g" + hashlib.sha256(name.encode()).hexdigest()[:12]


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError:
        return None
    return path, found.st_mtime_ns, found.st_size

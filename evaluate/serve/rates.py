"""Limits to the rate of costly requests of a client.  Each process counts for itself; a proxy may limit more."""

from __future__ import annotations

from dataclasses import dataclass, field

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from evaluate.serve.errors import Refused


@dataclass(kw_only=True)
class Rates:
    """The limits, in the words of the package `limits`."""

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

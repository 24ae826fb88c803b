"""What a request is answered that cannot be served: one set of words, as a page or as problem+json (RFC 9457)."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from evaluate.core.errors import ChallengeError, EntryError, EvaluateError, UsageError
from evaluate.core.sanitize import sanitize


class Refused(Exception):
    """A request that is not served.

    Parameters
    ----------
    status : int
        Of HTTP.
    detail : str
        What was expected, what was found, what to do.
    headers : mapping, optional
        Further headers of the answer.
    """

    def __init__(self, status: int, detail: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, sanitize(detail), headers or {}


class NeedsLogin(Refused):
    """Nobody is logged in."""

    def __init__(self, detail: str = "log in first") -> None:
        super().__init__(401, detail, {"WWW-Authenticate": "Bearer"})


AT_FAULT = "internal error; this does not count as an attempt; try again later"
_STATUS = {EntryError: 422, UsageError: 400}


def refusal_of(error: EvaluateError, *, organiser: bool) -> Refused:
    """The answer to an error of the program.

    What is wrong with a challenge or with the infrastructure may be about hidden data: only organisers see it.
    """
    status = next((status for kind, status in _STATUS.items() if isinstance(error, kind)), 503)
    shown = organiser or status != 503
    if isinstance(error, ChallengeError):
        status = 503
    return Refused(status, str(error) if shown else AT_FAULT)


def problem(status: int, detail: str) -> dict[str, Any]:
    """The body of problem+json."""
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}

"""Answers to requests that cannot be served: one set of words, as a page or as problem+json (RFC 9457)."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from evaluate.core.errors import ChallengeError, EntryError, EvaluateError, UsageError
from evaluate.core.model import Refusal
from evaluate.core.sanitize import sanitize
from evaluate.report.json import refusal_json


class Refused(Exception):
    """A request that is not served.

    * ``status``: code of HTTP.
    * ``detail``: the expectation, the finding, and the remedy.
    * ``headers``: further headers of the answer.
    * ``refusals``: lines of ``detail`` that name changes for a team to make.
    """

    def __init__(
        self, status: int, detail: str, headers: dict[str, str] | None = None, refusals: Sequence[Refusal] = ()
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers, self.refusals = status, sanitize(detail), headers or {}, refusals


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
    return Refused(
        status, str(error) if shown else AT_FAULT, refusals=error.refusals if isinstance(error, EntryError) else ()
    )


def problem(status: int, detail: str, refusals: Sequence[Refusal] = ()) -> dict[str, Any]:
    """The body of problem+json; ``refusals``, where there are some, is an extension of it."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    return {**body, "refusals": [refusal_json(refusal) for refusal in refusals]} if refusals else body

"""Reasons of the states of entries, as fields; `evaluate.views.words` makes the sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from evaluate.core.sanitize import sanitize

_MOST = 4000
"""Characters of a message."""


class Cause(StrEnum):
    """Kind of reason; each names the fields that it fills in."""

    NONE = ""
    """It continues by itself."""
    VERDICT = "verdict"
    """It ended with `verdict`."""
    RETRY = "retry"
    """`stage` failed with `message`, which is not the team's fault; its try `number` starts at `until`."""
    GPU = "gpu"
    """`stage` needs `gpus` devices, and fewer are free on `host`; no host: none that is alive has as many."""
    CHALLENGE = "challenge"
    """Parked: `stage` found the challenge at fault, with `message`."""
    INFRASTRUCTURE = "infrastructure"
    """Parked: every try of `stage` failed, the last one with `message`."""
    ORGANISER = "organiser"
    """Cancelled by the organiser."""
    DISCARDED = "discarded"
    """Its rejudging was discarded."""
    EXCLUDED = "excluded"
    """The organiser took it out of its rejudging, for the reason in `message`."""
    WITHDRAWN = "withdrawn"
    """Its team withdrew it, for the reason in `message`."""
    DISQUALIFIED = "disqualified"
    """The organiser disqualified it, for the reason in `message`."""


@dataclass(frozen=True, kw_only=True)
class Reason:
    """One reason; the fields that its cause does not name have their defaults."""

    cause: Cause = Cause.NONE
    verdict: str = ""
    stage: str = ""
    message: str = ""
    number: int = 0
    """Number of the next try, from 1."""
    until: float | None = None
    """Seconds since 1970."""
    host: str = ""
    gpus: int = 0

    def __post_init__(self) -> None:
        # it may be what an entry's program printed, and PostgreSQL takes only text
        object.__setattr__(self, "message", sanitize(self.message)[:_MOST])

    def as_dict(self) -> dict[str, Any]:
        """The fields that are filled in, as JSON values."""
        return {key: value for key, default in _DEFAULTS.items() if (value := getattr(self, key)) != default}

    def as_text(self) -> str:
        """The text for a column; equal reasons give equal text, and no reason gives an empty one."""
        return json.dumps(values, sort_keys=True) if (values := self.as_dict()) else ""


_DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Reason)}
NO_REASON = Reason()


def ended_with(verdict: str) -> Reason:
    """The reason of an entry that ended with a verdict."""
    return Reason(cause=Cause.VERDICT, verdict=verdict)


def reason_from_dict(values: Mapping[str, Any]) -> Reason:
    """Restore a reason from what `Reason.as_dict` gave."""
    return Reason(**{**values, "cause": Cause(values.get("cause", ""))})


def reason_from_text(text: str) -> Reason:
    """Restore a reason from what `Reason.as_text` gave."""
    return reason_from_dict(json.loads(text)) if text else NO_REASON

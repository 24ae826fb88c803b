"""The daemon's log on standard error: lines for people, or one JSON object a line for programs.

What a line is about (entry, stage, host …) is given as ``extra=about(entry=…)``, and is part of both forms.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TextIO

from evaluate.core.sanitize import sanitize
from evaluate.host.config import LogFormat

LOG = logging.getLogger("evaluate")
_ABOUT = "about"


def about(**what: Any) -> dict[str, dict[str, Any]]:
    """What a line is about, as the ``extra`` of a logging call."""
    return {_ABOUT: what}


def indented(text: str) -> str:
    """Text that an entry's program may have written, for a log: it cannot move the cursor or start a line."""
    return sanitize(text).replace("\n", "\n    ")


class _Human(logging.Formatter):
    """``2026-01-31 12:00:00Z warning: message  entry=e1 stage=exam``"""

    def format(self, record: logging.LogRecord) -> str:
        level = "" if record.levelno <= logging.INFO else f"{record.levelname.lower()}: "
        what = "".join(f"  {key}={value}" for key, value in getattr(record, _ABOUT, {}).items())
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        moment = datetime.fromtimestamp(record.created, UTC)
        return f"{moment:%Y-%m-%d %H:%M:%SZ} {level}{indented(f'{record.getMessage()}{what}')}{trace}"


class _Json(logging.Formatter):
    """The same as JSON with ``at``, ``level``, ``message``, what it is about, and ``error`` where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        found = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, _ABOUT, {}),
        }
        if record.exc_info:
            found["error"] = self.formatException(record.exc_info)
        return json.dumps(found, default=str)


def saying_once() -> Callable[[str], None]:
    """Logs a message once, however often it is repeated, for example by every stage."""
    said: set[str] = set()

    def say(text: str) -> None:
        if text not in said:
            said.add(text)
            LOG.info("%s", text)

    return say


def log_to(stream: TextIO = sys.stderr, form: LogFormat = LogFormat.HUMAN) -> None:
    """Write the log to ``stream``; a second call replaces the first, so that a reload may change the form."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Json() if form is LogFormat.JSON else _Human())
    for old in LOG.handlers[:]:
        LOG.removeHandler(old)
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False

"""The daemon's log on standard error: lines for people, or one JSON object a line for programs.

What a line is about (entry, stage, host …) is given as ``extra=about(entry=…)``, and is part of both forms.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

from evaluate.config.types import LogFormat
from evaluate.core.sanitize import sanitize

LOG = logging.getLogger("evaluate")
_ABOUT = "about"
_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6), (logging.NOTSET, 7))
"""Level -> priority of syslog(3)."""


def about(**what: Any) -> dict[str, dict[str, Any]]:
    """Subject of a line, as the ``extra`` of a logging call."""
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
    """A JSON object with ``at``, ``level``, ``message``, the line's subject, and ``error`` where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        values = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, _ABOUT, {}),
        }
        if record.exc_info:
            values["error"] = self.formatException(record.exc_info)
        return json.dumps(values, default=str)


class _Journal(logging.Formatter):
    """Lines of another form, each with the priority by which the journal of systemd sorts it (sd-daemon)."""

    def __init__(self, form: logging.Formatter) -> None:
        super().__init__()
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        priority = next(number for level, number in _PRIORITIES if record.levelno >= level)
        return "\n".join(f"<{priority}>{line}" for line in self._form.format(record).splitlines())


def is_journal(stream: TextIO) -> bool:
    """True if what is written to a stream goes to the journal of systemd."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{status.st_dev}:{status.st_ino}"


def log_to(stream: TextIO = sys.stderr, form: LogFormat = LogFormat.HUMAN) -> None:
    """Write the log to ``stream``; a second call replaces the first, so that a reload may change the form."""
    handler = logging.StreamHandler(stream)
    lines = _Json() if form is LogFormat.JSON else _Human()
    handler.setFormatter(_Journal(lines) if is_journal(stream) else lines)
    for old in LOG.handlers[:]:
        LOG.removeHandler(old)
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    LOG.propagate = False

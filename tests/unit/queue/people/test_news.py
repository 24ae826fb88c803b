"""Announcements: plain text with nothing that moves a cursor."""

from __future__ import annotations

from pathlib import Path

from evaluate.queue.people.news import announce, announcements
from tests.support.queues import queue


def test_control_characters_are_removed_also_from_what_was_announced_before(tmp_path: Path) -> None:
    with queue(tmp_path) as store:
        made = announce(store.settings, "The exam\x1b[31m begins\u202e on\n**Monday**\x07")
        mark = "\N{REPLACEMENT CHARACTER}"
        assert made.text == f"The exam{mark}[31m begins{mark} on\n**Monday**{mark}"
        kept = store.settings.get(f"news:{made.id}")
        store.settings.keep(f"news:{made.id}", kept.replace("Monday", "\\u001b]0;x\\u0007"))
        (one,) = announcements(store.settings)
        assert "\x1b" not in one.text and "\x07" not in one.text

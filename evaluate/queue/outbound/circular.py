"""Mail of an organiser to all teams: a letter for each member who gets mail, so that nobody sees another's address."""

from __future__ import annotations

import json
import smtplib
import time
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

import sqlalchemy as sa

from evaluate.config.notify import NotifyRules
from evaluate.core.errors import UsageError
from evaluate.core.sanitize import in_one_line, sanitize
from evaluate.queue.db.tables import ENTRIES
from evaluate.queue.entries.store import Store
from evaluate.queue.logs import LOG
from evaluate.queue.outbound.notify import Mail
from evaluate.queue.people.teams import teams

_LONGEST = 20_000
_KEY = "mail:"


def letters(store: Store, rules: NotifyRules, subject: str, text: str, challenge: str = "") -> list[EmailMessage]:
    """The letters, noted in the journal before the first is sent.

    Raises UsageError if mail is not configured, or subject or text is empty or too long.

    ``challenge``: its name in the store: only to teams with entries to it.
    """
    if rules.mail is None:
        raise UsageError("mail cannot be sent: set notify.mail in evaluate.yaml")
    subject, text = in_one_line(subject).strip(), sanitize(text.replace("\r\n", "\n")).strip()
    if not subject or not 0 < len(text) <= _LONGEST:
        raise UsageError(f"expected a subject and a text of 1 to {_LONGEST} characters, found {len(text)}")
    known = teams(store.database)
    if challenge:
        with store.engine.connect() as connection:
            names = set(
                connection.scalars(sa.select(ENTRIES.c.team).where(ENTRIES.c.challenge == challenge).distinct())
            )
        known = [team for team in known if team.name in names]
    addresses = sorted({address for team in known for address in team.addresses})
    found = []
    for address in addresses:
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = rules.mail.sender, address, subject
        letter["Date"], letter["Message-ID"] = formatdate(), make_msgid(domain=rules.mail.sender.rpartition("@")[2])
        letter["Auto-Submitted"] = "auto-generated"
        letter.set_content(f"{text}\n")
        found.append(letter)
    noted = {"subject": subject, "text": text, "challenge": challenge, "letters": len(found)}
    store.settings.keep(f"{_KEY}{time.time_ns():x}", json.dumps(noted))
    return found


def send(rules: NotifyRules, found: Sequence[EmailMessage]) -> None:
    """Send letters one after the other; those that fail are in the log, and do not keep back the others."""
    assert rules.mail is not None
    failed = 0
    for letter in found:
        try:
            Mail(rules.mail).post([letter], rules.timeout_seconds)
        except (OSError, smtplib.SMTPException) as e:
            failed += 1
            LOG.error("a letter to %s could not be sent: %s", letter["To"], e)
    LOG.info("%d of %d letters to teams were sent", len(found) - failed, len(found))

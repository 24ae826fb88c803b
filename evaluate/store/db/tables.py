"""The tables of the queue.  The rows of most follow from `journal`, and are compared with it.

Except some: `hosts` and `tasks` say what runs now, `faults` and `fault_entries` what must be repaired, and `shares`
which team is next.  `details` has the long texts that
rows of other tables refer to.  What only the site needs (`sessions`, `identities`, `tokens`, `links`,
`uploads`) is neither in the journal nor in backups: people log in again.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import sqlalchemy as sa

from evaluate.config.challenge.types import MAIN_EXAM

TABLES = sa.MetaData()
_ID, _TEAM, _EXECUTOR = sa.String(24), sa.String(100), sa.String(200)

ENTRIES = sa.Table(
    "entries",
    TABLES,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False, unique=True),
    sa.Column("challenge", sa.String(500), nullable=False),
    sa.Column("team", _TEAM, nullable=False),
    sa.Column("name", sa.String(255), nullable=False),
    sa.Column("sha256", sa.String(64), nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("commit", sa.String(64), nullable=False),
    # the name of its exam in the challenge, by its phase when it was submitted
    sa.Column("data", sa.String(500), nullable=False, server_default=MAIN_EXAM),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    # JSON of `evaluate.store.db.reasons.Reason`
    sa.Column("reason", sa.Text, nullable=False, server_default=""),
    sa.Column("charged", sa.Boolean, nullable=False),
    # by which it belongs to a phase
    sa.Column("submitted", sa.Float, nullable=False),
    # later than that, where its team has a later deadline
    sa.Column("arrived", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
    # JSON of what an attempt was started with; empty before (`evaluate.run.chain`)
    sa.Column("plan", sa.Text, nullable=False, server_default=""),
    sa.Index("entries_by_state", "state", "team", "number"),
    # all that a board asks of most entries
    sa.Index("entries_by_challenge", "challenge", "team", "state", "charged", "number", "submitted", "attempt", "id"),
    sa.Index("entries_by_change", "state", "changed"),
)
REJUDGING_ATTEMPTS = sa.Table(
    "rejudging_attempts",
    TABLES,
    # attempts next to the one that counts, which is in the row of its entry: boards, counts and quotas read that alone
    sa.Column("entry", _ID, sa.ForeignKey("entries.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("purpose", sa.String(100), nullable=False),
    sa.Column("references", sa.Text, nullable=False),
    sa.Column("base", sa.Integer, nullable=False),
    sa.Column("first", sa.String(10), nullable=False),
    sa.Column("state", sa.String(10), nullable=False),
    sa.Column("reason", sa.Text, nullable=False, server_default=""),
    sa.Column("changed", sa.Float, nullable=False),
    sa.Column("adopted", sa.Boolean, nullable=False),
    sa.Column("plan", sa.Text, nullable=False, server_default=""),
    sa.Index("rejudging_attempts_by_purpose", "purpose"),
    sa.Index("rejudging_attempts_by_state", "state"),
)
BASES = sa.Table(
    "bases",
    TABLES,
    # what an attempt began with, by which it is judged (`evaluate.store.entries.bases`); both as
    # `evaluate.store.db.blobs` keeps them
    sa.Column("entry", _ID, sa.ForeignKey("entries.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    # JSON of `AttemptRules`
    sa.Column("rules", sa.Text, nullable=False),
    # JSON of `evaluate.receipts.exam_data.ExamData`; empty before the exam
    sa.Column("exam", sa.Text, nullable=False, server_default=""),
)
ACCOUNTS = sa.Table(
    "accounts",
    TABLES,
    # what is revealed of an entry's hidden exam, decided once (`evaluate.store.entries.leak_accounts`)
    sa.Column("entry", _ID, sa.ForeignKey("entries.id"), primary_key=True),
    # digest of what its exam is judged by (`evaluate.receipts.exam_data`)
    sa.Column("data", sa.String(64), nullable=False),
    # which of the team's attempts at this data it is
    sa.Column("number", sa.Integer, nullable=False),
    # the feedback of the challenge at that time (`evaluate.config.challenge.types.FeedbackRules`)
    sa.Column("show", sa.String(10), nullable=False),
    sa.Column("digits", sa.Integer, nullable=False),
    # whether scores were withheld at that time
    sa.Column("withheld", sa.Boolean, nullable=False),
)
RESULTS = sa.Table(
    "results",
    TABLES,
    sa.Column("entry", _ID, sa.ForeignKey("entries.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("stage", sa.String(10), primary_key=True),
    sa.Column("verdict", sa.String(20), nullable=False),
    sa.Column("instructions", sa.BigInteger, nullable=False),
    sa.Column("wall_seconds", sa.Float, nullable=False),
    # as `evaluate.store.db.blobs` keeps it
    sa.Column("result", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)
SCORES = sa.Table(
    "scores",
    TABLES,
    sa.Column("entry", _ID, sa.ForeignKey("entries.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("key", sa.Text, nullable=False),
    sa.Column("value", sa.Float),
    # the 95 % interval of the value, where the metric gives one
    sa.Column("low", sa.Float),
    sa.Column("high", sa.Float),
    # as `evaluate.store.db.blobs` keeps it
    sa.Column("score", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    # digest of what it was given by (`evaluate.receipts.exam_data`)
    sa.Column("judged", sa.String(64), nullable=False, server_default=""),
    # all that a board asks of most scores
    sa.Index("scores_by_value", "entry", "attempt", "value"),
)
SHARES = sa.Table(
    "shares",
    TABLES,
    sa.Column("queue", sa.String(10), primary_key=True),
    sa.Column("team", _TEAM, primary_key=True),
    sa.Column("tag", sa.Float, nullable=False),
)
TASKS = sa.Table(
    "tasks",
    TABLES,
    sa.Column("entry", _ID, sa.ForeignKey("entries.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("task", sa.String(20), primary_key=True),
    # the one workflow of DBOS that may end it
    sa.Column("flow", sa.String(80), nullable=False, unique=True),
    # of its try, from 0
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("stage", sa.String(10), nullable=False),
    sa.Column("tag", sa.Float, nullable=False),
    sa.Column("executor", _EXECUTOR, nullable=False),
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("deadline", sa.Float),
    # JSON list of the PCI addresses of the devices that it holds
    sa.Column("gpus", sa.Text, nullable=False, server_default="[]"),
    sa.Column("needs_gpu", sa.Boolean, nullable=False),
    # how often this try was given to another workflow
    sa.Column("turn", sa.Integer, nullable=False),
    # its priority, lower is earlier; negative while it is held
    sa.Column("place", sa.BigInteger, nullable=False),
    # seconds from ``since`` on before which it does not run
    sa.Column("delay", sa.Float, nullable=False),
    # how long it takes if every limit is reached
    sa.Column("seconds", sa.Float, nullable=False),
    # of the exam that it is of
    sa.Column("shards", sa.Integer, nullable=False),
    # JSON list of the names of hosts on which it failed
    sa.Column("avoid", sa.Text, nullable=False),
)
HOSTS = sa.Table(
    "hosts",
    TABLES,
    sa.Column("executor", _EXECUTOR, primary_key=True),
    sa.Column("name", sa.String(100), nullable=False),
    sa.Column("place", sa.String(500), nullable=False),
    sa.Column("slots", sa.Integer, nullable=False),
    sa.Column("version", sa.String(50), nullable=False),
    sa.Column("flow", sa.String(20), nullable=False),
    sa.Column("started", sa.Float, nullable=False),
    sa.Column("expires", sa.Float, nullable=False),
    # how many devices it has for its guests
    sa.Column("gpus", sa.Integer, nullable=False, server_default="0"),
    # how long its lease lasts, in seconds
    sa.Column("ttl", sa.Float, nullable=False, server_default="0"),
)
FAULTS = sa.Table(
    "faults",
    TABLES,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    # `evaluate.store.schedule.faults.Part`, and its name
    sa.Column("part", sa.String(20), nullable=False),
    sa.Column("name", sa.String(500), nullable=False),
    # of the last time: where, what was said, and the last lines of its log (a JSON list)
    sa.Column("stage", sa.String(10), nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("lines", sa.Text, nullable=False),
    sa.Column("first", sa.Float, nullable=False),
    sa.Column("last", sa.Float, nullable=False),
    sa.Column("times", sa.Integer, nullable=False),
    # JSON list of the entries in a row for which it failed, and of the challenges that it concerns
    sa.Column("streak", sa.Text, nullable=False),
    sa.Column("challenges", sa.Text, nullable=False),
    sa.Column("stopped", sa.Boolean, nullable=False),
    # when; 0: it is not resolved
    sa.Column("resolved", sa.Float, nullable=False),
    sa.Index("faults_by_part", "resolved", "part", "name"),
)
FAULT_ENTRIES = sa.Table(
    "fault_entries",
    TABLES,
    sa.Column("fault", sa.Integer, sa.ForeignKey("faults.id"), primary_key=True, autoincrement=False),
    sa.Column("entry", _ID, sa.ForeignKey("entries.id"), primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False),
    sa.Index("fault_entries_by_entry", "entry"),
)
TEAMS = sa.Table(
    "teams",
    TABLES,
    sa.Column("name", _TEAM, primary_key=True),
    sa.Column("since", sa.Float, nullable=False),
)
TEAM_NAMES = sa.Table(
    "team_names",
    TABLES,
    # `evaluate.store.people.teams.folded` of the name; some characters become many
    sa.Column("folded", sa.String(2000), primary_key=True),
    sa.Column("name", _TEAM, nullable=False),
    sa.Column("team", _TEAM, sa.ForeignKey("teams.name"), nullable=False),
    sa.Index("team_names_by_team", "team"),
)
MEMBERS = sa.Table(
    "members",
    TABLES,
    sa.Column("team", _TEAM, sa.ForeignKey("teams.name"), primary_key=True),
    sa.Column("address", sa.String(320), primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, server_default=""),
    sa.Column("role", sa.String(20), nullable=False),
    sa.Column("mail", sa.Boolean, nullable=False),
    # `evaluate.store.people.teams.person_of` of the address
    sa.Column("person", sa.String(320), nullable=False),
    # whether the person made or joined the team itself
    sa.Column("own", sa.Boolean, nullable=False),
    sa.Index("members_once", "person", "team", unique=True),
    sa.Index("members_own", "person", unique=True, sqlite_where=sa.text("own"), postgresql_where=sa.text("own")),
)
SETTINGS = sa.Table(
    "settings",
    TABLES,
    sa.Column("key", sa.String(200), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
JOURNAL = sa.Table(
    "journal",
    TABLES,
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("entry", _ID, nullable=False),
    sa.Column("event", sa.String(20), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("chain", sa.String(64), nullable=False),
    sa.Index("journal_by_entry", "entry", "number"),
)
DETAILS = sa.Table(
    "details",
    TABLES,
    sa.Column("sha256", sa.String(64), primary_key=True),
    # compressed by zlib
    sa.Column("data", sa.LargeBinary, nullable=False),
)
_ADDRESS = sa.String(320)
SESSIONS = sa.Table(
    "sessions",
    TABLES,
    # sha256 of what the browser has; no secret is stored, here and below
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("address", _ADDRESS, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("expires", sa.Float, nullable=False),
    sa.Index("sessions_by_address", "address"),
)
IDENTITIES = sa.Table(
    "identities",
    TABLES,
    # an account at a provider, which keeps its subject when its address changes
    sa.Column("issuer", sa.String(500), primary_key=True),
    sa.Column("subject", sa.String(255), primary_key=True),
    sa.Column("address", _ADDRESS, nullable=False),
    sa.Column("since", sa.Float, nullable=False),
    sa.Index("identities_by_address", "issuer", "address", unique=True),
)
TOKENS = sa.Table(
    "tokens",
    TABLES,
    sa.Column("digest", sa.String(64), primary_key=True),
    sa.Column("id", _ID, nullable=False, unique=True),
    sa.Column("address", _ADDRESS, nullable=False),
    sa.Column("name", sa.String(100), nullable=False),
    # words with blanks between them
    sa.Column("scopes", sa.String(100), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("expires", sa.Float, nullable=False),
    sa.Index("tokens_by_address", "address"),
)
LINKS = sa.Table(
    "links",
    TABLES,
    sa.Column("digest", sa.String(64), primary_key=True),
    # `evaluate.store.people.logins.LinkKind`
    sa.Column("kind", sa.String(20), nullable=False),
    sa.Column("subject", sa.String(2000), nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("expires", sa.Float, nullable=False),
)
UPLOADS = sa.Table(
    "uploads",
    TABLES,
    sa.Column("id", sa.String(64), primary_key=True),
    sa.Column("address", _ADDRESS, nullable=False),
    sa.Column("team", _TEAM, nullable=False),
    sa.Column("challenge", sa.String(500), nullable=False),
    sa.Column("name", sa.String(255), nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("received", sa.BigInteger, nullable=False),
    # the outcome
    sa.Column("entry", _ID, nullable=False, server_default=""),
    sa.Column("error", sa.Text, nullable=False, server_default=""),
    sa.Column("created", sa.Float, nullable=False),
    # the address of a git repository; empty: a file
    sa.Column("source", sa.Text, nullable=False, server_default=""),
    # the commit of it that counts
    sa.Column("commit", sa.String(64), nullable=False, server_default=""),
    # when all of it had
    sa.Column("arrived", sa.Float),
    # the error for which it waits, how often that happened, and when it is tried again
    sa.Column("fault", sa.Text, nullable=False, server_default=""),
    sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
    sa.Column("again", sa.Float, nullable=False, server_default="0"),
    # JSON list of what its team must change, which is in the error as well
    sa.Column("refusals", sa.Text, nullable=False, server_default="[]"),
    sa.Index("uploads_by_team", "team"),
)


def insert(connection: sa.Connection, table: sa.Table) -> Any:
    """An insert with ``on_conflict_…`` in the words of the connection's database."""
    # imported here: no command should pay for the dialect that it does not use
    dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
    return dialect.insert(table)

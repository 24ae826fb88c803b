"""Many hosts: who runs what now, fair shares of every stage, shadow attempts, records as rows."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add tables and columns; the turns of the teams are kept."""
    op.add_column("entries", sa.Column("owner", sa.String(200), nullable=False, server_default=""))
    op.add_column("entries", sa.Column("flow", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "shares",
        sa.Column("queue", sa.String(10), primary_key=True),
        sa.Column("team", sa.String(100), primary_key=True),
        sa.Column("tag", sa.Float, nullable=False),
    )
    op.execute("insert into shares (queue, team, tag) select 'entries', team, tag from teams")
    op.drop_table("teams")
    op.create_table(
        "shadows",
        sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True),
        sa.Column("purpose", sa.String(100), nullable=False),
        sa.Column("challenge", sa.String(500), nullable=False),
        sa.Column("references", sa.Text, nullable=False),
        sa.Column("base", sa.Integer, nullable=False),
        sa.Column("first", sa.String(10), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("adopted", sa.Boolean, nullable=False),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("flow", sa.Integer, nullable=False),
    )
    op.create_index("shadows_by_purpose", "shadows", ["purpose"])
    op.create_index("shadows_by_state", "shadows", ["state"])
    op.create_index("journal_by_entry", "journal", ["entry", "number"])
    op.create_table(
        "record_outcomes",
        sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True),
        sa.Column("stage", sa.String(10), primary_key=True),
        sa.Column("record", sa.String(500), primary_key=True),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("instructions", sa.BigInteger, nullable=False),
        sa.Column("wall_seconds", sa.Float, nullable=False),
    )
    op.create_table(
        "tasks",
        sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True),
        sa.Column("task", sa.String(20), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("stage", sa.String(10), nullable=False),
        sa.Column("tag", sa.Float, nullable=False),
        sa.Column("executor", sa.String(200), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("deadline", sa.Float),
    )
    op.create_table(
        "hosts",
        sa.Column("executor", sa.String(200), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("place", sa.String(500), nullable=False),
        sa.Column("slots", sa.Integer, nullable=False),
        sa.Column("version", sa.String(50), nullable=False),
        sa.Column("flow", sa.String(20), nullable=False),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_table(
        "settings",
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )

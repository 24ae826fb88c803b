"""The first form of the database: entries, results, scores, teams, journal."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create every table."""
    op.create_table(
        "entries",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False, unique=True),
        sa.Column("challenge", sa.String(500), nullable=False),
        sa.Column("team", sa.String(100), nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("commit", sa.String(64), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("charged", sa.Boolean, nullable=False),
        sa.Column("submitted", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("entries_by_state", "entries", ["state", "team", "number"])
    op.create_index("entries_by_challenge", "entries", ["challenge", "team"])
    op.create_table(
        "results",
        sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True),
        sa.Column("stage", sa.String(10), primary_key=True),
        sa.Column("verdict", sa.String(20), nullable=False),
        sa.Column("instructions", sa.BigInteger, nullable=False),
        sa.Column("wall_seconds", sa.Float, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "scores",
        sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("value", sa.Float),
        sa.Column("score", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "teams",
        sa.Column("team", sa.String(100), primary_key=True),
        sa.Column("tag", sa.Float, nullable=False),
    )
    op.create_table(
        "journal",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("entry", sa.String(24), nullable=False),
        sa.Column("event", sa.String(20), nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
    )

"""Hosts claim what waits for a slot themselves, and leave out what internal errors have stopped."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add what a host must know to claim a task, and the faults.

    Tasks of earlier releases have no place, so that no host claims them before they are placed again.
    """
    for column in (
        sa.Column("turn", sa.Integer, nullable=False, server_default="0"),
        sa.Column("place", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("seconds", sa.Float, nullable=False, server_default="0"),
        sa.Column("shards", sa.Integer, nullable=False, server_default="1"),
        sa.Column("avoid", sa.Text, nullable=False, server_default=""),
    ):
        op.add_column("tasks", column)
    op.add_column("hosts", sa.Column("threads", sa.Text, nullable=False, server_default=""))
    op.create_index("tasks_by_place", "tasks", ["executor", "place", "since"])
    op.create_table(
        "faults",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("part", sa.String(20), nullable=False),
        sa.Column("name", sa.String(500), nullable=False),
        sa.Column("stage", sa.String(10), nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("first", sa.Float, nullable=False),
        sa.Column("last", sa.Float, nullable=False),
        sa.Column("times", sa.Integer, nullable=False),
        sa.Column("streak", sa.Text, nullable=False),
        sa.Column("challenges", sa.Text, nullable=False),
        sa.Column("stopped", sa.Boolean, nullable=False),
        sa.Column("resolved", sa.Float, nullable=False),
    )
    op.create_index("faults_by_part", "faults", ["resolved", "part", "name"])
    op.create_table(
        "fault_entries",
        sa.Column("fault", sa.Integer, sa.ForeignKey("faults.id"), primary_key=True, autoincrement=False),
        sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True, autoincrement=False),
    )
    op.create_index("fault_entries_by_entry", "fault_entries", ["entry"])

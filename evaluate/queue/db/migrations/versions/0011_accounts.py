"""What is revealed of an attempt at a hidden exam is decided once, when it is charged, and kept."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the table; attempts of earlier versions get their rows when somebody first asks, since rules are needed."""
    op.create_table(
        "accounts",
        sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
        sa.Column("phase", sa.String(500), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("bits", sa.Float, nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("shown", sa.Boolean),
        sa.Column("score", sa.Float),
        sa.Column("best", sa.Float),
    )

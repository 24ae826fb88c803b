"""What attempts began with is kept with them."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the table; nothing is known of earlier attempts."""
    op.create_table(
        "bases",
        sa.Column("entry", sa.String(24), sa.ForeignKey("entries.id"), primary_key=True),
        sa.Column("attempt", sa.Integer, primary_key=True),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("exam", sa.Text, nullable=False, server_default=""),
    )

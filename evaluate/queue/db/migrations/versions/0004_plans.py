"""What an attempt was started with, and how long a host's lease lasts."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns."""
    for name in ("entries", "shadows"):
        op.add_column(name, sa.Column("plan", sa.Text, nullable=False, server_default=""))
    op.add_column("hosts", sa.Column("ttl", sa.Float, nullable=False, server_default="0"))

"""When an upload had arrived, and for what error it waits; a lock of its file says who writes it."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the columns; of earlier uploads it is known when they began."""
    op.add_column("uploads", sa.Column("source", sa.Text, nullable=False, server_default=""))
    op.add_column("uploads", sa.Column("arrived", sa.Float))
    op.add_column("uploads", sa.Column("fault", sa.Text, nullable=False, server_default=""))
    op.add_column("uploads", sa.Column("tries", sa.Integer, nullable=False, server_default="0"))
    op.add_column("uploads", sa.Column("again", sa.Float, nullable=False, server_default="0"))
    op.drop_column("uploads", "busy")
    op.execute("update uploads set arrived = created where received = bytes")

"""A refused upload says what its team must change, line by line."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the lines to change; those of earlier releases are in the error alone."""
    op.add_column("uploads", sa.Column("refusals", sa.Text, nullable=False, server_default="[]"))

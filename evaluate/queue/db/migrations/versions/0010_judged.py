"""A score says by which data it was given."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the digest of the data; what was kept for boards does not have it, and is found again."""
    op.add_column("scores", sa.Column("judged", sa.String(64), nullable=False, server_default=""))
    for table in ("bests", "ties"):
        op.execute(f"delete from {table}")

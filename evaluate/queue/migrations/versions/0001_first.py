"""The first form of the database."""

from alembic import op

from evaluate.queue.store import _TABLES

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    _TABLES.create_all(op.get_bind())

"""The first form of the database."""

from alembic import op

from evaluate.store.db.tables import TABLES

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create every table."""
    TABLES.create_all(op.get_bind(), checkfirst=False)

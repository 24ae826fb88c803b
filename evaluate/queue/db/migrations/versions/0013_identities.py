"""Accounts at a provider are known by their subject, not by an address, which may get another owner there."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the table; each account is bound to its address when it logs in the next time."""
    op.create_table(
        "identities",
        sa.Column("issuer", sa.String(500), primary_key=True),
        sa.Column("subject", sa.String(255), primary_key=True),
        sa.Column("address", sa.String(320), nullable=False),
        sa.Column("since", sa.Float, nullable=False),
    )
    op.create_index("identities_by_address", "identities", ["issuer", "address"], unique=True)

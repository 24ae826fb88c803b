"""A person is in a team once, and in one team of those that it made or joined itself: the database sees to it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add who a member is, in the one spelling of its address, and whether it joined itself, which nobody knows yet."""
    op.add_column("members", sa.Column("person", sa.String(320), nullable=False, server_default=""))
    op.add_column("members", sa.Column("own", sa.Boolean, nullable=False, server_default=sa.false()))
    members = sa.table("members", sa.column("team"), sa.column("address"), sa.column("person"))
    connection = op.get_bind()
    for row in connection.execute(sa.select(members.c.team, members.c.address)).all():
        same = (members.c.team == row.team) & (members.c.address == row.address)
        connection.execute(sa.update(members).where(same).values(person=row.address.strip().lower()))
    op.create_index("members_once", "members", ["person", "team"], unique=True)
    own = sa.text("own")
    op.create_index("members_own", "members", ["person"], unique=True, sqlite_where=own, postgresql_where=own)

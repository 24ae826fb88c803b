"""Teams with names and members; those that have entries are entered, the spelling of the first entry counting."""

import unicodedata

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the tables, and a team for every spelling that differs in more than case."""
    op.create_table(
        "teams",
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
    )
    op.create_table(
        "team_names",
        sa.Column("folded", sa.String(2000), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("team", sa.String(100), sa.ForeignKey("teams.name"), nullable=False),
    )
    op.create_index("team_names_by_team", "team_names", ["team"])
    op.create_table(
        "members",
        sa.Column("team", sa.String(100), sa.ForeignKey("teams.name"), primary_key=True),
        sa.Column("address", sa.String(320), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False, server_default=""),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("mail", sa.Boolean, nullable=False),
    )
    _enter()


def _enter() -> None:
    entries = sa.table("entries", sa.column("team"), sa.column("number"), sa.column("submitted"))
    teams = sa.table("teams", sa.column("name"), sa.column("since"))
    names = sa.table("team_names", sa.column("folded"), sa.column("name"), sa.column("team"))
    connection = op.get_bind()
    query = sa.select(entries.c.team, sa.func.min(entries.c.submitted).label("since")).group_by(entries.c.team)
    known: set[str] = set()
    for row in connection.execute(query.order_by(sa.func.min(entries.c.number))).all():
        folded = " ".join(unicodedata.normalize("NFKC", row.team).casefold().split())
        if folded not in known:
            known.add(folded)
            connection.execute(sa.insert(teams).values(name=row.team, since=row.since))
            connection.execute(sa.insert(names).values(folded=folded, name=row.team, team=row.team))

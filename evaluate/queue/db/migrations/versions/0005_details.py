"""Cost grows with what is active: long texts and old journal lines leave the tables, recent durations get a row."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_NEWEST = 20


def upgrade() -> None:
    """Add tables, columns and indexes; rows keep their texts, which a daemon moves out later."""
    op.drop_table("record_outcomes")
    op.create_table(
        "details",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("data", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "journal_parts",
        sa.Column("first", sa.Integer, primary_key=True),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
    )
    op.create_table(
        "usual",
        sa.Column("challenge", sa.String(500), primary_key=True),
        sa.Column("stage", sa.String(10), primary_key=True),
        sa.Column("seconds", sa.Text, nullable=False),
    )
    op.add_column("scores", sa.Column("low", sa.Float))
    op.add_column("scores", sa.Column("high", sa.Float))
    op.drop_index("entries_by_challenge", "entries")
    columns = ["challenge", "team", "state", "charged", "number", "submitted", "attempt", "id"]
    op.create_index("entries_by_challenge", "entries", columns)
    op.create_index("scores_by_value", "scores", ["entry", "attempt", "value"])
    op.create_index("entries_by_change", "entries", ["state", "changed"])
    connection = op.get_bind()
    newest = connection.scalar(sa.text("select coalesce(max(number), 0) from journal"))
    settings = sa.table("settings", sa.column("key"), sa.column("value"))
    connection.execute(sa.insert(settings).values(key="times-exact-after", value=str(newest)))
    _fill_intervals()
    _fill_usual()


def _fill_intervals() -> None:
    connection = op.get_bind()
    table = sa.table("scores", *(sa.column(name) for name in ("entry", "attempt", "key", "score", "low", "high")))
    for row in connection.execute(sa.select(table)).all():
        low, high = json.loads(row.score).get("intervals", {}).get(row.key, (None, None))
        same = (table.c.entry == row.entry) & (table.c.attempt == row.attempt)
        connection.execute(sa.update(table).where(same).values(low=low, high=high))


def _fill_usual() -> None:
    connection = op.get_bind()
    entries = sa.table("entries", *(sa.column(name) for name in ("id", "challenge", "state", "attempt", "number")))
    results = sa.table("results", *(sa.column(name) for name in ("entry", "attempt", "stage", "wall_seconds", "at")))
    usual = sa.table("usual", *(sa.column(name) for name in ("challenge", "stage", "seconds")))
    known = sa.select(entries.c.challenge, results.c.stage).join(results, results.c.entry == entries.c.id).distinct()
    for challenge, stage in connection.execute(known).all():
        newest = sa.select(results.c.wall_seconds).join(entries, entries.c.id == results.c.entry)
        newest = newest.where(entries.c.challenge == challenge, results.c.stage == stage)
        found = connection.scalars(newest.order_by(results.c.at.desc()).limit(_NEWEST)).all()
        text = json.dumps([*reversed(found)])
        connection.execute(sa.insert(usual).values(challenge=challenge, stage=stage, seconds=text))
    ended = sa.select(entries).where(entries.c.state == "done").order_by(entries.c.number.desc()).limit(_NEWEST)
    total = sa.func.sum(results.c.wall_seconds)
    whole = [
        connection.scalar(sa.select(total).where(results.c.entry == row.id, results.c.attempt == row.attempt))
        for row in connection.execute(ended).all()
    ]
    if found := [one for one in reversed(whole) if one is not None]:
        connection.execute(sa.insert(usual).values(challenge="", stage="all", seconds=json.dumps(found)))

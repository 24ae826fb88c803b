"""Reasons as fields instead of sentences, and GPUs: how many a host has, and which a task holds."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_CAUSES = {"by the organiser": "organiser", "discarded": "discarded"}
_AT_ONCE = 1000


def upgrade() -> None:
    """Add the columns, and turn every ``detail`` into a reason."""
    for name, keys in (("entries", ("id",)), ("shadows", ("entry", "attempt"))):
        op.add_column(name, sa.Column("reason", sa.Text, nullable=False, server_default=""))
        _convert(name, keys)
        op.drop_column(name, "detail")
    op.add_column("hosts", sa.Column("gpus", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tasks", sa.Column("gpus", sa.Text, nullable=False, server_default="[]"))


def _convert(name: str, keys: tuple[str, ...]) -> None:
    table = sa.table(name, *(sa.Column(key) for key in (*keys, "state", "detail", "reason")))
    connection = op.get_bind()
    where = sa.and_(*(table.c[key] == sa.bindparam(f"its_{key}") for key in keys))
    statement = sa.update(table).where(where).values(reason=sa.bindparam("new"))
    rows = connection.execute(sa.select(table).where(table.c.detail != "")).mappings().all()
    for start in range(0, len(rows), _AT_ONCE):
        part = rows[start : start + _AT_ONCE]
        found = [{**{f"its_{key}": row[key] for key in keys}, "new": _reason(row)} for row in part]
        connection.execute(statement, found)


def _reason(row: sa.RowMapping) -> str:
    detail = row["detail"]
    if row["state"] == "done":
        found = {"cause": "verdict", "verdict": detail}
    elif detail in _CAUSES:
        found = {"cause": _CAUSES[detail]}
    else:
        found = {"cause": "earlier", "message": detail}
    return json.dumps(found, sort_keys=True)

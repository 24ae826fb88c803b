"""The first form of the database: every table, and what forgets what is kept of boards."""

from collections.abc import Iterator

from alembic import op

from evaluate.queue.db.tables import TABLES

revision = "0001"
down_revision = None

_COUNTS = "challenge, team, number, submitted, state, attempt, charged"
_ROWS = {"insert": ("new",), "update": ("old", "new"), "delete": ("old",)}
_POSTGRESQL = """
    create function {name}() returns trigger language plpgsql as $$ begin {body} return null; end $$;
    create trigger {name} after {event} on {table} for each row execute procedure {name}()
"""
_SQLITE = "create trigger {name} after {event} on {table} begin {body} end"


def upgrade() -> None:
    """Create every table, and triggers: any change of what a board shows deletes what was kept of that team."""
    connection = op.get_bind()
    TABLES.create_all(connection, checkfirst=False)
    trigger = _SQLITE if connection.dialect.name == "sqlite" else _POSTGRESQL
    for table, columns, forget in (
        ("entries", _COUNTS, _of_an_entry),
        ("scores", "", _of_a_row),
        ("results", "", _of_a_row),
    ):
        for event, rows in _ROWS.items():
            only = f" of {columns}" if columns and event == "update" else ""
            body = "".join(statement for row in rows for statement in forget(row))
            values = {"name": f"bests_{table}_{event}", "event": event + only, "table": table, "body": body}
            connection.exec_driver_sql(trigger.format(**values))


def _of_an_entry(row: str) -> Iterator[str]:
    """What ends up on no board changes none."""
    same = f"challenge = {row}.challenge and team = {row}.team"
    yield f"delete from bests where {row}.state = 'done' and {same}; "


def _of_a_row(row: str) -> Iterator[str]:
    entry = f"select challenge, team from entries where id = {row}.entry and state = 'done'"
    yield f"delete from bests where (challenge, team) in ({entry}); "

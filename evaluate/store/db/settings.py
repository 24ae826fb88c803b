"""Values that are kept when daemons end: what organisers set, and how far each reader of the journal has come."""

from __future__ import annotations

import hashlib
import time

import sqlalchemy as sa

from evaluate.store.db import journal
from evaluate.store.db.database import Database
from evaluate.store.db.tables import SETTINGS, insert

_MOST = 200
PASSING = "told:"
"""Keys that begin so only say how far somebody has read; the journal does not have them."""


class Settings:
    """The settings of one queue."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> str:
        """The value of a key; empty if there is none."""
        with self._database.ask() as connection:
            return setting_in(connection, key)

    def under(self, prefix: str) -> dict[str, str]:
        """The values whose keys begin with ``prefix``, by the rest of the key, in its order."""
        query = sa.select(SETTINGS).where(SETTINGS.c.key.startswith(prefix, autoescape=True)).order_by(SETTINGS.c.key)
        with self._database.engine.connect() as connection:
            return {row.key.removeprefix(prefix): row.value for row in connection.execute(query)}

    def keep(self, key: str, value: str) -> None:
        """Set a value; the journal has it, unless the key is one of `PASSING`."""
        if key.startswith(PASSING):
            with self._database.at_once() as connection:
                put_setting(connection, key, value)
        else:
            with self._database.change() as connection:
                keep_in(connection, key, value)


def key_for(prefix: str, name: str) -> str:
    """The key of a setting about something; a key has room for 200 characters, so that the digest stands for more."""
    key = prefix + name
    return key if len(key) <= _MOST else prefix + hashlib.sha256(name.encode()).hexdigest()


def put_setting(connection: sa.Connection, key: str, value: str) -> None:
    """Set a value within a transaction."""
    statement = insert(connection, SETTINGS).values(key=key, value=value)
    connection.execute(statement.on_conflict_do_update(index_elements=["key"], set_={"value": value}))


def keep_in(connection: sa.Connection, key: str, value: str) -> None:
    """Set a value within a transaction, with its line in the journal."""
    put_setting(connection, key, value)
    journal.write(connection, "", "set", {"key": key, "value": value}, time.time())


def setting_in(connection: sa.Connection, key: str) -> str:
    """A value, read within a transaction; empty if there is none."""
    return connection.scalar(sa.select(SETTINGS.c.value).where(SETTINGS.c.key == key)) or ""

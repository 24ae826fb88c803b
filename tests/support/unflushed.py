"""Importing this lets a process wait for no disk: no test cuts the power, and waiting took longer than what is asked.

What survives a process that is killed is in the kernel's memory, and stays. Daemons that tests start as their users do
wait for the disk.
"""

import os
import sqlite3

import sqlalchemy as sa

os.fsync = os.fdatasync = lambda _: None  # type: ignore[assignment]


@sa.event.listens_for(sa.pool.Pool, "checkout")
def _commit_to_memory(connection: object, *_: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.execute("pragma synchronous = off")

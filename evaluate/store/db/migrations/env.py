"""Alembic's entry point: runs on the connection that `evaluate.store.entries.store` hands over."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()

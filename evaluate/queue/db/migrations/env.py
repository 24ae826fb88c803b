"""Alembic's entry point: runs on the connection that `evaluate.queue.entries.store` hands over."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()

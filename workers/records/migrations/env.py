"""Runs migrations on the connection it is given."""

from alembic import context

from workers.records.tables import Record

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Record.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()

"""Let several jobs be circuits of one provider job, which the first of them submits."""

from alembic import op

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Add the job that submits; one that was submitted already is its own."""
    op.execute("ALTER TABLE jobs ADD COLUMN leader_id INTEGER REFERENCES jobs (id)")
    op.create_index("ix_jobs_leader_id", "jobs", ["leader_id"])
    op.execute("UPDATE jobs SET leader_id = id WHERE asked_at IS NOT NULL")

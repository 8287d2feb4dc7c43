"""Indexes that find what is due, put aside or in doubt without a look at every job that waits."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

WAITING = sa.text("due_at IS NOT NULL")
QUARANTINED = sa.text("quarantined IS NOT NULL")


def _waiting(*columns: str) -> None:
    op.drop_index("ix_jobs_waiting", table_name="jobs")
    op.create_index(
        "ix_jobs_waiting",
        "jobs",
        ["state", "backend", *columns],
        sqlite_where=WAITING,
        postgresql_where=WAITING,
    )


def upgrade() -> None:
    _waiting("due_at", "lease_until", "state_since")
    op.create_index(
        "ix_jobs_quarantined",
        "jobs",
        ["id", "state_since"],
        sqlite_where=QUARANTINED,
        postgresql_where=QUARANTINED,
    )
    op.create_index(
        "ix_jobs_doubtful",
        "jobs",
        ["state", "id"],
        sqlite_where=sa.text("doubtful = 1"),
        postgresql_where=sa.text("doubtful"),
    )


def downgrade() -> None:
    op.drop_index("ix_jobs_doubtful", table_name="jobs")
    op.drop_index("ix_jobs_quarantined", table_name="jobs")
    _waiting("lease_until", "state_since", "due_at")

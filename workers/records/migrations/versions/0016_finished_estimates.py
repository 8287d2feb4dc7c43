"""Finished estimates are found without a look at all other jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_jobs_estimates",
        "jobs",
        ["id"],
        sqlite_where=sa.text("estimate IS NOT NULL"),
        postgresql_where=sa.text("estimate IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_jobs_estimates", table_name="jobs")

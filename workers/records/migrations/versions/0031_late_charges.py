"""When a provider is next asked what it charged for a job that has ended."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

KNOWN = sa.text("charge_due_at IS NOT NULL")


def upgrade() -> None:
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("charge_due_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_jobs_charge_due_at",
        "jobs",
        ["charge_due_at"],
        sqlite_where=KNOWN,
        postgresql_where=KNOWN,
    )


def downgrade() -> None:
    op.drop_index("ix_jobs_charge_due_at", table_name="jobs")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_column("charge_due_at")

"""Estimates whose rounds are jobs, and which are a job themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("parent_id", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("estimation", sa.JSON(), nullable=True))
        batch_op.add_column(sa.Column("estimate", sa.JSON(), nullable=True))
        batch_op.create_foreign_key("fk_jobs_parents", "jobs", ["parent_id"], ["id"])
        batch_op.create_index("ix_jobs_parent_id", ["parent_id"])


def downgrade() -> None:
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_index("ix_jobs_parent_id")
        batch_op.drop_constraint("fk_jobs_parents", type_="foreignkey")
        batch_op.drop_column("estimate")
        batch_op.drop_column("estimation")
        batch_op.drop_column("parent_id")

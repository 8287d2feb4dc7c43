"""Batches: jobs that run others, and tell what came of them together."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("batch", sa.JSON(), nullable=True))
        batch_op.add_column(sa.Column("batched", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_column("batched")
        batch_op.drop_column("batch")

"""Trainings whose circuits are jobs, and which are a job themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("training", sa.JSON(), nullable=True))
        batch_op.add_column(sa.Column("trained", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_column("trained")
        batch_op.drop_column("training")

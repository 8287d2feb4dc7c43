"""Which encodings of a game were tried where the best one was asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("encodings", sa.JSON(), nullable=False, server_default="[]"))


def downgrade() -> None:
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.drop_column("encodings")

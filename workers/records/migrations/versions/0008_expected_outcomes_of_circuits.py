"""What users' circuits are expected to measure, and why that is not known of some.

Jobs of before keep what they have; scored again, those of circuits get scores.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("orders", sa.Column("expected", sa.LargeBinary(), nullable=True))
    op.add_column("compilations", sa.Column("expected", sa.LargeBinary(), nullable=True))
    op.add_column("compilations", sa.Column("unscored", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.drop_column("unscored")
        batch_op.drop_column("expected")
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_column("expected")

"""Scores of games that are too large for an exact distribution."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

COLUMNS = ("hellinger_fidelity", "tvd", "p_win_exact", "points_exact")


def upgrade() -> None:
    with op.batch_alter_table("scores", schema=None) as batch_op:
        for name in COLUMNS:
            batch_op.alter_column(name, existing_type=sa.Double(), nullable=True)


def downgrade() -> None:
    op.execute("DELETE FROM scores WHERE " + " OR ".join(f"{name} IS NULL" for name in COLUMNS))
    with op.batch_alter_table("scores", schema=None) as batch_op:
        for name in reversed(COLUMNS):
            batch_op.alter_column(name, existing_type=sa.Double(), nullable=False)

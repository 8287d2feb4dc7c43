"""CPU seconds of other compilers, and the swaps of their routing."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("peer_results", sa.Column("cpu_seconds", sa.Double(), nullable=True))
    op.add_column("peer_results", sa.Column("swaps", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("peer_results", "swaps")
    op.drop_column("peer_results", "cpu_seconds")

"""T gates of what was compiled for error-corrected qubits."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

COLUMNS = (
    "t_count",
    "t_count_unmeasured",
    "t_gates",
    "toffolis",
    "rotations",
    "table_rotations",
    "t_depth",
    "logical_qubits",
)


def upgrade() -> None:
    with op.batch_alter_table("candidates", schema=None) as batch_op:
        for name in COLUMNS:
            batch_op.add_column(sa.Column(name, sa.Integer(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("candidates", schema=None) as batch_op:
        for name in reversed(COLUMNS):
            batch_op.drop_column(name)

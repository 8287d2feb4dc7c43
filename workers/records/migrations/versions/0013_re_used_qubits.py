"""How many qubits a program has saved by using them again, and how."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("qubits_saved", sa.Integer(), nullable=True))
        batch_op.add_column(
            sa.Column("qubit_chains", sa.JSON(), nullable=False, server_default="[]")
        )


def downgrade() -> None:
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.drop_column("qubit_chains")
        batch_op.drop_column("qubits_saved")

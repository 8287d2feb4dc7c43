"""What each pass of a candidate left, which were left out, and mitigated scores."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("scores", schema=None) as batch_op:
        batch_op.alter_column("kind", existing_type=sa.String(20), type_=sa.String(40))
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("budget", sa.Integer(), nullable=False, server_default="0"))
        batch_op.add_column(sa.Column("without", sa.JSON(), nullable=False, server_default="[]"))
    with op.batch_alter_table("candidates", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("initial_layout", sa.JSON(), nullable=False, server_default="[]")
        )
        batch_op.add_column(sa.Column("steps", sa.JSON(), nullable=False, server_default="[]"))
        batch_op.add_column(sa.Column("logical", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.execute("DELETE FROM scores WHERE kind LIKE 'mitigated%'")
    with op.batch_alter_table("scores", schema=None) as batch_op:
        batch_op.alter_column("kind", existing_type=sa.String(40), type_=sa.String(20))
    with op.batch_alter_table("candidates", schema=None) as batch_op:
        batch_op.drop_column("logical")
        batch_op.drop_column("steps")
        batch_op.drop_column("initial_layout")
    with op.batch_alter_table("compilations", schema=None) as batch_op:
        batch_op.drop_column("without")
        batch_op.drop_column("budget")

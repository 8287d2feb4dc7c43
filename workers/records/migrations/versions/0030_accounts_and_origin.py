"""The account that a job was submitted to, and which copy of the database is in use."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.add_column(sa.Column("provider_account", sa.String(200), nullable=True))
    origin = op.create_table(
        "database_origin",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("identity", sa.String(200), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.execute(origin.insert().values(id=1, identity=""))


def downgrade() -> None:
    op.drop_table("database_origin")
    with op.batch_alter_table("jobs", schema=None) as batch_op:
        batch_op.drop_column("provider_account")

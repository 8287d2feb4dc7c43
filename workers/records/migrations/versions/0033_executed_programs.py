"""Keep the programs that providers compiled and ran."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Add the program, and how it compares with the one that was sent."""
    op.add_column("jobs", sa.Column("executed", sa.String(40)))
    op.add_column("jobs", sa.Column("executed_detail", sa.String))
    op.add_column("jobs", sa.Column("executed_program", sa.LargeBinary))

"""Keep the values of compiled circuits' parameters."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    """Add the values; none of those compiled so far had parameters."""
    op.add_column("compilations", sa.Column("parameter_values", sa.JSON))

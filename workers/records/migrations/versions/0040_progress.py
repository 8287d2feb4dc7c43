"""Keep how far compilations of jobs are."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Add a job's progress."""
    op.add_column("jobs", sa.Column("progress", sa.String))

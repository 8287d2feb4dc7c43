"""Keep records of others."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Add the table of imported records."""
    op.create_table(
        "published_records",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.JSON, nullable=False),
    )

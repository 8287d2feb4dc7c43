"""Keep notices to people."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Add the table of notices."""
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("channel", sa.String(20), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("job_id", sa.Integer),
        sa.Column("due_at", sa.DateTime(timezone=True)),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True)),
        sa.Column("error", sa.String),
        sa.UniqueConstraint("key", name="uq_notices_key"),
    )
    op.create_index(
        "ix_notices_due_at", "notices", ["due_at"],
        postgresql_where=sa.text("due_at IS NOT NULL"), sqlite_where=sa.text("due_at IS NOT NULL"),
    )  # fmt: skip

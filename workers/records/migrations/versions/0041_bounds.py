"""Keep bounds of observables, and by how much counts exceed them."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    """Add an observable's bound and excess."""
    op.add_column("observables", sa.Column("bound", sa.Double))
    op.add_column("observables", sa.Column("sigmas", sa.Double))
